//! How a number is spread over many games, in whole numbers that can be added in any order and come out the same.

use std::collections::BTreeMap;
use std::fmt;

/// Count, sum, sum of squares and range of a number that each game has.
///
/// ```
/// use oanquan_engine::Tally;
/// let mut tally = Tally::default();
/// for value in [2, 4, 4, 4, 5, 5, 7, 9] {
///     tally.add(value);
/// }
/// assert_eq!((tally.mean(), tally.min, tally.max), (Some(5.0), 2, 9));
/// assert_eq!(tally.sd(), Some((32.0_f64 / 7.0).sqrt()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// How many values there are.
    pub count: u64,
    /// Their sum.
    pub sum: i128,
    /// The sum of their squares.
    pub sum_of_squares: i128,
    /// The least of them; `i64::MAX` if there is none.
    pub min: i64,
    /// The greatest of them; `i64::MIN` if there is none.
    pub max: i64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { count: 0, sum: 0, sum_of_squares: 0, min: i64::MAX, max: i64::MIN }
    }
}

impl Tally {
    /// Adds a value.
    ///
    /// ```
    /// let mut tally = oanquan_engine::Tally::default();
    /// tally.add(-3);
    /// assert_eq!((tally.count, tally.sum, tally.sum_of_squares), (1, -3, 9));
    /// ```
    #[inline]
    pub fn add(&mut self, value: i64) {
        self.add_times(value, 1);
    }

    /// Adds a value `times` times, at least once.
    ///
    /// ```
    /// let mut tally = oanquan_engine::Tally::default();
    /// tally.add_times(5, 3);
    /// assert_eq!((tally.count, tally.sum, tally.sum_of_squares), (3, 15, 75));
    /// ```
    #[inline]
    pub fn add_times(&mut self, value: i64, times: u64) {
        let sum = i128::from(value) * i128::from(times);
        self.count += times;
        self.sum += sum;
        self.sum_of_squares += i128::from(value) * sum;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Adds the values of another tally.
    ///
    /// ```
    /// use oanquan_engine::Tally;
    /// let mut tally = Tally::default();
    /// tally.add(1);
    /// tally.merge(&tally.clone());
    /// assert_eq!((tally.count, tally.sum), (2, 2));
    /// ```
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The mean, if there is a value.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Tally::default().mean(), None);
    /// ```
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The standard deviation of the values as a sample (over n - 1), if there are two. The one rounding is the last.
    ///
    /// ```
    /// let mut tally = oanquan_engine::Tally::default();
    /// tally.add(1);
    /// assert_eq!(tally.sd(), None);
    /// tally.add(3);
    /// assert_eq!(tally.sd(), Some(2.0_f64.sqrt()));
    /// ```
    pub fn sd(&self) -> Option<f64> {
        let count = i128::from(self.count);
        let scaled = count.saturating_mul(self.sum_of_squares).saturating_sub(self.sum.saturating_mul(self.sum));
        (count > 1).then(|| (scaled as f64 / (count as f64 * (count - 1) as f64)).sqrt())
    }
}

/// The least value that has a place of its own in the window of a [`Distribution`].
const FIRST: i64 = -512;
/// How many values have one: the points of every game in which no store is overdrawn without end, and the plies of
/// every game under the default limits.
const WINDOW: usize = 2048;
/// How many binary digits of a value beyond the window are kept.
const DIGITS: u32 = 14;

/// How many games have each value of a number, exactly, and so its [`Tally`] too.
///
/// Adding a value costs one addition to a place in memory: this is what a [`Summary`](crate::Summary) does for each
/// number of each game. Values of 2^14 and more, of either sign, are counted together with those that share their first
/// 14 binary digits, so that memory is bounded even where debts grow without end; the tally stays exact.
///
/// ```
/// use oanquan_engine::Distribution;
/// let mut points = Distribution::default();
/// for value in [35, 12, 35, -4] {
///     points.add(value);
/// }
/// assert_eq!(points.counts().collect::<Vec<_>>(), [(-4, 1), (12, 1), (35, 2)]);
/// assert_eq!((points.tally().sum, points.tally().mean()), (78, Some(19.5)));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Distribution {
    near: Box<[u64; WINDOW]>,
    far: BTreeMap<i64, u64>,
    /// Of the values in `far`, before they were rounded.
    far_tally: Tally,
}

impl Default for Distribution {
    fn default() -> Self {
        Self { near: Box::new([0; WINDOW]), far: BTreeMap::new(), far_tally: Tally::default() }
    }
}

impl fmt::Debug for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.counts()).finish()
    }
}

impl Distribution {
    /// Adds a value.
    ///
    /// ```
    /// let mut plies = oanquan_engine::Distribution::default();
    /// plies.add(28);
    /// assert_eq!(plies.tally().count, 1);
    /// ```
    #[inline]
    pub fn add(&mut self, value: i64) {
        match self.near.get_mut(value.wrapping_sub(FIRST) as usize) {
            Some(count) => *count += 1,
            None => self.add_far(value),
        }
    }

    #[cold]
    fn add_far(&mut self, value: i64) {
        *self.far.entry(rounded(value)).or_default() += 1;
        self.far_tally.add(value);
    }

    /// Adds the values of another distribution.
    ///
    /// ```
    /// use oanquan_engine::Distribution;
    /// let mut plies = Distribution::default();
    /// plies.add(28);
    /// plies.merge(&plies.clone());
    /// assert_eq!(plies.counts().collect::<Vec<_>>(), [(28, 2)]);
    /// ```
    pub fn merge(&mut self, other: &Self) {
        for (mine, others) in self.near.iter_mut().zip(other.near.iter()) {
            *mine += others;
        }
        for (&value, others) in &other.far {
            *self.far.entry(value).or_default() += others;
        }
        self.far_tally.merge(&other.far_tally);
    }

    /// The values that occur, ascending, each with how often it does.
    ///
    /// ```
    /// let mut far = oanquan_engine::Distribution::default();
    /// far.add(1_000_001);
    /// far.add(16_383);
    /// assert_eq!(far.counts().collect::<Vec<_>>(), [(16_383, 1), (1_000_000, 1)]);
    /// ```
    pub fn counts(&self) -> impl Iterator<Item = (i64, u64)> {
        let near = (FIRST..).zip(self.near.iter().copied()).filter(|&(_, count)| count > 0);
        let (below, above) = (self.far.range(..FIRST), self.far.range(FIRST..));
        let far = |(&value, &count): (&i64, &u64)| (value, count);
        below.map(far).chain(near).chain(above.map(far))
    }

    /// Count, sum, sum of squares and range of the values, exactly.
    ///
    /// ```
    /// let mut far = oanquan_engine::Distribution::default();
    /// far.add(1_000_001);
    /// assert_eq!((far.tally().sum, far.tally().max), (1_000_001, 1_000_001));
    /// ```
    pub fn tally(&self) -> Tally {
        let mut tally = self.far_tally;
        for (value, &count) in (FIRST..).zip(self.near.iter()).filter(|&(_, &count)| count > 0) {
            tally.add_times(value, count);
        }
        tally
    }
}

/// The value with all but its first [`DIGITS`] binary digits zero.
fn rounded(value: i64) -> i64 {
    let size = value.unsigned_abs();
    let dropped = (u64::BITS - size.leading_zeros()).saturating_sub(DIGITS);
    let rounded = (size >> dropped << dropped) as i64;
    if value < 0 { rounded.wrapping_neg() } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_up_to_fourteen_digits_has_its_own_count() {
        let mut distribution = Distribution::default();
        let values = || -((1 << DIGITS) - 1)..(1 << DIGITS);
        values().chain(values()).for_each(|value| distribution.add(value));
        assert!(distribution.counts().eq(values().map(|value| (value, 2))));
        let mut tally = Tally::default();
        values().for_each(|value| tally.add_times(value, 2));
        assert_eq!(distribution.tally(), tally);
    }

    #[test]
    fn far_values_take_bounded_room_and_keep_their_tally() {
        let (mut distribution, mut tally) = (Distribution::default(), Tally::default());
        let ends = [-(1 << 40), 1 << 40, i64::from(u32::MAX), FIRST, FIRST - 1, FIRST + WINDOW as i64];
        for value in ends.into_iter().chain((0..200_000).map(|value| value * 7 - 1_000_000)) {
            distribution.add(value);
            tally.add(value);
        }
        assert_eq!(distribution.tally(), tally);
        assert_eq!(distribution.counts().map(|(_, count)| count).sum::<u64>(), tally.count);
        assert!(distribution.counts().is_sorted_by_key(|(value, _)| value));
        // Seven doublings from 2^14 to 2^20, at most 2^13 values in each, of two signs.
        assert!(distribution.far.len() < 2 * 7 * (1 << (DIGITS - 1)), "{}", distribution.far.len());
        for value in [1 << 14, -(1 << 40) + 1, i64::MIN, i64::MAX] {
            let error = value.abs_diff(rounded(value));
            assert!(error <= value.unsigned_abs() >> (DIGITS - 1), "{value} became {}", rounded(value));
        }
    }

    #[test]
    fn parts_merge_in_any_order() {
        let of = |values: &[i64]| {
            let mut distribution = Distribution::default();
            for &value in values {
                distribution.add(value);
            }
            distribution
        };
        let parts = [of(&[1, -700, 1_000_000]), of(&[-700, 5, 5]), of(&[1_000_001, i64::MIN / 2])];
        let all = of(&[i64::MIN / 2, 1, -700, 1_000_000, -700, 5, 5, 1_000_001]);
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let mut merged = Distribution::default();
            for part in order {
                merged.merge(&parts[part]);
            }
            assert_eq!(merged, all);
        }
    }
}
