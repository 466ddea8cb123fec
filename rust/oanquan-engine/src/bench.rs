//! How fast games are played here, and how fast the machine is, so that runs on different days can be compared as a
//! ratio.

use std::hint::black_box;
use std::time::{Duration, Instant};

use oanquan_core::Position;

use crate::{GameStream, Limits, Playout, Random, rng};

/// Something counted, and the time that it took.
///
/// ```
/// use std::time::Duration;
/// let rate = oanquan_engine::bench::Rate { count: 30, time: Duration::from_secs(2) };
/// assert_eq!(rate.per_second(), 15.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// How many.
    pub count: u64,
    /// In what time.
    pub time: Duration,
}

impl Rate {
    /// How many in a second.
    ///
    /// ```
    /// use std::time::Duration;
    /// let rate = oanquan_engine::bench::Rate { count: 1, time: Duration::from_millis(10) };
    /// assert_eq!(rate.per_second(), 100.0);
    /// ```
    pub fn per_second(&self) -> f64 {
        self.count as f64 / self.time.as_secs_f64()
    }
}

/// Counts what `batch` does until `time` has passed.
fn measure(time: Duration, mut batch: impl FnMut() -> u64) -> Rate {
    let begin = Instant::now();
    let mut count = 0;
    loop {
        count += batch();
        let passed = begin.elapsed();
        if passed >= time {
            return Rate { count, time: passed };
        }
    }
}

/// The calibration loop: how many steps of a fixed chain of [`rng::mix`] the machine makes in about that time. Each
/// step waits for the one before, so this is the speed of one core and of nothing else.
///
/// ```
/// use std::time::Duration;
/// assert!(oanquan_engine::bench::calibration(Duration::from_millis(1)).count > 0);
/// ```
pub fn calibration(time: Duration) -> Rate {
    const STEPS: u64 = 100_000;
    let mut state = 0;
    measure(time, || {
        for _ in 0..STEPS {
            state = rng::mix(state);
        }
        black_box(state);
        STEPS
    })
}

/// How many moves uniform random games from that position make on one core in about that time, under the default limits
/// of a game.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use std::time::Duration;
/// let start = Position::start(Rules::default());
/// assert!(oanquan_engine::bench::playouts(start, Duration::from_millis(1)).count > 0);
/// ```
pub fn playouts(start: Position, time: Duration) -> Rate {
    const GAMES: u64 = 256;
    let mut playout = Playout::new(start, Limits::default());
    let mut next = 0;
    measure(time, || {
        let games = next..next + GAMES;
        next += GAMES;
        games.map(|game| u64::from(playout.run(&Random, GameStream::new(0, game)).plies)).sum()
    })
}
