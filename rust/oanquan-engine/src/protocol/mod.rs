//! The engine for clients that speak with it over a pipe, in lines of text.
//!
//! | room | duty |
//! |---|---|
//! | [`ugi`] | the Universal Game Interface |
//! | [`gtp`] | the Go Text Protocol, version 2 |
//! | [`Settings`] | the options that both have, [`OPTIONS`] |
//! | `session` | the game, and who thinks about it |
//! | `thinking` | one move, by the search or an agent |
//! | `clock` | how much of a clock a move may take |
//! | `board` | a board for people to read |
//! | `lines` | lines of any length and content, in bounded memory |
//! | `output` | answers from several threads |
//!
//! Whatever is sent, nothing panics, what is kept is bounded, and a command that cannot be obeyed changes nothing.

mod board;
mod clock;
pub mod gtp;
mod lines;
mod options;
mod output;
mod session;
mod thinking;
pub mod ugi;

pub use options::{Choice, Kind, OPTIONS, OptionError, Settings};

/// The name that the engine gives itself.
pub const NAME: &str = "oanquan";
/// Its version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
