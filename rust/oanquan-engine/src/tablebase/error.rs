//! What can be wrong with tables.

use std::fmt;
use std::io;
use std::path::Path;

use oanquan_core::Rules;

use super::index::MOST_PEBBLES;

/// Why there is no table.
#[derive(Debug)]
pub enum TableError {
    /// Positions by these rules are worth what neither their board nor levels of funds tell.
    Rules(Box<Rules>),
    /// The table would have more pebbles than can be numbered.
    Pebbles {
        /// How many were asked for.
        given: u32,
    },
    /// There is no memory for so many bytes.
    Memory {
        /// How many.
        bytes: u64,
    },
    /// The file cannot be read or written.
    Io(io::Error),
    /// The file is no table, or not the one that was asked for: what was expected, and what it is.
    File {
        /// What was expected.
        expected: String,
        /// What is there.
        given: String,
    },
    /// The work was stopped before its end.
    Stopped,
}

impl TableError {
    /// The error with the name of a file that is not the one that the caller knows of.
    pub(crate) fn within(self, path: &Path) -> Self {
        match self {
            Self::File { expected, given } => Self::File { expected, given: format!("{given} in {}", path.display()) },
            other => other,
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(rules) => {
                write!(f, "rules: expected two sides and shortfall=borrow, owe or loses, got {rules}")
            }
            Self::Pebbles { given } => {
                write!(f, "pebbles: expected 0 to {MOST_PEBBLES}, and positions that can be numbered, got {given}")
            }
            Self::Memory { bytes } => write!(f, "expected {bytes} bytes of memory, got none"),
            Self::Io(error) => error.fmt(f),
            Self::File { expected, given } => write!(f, "expected {expected}, got {given}"),
            Self::Stopped => f.write_str("stopped before the end"),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
