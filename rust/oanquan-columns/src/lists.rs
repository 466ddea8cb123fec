//! Moves and positions, of which games have different numbers: lists, one a game.
//!
//! The offsets of a list are 32 bits wide, and a run may have more moves or text than that. So these columns come in
//! parts; columns of numbers are whole.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::{ListArray, StringArray, UInt8Array};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};
use oanquan_core::{Move, Position};

use crate::schema::item;
use crate::{Error, Options};

/// The text, in bytes, and the moves that a part should have at most; far below what its offsets can count.
const PART: usize = 1 << 27;
/// The rows that a part should have at most.
const PART_ROWS: usize = 1 << 20;

/// The lists of some games in a row, growing.
pub(crate) struct Lists {
    options: Options,
    /// Where the moves of each game end, after a 0.
    move_ends: Vec<i32>,
    moves: Vec<u8>,
    /// Where the positions of each game end, after a 0.
    position_ends: Vec<i32>,
    /// Where the text of each position ends, after a 0.
    text_ends: Vec<i32>,
    text: String,
}

impl Lists {
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options,
            move_ends: vec![0],
            moves: Vec::new(),
            position_ends: vec![0],
            text_ends: vec![0],
            text: String::new(),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.move_ends.len().max(self.position_ends.len()) - 1
    }

    /// Whether another game had better go into another part.
    pub(crate) fn is_full(&self) -> bool {
        self.rows() >= PART_ROWS || self.text.len().max(self.moves.len()) >= PART
    }

    /// Adds a game, its positions found by playing the moves again.
    pub(crate) fn push(&mut self, game: u64, start: &Position, moves: &[Move]) -> Result<(), Error> {
        let end = |length: usize| i32::try_from(length).map_err(|_| Error::TooLong { game });
        if self.options.moves {
            self.moves.extend(moves.iter().map(|mv| mv.action()));
            self.move_ends.push(end(self.moves.len())?);
        }
        if self.options.positions {
            let mut position = *start;
            let mut add = |position: &Position| {
                // Writing to a String cannot fail.
                let _ = write!(self.text, "{position}");
                end(self.text.len()).map(|end| self.text_ends.push(end))
            };
            add(&position)?;
            for &mv in moves {
                position.play_unchecked(mv);
                add(&position)?;
            }
            self.position_ends.push(end(self.text_ends.len() - 1)?);
        }
        Ok(())
    }

    /// Adds the games of another part, unless they had better stay there.
    fn append(&mut self, other: &Self) -> bool {
        let fits = self.rows() + other.rows() <= PART_ROWS
            && self.text.len() + other.text.len() <= PART
            && self.moves.len() + other.moves.len() <= PART;
        if fits {
            extend(&mut self.move_ends, &other.move_ends);
            self.moves.extend_from_slice(&other.moves);
            extend(&mut self.position_ends, &other.position_ends);
            extend(&mut self.text_ends, &other.text_ends);
            self.text.push_str(&other.text);
        }
        fits
    }

    fn finish(self) -> Result<Part, ArrowError> {
        let rows = self.rows();
        let offsets = |ends| OffsetBuffer::new(ScalarBuffer::from(ends));
        let mut part = Part { rows, moves: None, positions: None };
        if self.options.moves {
            let items = Arc::new(UInt8Array::from(self.moves));
            let list = ListArray::try_new(item(DataType::UInt8), offsets(self.move_ends), items, None)?;
            part.moves = Some(Arc::new(list));
        }
        if self.options.positions {
            let text = Buffer::from_vec(self.text.into_bytes());
            let items = Arc::new(StringArray::try_new(offsets(self.text_ends), text, None)?);
            let list = ListArray::try_new(item(DataType::Utf8), offsets(self.position_ends), items, None)?;
            part.positions = Some(Arc::new(list));
        }
        Ok(part)
    }
}

/// Adds the ends of what comes after.
fn extend(ends: &mut Vec<i32>, others: &[i32]) {
    let last = ends.last().copied().unwrap_or_default();
    // Both parts together are small: `append` has seen to it.
    ends.extend(others.iter().skip(1).map(|end| last + end));
}

/// Finished lists of some games in a row.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) rows: usize,
    pub(crate) moves: Option<Arc<ListArray>>,
    pub(crate) positions: Option<Arc<ListArray>>,
}

/// Finishes lists; those that follow each other are joined, as far as that is sensible, if `join` says so.
pub(crate) fn finish(lists: Vec<Lists>, join: bool) -> Result<Vec<Part>, ArrowError> {
    let mut joined: Vec<Lists> = Vec::with_capacity(lists.len());
    for next in lists {
        if !(join && joined.last_mut().is_some_and(|last| last.append(&next))) {
            joined.push(next);
        }
    }
    joined.into_iter().filter(|lists| lists.rows() > 0).map(Lists::finish).collect()
}
