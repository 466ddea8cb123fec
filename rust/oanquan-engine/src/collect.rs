//! Who takes the games as they are finished.

use oanquan_core::Move;

use crate::{Finished, Summary};

/// Takes finished games, in any order.
///
/// ```
/// use oanquan_core::{Move, Position, Rules};
/// use oanquan_engine::{Collect, Config, Finished, Worker};
/// use std::sync::atomic::AtomicBool;
///
/// /// The length of the longest game.
/// struct Longest(u32);
///
/// impl Collect for Longest {
///     fn add(&mut self, _: u64, finished: &Finished, _: &[Move]) {
///         self.0 = self.0.max(finished.plies);
///     }
/// }
///
/// let config = Config::new(Position::start(Rules::default()), 100);
/// let mut longest = Longest(0);
/// assert!(Worker::new(&config).play(0..100, &AtomicBool::new(false), &mut longest));
/// assert!(longest.0 > 4);
/// ```
pub trait Collect {
    /// Whether [`add`](Self::add) looks at the moves. Games are played faster where it does not.
    ///
    /// ```
    /// use oanquan_engine::{Collect, Summary};
    /// assert!(!Summary::default().wants_moves());
    /// ```
    fn wants_moves(&self) -> bool {
        false
    }

    /// Takes the game of that number. `moves` are its moves if they are [wanted](Self::wants_moves), else there are none.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Collect, GameStream, Limits, Playout, Random, Summary};
    /// let finished = Playout::new(Position::start(Rules::default()), Limits::default()).run(&Random, GameStream::new(0, 0));
    /// let mut summary = Summary::default();
    /// Collect::add(&mut summary, 0, &finished, &[]);
    /// assert_eq!(summary.games, 1);
    /// ```
    fn add(&mut self, game: u64, finished: &Finished, moves: &[Move]);
}

impl Collect for Summary {
    #[inline]
    fn add(&mut self, _: u64, finished: &Finished, _: &[Move]) {
        Self::add(self, finished);
    }
}

/// Both take every game.
impl<A: Collect, B: Collect> Collect for (A, B) {
    fn wants_moves(&self) -> bool {
        self.0.wants_moves() || self.1.wants_moves()
    }

    #[inline]
    fn add(&mut self, game: u64, finished: &Finished, moves: &[Move]) {
        self.0.add(game, finished, moves);
        self.1.add(game, finished, moves);
    }
}
