//! A search that plays its leaves out by itself, and the agent that moves by it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oanquan_core::{Move, Position, Side};

use super::field::{Field, Many, Two};
use super::options::Options;
use super::playout::play_out;
use super::tree::{Habit, Leaf, Tree};
use crate::{Agent, GameStream, Turn};

/// After how many simulations the flag is looked at.
const TICK: u32 = 256;

/// What a search came to.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::mcts::{Options, search};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let position = Position::parse("0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0", Rules::parse("wikipedia-vi")?)?;
/// let found = search(&position, &Options::default(), &AtomicBool::new(false), &AtomicU64::new(0));
/// assert_eq!(found.best.unwrap().to_string(), "a4+");
/// assert_eq!(found.moves.iter().map(|of| of.visits).sum::<u32>(), found.simulations);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The move to play; `None` if the game is over.
    pub best: Option<Move>,
    /// The legal moves in order, with what was found of each.
    pub moves: Vec<MoveFound>,
    /// The moves to play from here on, as far as the tree reaches.
    pub line: Vec<Move>,
    /// What the position is worth to the side to move, -1 to 1: the mean of the simulations, or exactly.
    pub value: f32,
    /// Whether that is exact.
    pub exact: bool,
    /// How many simulations were made: fewer than were asked for if the root became exact or the flag was set.
    pub simulations: u32,
    /// How many nodes the tree has.
    pub nodes: usize,
}

/// What was found of one move.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::mcts::{Options, search};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let start = Position::start(Rules::default());
/// let found = search(&start, &Options::default(), &AtomicBool::new(false), &AtomicU64::new(0));
/// assert!(found.moves[0].visits > 0 && found.moves[0].value.abs() <= 1.0 && !found.moves[0].exact);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveFound {
    /// The move.
    pub mv: Move,
    /// How often a simulation went through it.
    pub visits: u32,
    /// What it is worth to the side to move, -1 to 1: the mean of its simulations, or exactly.
    pub value: f32,
    /// Whether that is exact.
    pub exact: bool,
}

/// Searches a position: so many simulations, fewer once `stop` is set or the value is exact. They are counted in `done`.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::mcts::{Options, search};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let options = Options { simulations: 500, seed: 7, ..Options::default() };
/// let start = Position::start(Rules::default());
/// let run = || search(&start, &options, &AtomicBool::new(false), &AtomicU64::new(0));
/// assert_eq!((run().simulations, run()), (500, run()));
/// ```
pub fn search(position: &Position, options: &Options, stop: &AtomicBool, done: &AtomicU64) -> Found {
    match Two::new(position.rules()) {
        Some(two) => search_on(&two, position, options, stop, done),
        None => search_on(&Many::new(position.rules()), position, options, stop, done),
    }
}

fn search_on<F: Field>(
    field: &F,
    position: &Position,
    options: &Options,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Found {
    let root = field.state(position);
    let &Options { exploration, selection, value, .. } = options;
    let mut tree = Tree::new(field.mask(&root), Habit { selection, exploration, value, grows: true });
    let mut simulations = 0;
    if !position.is_over() {
        while simulations < options.simulations && tree.exact.is_none() {
            if simulations % TICK == 0 {
                done.store(simulations.into(), Ordering::Relaxed);
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
            simulate(field, &mut tree, &root, options, simulations);
            simulations += 1;
        }
    }
    done.store(simulations.into(), Ordering::Relaxed);
    let mut found = found(&tree, position, simulations);
    if position.is_over() {
        // Nothing is left to find: it is worth what the count says.
        (found.value, found.exact) = (field.values(&root, value)[0], true);
    }
    found
}

/// One simulation: down the tree, out of it, to the end of the game, and back.
#[inline]
fn simulate<F: Field>(field: &F, tree: &mut Tree, root: &F::State, options: &Options, number: u32) {
    let &Options { seed, playout, value, .. } = options;
    let stream = GameStream::new(seed, number.into());
    let values = match tree.walk(field, root, stream) {
        Leaf::Known(values) => values,
        // The first draws may have been used on the way.
        Leaf::New(state) => play_out(field, state, playout, value, stream, tree.depth()),
    };
    tree.back_up(&values, field.sides());
}

fn found(tree: &Tree, position: &Position, simulations: u32) -> Found {
    let turn = position.turn();
    let mv = |action: u8| Move::from_action(turn, action);
    let moves = tree.root().iter().filter_map(|edge| {
        Some(MoveFound { mv: mv(edge.action)?, visits: edge.visits, value: edge.value(), exact: edge.solved })
    });
    let sum: f64 = tree.root().iter().map(|edge| edge.sum).sum();
    let sides = usize::from(position.rules().sides);
    let line = tree.line().into_iter().enumerate();
    Found {
        best: tree.best().and_then(mv),
        moves: moves.collect(),
        line: line
            .filter_map(|(ply, action)| Move::from_action(Side::from_index((turn.index() + ply) % sides)?, action))
            .collect(),
        value: tree.exact.unwrap_or((sum / f64::from(simulations.max(1))) as f32),
        exact: tree.exact.is_some(),
        simulations,
        nodes: tree.nodes(),
    }
}

/// Moves by a [`search`]; its seed is the draw of the turn, so that a game can be played again.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::mcts::{MctsAgent, Options};
/// use oanquan_engine::{Agent, GameStream, Turn};
/// let agent = MctsAgent::new("mcts", Options::default());
/// let position = Position::parse("0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0", Rules::parse("wikipedia-vi")?)?;
/// assert_eq!(agent.choose(&Turn::new(&position, GameStream::new(0, 0), 0)), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MctsAgent {
    name: String,
    options: Options,
}

impl MctsAgent {
    /// The agent of that name; the seed of the options does not matter.
    ///
    /// ```
    /// use oanquan_engine::Agent;
    /// use oanquan_engine::mcts::{MctsAgent, Options};
    /// assert_eq!(MctsAgent::new("mcts", Options::default()).name(), "mcts");
    /// ```
    pub fn new(name: impl Into<String>, options: Options) -> Self {
        Self { name: name.into(), options }
    }
}

impl Agent for MctsAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&self, turn: &Turn<'_>) -> usize {
        self.choose_unless(turn, &AtomicBool::new(false)).unwrap_or_default()
    }

    fn choose_unless(&self, turn: &Turn<'_>, stop: &AtomicBool) -> Option<usize> {
        if turn.count() == 1 {
            return Some(0);
        }
        let place = self.choose_so_far(turn, stop);
        (!stop.load(Ordering::Relaxed)).then_some(place)
    }

    fn choose_so_far(&self, turn: &Turn<'_>, stop: &AtomicBool) -> usize {
        if turn.count() == 1 {
            return 0;
        }
        let options = Options { seed: turn.draw(), ..self.options };
        let found = search(turn.position(), &options, stop, &AtomicU64::new(0));
        found.moves.iter().position(|of| Some(of.mv) == found.best).unwrap_or_default()
    }
}
