//! Games of Ô ăn quan by the million, on the rules of [`oanquan_core`].
//!
//! | room | duty |
//! |---|---|
//! | [`rng`] | [`GameStream`]: the promised random numbers of a game |
//! | [`turn`] | [`Turn`]: a decision, with its legal moves and its draw |
//! | [`agent`] | [`Agent`]: who chooses the moves; [`Random`], [`Greedy`], [`Cautious`]; agents as texts |
//! | `fetch` | memory brought near (unsafe code) |
//! | `files` | opening files that others may have put there |
//! | `history` | whether a position has stood too often, cheaply and exactly |
//! | [`playout`] | [`Playout`]: one game under its limits |
//! | [`collect`] | [`Collect`]: who takes the finished games |
//! | [`distribution`] | [`Distribution`], [`Tally`]: how a number is spread over many games |
//! | [`summary`] | [`Summary`]: what many games came to, in whole numbers |
//! | [`lanes`] | [`Kernel`](lanes::Kernel): random games side by side in vector registers |
//! | [`simulation`] | [`simulate`]: many games on many threads |
//! | [`lockstep`](mod@lockstep) | [`lockstep()`](lockstep::lockstep): games side by side, for agents that choose for many at once |
//! | [`bounds`] | [`Bounds`]: what is known of the value of a position |
//! | [`solver`] | [`Solver`](solver::Solver): bounds of a position, proved |
//! | [`certificate`] | [`Certificate`](certificate::Certificate): those proofs as files, and their replay |
//! | [`batch`] | [`Batch`]: many games stepped together, for learners |
//! | [`search`](mod@search) | [`search()`](search::search): who is ahead, by how much, and what to play |
//! | [`tablebase`] | [`Tablebase`]: proven bounds of every position with few pebbles |
//! | [`mcts`] | Monte Carlo tree search, by itself or with leaves valued from outside |
//! | [`arena`] | matches between two agents, with statistics |
//! | [`protocol`] | UGI and GTP: the engine for clients that speak over a pipe |
//! | [`records`] | game records of any number, read and written piece by piece |
//! | [`bench`](mod@bench) | how fast this machine plays, and how fast it is |
//!
//! Game `i` of seed `s` is one sequence of moves, whoever plays it. So a simulation gives the same numbers for any
//! number of threads, and one of a million games can be cut into any ranges and merged.
//!
//! ```
//! use oanquan_core::{Position, Rules};
//! use oanquan_engine::{Config, simulate};
//! use std::sync::atomic::{AtomicBool, AtomicU64};
//!
//! let mut config = Config::new(Position::start(Rules::default()), 1000);
//! config.seed = 7;
//! let summary = simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0));
//! assert_eq!(summary.games, 1000);
//! assert_eq!(summary.wins.iter().sum::<u64>() + summary.draws, 1000);
//!
//! config.threads = 2;
//! assert_eq!(simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0)), summary);
//! ```
#![deny(unsafe_code)]

pub mod agent;
pub mod arena;
pub mod batch;
pub mod bench;
pub mod bounds;
pub mod certificate;
pub mod collect;
pub mod distribution;
mod fetch;
mod files;
mod history;
pub mod lanes;
pub mod lockstep;
pub mod mcts;
pub mod playout;
pub mod protocol;
pub mod records;
pub mod rng;
pub mod search;
pub mod simulation;
pub mod solver;
pub mod summary;
pub mod tablebase;
pub mod turn;

/// What is measured, how, and what came out.
#[allow(clippy::doc_markdown)] // names of programs are prose
#[doc = include_str!("../docs/performance.md")]
pub mod performance {}

/// How strong the agents are, by matches.
#[allow(clippy::doc_markdown)] // names of agents are prose
#[doc = include_str!("../docs/strength.md")]
pub mod strength {}
/// What the values are, how they are proved, the file of a certificate, and results.
#[doc = include_str!("../docs/solving.md")]
pub mod solving {}

pub use agent::{Agent, Cautious, Greedy, Random};
pub use batch::Batch;
pub use bounds::{Bounds, Probe};
pub use collect::Collect;
pub use distribution::{Distribution, Tally};
pub use playout::{Finished, Limits, Playout};
pub use rng::GameStream;
pub use simulation::{Config, Worker, simulate};
pub use summary::{Opening, Summary};
pub use tablebase::Tablebase;
pub use turn::Turn;
