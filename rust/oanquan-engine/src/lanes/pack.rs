//! Games side by side, as the vector code wants them.

use super::plan::{Board, WIDTH};

/// How many plies the log of a game holds; a power of two.
pub(super) const LOG: usize = 256;
/// So many more entries may be read, and mean nothing.
pub(super) const BEYOND: usize = 32;

/// How many packs go through a step side by side.
pub(super) const TOGETHER: usize = 2;

/// What [`Pack::plies`] counts a re-seeding as.
pub(super) const ONE_RESEEDING: u64 = 1 << 32;

/// Bit 8q set for each game q of a pack: the form of every mask of games.
pub(super) const EACH: u64 = 0x0101_0101_0101_0101;

/// `GAMES` games. The board of game q is in the q % 2-nd half of `boards`, so that the first eight bytes of all boards
/// come together, in order, when the halves are interleaved.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Pack<const GAMES: usize> {
    /// Turned boards.
    pub(super) boards: [Board; GAMES],
    /// Where the squares of the next mover's board are on the turned one.
    pub(super) back: [Board; GAMES],
    /// Where a turn ended that the step could not go on from: the board as the next mover sees it, in two words.
    pub(super) low: [u64; GAMES],
    pub(super) high: [u64; GAMES],
    /// What is in the store of the mover (low half) and of the other side (high half), as bytes of the board add up.
    pub(super) stores: [u64; GAMES],
    /// The counter of the stream at the next ply.
    pub(super) counters: [u64; GAMES],
    /// How many turns have ended, in the low half, and how often a row was re-seeded, in the high half.
    pub(super) plies: [u64; GAMES],
    /// A hash of the position when the last turn ended.
    pub(super) hashes: [u64; GAMES],
    /// The games that look at a gap. The others are about to lift a hand.
    pub(super) gaps: u64,
    /// The games that there are.
    pub(super) begun: u64,
    /// Those of them that are not over.
    pub(super) active: u64,
    /// A hash of every position of a game, by ply.
    pub(super) log: [Log; GAMES],
}

/// What a step has left to be done, as masks of games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    /// The games whose next mover has an empty row and cannot pay for it alone.
    pub(super) short: u64,
    /// The games in which some hand may be too large for the lanes.
    pub(super) large: u64,
}

impl<const GAMES: usize> Pack<GAMES> {
    pub(super) const EMPTY: Self = Self {
        boards: [[0; WIDTH]; GAMES],
        back: [[0; WIDTH]; GAMES],
        low: [0; GAMES],
        high: [0; GAMES],
        stores: [0; GAMES],
        counters: [0; GAMES],
        plies: [0; GAMES],
        hashes: [0; GAMES],
        gaps: 0,
        begun: 0,
        active: 0,
        log: [[0; LOG + BEYOND]; GAMES],
    };

    /// Where the board of a game is.
    #[inline]
    const fn place(game: usize) -> usize {
        game % 2 * (GAMES / 2) + game / 2
    }

    /// The board that a step could not go on from, as the next mover sees it.
    #[inline]
    pub(super) fn board(&self, game: usize) -> Board {
        (u128::from(self.low[game]) | u128::from(self.high[game]) << 64).to_le_bytes()
    }

    /// How many turns of a game have ended.
    #[inline]
    pub(super) fn ply(&self, game: usize) -> u32 {
        self.plies[game] as u32
    }

    /// Writes down the hashes of all games; that of a turn that has not ended yet is that of the turn before.
    #[inline]
    pub(super) fn write_log(&mut self) {
        for game in 0..GAMES {
            self.log[game][self.ply(game) as usize % LOG] = logged(self.hashes[game]);
        }
    }

    /// Lets a game go on with a move on a turned board.
    #[inline]
    pub(super) fn begin_move(&mut self, game: usize, turned: &Board, back: &Board) {
        let place = Self::place(game);
        self.boards[place] = *turned;
        self.back[place] = *back;
        self.gaps &= !(1 << (8 * game));
    }

    /// Takes a game out: its lane stays empty.
    pub(super) fn retire(&mut self, game: usize) {
        self.boards[Self::place(game)] = [0; WIDTH];
        self.begun &= !(1 << (8 * game));
        self.active &= self.begun;
    }

    /// Lets a lane that was empty, or whose game is over, play.
    #[inline]
    pub(super) fn begin(&mut self, game: usize) {
        self.begun |= 1 << (8 * game);
        self.active |= 1 << (8 * game);
    }
}

/// Odd factors for [`Step::hash`]: those of the core's `mix`.
pub(super) const FACTORS: [u64; 2] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// The steps of packs.
pub(super) trait Step<const GAMES: usize> {
    /// Makes a lap or a capture in each game, and where that ends the turn begins the next move.
    fn step(&self, packs: &mut [Pack<GAMES>; TOGETHER]) -> [Left; TOGETHER];

    /// The hash that the step gives a position at a decision: equal for equal positions of a game. Only the upper 16
    /// bits are used.
    #[inline]
    fn hash(low: u64, high: u64, stores: u64) -> u64 {
        (low.wrapping_mul(FACTORS[0]) ^ high ^ stores).wrapping_mul(FACTORS[1])
    }

    /// Whether so many (at least two) of the first `plies` hashes of a log are equal, an even number of plies apart as
    /// equal positions are. What follows them in the log is lost.
    fn repeats(&self, log: &mut Log, plies: usize, times: u32) -> bool;
}

/// The hashes of a game by ply. None is 0: that stands for no position.
pub(super) type Log = [u16; LOG + BEYOND];

/// What a log keeps of a hash.
#[inline]
pub(super) const fn logged(hash: u64) -> u16 {
    (hash >> 48) as u16 | 1
}

/// Writes that there are no positions from that ply on, as far as `WIDTH` hashes at a time are looked at.
#[inline]
pub(super) fn end_log(log: &mut Log, plies: usize) {
    log[plies.min(LOG)..][..BEYOND].fill(0);
}

/// The hashes of a log from a ply on.
#[inline]
pub(super) fn hashes_from<const COUNT: usize>(log: &Log, ply: usize) -> &[u16; COUNT] {
    log[ply % LOG..].first_chunk().unwrap_or(&[0; COUNT])
}
