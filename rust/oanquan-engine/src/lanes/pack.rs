//! Games side by side, as the vector code wants them.

use super::plan::{Board, MANDARIN, WIDTH, mandarins, pebbles};
use super::simd::{Words, word_of};
use crate::GameStream;
use crate::rng::STEP;

/// How many plies the log of a game holds; a power of two.
pub(super) const LOG: usize = 256;
/// Where in the log no ply is: longer games are handed over before.
pub(super) const NOWHERE: u8 = 0xFF;
/// So many more entries may be read, and mean nothing.
pub(super) const BEYOND: usize = 32;

/// `GAMES` games: a vector for each square, with a byte for each game.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Pack<const GAMES: usize> {
    /// Turned boards; those of games that are not active as their next mover sees them.
    pub(super) boards: [[u8; GAMES]; WIDTH],
    /// Where byte 0 of the turned board is in the [`Frame`](super::plan::Frame) of the move.
    pub(super) places: [u8; GAMES],
    /// The games that play (0xFF), and those whose move is clockwise or stands before a gap.
    pub(super) active: [u8; GAMES],
    pub(super) clockwise: [u8; GAMES],
    pub(super) gaps: [u8; GAMES],
    /// The pebbles and the mandarins in the stores of the mover and of the other side.
    pub(super) pebbles: [[u8; GAMES]; 2],
    pub(super) mandarins: [[u8; GAMES]; 2],
    /// How many turns have ended, and how often a row was re-seeded.
    pub(super) plies: [u8; GAMES],
    pub(super) reseedings: [u8; GAMES],
    /// What the draws of a game are made from: its counters without their plies.
    pub(super) keys: Words<GAMES>,
    /// Hashes of the positions where the last step has ended turns, in the order of `Simd::store_pairs`, and where they go
    /// in the log.
    pub(super) hashes: [u16; GAMES],
    pub(super) slots: [u8; GAMES],
    /// The games that there are.
    pub(super) begun: u64,
    /// A hash of every position of a game, by ply.
    pub(super) log: [Log; GAMES],
}

/// What a step has left to be done, as masks of games: none of them is active any more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    /// The games that are over because both mandarin squares are empty.
    pub(super) over: u64,
    /// The games whose next mover has an empty row and cannot pay for it alone.
    pub(super) short: u64,
    /// The games with a hand that is too large for the lanes.
    pub(super) large: u64,
}

impl<const GAMES: usize> Pack<GAMES> {
    pub(super) const EMPTY: Self = Self {
        boards: [[0; GAMES]; WIDTH],
        places: [0; GAMES],
        active: [0; GAMES],
        clockwise: [0; GAMES],
        gaps: [0; GAMES],
        pebbles: [[0; GAMES]; 2],
        mandarins: [[0; GAMES]; 2],
        plies: [0; GAMES],
        reseedings: [0; GAMES],
        keys: [0; GAMES],
        hashes: [0; GAMES],
        slots: [NOWHERE; GAMES],
        begun: 0,
        log: [[0; LOG + BEYOND]; GAMES],
    };

    /// The board of a game.
    #[inline]
    pub(super) fn board(&self, game: usize) -> Board {
        core::array::from_fn(|place| self.boards[place][game])
    }

    /// What is in the stores, as bytes of the board add up: the mover's in the low half.
    #[inline]
    pub(super) fn stores(&self, game: usize) -> u64 {
        let store = |side: usize| {
            u64::from(self.pebbles[side][game]) + u64::from(self.mandarins[side][game]) * u64::from(MANDARIN)
        };
        store(0) | store(1) << 32
    }

    #[inline]
    pub(super) fn set_stores(&mut self, game: usize, stores: u64) {
        for side in 0..2 {
            let store = (stores >> (32 * side)) as u32;
            self.pebbles[side][game] = pebbles(store) as u8;
            self.mandarins[side][game] = mandarins(store) as u8;
        }
    }

    #[inline]
    pub(super) fn set_stream(&mut self, game: usize, stream: GameStream) {
        // What `mix` adds first is added here.
        self.keys[word_of::<GAMES>(game)] = stream.counter(0).wrapping_add(STEP);
    }

    /// How many turns of a game have ended.
    #[inline]
    pub(super) fn ply(&self, game: usize) -> u32 {
        self.plies[game].into()
    }

    /// Writes down the hashes of the last step.
    #[inline]
    pub(super) fn write_log(&mut self) {
        // In the order of the hashes.
        let mut hashes = self.hashes.iter();
        for half in 0..2 {
            for block in 0..GAMES / 16 {
                let first = 16 * block + 8 * half;
                let games = self.log[first..first + 8].iter_mut().zip(&self.slots[first..first + 8]);
                for ((log, &slot), &hash) in games.zip(&mut hashes) {
                    log[usize::from(slot)] = hash;
                }
            }
        }
    }

    /// Lets a game go on with a move.
    #[inline]
    pub(super) fn begin_move(&mut self, game: usize, opening: &Opening) {
        for (squares, byte) in self.boards.iter_mut().zip(opening.board) {
            squares[game] = byte;
        }
        self.places[game] = opening.place;
        self.clockwise[game] = opening.clockwise;
        self.gaps[game] = 0;
        self.active[game] = 0xFF;
    }

    /// Takes a game out: its lane stays empty.
    pub(super) fn retire(&mut self, game: usize) {
        self.active[game] = 0;
        self.begun &= !(1 << game);
    }
}

/// The beginning of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// The turned board.
    pub(super) board: Board,
    pub(super) place: u8,
    pub(super) clockwise: u8,
}

/// Odd factors: those of the core's `mix`.
pub(super) const FACTORS: [u64; 2] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// The steps of packs.
pub(super) trait Step<const GAMES: usize> {
    /// Makes laps and captures in each game, and where that ends the turn begins the next move.
    fn step(&self, pack: &mut Pack<GAMES>) -> Left;

    /// Whether so many (at least two) of the first `plies` hashes of a log are equal, an even number of plies apart as
    /// equal positions are. What follows them in the log is lost.
    fn repeats(&self, log: &mut Log, plies: usize, times: u32) -> bool;
}

/// The hashes of a game by ply. None is 0: that stands for no position.
pub(super) type Log = [u16; LOG + BEYOND];

/// Writes that there are no positions from that ply on, as far as `BEYOND` hashes at a time are looked at.
#[inline]
pub(super) fn end_log(log: &mut Log, plies: usize) {
    log[plies.min(LOG)..][..BEYOND].fill(0);
}

/// The hashes of a log from a ply on.
#[inline]
pub(super) fn hashes_from<const COUNT: usize>(log: &Log, ply: usize) -> &[u16; COUNT] {
    log[ply % LOG..].first_chunk().unwrap_or(&[0; COUNT])
}
