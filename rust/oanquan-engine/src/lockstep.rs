//! Many games side by side, for agents that choose best for many positions at once.
//!
//! Games stand in slots. Those in which an agent of the engine is to move go on by themselves until such an agent's turn
//! comes or they end; a game that ends makes room for the next. Then the agent for which most games wait is asked, once
//! for all of them. Everything happens in one order, which depends on nothing but the arguments, so that an agent that
//! counts its calls plays the same games again.

use std::fmt;
use std::sync::Arc;

use oanquan_core::{Ending, IllegalMove, Move, Position};

use crate::history::{Heard, History};
use crate::{Agent, Collect, Config, Finished, GameStream, Turn};

/// The most games that are played side by side, and so the most positions that an agent is asked about at once.
pub const LARGEST_BATCH: usize = 4096;

/// Who sits at a seat.
///
/// ```
/// use oanquan_engine::{Greedy, lockstep::Seat};
/// use std::sync::Arc;
/// let seats = [Seat::Alone(Arc::new(Greedy)), Seat::Batch(0)];
/// assert!(matches!(seats[1], Seat::Batch(0)));
/// ```
#[derive(Clone)]
pub enum Seat {
    /// An agent that chooses for one position at a time.
    Alone(Arc<dyn Agent>),
    /// The agent of that number among the [`BatchAgents`]. It may sit at more seats than one.
    Batch(usize),
}

/// A game that waits for a move.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::lockstep::Waiting;
/// let waiting = Waiting { game: 17, plies: 0, position: Position::start(Rules::default()) };
/// assert!(!waiting.position.is_over());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The number of the game.
    pub game: u64,
    /// Plies since the game began.
    pub plies: u32,
    /// Where it stands. It is not over.
    pub position: Position,
}

/// Agents that are asked for the moves of many games at once.
///
/// ```
/// use oanquan_core::{Move, Position, Rules};
/// use oanquan_engine::lockstep::{BatchAgents, Seat, Waiting, lockstep};
/// use oanquan_engine::{Config, Summary};
///
/// struct First;
///
/// impl BatchAgents for First {
///     type Error = ();
///
///     fn choose(&mut self, _: usize, games: &[Waiting], moves: &mut Vec<Move>) -> Result<(), ()> {
///         moves.extend(games.iter().filter_map(|game| game.position.legal_moves().next()));
///         Ok(())
///     }
/// }
///
/// let config = Config::new(Position::start(Rules::default()), 100);
/// let mut summary = Summary::default();
/// lockstep(&config, &[Seat::Batch(0)], &mut First, &mut summary)?;
/// assert_eq!(summary.games, 100);
/// # Ok::<(), oanquan_engine::lockstep::LockstepError<()>>(())
/// ```
pub trait BatchAgents {
    /// What can go wrong when an agent is asked.
    type Error;

    /// Appends the moves of agent number `agent` for those games, one for each in their order, to `moves`, which is
    /// empty.
    ///
    /// # Errors
    /// Whatever keeps the agent from choosing; it ends the run.
    fn choose(&mut self, agent: usize, games: &[Waiting], moves: &mut Vec<Move>) -> Result<(), Self::Error>;

    /// Asks an agent that chooses for one position at a time: the place of its move among the legal ones. To be replaced
    /// by who has something to look after while an agent thinks; the place must be the one that is given here.
    ///
    /// # Errors
    /// Whatever should end the run.
    fn alone(&mut self, agent: &Arc<dyn Agent>, game: &Waiting, stream: GameStream) -> Result<usize, Self::Error> {
        Ok(agent.choose(&Turn::new(&game.position, stream, game.plies)))
    }

    /// Hears how many games are finished, after each of them.
    ///
    /// # Errors
    /// Whatever should end the run.
    fn finished(&mut self, done: u64) -> Result<(), Self::Error> {
        let _ = done;
        Ok(())
    }
}

/// What ended a run before all its games were finished.
///
/// ```
/// use oanquan_engine::lockstep::LockstepError;
/// let error: LockstepError<String> = LockstepError::Count { agent: 0, expected: 12, given: 3 };
/// assert_eq!(error.to_string(), "agent 0: expected 12 moves, one for each position, got 3");
/// ```
#[derive(Clone, Debug)]
pub enum LockstepError<E> {
    /// What the agents said.
    Agents(E),
    /// An agent gave another number of moves than it was asked for.
    Count {
        /// The agent's number.
        agent: usize,
        /// How many positions it was asked about.
        expected: usize,
        /// How many moves it gave.
        given: usize,
    },
    /// A move is not legal.
    Illegal {
        /// The agent's number.
        agent: usize,
        /// The number of the game.
        game: u64,
        /// The move, where it was tried and why it is not legal.
        error: IllegalMove,
    },
}

impl<E: fmt::Display> fmt::Display for LockstepError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agents(error) => error.fmt(f),
            Self::Count { agent, expected, given } => {
                write!(f, "agent {agent}: expected {expected} moves, one for each position, got {given}")
            }
            Self::Illegal { agent, game, error } => write!(f, "agent {agent}, game {game}: {error}"),
        }
    }
}

impl<E: std::error::Error> std::error::Error for LockstepError<E> {}

/// Plays the games of a configuration side by side, at most [`LARGEST_BATCH`] at once, on the thread that calls, and hands
/// each to `collect` when it is finished.
///
/// Side k is played by the k-th of `seats`, round and round if there are more sides; `agents` and `threads` of the
/// configuration do not matter. A game whose seats all choose as an [`Agent`] does is the game that
/// [`simulate`](crate::simulate()) plays.
///
/// ```
/// use oanquan_core::{Move, Position, Rules};
/// use oanquan_engine::lockstep::{BatchAgents, LockstepError, Seat, Waiting, lockstep};
/// use oanquan_engine::{Config, Random, Summary};
/// use std::sync::Arc;
///
/// /// Gives up when it has been asked.
/// struct GivesUp;
///
/// impl BatchAgents for GivesUp {
///     type Error = usize;
///
///     fn choose(&mut self, _: usize, games: &[Waiting], _: &mut Vec<Move>) -> Result<(), usize> {
///         Err(games.len())
///     }
/// }
///
/// let config = Config::new(Position::start(Rules::default()), 100);
/// let seats = [Seat::Alone(Arc::new(Random)), Seat::Batch(0)];
/// let result = lockstep(&config, &seats, &mut GivesUp, &mut Summary::default());
/// assert!(matches!(result, Err(LockstepError::Agents(100))));
/// ```
///
/// # Errors
/// [`LockstepError`]: an agent said so, or its moves are too few, too many or illegal. What was finished is collected.
pub fn lockstep<B: BatchAgents, C: Collect + ?Sized>(
    config: &Config,
    seats: &[Seat],
    agents: &mut B,
    collect: &mut C,
) -> Result<(), LockstepError<B::Error>> {
    let mut table = Table::new(config, seats);
    let (mut games, mut moves) = (Vec::new(), Vec::new());
    table.fill(agents, collect)?;
    while let Some((agent, slots)) = table.take_longest_queue() {
        games.clear();
        games.extend(slots.iter().map(|&slot| table.slots[slot].waiting));
        moves.clear();
        agents.choose(agent, &games, &mut moves).map_err(LockstepError::Agents)?;
        if moves.len() != games.len() {
            return Err(LockstepError::Count { agent, expected: games.len(), given: moves.len() });
        }
        for (slot, &mv) in slots.into_iter().zip(&moves) {
            let Waiting { game, position, .. } = &table.slots[slot].waiting;
            if let Err(error) = position.play(mv) {
                return Err(LockstepError::Illegal { agent, game: *game, error });
            }
            table.slots[slot].play(mv);
            table.go_on(slot, agents, collect)?;
        }
        table.fill(agents, collect)?;
    }
    Ok(())
}

/// The games that are being played.
struct Table<'a> {
    config: &'a Config,
    seats: &'a [Seat],
    slots: Vec<Slot>,
    /// Slots whose game is finished.
    free: Vec<usize>,
    /// For each batch agent, the slots that wait for it, in the order in which they began to.
    queues: Vec<Vec<usize>>,
    /// How many games have begun, and how many are finished.
    begun: u64,
    done: u64,
}

impl<'a> Table<'a> {
    fn new(config: &'a Config, seats: &'a [Seat]) -> Self {
        let numbers = seats.iter().map(|seat| if let Seat::Batch(agent) = seat { agent + 1 } else { 0 });
        let queues = vec![Vec::new(); numbers.max().unwrap_or(0)];
        Self { config, seats, slots: Vec::new(), free: Vec::new(), queues, begun: 0, done: 0 }
    }

    /// Begins games while there are some left and room for them.
    fn fill<B: BatchAgents, C: Collect + ?Sized>(
        &mut self,
        agents: &mut B,
        collect: &mut C,
    ) -> Result<(), LockstepError<B::Error>> {
        while self.begun < self.config.games {
            let slot = match self.free.pop() {
                Some(slot) => slot,
                None if self.slots.len() < LARGEST_BATCH => {
                    self.slots.push(Slot::new(self.config));
                    self.slots.len() - 1
                }
                None => break,
            };
            self.slots[slot].begin(self.config, self.begun);
            self.begun += 1;
            self.go_on(slot, agents, collect)?;
        }
        Ok(())
    }

    /// Plays a game until it waits for a batch agent or is finished.
    fn go_on<B: BatchAgents, C: Collect + ?Sized>(
        &mut self,
        slot: usize,
        agents: &mut B,
        collect: &mut C,
    ) -> Result<(), LockstepError<B::Error>> {
        let game = &mut self.slots[slot];
        match game.go_on(self.config, self.seats, agents).map_err(LockstepError::Agents)? {
            Stop::Waits(agent) => self.queues[agent].push(slot),
            Stop::Finished(ending) => {
                let moves = if collect.wants_moves() { game.moves.as_slice() } else { &[] };
                collect.add(game.waiting.game, &game.result(ending), moves);
                self.free.push(slot);
                self.done += 1;
                agents.finished(self.done).map_err(LockstepError::Agents)?;
            }
        }
        Ok(())
    }

    /// The batch agent for which most games wait, the first of such, and these games; `None` if no game waits.
    fn take_longest_queue(&mut self) -> Option<(usize, Vec<usize>)> {
        let longest = self.queues.iter().map(Vec::len).max().filter(|&games| games > 0)?;
        let agent = self.queues.iter().position(|queue| queue.len() == longest)?;
        Some((agent, std::mem::take(&mut self.queues[agent])))
    }
}

/// Why a game does not go on.
enum Stop {
    Waits(usize),
    Finished(Ending),
}

/// A game, and the memory of those that stood in its place before.
struct Slot {
    waiting: Waiting,
    stream: GameStream,
    heard: Heard,
    history: History,
    moves: Vec<Move>,
}

impl Slot {
    fn new(config: &Config) -> Self {
        Self {
            waiting: Waiting { game: 0, plies: 0, position: config.start },
            stream: GameStream::new(config.seed, 0),
            heard: Heard::default(),
            history: History::new(config.repetition),
            moves: Vec::new(),
        }
    }

    /// Begins the game that stands at that place among those of the configuration.
    fn begin(&mut self, config: &Config, place: u64) {
        let game = config.first_game.wrapping_add(place);
        self.waiting = Waiting { game, plies: 0, position: config.start };
        self.stream = GameStream::new(config.seed, game);
        self.heard = Heard::default();
        self.history.clear();
        self.moves.clear();
    }

    fn play(&mut self, mv: Move) {
        self.waiting.position.play_with(mv, &mut self.heard);
        self.waiting.plies += 1;
        self.moves.push(mv);
    }

    fn go_on<B: BatchAgents>(&mut self, config: &Config, seats: &[Seat], agents: &mut B) -> Result<Stop, B::Error> {
        loop {
            let Waiting { plies, position, .. } = &self.waiting;
            let repeated = self.history.push(position, &self.heard);
            if let Some(ending) = position.ending() {
                return Ok(Stop::Finished(ending));
            }
            if repeated {
                return Ok(Stop::Finished(Ending::Repetition));
            }
            if config.max_plies.is_some_and(|most| *plies >= most) {
                return Ok(Stop::Finished(Ending::MaxPlies));
            }
            let turn = Turn::new(position, self.stream, *plies);
            let place = match seats.get(position.turn().index() % seats.len().max(1)) {
                Some(&Seat::Batch(agent)) => return Ok(Stop::Waits(agent)),
                Some(Seat::Alone(agent)) => agents.alone(agent, &self.waiting, self.stream)?,
                None => crate::Random.choose(&turn),
            };
            // There always is one: a position that is not over has a legal move.
            let Some(mv) = turn.nth_or_last(place) else { return Ok(Stop::Finished(Ending::Short)) };
            self.play(mv);
        }
    }

    fn result(&self, ending: Ending) -> Finished {
        let Heard { reseedings, loans, pebbles_lent, .. } = self.heard;
        Finished {
            outcome: self.waiting.position.outcome_by(ending),
            plies: self.waiting.plies,
            opening: self.moves.first().copied(),
            reseedings,
            loans,
            pebbles_lent,
        }
    }
}
