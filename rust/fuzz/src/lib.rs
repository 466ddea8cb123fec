//! What the fuzz targets do with their bytes, as plain functions that a stable compiler can replay a corpus through.
//!
//! | target | bytes |
//! |---|---|
//! | [`parsers()`] | a text, for every parser of the core |
//! | [`positions()`] | a position as text or as numbers, and moves to play from it |
//!
//! ```text
//! cd rust/fuzz
//! cargo +nightly fuzz run --fuzz-dir . --features fuzzing -s none positions -- -max_total_time=600
//! cargo +nightly fuzz cmin --fuzz-dir . --features fuzzing -s none positions
//! cargo test                               # replays what lies in corpus/
//! ```

mod oracles;
mod parsers;
mod positions;
mod structured;

pub use parsers::parsers;
pub use positions::positions;
