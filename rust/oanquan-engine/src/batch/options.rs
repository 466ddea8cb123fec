//! How a batch is played, where it writes, and what can be wrong.

use std::fmt;

use oanquan_core::{Ending, IllegalMove};

use super::Batch;
use crate::Limits;

/// When a game that is over gives its place to the next one: the three modes of Gymnasium's vector environments.
///
/// ```
/// use oanquan_engine::batch::Autoreset;
/// assert_eq!(Autoreset::from_name("same_step"), Some(Autoreset::SameStep));
/// assert_eq!(Autoreset::from_name("never"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Autoreset {
    /// In the step after its last one, whose action is not looked at: that step gives the first observation of the next
    /// game and a reward of 0.
    NextStep,
    /// In its last step, which gives the reward of the game that is over and the first observation of the next one.
    SameStep,
    /// Only by [`Batch::reset`]; a step before it is an error.
    Disabled,
}

impl Autoreset {
    /// Every mode with its name.
    pub const NAMES: [(&'static str, Self); 3] =
        [("next_step", Self::NextStep), ("same_step", Self::SameStep), ("disabled", Self::Disabled)];

    /// The mode of that name.
    ///
    /// ```
    /// use oanquan_engine::batch::Autoreset;
    /// assert!(Autoreset::NAMES.iter().all(|&(name, mode)| Autoreset::from_name(name) == Some(mode)));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, mode)| mode)
    }
}

/// What the side that moved is told about its move.
///
/// ```
/// use oanquan_engine::batch::Reward;
/// assert_eq!(Reward::from_name("result"), Some(Reward::Result));
/// assert_eq!(Reward::from_name("money"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// By how many points the move changed its lead: its points less the mean of the others' points. The move that ends
    /// the game includes the count.
    Points,
    /// At the end of the game 1 if it has won, -1 if another side has, 0 if nobody has; 0 before.
    Result,
}

impl Reward {
    /// Every kind with its name.
    pub const NAMES: [(&'static str, Self); 2] = [("points", Self::Points), ("result", Self::Result)];

    /// The kind of that name.
    ///
    /// ```
    /// use oanquan_engine::batch::Reward;
    /// assert!(Reward::NAMES.iter().all(|&(name, kind)| Reward::from_name(name) == Some(kind)));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind)
    }
}

/// How the games of a batch are played.
///
/// ```
/// use oanquan_engine::batch::{Autoreset, Options, Reward};
/// let options = Options::default();
/// assert_eq!((options.seed, options.limits.max_plies), (0, Some(1000)));
/// assert_eq!((options.reward, options.autoreset), (Reward::Points, Autoreset::NextStep));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The seed of the streams that random actions are drawn from.
    pub seed: u64,
    /// The limits of every game: at least one ply, and a position may stand twice.
    pub limits: Limits,
    /// What rewards are.
    pub reward: Reward,
    /// When the next game begins.
    pub autoreset: Autoreset,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 0, limits: Limits::default(), reward: Reward::Points, autoreset: Autoreset::NextStep }
    }
}

/// Where a step writes, a row for each game one after the other; what is `None` is not written.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Batch, batch::{Options, Outputs}};
/// let mut batch = Batch::new(Position::start(Rules::default()), 2, Options::default())?;
/// let mut masks = [0; 20];
/// batch.step_random(&mut Outputs { legal_masks: Some(&mut masks), ..Outputs::default() })?;
/// assert_eq!(masks.iter().filter(|&&legal| legal == 1).count() % 2, 0);
/// # Ok::<(), oanquan_engine::batch::BatchError>(())
/// ```
#[derive(Debug, Default)]
pub struct Outputs<'a> {
    /// [`Batch::observation_size`] numbers a game: see there.
    pub observations: Option<&'a mut [i16]>,
    /// [`Batch::actions`] numbers a game: 1 for a legal action, 0 for another.
    pub legal_masks: Option<&'a mut [u8]>,
    /// One number a game: the [`Reward`] of the side that moved.
    pub rewards: Option<&'a mut [f32]>,
    /// One number a game: 1 if the rules ended the game, else 0.
    pub terminated: Option<&'a mut [u8]>,
    /// One number a game: 1 if a limit ended the game, else 0.
    pub truncated: Option<&'a mut [u8]>,
    /// A number for each side of a game, in the order of the sides: the points after the move; of a game that it ended
    /// those of the count.
    pub points: Option<&'a mut [i32]>,
    /// One number a game: the side to move, 0 for a; of a game that is over, the one that would be next.
    pub turns: Option<&'a mut [u8]>,
    /// Like `observations`; under [`Autoreset::SameStep`] the last observation of each game that ends in this step. The
    /// other rows are left as they are.
    pub final_observations: Option<&'a mut [i16]>,
}

impl Outputs<'_> {
    /// Refuses slices that are not of the size of the batch.
    pub(super) fn check(&self, batch: &Batch) -> Result<(), BatchError> {
        let (games, observation) = (batch.len(), batch.observation_size());
        let sizes = [
            ("observations", self.observations.as_deref().map(<[_]>::len), observation),
            ("legal_masks", self.legal_masks.as_deref().map(<[_]>::len), batch.actions()),
            ("rewards", self.rewards.as_deref().map(<[_]>::len), 1),
            ("terminated", self.terminated.as_deref().map(<[_]>::len), 1),
            ("truncated", self.truncated.as_deref().map(<[_]>::len), 1),
            ("points", self.points.as_deref().map(<[_]>::len), batch.sides()),
            ("turns", self.turns.as_deref().map(<[_]>::len), 1),
            ("final_observations", self.final_observations.as_deref().map(<[_]>::len), observation),
        ];
        for (what, given, a_game) in sizes {
            size(what, games * a_game, given.unwrap_or(games * a_game))?;
        }
        Ok(())
    }
}

pub(super) fn size(what: &'static str, expected: usize, given: usize) -> Result<(), BatchError> {
    if expected == given { Ok(()) } else { Err(BatchError::Size { what, expected, given }) }
}

/// Why a batch cannot be made or moved. Then nothing is changed in any game.
#[derive(Clone, Debug)]
pub enum BatchError {
    /// No game can be played from a position that is over.
    Over {
        /// The place of the game, if it is one of many.
        game: Option<usize>,
        /// Why it is over.
        ending: Ending,
    },
    /// The limits end every game before its first move.
    Limits(Limits),
    /// A slice has another size than the batch.
    Size {
        /// Which.
        what: &'static str,
        /// The numbers that it should have.
        expected: usize,
        /// Those that it has.
        given: usize,
    },
    /// There is no game at that place.
    NoSuchGame {
        /// The place.
        game: usize,
        /// How many games there are.
        games: usize,
    },
    /// The position is played by other rules than the batch.
    OtherRules {
        /// The place of the game.
        game: usize,
    },
    /// A game is over, and only [`Batch::reset`] begins the next one.
    Finished {
        /// The place of the game.
        game: usize,
        /// Why it is over.
        ending: Ending,
    },
    /// An action that is not legal.
    Illegal {
        /// The place of the game.
        game: usize,
        /// What is wrong with it.
        error: IllegalMove,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over { game: Some(game), ending } => {
                write!(f, "game {game}: expected a position that is not over, got one that is over by {ending}")
            }
            Self::Over { game: None, ending } => {
                write!(f, "position: expected one that is not over, got one that is over by {ending}")
            }
            Self::Limits(Limits { max_plies: Some(0), .. }) => f.write_str("max_plies: expected 1 or more, got 0"),
            Self::Limits(limits) => {
                write!(f, "repetition: expected 2 or more, got {}", limits.repetition.unwrap_or_default())
            }
            Self::Size { what, expected, given } => write!(f, "{what}: expected {expected} numbers, got {given}"),
            Self::NoSuchGame { game, games } => write!(f, "game: expected 0 to {}, got {game}", games - 1),
            Self::OtherRules { game } => write!(f, "game {game}: expected a position by the rules of the batch"),
            Self::Finished { game, ending } => {
                write!(f, "game {game}: expected a reset before the next step, it is over by {ending}")
            }
            Self::Illegal { game, error } => write!(f, "game {game}: {error}"),
        }
    }
}

impl std::error::Error for BatchError {}
