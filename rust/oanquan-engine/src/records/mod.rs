//! Game records of any number, read and written piece by piece: memory does not grow with their number.
//!
//! | room | duty |
//! |---|---|
//! | `input` | bytes as text, as they come |
//! | `reader` | [`Reader`]: records, or their headers only, one after the other; what is no record is told and passed over |
//! | `source` | [`Source`]: what is compressed is decompressed |
//! | `writer` | [`Writer`] |
//!
//! The form is that of [`oanquan_core::record`]. A text that is no record does not end the reading: it goes on at the next
//! line that begins with a `[` after an empty line.

mod input;
mod reader;
mod source;
mod writer;

use std::fmt;
use std::io;

pub use reader::{Headers, Reader, Step};
pub use source::Source;
pub use writer::Writer;

/// The most bytes that one record may have, unless the caller says otherwise.
pub const DEFAULT_MOST_BYTES: usize = 64 << 20;

/// Where a record is among others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its number, from 1; what was no record has one too.
    pub number: u64,
    /// The byte at which it begins, from 0.
    pub offset: u64,
    /// The line in which it begins, from 1.
    pub line: u64,
}

/// Something that is no record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadRecord {
    /// Where it begins.
    pub place: Place,
    /// The line of the fault, from 1.
    pub line: u64,
    /// The column of the fault, in characters from 1.
    pub column: u64,
    /// What was expected and what stands there.
    pub message: String,
    /// What stands before the fault in its line, from where the record begins; of a very long line the first part.
    pub text: String,
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { number, line, .. } = self.place;
        write!(f, "{}:{}: {} (game {number}, from line {line})", self.line, self.column, self.message)
    }
}

/// Why there is no record.
#[derive(Debug)]
pub enum Error {
    /// The input failed.
    Io(io::Error),
    /// What was read is no record. Reading can go on.
    Bad(Box<BadRecord>),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Bad(bad) => bad.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
