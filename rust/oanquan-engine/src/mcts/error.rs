//! What can be wrong with what a forest is given.

use std::fmt;

use oanquan_core::IllegalMove;

/// What is wrong with what a forest was given.
///
/// ```
/// use oanquan_engine::mcts::ForestError;
/// let error = ForestError::Value { tree: 3, given: 1.5 };
/// assert_eq!(error.to_string(), "values: expected -1 to 1, got 1.5 for tree 3");
/// ```
#[derive(Clone, Debug)]
pub enum ForestError {
    /// A position by other rules than the first one.
    OtherRules {
        /// Its place.
        tree: usize,
    },
    /// There is no such tree.
    NoSuchTree {
        /// The number that was given.
        tree: usize,
        /// How many trees there are.
        trees: usize,
    },
    /// A slice is not of the size of the forest.
    Size {
        /// What it holds.
        what: &'static str,
        /// How many numbers it should have.
        expected: usize,
        /// How many it has.
        given: usize,
    },
    /// Nobody asked for the leaves that are valued.
    NoLeaves,
    /// A value out of range.
    Value {
        /// Of which tree.
        tree: usize,
        /// The value.
        given: f32,
    },
    /// A prior that is none.
    Prior {
        /// Of which tree.
        tree: usize,
        /// The prior.
        given: f32,
    },
    /// A move that is not legal.
    Illegal {
        /// In which tree.
        tree: usize,
        /// Why not.
        error: IllegalMove,
    },
    /// The caller wanted no more of it.
    Stopped,
}

impl fmt::Display for ForestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherRules { tree } => write!(f, "position {tree}: expected the rules of the others, got other ones"),
            Self::NoSuchTree { tree, trees } => write!(f, "tree: expected 0 to {}, got {tree}", trees - 1),
            Self::Size { what, expected, given } => write!(f, "{what}: expected {expected} numbers, got {given}"),
            Self::NoLeaves => f.write_str("update: expected leaves to be asked for before, got no leaves"),
            Self::Value { tree, given } => write!(f, "values: expected -1 to 1, got {given} for tree {tree}"),
            Self::Prior { tree, given } => write!(f, "priors: expected 0 or more, got {given} for tree {tree}"),
            Self::Illegal { tree, error } => write!(f, "tree {tree}: {error}"),
            Self::Stopped => f.write_str("stopped before the end"),
        }
    }
}

impl std::error::Error for ForestError {}
