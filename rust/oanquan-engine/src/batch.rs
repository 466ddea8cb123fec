//! Many games stepped together, for learners: one call moves every game and writes what came of it into rows.

mod agents;
mod games;
mod options;
mod past;
mod rows;

use oanquan_core::positions::Positions;
use oanquan_core::{Ending, Position, Rules, Side};

use self::games::{Games, GamesOn, Numbered};
use self::options::size;
pub use self::options::{Autoreset, BatchError, Options, Outputs, Reward};
use self::rows::{Large, Shape, Small, Standard, spread};
use crate::Limits;

/// Many games from one position, each stepped by one move in one call.
///
/// The games stand at places 0 to n - 1. The game at place i has the number i, and after each reset the number n
/// greater: i, i + n, i + 2n and so on. Random actions come from the [`GameStream`](crate::GameStream) of the seed and
/// the number, so that random play makes of a number the same game as [`simulate`](crate::simulate) does.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Batch, GameStream, Limits, Playout, Random, batch::{Options, Outputs}};
/// let start = Position::start(Rules::default());
/// let mut batch = Batch::new(start, 3, Options { seed: 7, ..Options::default() })?;
/// let (mut rewards, mut lead) = ([0.0; 3], 0.0);
/// while batch.ending(1).is_none() {
///     let sign = if batch.position(1).unwrap().turn().index() == 0 { 1.0 } else { -1.0 };
///     batch.step_random(&mut Outputs { rewards: Some(&mut rewards), ..Outputs::default() })?;
///     lead += sign * rewards[1];
/// }
/// let finished = Playout::new(start, Limits::default()).run(&Random, GameStream::new(7, 1));
/// let points = finished.outcome.points.as_slice();
/// assert_eq!(lead, (points[0] - points[1]) as f32);
/// # Ok::<(), oanquan_engine::batch::BatchError>(())
/// ```
pub struct Batch {
    rules: Rules,
    len: usize,
    games: Box<dyn Games>,
}

impl Batch {
    /// `len` games from that position.
    ///
    /// # Errors
    /// [`BatchError::Over`] or [`BatchError::Limits`] if they would be over before their first move.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// let batch = Batch::new(Position::start(Rules::default()), 8, Options::default())?;
    /// assert_eq!((batch.len(), batch.sides(), batch.actions(), batch.observation_size()), (8, 2, 10, 21));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn new(start: Position, len: usize, options: Options) -> Result<Self, BatchError> {
        if let Some(ending) = start.ending() {
            return Err(BatchError::Over { game: None, ending });
        }
        let Limits { max_plies, repetition } = options.limits;
        if max_plies == Some(0) || repetition.is_some_and(|limit| limit < 2) {
            return Err(BatchError::Limits(options.limits));
        }
        let rules = *start.rules();
        let games: Box<dyn Games> = match Positions::<16, 2>::new(start, len) {
            Some(positions) if rules.squares == 5 => Box::new(GamesOn::new(Standard, positions, start, options)),
            Some(positions) => Box::new(GamesOn::new(Small::of(&rules), positions, start, options)),
            None => Box::new(GamesOn::new(Large::of(&rules), Positions::of_any_size(start, len), start, options)),
        };
        Ok(Self { rules, len, games })
    }

    /// How many games there are.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// assert_eq!(Batch::new(Position::start(Rules::default()), 8, Options::default())?.len(), 8);
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// assert!(Batch::new(Position::start(Rules::default()), 0, Options::default())?.is_empty());
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many sides play.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// let start = Position::start(Rules::parse("three-players").unwrap());
    /// assert_eq!(Batch::new(start, 1, Options::default())?.sides(), 3);
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn sides(&self) -> usize {
        self.rules.sides.into()
    }

    /// How many actions there are, legal or not: two for each square of a row.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// let start = Position::start(Rules::parse("squares=7,pebbles=3").unwrap());
    /// assert_eq!(Batch::new(start, 1, Options::default())?.actions(), 14);
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn actions(&self) -> usize {
        Large::of(&self.rules).actions()
    }

    /// How many numbers an observation has.
    ///
    /// They are whole numbers as counted on the board, without any scale, those beyond 16 bits clipped. Sides stand in
    /// the order of their turns, the side to move first; of a game that is over, the side that would be next. With k
    /// sides of s squares they are, one after the other:
    ///
    /// | numbers | what |
    /// |---|---|
    /// | k (s + 1) | the pebbles of each side's squares and of the mandarin square after them |
    /// | k | the mandarins, 0 or 1, in those mandarin squares |
    /// | k | the pebbles in each side's store |
    /// | k | the mandarins in each side's store |
    /// | k (k - 1) | the pebbles that each side owes each other side, by debtor and then creditor |
    /// | 1 | the plies that `mandarin_ban` is still in force |
    ///
    /// So two positions by the same rules look the same if and only if they can be turned into one another by the turn
    /// of the board that makes the one side to move the other.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::{Options, Outputs}};
    /// let position = Position::parse("1.2.3.4.5.6q1/0.0.0.0.9.8 7/6q1 b>a:3 b 11", Rules::default()).unwrap();
    /// let batch = Batch::new(position, 1, Options::default())?;
    /// let mut row = vec![0; batch.observation_size()];
    /// batch.observe(&mut Outputs { observations: Some(&mut row), ..Outputs::default() })?;
    /// assert_eq!(row, [0, 0, 0, 0, 9, 8, 1, 2, 3, 4, 5, 6, 0, 1, 6, 7, 1, 0, 3, 0, 0]);
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn observation_size(&self) -> usize {
        Large::of(&self.rules).observation()
    }

    /// The position of a game, if there is one at that place.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// let start = Position::start(Rules::default());
    /// let batch = Batch::new(start, 1, Options::default())?;
    /// assert_eq!((batch.position(0), batch.position(1)), (Some(start), None));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn position(&self, game: usize) -> Option<Position> {
        self.games.position(game)
    }

    /// Why a game is over: by its position, by repetition or by the limit of plies. `None` while it goes on.
    ///
    /// ```
    /// use oanquan_core::{Ending, Position, Rules, Side};
    /// use oanquan_engine::{Batch, Limits, batch::{Options, Outputs}};
    /// let limits = Limits { max_plies: Some(1), repetition: None };
    /// let options = Options { limits, ..Options::default() };
    /// let mut batch = Batch::new(Position::start(Rules::default()), 1, options)?;
    /// batch.step_random(&mut Outputs::default())?;
    /// assert_eq!(batch.ending(0), Some(Ending::MaxPlies));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn ending(&self, game: usize) -> Option<Ending> {
        self.games.ending(game)
    }

    /// The number of the game at that place, and how many moves it has made; `None` if there is none.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::{Options, Outputs}};
    /// let mut batch = Batch::new(Position::start(Rules::default()), 4, Options::default())?;
    /// batch.step_random(&mut Outputs::default())?;
    /// assert_eq!(batch.game(3), Some((3, 1)));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn game(&self, game: usize) -> Option<(u64, u32)> {
        self.games.game(game)
    }

    /// Makes one move in every game: that of the action number, relative to the side to move.
    ///
    /// What happens to a game that is over [`Autoreset`] says; its action is not looked at where it is not played.
    ///
    /// # Errors
    /// [`BatchError::Illegal`] for the first game whose action is not legal, [`BatchError::Size`] for a slice that is
    /// not of the size of the batch. Then no game is changed and nothing is written.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::{Options, Outputs}};
    /// let mut batch = Batch::new(Position::start(Rules::default()), 2, Options::default())?;
    /// batch.step(&[4, 5], &mut Outputs::default())?;
    /// assert_eq!(batch.position(0).unwrap().to_string(), "6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1");
    /// let error = batch.step(&[0, 99], &mut Outputs::default()).unwrap_err();
    /// assert!(error.to_string().starts_with("game 1: illegal move 99: action numbers go from 0 to 9"), "{error}");
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), BatchError> {
        size("actions", self.len, actions.len())?;
        out.check(self)?;
        self.games.step(actions, None, out)
    }

    /// Makes one move in every game whose `mask` is not 0. The others stand as they are, and are written so.
    ///
    /// # Errors
    /// As for [`step`](Self::step); actions of games that stand are not looked at.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::{Options, Outputs}};
    /// let mut batch = Batch::new(Position::start(Rules::default()), 2, Options::default())?;
    /// batch.step_where(&[-1, 4], &[0, 1], &mut Outputs::default())?;
    /// assert_eq!((batch.game(0), batch.game(1)), (Some((0, 0)), Some((1, 1))));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn step_where(&mut self, actions: &[i64], mask: &[u8], out: &mut Outputs<'_>) -> Result<(), BatchError> {
        size("actions", self.len, actions.len())?;
        size("mask", self.len, mask.len())?;
        out.check(self)?;
        self.games.step(actions, Some(mask), out)
    }

    /// Makes one random move in every game, drawn from its stream: what [`step`](Self::step) does with
    /// [`sample_actions`](Self::sample_actions).
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::{Options, Outputs}};
    /// let mut batch = Batch::new(Position::start(Rules::default()), 2, Options::default())?;
    /// let mut points = [0; 4];
    /// batch.step_random(&mut Outputs { points: Some(&mut points), ..Outputs::default() })?;
    /// assert_eq!(batch.position(0).unwrap().points().as_slice(), &points[..2]);
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn step_random(&mut self, out: &mut Outputs<'_>) -> Result<(), BatchError> {
        out.check(self)?;
        self.games.step_random(out)
    }

    /// Writes the action that random play chooses in every game; -1 for a game that is over.
    ///
    /// # Errors
    /// [`BatchError::Size`] for a slice that is not of the size of the batch.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// let batch = Batch::new(Position::start(Rules::default()), 3, Options { seed: 7, ..Options::default() })?;
    /// let mut actions = [0; 3];
    /// batch.sample_actions(&mut actions)?;
    /// assert_eq!(actions[1], 9);
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn sample_actions(&self, actions: &mut [i64]) -> Result<(), BatchError> {
        size("actions", self.len, actions.len())?;
        self.games.sample_actions(actions);
        Ok(())
    }

    /// Writes how every game stands; the rewards are 0.
    ///
    /// # Errors
    /// [`BatchError::Size`] for a slice that is not of the size of the batch.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::{Options, Outputs}};
    /// let batch = Batch::new(Position::start(Rules::default()), 2, Options::default())?;
    /// let mut masks = [0; 20];
    /// batch.observe(&mut Outputs { legal_masks: Some(&mut masks), ..Outputs::default() })?;
    /// assert_eq!(masks, [1; 20]);
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn observe(&self, out: &mut Outputs<'_>) -> Result<(), BatchError> {
        out.check(self)?;
        self.games.observe(out);
        Ok(())
    }

    /// Begins new games: at every place, or where `mask` is not 0.
    ///
    /// Without a seed they are the next games of their places; with one they have the first numbers again, 0 to n - 1,
    /// and its streams from now on.
    ///
    /// # Errors
    /// [`BatchError::Size`] for a mask that is not of the size of the batch.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// let mut batch = Batch::new(Position::start(Rules::default()), 2, Options::default())?;
    /// batch.reset(None, Some(&[0, 1]))?;
    /// assert_eq!((batch.game(0), batch.game(1)), (Some((0, 0)), Some((3, 0))));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn reset(&mut self, seed: Option<u64>, mask: Option<&[u8]>) -> Result<(), BatchError> {
        let every = self.len as u64;
        self.reset_by(mask, |game| seed.map(|seed| Numbered { seed, number: game as u64, every }))
    }

    /// Begins new games, at every place or where `mask` is not 0, each place with a seed of its own: from now on it has
    /// the games 0, 1, 2 and so on of that seed, as a batch of one game has them.
    ///
    /// # Errors
    /// [`BatchError::Size`] for seeds or a mask that are not of the size of the batch.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// let mut batch = Batch::new(Position::start(Rules::default()), 2, Options::default())?;
    /// batch.reset_each(&[7, 8], None)?;
    /// batch.reset(None, Some(&[0, 1]))?;
    /// assert_eq!((batch.game(0), batch.game(1)), (Some((0, 0)), Some((1, 0))));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn reset_each(&mut self, seeds: &[u64], mask: Option<&[u8]>) -> Result<(), BatchError> {
        size("seeds", self.len, seeds.len())?;
        self.reset_by(mask, |game| Some(Numbered { seed: seeds[game], number: 0, every: 1 }))
    }

    fn reset_by(&mut self, mask: Option<&[u8]>, first: impl Fn(usize) -> Option<Numbered>) -> Result<(), BatchError> {
        size("mask", self.len, mask.map_or(self.len, <[u8]>::len))?;
        for game in (0..self.len).filter(|&game| mask.is_none_or(|mask| mask[game] != 0)) {
            self.games.reset(game, first(game));
        }
        Ok(())
    }

    /// Begins games from other positions at these places. They keep their numbers; what they have played is forgotten.
    /// The games after them begin where those of the batch do.
    ///
    /// # Errors
    /// [`BatchError::NoSuchGame`], [`BatchError::OtherRules`], or [`BatchError::Over`] for a position that is over. Then
    /// no game is changed.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, batch::Options};
    /// let mut batch = Batch::new(Position::start(Rules::default()), 2, Options::default())?;
    /// let position = Position::parse("0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12", Rules::default()).unwrap();
    /// batch.set_positions(&[(1, position)])?;
    /// assert_eq!(batch.position(1), Some(position));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn set_positions(&mut self, positions: &[(usize, Position)]) -> Result<(), BatchError> {
        for &(game, position) in positions {
            if game >= self.len {
                return Err(BatchError::NoSuchGame { game, games: self.len });
            }
            if *position.rules() != self.rules {
                return Err(BatchError::OtherRules { game });
            }
            if let Some(ending) = position.ending() {
                return Err(BatchError::Over { game: Some(game), ending });
            }
        }
        for (game, position) in positions {
            self.games.begin(*game, position);
        }
        Ok(())
    }
}

/// The numbers of an observation by these rules, as [`Batch::observation_size`].
///
/// ```
/// use oanquan_core::Rules;
/// assert_eq!(oanquan_engine::batch::observation_size(&Rules::default()), 21);
/// ```
pub fn observation_size(rules: &Rules) -> usize {
    Large::of(rules).observation()
}

/// Writes what a side sees of a position, as a batch does for the side to move.
///
/// # Panics
/// If the rules have no such side, or the row has not as many numbers as [`observation_size`] says.
///
/// ```
/// use oanquan_core::{Move, Position, Rules, Side};
/// use oanquan_engine::batch::observe;
/// let position = Position::start(Rules::default()).play(Move::parse("a3+", None)?)?;
/// let mut row = [0; 21];
/// observe(&position, Side::A, &mut row);
/// assert_eq!(row[..6], [6, 6, 0, 0, 6, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn observe(position: &Position, side: Side, row: &mut [i16]) {
    let rules = position.rules();
    assert!(side.index() < usize::from(rules.sides), "side: expected one of the rules, got {}", side.letter());
    assert_eq!(row.len(), observation_size(rules), "row: expected as many numbers as an observation has");
    rows::observe(Large::of(rules), position, side, row);
}

/// How many actions there are by these rules, and which are legal, as a batch writes them.
pub(crate) fn actions_of(rules: &Rules) -> usize {
    Large::of(rules).actions()
}

pub(crate) fn spread_into(mask: u16, row: &mut [u8]) {
    spread(mask, row);
}
