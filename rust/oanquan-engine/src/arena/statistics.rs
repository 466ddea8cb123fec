//! What the pairs of a match say of the strength of two agents.
//!
//! The two games of a pair begin alike, so that they are not independent; pairs are. So everything is computed from the
//! five results that a pair can have (Hartmann's *pentanomial* model): the score of a pair is 0, ½, 1, 1½ or 2 points of
//! two. The test is the generalised sequential probability ratio test: the likelihoods of both hypotheses are those of
//! the likeliest distribution over the five results that has the mean which the hypothesis says (M. Van den Bergh,
//! *The Generalized Sequential Probability Ratio Test for Chess Engines*, as in fishtest). With the same likelihoods
//! comes the interval: the means against which the likelihood ratio does not speak, which also makes sense where one
//! agent won every game.

use std::fmt;

/// How often a pair of games came to which score: `counts[k]` pairs gave the first agent k half points of two games.
///
/// ```
/// use oanquan_engine::arena::Pentanomial;
/// let pairs = Pentanomial { counts: [1, 2, 10, 4, 3] };
/// assert_eq!((pairs.pairs(), pairs.score()), (20, 0.575));
/// assert!((pairs.elo() - 52.5).abs() < 0.1);
/// let (low, high) = pairs.elo_interval();
/// assert!(low < pairs.elo() && pairs.elo() < high);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial {
    /// The pairs by the first agent's half points less those of the other, from 0 to 4.
    pub counts: [u64; 5],
}

/// What a pair is worth as a share of its two points.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// What is added to the count of each result, so that every mean between 0 and 1 has a distribution.
const REGULAR: f64 = 1e-3;
/// The standard deviations on each side of a 95 % interval.
const DEVIATIONS: f64 = 1.959_963_984_540_054;
/// Steps of a bisection: until the interval has no double within.
const HALVINGS: u32 = 100;

impl Pentanomial {
    /// How many pairs there are.
    ///
    /// ```
    /// use oanquan_engine::arena::Pentanomial;
    /// assert_eq!(Pentanomial { counts: [1, 0, 2, 0, 1] }.pairs(), 4);
    /// ```
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of the points that the first agent won, 0 to 1; ½ of no pairs.
    ///
    /// ```
    /// use oanquan_engine::arena::Pentanomial;
    /// assert_eq!(Pentanomial { counts: [0, 0, 0, 1, 0] }.score(), 0.75);
    /// ```
    pub fn score(&self) -> f64 {
        let quarters: u64 = self.counts.iter().zip(0..).map(|(&count, quarters)| count * quarters).sum();
        if self.pairs() == 0 { 0.5 } else { quarters as f64 / (4 * self.pairs()) as f64 }
    }

    /// The 95 % interval of the score: the means that the likelihood ratio test does not refuse; 0 to 1 of no pairs.
    ///
    /// ```
    /// use oanquan_engine::arena::Pentanomial;
    /// let (low, high) = Pentanomial { counts: [0, 0, 0, 0, 50] }.score_interval();
    /// assert!((low - 0.962).abs() < 0.002 && high == 1.0);
    /// ```
    pub fn score_interval(&self) -> (f64, f64) {
        if self.pairs() == 0 {
            return (0.0, 1.0);
        }
        let frequencies = self.frequencies();
        let mean = mean(&frequencies);
        let refused = |score: f64| {
            let against = frequencies.ratio(&likeliest(&frequencies, score), &frequencies.share);
            2.0 * against > DEVIATIONS * DEVIATIONS
        };
        let low = if self.score() == 0.0 { 0.0 } else { border(0.0, mean, &refused) };
        let high = if self.score() >= 1.0 { 1.0 } else { border(1.0, mean, &refused) };
        (low, high)
    }

    /// By how much Elo the first agent is stronger: the logistic Elo of its score; infinite where all points went to one.
    ///
    /// ```
    /// use oanquan_engine::arena::Pentanomial;
    /// assert_eq!(Pentanomial { counts: [0, 0, 7, 0, 0] }.elo(), 0.0);
    /// assert_eq!(Pentanomial { counts: [0, 0, 0, 0, 7] }.elo(), f64::INFINITY);
    /// ```
    pub fn elo(&self) -> f64 {
        elo_of(self.score())
    }

    /// The 95 % interval of the Elo: that of [`score_interval`](Self::score_interval).
    ///
    /// ```
    /// use oanquan_engine::arena::Pentanomial;
    /// let (low, high) = Pentanomial { counts: [0, 0, 0, 0, 50] }.elo_interval();
    /// assert!(low > 500.0 && high == f64::INFINITY);
    /// ```
    pub fn elo_interval(&self) -> (f64, f64) {
        let (low, high) = self.score_interval();
        (elo_of(low), elo_of(high))
    }

    fn frequencies(&self) -> Frequencies {
        let counts = self.counts.map(|count| count as f64 + REGULAR);
        let all: f64 = counts.iter().sum();
        Frequencies { share: counts.map(|count| count / all), all }
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [none, half, one, more, two] = self.counts;
        write!(f, "{none}, {half}, {one}, {more}, {two}")
    }
}

/// How often each result came, and how many pairs there are.
struct Frequencies {
    share: [f64; 5],
    all: f64,
}

impl Frequencies {
    /// The logarithm of how much likelier one distribution makes these results than another.
    fn ratio(&self, less: &[f64; 5], more: &[f64; 5]) -> f64 {
        let terms = self.share.iter().zip(less.iter().zip(more));
        self.all * terms.map(|(share, (less, more))| share * (more / less).ln()).sum::<f64>()
    }
}

fn mean(frequencies: &Frequencies) -> f64 {
    frequencies.share.iter().zip(SCORES).map(|(share, score)| share * score).sum()
}

/// The distribution of that mean under which the results are likeliest: `share / (1 + t (score - mean))`, with the `t`
/// that gives it the mean.
fn likeliest(frequencies: &Frequencies, mean: f64) -> [f64; 5] {
    let weight = |t: f64, score: f64| 1.0 + t * (score - mean);
    // Falls with t, from one pole to the other.
    let excess = |t: f64| -> f64 {
        let terms = frequencies.share.iter().zip(SCORES);
        terms.map(|(share, score)| share * (score - mean) / weight(t, score)).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = 0.5 * (low + high);
    let mut place = 0;
    frequencies.share.map(|share| {
        place += 1;
        share / weight(t, SCORES[place - 1])
    })
}

/// Where, between a refused end and an accepted mean, refusal ends.
fn border(end: f64, mean: f64, refused: &dyn Fn(f64) -> bool) -> f64 {
    let (mut out, mut within) = (end, mean);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (out + within);
        if middle <= out.min(within) || middle >= out.max(within) {
            break;
        }
        if refused(middle) { out = middle } else { within = middle }
    }
    within
}

/// The logistic Elo of a score.
fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that is to be expected of so much more Elo.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// A sequential test whether the first agent is stronger by `elo1` rather than by `elo0`.
///
/// ```
/// use oanquan_engine::arena::{Pentanomial, Sprt, Verdict};
/// let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
/// let pairs = Pentanomial { counts: [100, 300, 900, 400, 200] };
/// assert!((test.llr(&pairs) - 14.255).abs() < 0.001);
/// assert_eq!(test.verdict(&pairs), Some(Verdict::Stronger));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The Elo of the first hypothesis.
    pub elo0: f64,
    /// The Elo of the second one, more than the first.
    pub elo1: f64,
    /// How often the second may be accepted where the first holds.
    pub alpha: f64,
    /// How often the first may be accepted where the second holds.
    pub beta: f64,
}

/// What a [`Sprt`] came to.
///
/// ```
/// use oanquan_engine::arena::Verdict;
/// assert_eq!(Verdict::Stronger.name(), "stronger");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The first hypothesis is accepted: the first agent is not stronger by `elo1`.
    NotStronger,
    /// The second hypothesis is accepted: the first agent is stronger than by `elo0`.
    Stronger,
}

impl Verdict {
    /// The verdict in a word or two.
    ///
    /// ```
    /// use oanquan_engine::arena::Verdict;
    /// assert_eq!(Verdict::NotStronger.name(), "not stronger");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotStronger => "not stronger",
            Self::Stronger => "stronger",
        }
    }
}

impl Sprt {
    /// Why it is no test: `None` for a good one.
    ///
    /// ```
    /// use oanquan_engine::arena::Sprt;
    /// let test = Sprt { elo0: 5.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
    /// assert_eq!(test.fault().unwrap(), "sprt: expected elo0 < elo1 within -2000 to 2000, got 5 and 5");
    /// ```
    pub fn fault(&self) -> Option<String> {
        let Self { elo0, elo1, alpha, beta } = *self;
        if !(-2000.0 <= elo0 && elo0 < elo1 && elo1 <= 2000.0) {
            return Some(format!("sprt: expected elo0 < elo1 within -2000 to 2000, got {elo0} and {elo1}"));
        }
        let chance = |name: &str, value: f64| {
            let good = value > 0.0 && value < 0.5;
            (!good).then(|| format!("sprt: expected {name} between 0 and 0.5, got {value}"))
        };
        chance("alpha", alpha).or_else(|| chance("beta", beta))
    }

    /// The logarithm of how much likelier `elo1` makes the results than `elo0`; 0 of no pairs.
    ///
    /// ```
    /// use oanquan_engine::arena::{Pentanomial, Sprt};
    /// let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
    /// assert_eq!(test.llr(&Pentanomial::default()), 0.0);
    /// assert!(test.llr(&Pentanomial { counts: [0, 0, 10, 0, 0] }) < 0.0);
    /// ```
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let frequencies = pairs.frequencies();
        let [less, more] = [self.elo0, self.elo1].map(|elo| likeliest(&frequencies, score_of(elo)));
        frequencies.ratio(&less, &more)
    }

    /// Between which values of [`llr`](Self::llr) the test goes on.
    ///
    /// ```
    /// use oanquan_engine::arena::Sprt;
    /// let (low, high) = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 }.bounds();
    /// assert!((low + 2.944).abs() < 0.001 && (high - 2.944).abs() < 0.001);
    /// ```
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What the pairs settle, if they do.
    ///
    /// ```
    /// use oanquan_engine::arena::{Pentanomial, Sprt};
    /// let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
    /// assert_eq!(test.verdict(&Pentanomial { counts: [1, 1, 1, 1, 1] }), None);
    /// ```
    pub fn verdict(&self, pairs: &Pentanomial) -> Option<Verdict> {
        let ((low, high), llr) = (self.bounds(), self.llr(pairs));
        match llr {
            _ if llr >= high => Some(Verdict::Stronger),
            _ if llr <= low => Some(Verdict::NotStronger),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameStream;

    /// For many pairs that scatter, likelihood ratio and interval are those of the normal distribution.
    #[test]
    fn many_pairs_are_normal() {
        let pairs = Pentanomial { counts: [800, 2100, 4000, 2300, 800] };
        let n = pairs.pairs() as f64;
        let of = |value: &dyn Fn(f64) -> f64| {
            pairs.counts.iter().zip(SCORES).map(|(&count, score)| count as f64 * value(score)).sum::<f64>() / n
        };
        let mean = of(&|score| score);
        let variance = of(&|score| (score - mean) * (score - mean));
        let (low, high) = pairs.score_interval();
        let half = DEVIATIONS * (variance / n).sqrt();
        assert!((low - (mean - half)).abs() < 0.01 * half && (high - (mean + half)).abs() < 0.01 * half);
        let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        let [s0, s1] = [0.0, 5.0].map(score_of);
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert!((test.llr(&pairs) - normal).abs() < 0.02 * normal.abs(), "{} {normal}", test.llr(&pairs));
    }

    #[test]
    fn the_likeliest_distribution_is_one_and_has_its_mean() {
        for counts in [[3, 1, 4, 1, 5], [0, 0, 9, 0, 0], [0, 0, 0, 0, 40], [7, 0, 0, 0, 0], [1, 0, 0, 0, 1]] {
            for wanted in [0.02, 0.3, 0.5, 0.77, 0.99] {
                let frequencies = Pentanomial { counts }.frequencies();
                let share = likeliest(&frequencies, wanted);
                let found = mean(&Frequencies { share, all: 1.0 });
                assert!((share.iter().sum::<f64>() - 1.0).abs() < 1e-9 && (found - wanted).abs() < 1e-9, "{counts:?}");
                // No distribution of that mean makes the results likelier: shifts that keep it lose.
                for shift in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -1.0, -1.0, 1.0], [1.0, 0.0, -2.0, 0.0, 1.0]] {
                    for size in [1e-7, -1e-7] {
                        let other: [f64; 5] = std::array::from_fn(|place| share[place] + size * shift[place]);
                        if other.iter().all(|&share| share > 0.0) {
                            assert!(frequencies.ratio(&other, &share) > -1e-12, "{counts:?} {wanted}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn mirrored_pairs_have_the_mirrored_elo() {
        let pairs = Pentanomial { counts: [3, 9, 20, 11, 8] };
        let mirrored = Pentanomial { counts: [8, 11, 20, 9, 3] };
        let ((low, high), (other_low, other_high)) = (pairs.elo_interval(), mirrored.elo_interval());
        assert!((pairs.elo() + mirrored.elo()).abs() < 1e-9);
        assert!((low + other_high).abs() < 1e-6 && (high + other_low).abs() < 1e-6);
        let test = Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        assert!((test.llr(&pairs) + test.llr(&mirrored)).abs() < 1e-9);
    }

    /// Of equal agents the test says "stronger" about as seldom as `alpha` says, of stronger ones "not" as `beta` does.
    #[test]
    fn the_test_errs_as_often_as_it_says() {
        let test = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.1 };
        let wrong = |elo: f64, wrong: Verdict| {
            // A mixture of two distributions that has the mean.
            let shift = 2.0 * (score_of(elo) - 0.5);
            let share = [0.1 - 0.1 * shift, 0.2 - 0.2 * shift, 0.4, 0.2 + 0.2 * shift, 0.1 + 0.1 * shift];
            let missing = score_of(elo) - mean(&Frequencies { share, all: 1.0 });
            let share = [share[0] - missing, share[1], share[2], share[3], share[4] + missing];
            let runs = 400;
            let err = (0..runs).filter(|&run| {
                let stream = GameStream::new(5, run);
                let mut pairs = Pentanomial::default();
                let verdict = (0..100_000).find_map(|pair| {
                    let mut draw = f64::from(stream.below(pair, 1 << 30)) / f64::from(1 << 30);
                    let result = share.iter().position(|share| {
                        draw -= share;
                        draw < 0.0
                    });
                    pairs.counts[result.unwrap_or(4)] += 1;
                    test.verdict(&pairs)
                });
                verdict == Some(wrong)
            });
            err.count() as f64 / runs as f64
        };
        // Three standard deviations of 400 runs are 0.033 and 0.045.
        assert!(wrong(0.0, Verdict::Stronger) < 0.05 + 0.033);
        assert!(wrong(60.0, Verdict::NotStronger) < 0.1 + 0.045);
    }
}
