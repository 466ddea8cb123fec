//! The cells of a table in a file, by the memory of the system: the only file of the tables with unsafe code.
#![allow(unsafe_code, reason = "a mapped file is memory that others could change; see the SAFETY note")]

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU8, Ordering};

use memmap2::Mmap;

use super::cells::{Cell, Damaged};

/// The bytes that one checksum is of.
pub(crate) const BLOCK: usize = 1 << 16;

/// Nobody looked at the block.
const UNREAD: u8 = 0;
/// Its checksum is right.
const SOUND: u8 = 1;
/// Its checksum is wrong.
const DAMAGED: u8 = 2;

/// The cells of a file. A block is held against its checksum when it is first read.
pub(crate) struct Mapped {
    map: Mmap,
    /// Where the cells begin.
    offset: usize,
    checksums: Vec<u32>,
    states: Vec<AtomicU8>,
}

impl Mapped {
    /// Maps a file whose cells begin at `offset`, a block for each checksum, the last one perhaps shorter.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn new(file: &File, offset: usize, checksums: Vec<u32>) -> io::Result<Self> {
        // SAFETY: the map is private to this type and only ever read as plain bytes, for which every value is valid, and
        // each access is within the length that the map has; so no value that is read can break an invariant of memory.
        // What remains is that another program cuts or rewrites the file meanwhile. Tables are written under another name
        // and renamed, never in place, so that only who damages a table on purpose can do that, and the documentation of
        // `Tablebase::open` names it as the caller's duty.
        let map = unsafe { Mmap::map(file)? };
        let states = checksums.iter().map(|_| AtomicU8::new(UNREAD)).collect();
        Ok(Self { map, offset, checksums, states })
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> u64 {
        self.checksums.len() as u64
    }

    /// The bytes of all cells; whether they are what was written is not looked at.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.map.get(self.offset..).unwrap_or_default()
    }

    /// The cell of that number.
    #[inline]
    pub(crate) fn cell(&self, place: u64) -> Result<Cell, Damaged> {
        let byte = 2 * place as usize;
        let block = byte / BLOCK;
        if self.states[block].load(Ordering::Relaxed) != SOUND {
            self.check(block as u64)?;
        }
        let cell = self.bytes().get(byte..byte + 2).and_then(|bytes| bytes.try_into().ok());
        cell.map(Cell::from_bytes).ok_or(Damaged { block: block as u64 })
    }

    /// Holds a block against its checksum, if nobody did before.
    #[cold]
    pub(crate) fn check(&self, block: u64) -> Result<(), Damaged> {
        let state = &self.states[block as usize];
        if state.load(Ordering::Relaxed) == UNREAD {
            let bytes = self.bytes().chunks(BLOCK).nth(block as usize).unwrap_or_default();
            let is_sound = crc32fast::hash(bytes) == self.checksums[block as usize];
            state.store(if is_sound { SOUND } else { DAMAGED }, Ordering::Relaxed);
        }
        if state.load(Ordering::Relaxed) == SOUND { Ok(()) } else { Err(Damaged { block }) }
    }
}
