//! What a search by Monte Carlo may be told.

use super::playout::Policy;

/// What the end of a game is worth.
///
/// ```
/// use oanquan_engine::mcts::Value;
/// assert_eq!(Value::NAMES[0], ("points", Value::Points));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The lead at the count over all points of the game, at most 1.
    Points,
    /// 1 for the winner, -1 for the others, 0 for a draw.
    Result,
}

impl Value {
    /// The values by name.
    pub const NAMES: [(&str, Self); 2] = [("points", Self::Points), ("result", Self::Result)];
}

/// How the edge to walk down is chosen.
///
/// ```
/// use oanquan_engine::mcts::Selection;
/// assert_eq!(Selection::NAMES[0], ("uct", Selection::Uct));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// By the upper confidence bound.
    Uct,
    /// By the bound with priors, which are equal where nobody gave others.
    Puct,
}

impl Selection {
    /// The selections by name.
    pub const NAMES: [(&str, Self); 2] = [("uct", Self::Uct), ("puct", Self::Puct)];
}

/// What a [`search`](super::search()) may be told.
///
/// ```
/// use oanquan_engine::mcts::{Options, Value};
/// let options = Options { simulations: 100, ..Options::default() };
/// assert_eq!(options.value, Value::Result);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// How many simulations to make, at most.
    pub simulations: u32,
    /// The seed of what is drawn.
    pub seed: u64,
    /// How much the visits weigh against the values: `c`. The usual 0.7 is meant for [`Selection::Uct`]; with
    /// [`Selection::Puct`] it is shared among the moves by their equal priors, and for ten moves 3 is about as wide.
    pub exploration: f32,
    /// How edges are chosen.
    pub selection: Selection,
    /// How leaves are played out.
    pub playout: Policy,
    /// What ends are worth.
    pub value: Value,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            simulations: 1000,
            seed: 0,
            exploration: 0.7,
            selection: Selection::Uct,
            playout: Policy::Random,
            value: Value::Result,
        }
    }
}

impl Options {
    /// The most simulations of one search: what a tree has room for.
    pub const MOST_SIMULATIONS: u32 = 100_000_000;
    /// The most that the visits may weigh.
    pub const MOST_EXPLORATION: f32 = 100.0;
}
