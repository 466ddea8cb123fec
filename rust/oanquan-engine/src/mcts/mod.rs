//! Monte Carlo tree search, for any number of sides.
//!
//! [`search`] plays by itself: each simulation walks down the tree, adds to it where it comes out, plays on to the end
//! and writes what it came to into every edge that it went through. [`Forest`] has many trees and asks somebody else what
//! the leaves are worth, all at once: a network.
//!
//! **Values** lie between -1 and 1, each seen from the side that chooses. By [`Value::Points`] it is the lead at the
//! count, the points less the mean of those of the others (with two sides the difference), over all points of the game,
//! cut off at 1; by [`Value::Result`] 1 for the winner, -1 for the others, and 0 for a draw.
//!
//! **Sides**: every side is taken to choose what is best for itself (max^n: C. Luckhardt and K. Irani, *An Algorithmic
//! Solution of N-Person Games*, 1986), which with two is the usual game. An edge needs nothing but the values of the side
//! that chooses it.
//!
//! **Choice**: [`Selection::Uct`] takes the edge with the greatest `value + c √(ln N / n)` (L. Kocsis and C. Szepesvári,
//! *Bandit Based Monte-Carlo Planning*, 2006), edges without a visit first, drawn; [`Selection::Puct`] the one with the
//! greatest `value + c p √N / (1 + n)` (D. Silver et al., *Mastering the Game of Go without Human Knowledge*, 2017), an
//! edge without a visit being worth what its node is. `N` counts the visits of the node, `n` those of the edge, `p` is
//! the prior, `c` the [exploration](Options::exploration).
//!
//! **Endings**: with two sides an edge that ends the game is worth exactly what the count says, and so is a node all of
//! whose edges are exact, or, by [`Value::Result`], one that has a won edge (M. Winands, Y. Björnsson and J.-T. Saito,
//! *Monte-Carlo Tree Search Solver*, 2008). A search whose root is exact stops. Limits of a game (repetition, plies) are
//! none of the position's rules, and a tree knows nothing of them: a playout that goes on for
//! [`LONGEST`](playout::LONGEST) plies is counted as it stands.
//!
//! What is drawn comes from the stream of the seed and the number of the simulation, and nothing asks a clock: the same
//! arguments give the same tree on every machine.

mod error;
mod field;
mod forest;
mod noise;
mod options;
pub mod playout;
mod search;
mod tree;

pub use error::ForestError;
pub use forest::{Forest, ForestOptions};
pub use noise::Noise;
pub use options::{Options, Selection, Value};
pub use search::{Found, MctsAgent, MoveFound, search};
