//! The bindings: `oanquan._core`. Convert, call, convert; no rule and no decision of a game is made here.
//!
//! | room | duty |
//! |---|---|
//! | `convert` | texts, sides, whole numbers and tuples, to and fro |
//! | `errors` | the errors of the crates as the classes of `oanquan.errors` |
//! | `interrupt` | Ctrl-C during calls that take long |
//! | `replay` | shards held against games played again, and written as text |
//! | `rules` | rules as texts, and as the Python class `oanquan.Rules` |
//! | `moves` | `Move`, and the shared objects that every list of legal moves is made of |
//! | `values` | `Store`, `Debt`, `Outcome` |
//! | `step` | `Step` |
//! | `position` | `Position` |
//! | `setup` | from numbers that may be wrong to a position, and back |
//! | `game` | `Game` |
//! | `perft` | `perft`, `divide` |
//! | `columns` | `Columns`: games as columns |
//! | `buffer` | `Column`: numbers by the buffer protocol; the only file with unsafe code |
//! | `simulate` | games by the million, with progress |
//! | `shards` | ranges of games as Parquet files |
//! | `tables` | `Table`: endgame tables |
//! | `callable` | the same with agents written in Python |
//! | `summary` | what many games came to |
//! | `buffers_in` | memory that the caller owns, by the buffer protocol |
//! | `mcts` | Monte Carlo tree search, and trees whose leaves are valued from outside |
//! | `arena` | matches between two agents |
//! | `protocol` | the engine protocols, on standard input and output |
//! | `records` | game records, read from and written to Python's files |
//! | `batch` | many games stepped together |
//! | `search` | search, with progress |
//! | `solve` | bounds that are proved, and their certificates |
//! | `bench` | what `oanquan bench` measures in Rust |
#![deny(unsafe_code)]
#![allow(clippy::needless_pass_by_value, reason = "arguments come by value, converted")]
#![allow(clippy::too_many_arguments, clippy::type_complexity, reason = "signatures are those of Python functions")]
#![allow(clippy::doc_link_with_quotes, reason = "documentation comments are Python docstrings")]

mod arena;
mod batch;
mod bench;
mod buffer;
mod buffers_in;
mod callable;
mod columns;
mod convert;
mod errors;
mod game;
mod interrupt;
mod mcts;
mod moves;
mod perft;
mod position;
mod protocol;
mod records;
mod replay;
mod rules;
mod search;
mod setup;
mod shards;
mod shown;
mod simulate;
mod solve;
mod step;
mod summary;
mod tables;
mod thinker;
mod values;

/// The compiled part of oanquan: positions, moves and games, and what must be fast.
///
/// Everything meant for users is exported by `oanquan` itself.
#[pyo3::pymodule]
mod _core {
    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::arena::{PyMatchPairs, PyPlayer, match_opening, pentanomial, play_match, sprt};
    #[pymodule_export]
    use crate::batch::PyBatch;
    #[pymodule_export]
    use crate::bench::{bench_batch, bench_calibration, bench_mcts, bench_path, bench_paths};
    #[pymodule_export]
    use crate::buffer::PyColumn;
    #[pymodule_export]
    use crate::callable::simulate_with;
    #[pymodule_export]
    use crate::columns::PyColumns;
    #[pymodule_export]
    use crate::game::PyGame;
    #[pymodule_export]
    use crate::mcts::{PyForest, mcts, mcts_defaults};
    #[pymodule_export]
    use crate::moves::PyMove;
    #[pymodule_export]
    use crate::perft::{divide, perft};
    #[pymodule_export]
    use crate::position::PyPosition;
    #[pymodule_export]
    use crate::protocol::{protocol_options, serve_gtp, serve_ugi};
    #[pymodule_export]
    use crate::records::{PyRecordReader, write_records};
    #[pymodule_export]
    use crate::replay::{check_shard, text_header, write_text};
    #[pymodule_export]
    use crate::rules::{check_rules, knob_summaries, knobs, parse_rules, presets, rules_text};
    #[pymodule_export]
    use crate::search::{bench_search, search};
    #[pymodule_export]
    use crate::setup::{build_position, read_setup};
    #[pymodule_export]
    use crate::shards::{PyShardReader, shard_info, write_shard};
    #[pymodule_export]
    use crate::simulate::{agent_name, agents, simulate};
    #[pymodule_export]
    use crate::solve::{PyTelling, solve, verify_certificate};
    #[pymodule_export]
    use crate::step::PyStep;
    #[pymodule_export]
    use crate::summary::PySummary;
    #[pymodule_export]
    use crate::tables::PyTable;
    #[pymodule_export]
    use crate::values::{PyDebt, PyOutcome, PyStore};
}
