//! What many games came to, in whole numbers: sums that can be added in any order and come out the same.

use oanquan_core::{Ending, Side};

use crate::Finished;

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
    pub squares: i128,
    /// The least of them; `i64::MAX` if there is none.
    pub min: i64,
    /// The greatest of them; `i64::MIN` if there is none.
    pub max: i64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { count: 0, sum: 0, squares: 0, min: i64::MAX, max: i64::MIN }
    }
}

impl Tally {
    /// Adds a value.
    ///
    /// ```
    /// let mut tally = oanquan_engine::Tally::default();
    /// tally.add(-3);
    /// assert_eq!((tally.count, tally.sum, tally.squares), (1, -3, 9));
    /// ```
    #[inline]
    pub fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += i128::from(value);
        self.squares += i128::from(value) * i128::from(value);
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
        self.squares += other.squares;
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
        let scaled = count.saturating_mul(self.squares).saturating_sub(self.sum.saturating_mul(self.sum));
        (count > 1).then(|| (scaled as f64 / (count as f64 * (count - 1) as f64)).sqrt())
    }
}

/// What many games came to.
///
/// Two summaries of different games merge into that of all of them, in any order.
///
/// ```
/// use oanquan_core::{Ending, Position, Rules};
/// use oanquan_engine::{Config, simulate};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let config = Config { seed: 7, ..Config::new(Position::start(Rules::default()), 1000) };
/// let summary = simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0));
/// assert_eq!(summary.ended_by(Ending::Mandarins) + summary.stopped(), 1000);
/// assert_eq!(summary.points[0].sum - summary.points[1].sum, summary.difference.sum);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// How many games there are.
    pub games: u64,
    /// How many games each side won.
    pub wins: [u64; 4],
    /// How many games nobody won.
    pub draws: u64,
    /// How many games ended for each reason, in the order of [`Ending::ALL`].
    pub endings: [u64; Ending::ALL.len()],
    /// The plies of the games; their sum is the number of moves made.
    pub plies: Tally,
    /// The points of each side; empty for a side that does not play.
    pub points: [Tally; 4],
    /// The points of side a minus those of side b; empty unless two sides play.
    pub difference: Tally,
    /// How many rows were re-seeded.
    pub reseedings: u64,
    /// How many loans were made, one for each lender.
    pub loans: u64,
    /// How many pebbles were lent.
    pub pebbles_lent: u64,
}

impl Summary {
    /// Adds a game.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Limits, Playout, Random, Summary};
    /// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    /// let mut summary = Summary::default();
    /// summary.add(&playout.run(&Random, GameStream::new(7, 0)));
    /// assert_eq!((summary.games, summary.points[0].count), (1, 1));
    /// ```
    #[inline]
    pub fn add(&mut self, game: &Finished) {
        self.games += 1;
        match game.outcome.winner {
            Some(side) => self.wins[side.index()] += 1,
            None => self.draws += 1,
        }
        self.endings[game.outcome.ending as usize] += 1;
        self.plies.add(game.plies.into());
        let points = game.outcome.points.as_slice();
        for (tally, &points) in self.points.iter_mut().zip(points) {
            tally.add(points.into());
        }
        if let &[a, b] = points {
            self.difference.add(i64::from(a) - i64::from(b));
        }
        self.reseedings += u64::from(game.reseedings);
        self.loans += u64::from(game.loans);
        self.pebbles_lent += u64::from(game.pebbles_lent);
    }

    /// Adds the games of another summary.
    ///
    /// ```
    /// use oanquan_engine::Summary;
    /// let mut summary = Summary { games: 2, draws: 2, ..Summary::default() };
    /// summary.merge(&Summary { games: 1, wins: [1, 0, 0, 0], ..Summary::default() });
    /// assert_eq!((summary.games, summary.wins[0], summary.draws), (3, 1, 2));
    /// ```
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.draws += other.draws;
        self.reseedings += other.reseedings;
        self.loans += other.loans;
        self.pebbles_lent += other.pebbles_lent;
        let counts = self.wins.iter_mut().chain(&mut self.endings);
        for (mine, others) in counts.zip(other.wins.iter().chain(&other.endings)) {
            *mine += others;
        }
        for (mine, others) in self.points.iter_mut().zip(&other.points) {
            mine.merge(others);
        }
        self.plies.merge(&other.plies);
        self.difference.merge(&other.difference);
    }

    /// How many moves were made.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().moves(), 0);
    /// ```
    pub fn moves(&self) -> u64 {
        self.plies.sum as u64
    }

    /// How many games that side won.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().won_by(oanquan_core::Side::A), 0);
    /// ```
    pub fn won_by(&self, side: Side) -> u64 {
        self.wins[side.index()]
    }

    /// How many games ended for that reason.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().ended_by(oanquan_core::Ending::Mandarins), 0);
    /// ```
    pub fn ended_by(&self, ending: Ending) -> u64 {
        self.endings[ending as usize]
    }

    /// How many games were ended by a limit: repetition or the number of plies.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().stopped(), 0);
    /// ```
    pub fn stopped(&self) -> u64 {
        self.ended_by(Ending::Repetition) + self.ended_by(Ending::MaxPlies)
    }
}
