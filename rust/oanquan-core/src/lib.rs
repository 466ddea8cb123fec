//! The rules of Ô ăn quan, the Vietnamese mancala with mandarins: every published variant as a value of
//! [`Rules`], positions that are legal by construction, and one sowing routine that everything else uses.
//!
//! | room | duty |
//! |---|---|
//! | [`mv`] | [`Side`], [`Square`], [`Direction`], [`Move`]: the newtypes of the border |
//! | [`knobs`] | [`Knobs`]: the table of names, values and defaults |
//! | [`rules`] | [`Rules`], validated in one constructor |
//! | [`variants`] | the one table of [`PRESETS`] |
//! | `board` | the ring of squares in 40 bytes |
//! | `laps` | a table of laps for rings of up to 16 squares |
//! | [`sow`] | laps, captures, re-seeding: the only code that moves pebbles |
//! | [`ending`] | [`Ending`], [`Outcome`] and the count |
//! | [`step`] | what [`Position::trace`] tells, in words |
//! | [`setup`] | [`Setup`]: a position that may be wrong, and every fault it can have |
//! | [`position`] | [`Position`] and its verbs `play`, `play_unchecked`, `play_traced` |
//! | [`positions`] | many positions by the same rules, in few bytes |
//! | [`duel`] | [`Duel`](duel::Duel): two sides as search sees them |
//! | [`moves`] | [`Moves`]: legal moves, to walk through or to draw one from |
//! | [`zobrist`] | the stable 64-bit key, from scratch and incremental |
//! | [`notation`] | the text of a position |
//! | [`game`] | [`Game`]: history, repetition, limits |
//! | `seen` | how often each position of a game has stood |
//! | [`record`] | games as text, several in a file |
//! | [`perft`](mod@perft) | counting move sequences |
//!
//! ```
//! use oanquan_core::{Move, Position, Rules};
//!
//! let rules = Rules::parse("wikipedia-vi")?;
//! let mut position = Position::start(rules);
//! position = position.play(Move::parse("a1+", None)?)?;
//! assert_eq!(position.to_string(), "0.0.6.6.6.1q1/0.6.6.6.6.1q1 6/0 - b 1");
//! assert_eq!(position.legal_moves().len(), 8);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod board;
pub mod duel;
pub mod ending;
pub mod game;
pub mod knobs;
mod laps;
pub mod moves;
pub mod mv;
pub mod notation;
pub mod perft;
pub mod position;
pub mod positions;
pub mod record;
pub mod rules;
mod scan;
mod seen;
pub mod setup;
pub mod sow;
pub mod step;
pub mod variants;
pub mod zobrist;

/// The documents of the crate, as they stand in `docs/`.
// Their tables of words and values are prose, not links to code.
#[allow(clippy::doc_markdown)]
pub mod docs {
    #[doc = include_str!("../docs/design.md")]
    pub mod design {}
    #[doc = include_str!("../docs/notation.md")]
    pub mod notation {}
    #[doc = include_str!("../docs/rules.md")]
    pub mod rules {}
}

pub use ending::{Ending, Outcome, Points};
pub use game::Game;
pub use knobs::{KNOBS, Knob, Knobs};
pub use moves::Moves;
pub use mv::{Direction, Move, Side, Square};
pub use notation::NotationError;
pub use perft::{divide, perft, perft_while};
pub use position::{IllegalMove, IllegalMoveReason, ParseError, Position, Store};
pub use record::{Record, RecordError};
pub use rules::{Rules, RulesError, RulesFault};
pub use setup::{PositionError, PositionFault, Setup};
pub use sow::Sink;
pub use step::{Step, StopReason};
pub use variants::{PRESETS, Preset};

/// The most sides a board can have.
pub const MAX_SIDES: usize = 4;
/// The most citizen squares a side can have.
pub const MAX_SQUARES: usize = 7;
/// The most squares a ring can have: four sides of seven citizen squares and a mandarin square.
pub const MAX_RING: usize = MAX_SIDES * (MAX_SQUARES + 1);
/// The most pebbles a board can hold (rules section 7).
pub const MAX_PEBBLES: usize = 255;
