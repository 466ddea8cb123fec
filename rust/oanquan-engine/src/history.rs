//! Whether a position has stood too often: exactly what [`oanquan_core::Game`] says, in a few instructions a ply.
//!
//! A [`Stand`] holds what two positions of a game that are not over must share to be equal:
//!
//! - the pebbles on the squares and in the stores, and the side to move;
//! - an *epoch*, which grows with each captured mandarin, each loan and each ply under `mandarin_ban`. None of them is
//!   ever undone: mandarins never leave a store and debts are not repaid before the count. So equal epochs mean the
//!   same mandarins, the same debts, and that the ply does not count; and different epochs that one of them differs.
//!
//! So two positions are equal if and only if their stands are. Stands are found by a hash of the squares and then
//! compared whole: a collision costs time, never truth.

use oanquan_core::{Position, Side, Sink, Square};

/// Hears of the turns of a game what the history and the summary must know.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heard {
    /// Mandarins captured.
    mandarins: u32,
    /// Rows re-seeded.
    pub(crate) reseedings: u32,
    /// Loans made.
    pub(crate) loans: u32,
    /// Pebbles lent.
    pub(crate) pebbles_lent: u32,
}

impl Sink for Heard {
    #[inline]
    fn capture(&mut self, _: Square, _: u8, mandarin: bool) {
        self.mandarins += u32::from(mandarin);
    }

    #[inline]
    fn borrow(&mut self, _: Side, _: Side, pebbles: u32) {
        self.loans += 1;
        self.pebbles_lent += pebbles;
    }

    #[inline]
    fn reseed(&mut self, _: Side, _: u8) {
        self.reseedings += 1;
    }
}

/// What decides whether two positions of one game are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stand {
    pebbles: [u64; 4],
    stores: [i32; 4],
    epoch: u32,
    turn: Side,
}

impl Stand {
    #[inline]
    fn of(position: &Position, heard: &Heard) -> Self {
        Self {
            pebbles: pack(position.pebbles()),
            stores: Side::ALL.map(|side| position.store(side).pebbles),
            epoch: heard.mandarins + heard.loans + position.ply().min(position.rules().mandarin_ban.into()),
            turn: position.turn(),
        }
    }

    /// The bucket: the same for equal stands.
    #[inline]
    fn bucket(&self) -> usize {
        let [a, b, c, d] = self.pebbles;
        let low = (a ^ c.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let high = (b ^ d.rotate_left(41)).wrapping_mul(0xD1B5_4A32_D192_ED03);
        (low.wrapping_add(high) >> (64 - BUCKET_BITS)) as usize
    }
}

/// The bytes of a ring of up to 32 squares in words: different for different rings of one size.
#[inline]
pub(crate) fn pack(ring: &[u8]) -> [u64; 4] {
    let mut words = [0; 4];
    let mut left = ring;
    for word in &mut words {
        let Some((bytes, others)) = left.split_first_chunk::<8>() else {
            *word = pack_few(left);
            break;
        };
        *word = u64::from_le_bytes(*bytes);
        left = others;
    }
    words
}

/// Fewer than eight bytes in a word, which may overlap.
#[inline]
fn pack_few(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(head), Some(tail)) => u64::from(u32::from_le_bytes(*head)) << 32 | u64::from(u32::from_le_bytes(*tail)),
        _ => bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

const BUCKET_BITS: u32 = 10;

/// A stand, and the place of the one before it in its bucket.
struct Entry {
    stand: Stand,
    before: Option<u32>,
}

/// The last stand of a bucket: in which game, and where in its history.
#[derive(Clone, Copy, Default)]
struct Latest {
    game: u32,
    place: u32,
}

/// The positions of a game, in the order in which they stood.
pub(crate) struct History {
    /// How often a position may stand; never 0. `None` switches the history off.
    limit: Option<u32>,
    entries: Vec<Entry>,
    /// By bucket. What an older game left is known by the number of the game, so that nothing is cleared between games.
    latest: Box<[Latest; 1 << BUCKET_BITS]>,
    /// The number of the game, from 1, modulo 2^32.
    game: u32,
}

impl History {
    /// A history that says when a position stands for the `limit`-th time, or never.
    pub(crate) fn new(limit: Option<u32>) -> Self {
        let limit = limit.map(|limit| limit.max(1));
        Self { limit, entries: Vec::new(), latest: Box::new([Latest::default(); 1 << BUCKET_BITS]), game: 0 }
    }

    /// Forgets the game and begins another.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            // Once in 2^32 games the numbers begin again.
            self.latest.fill(Latest::default());
            self.game = 1;
        }
    }

    /// Adds a position. Says whether it has stood too often.
    #[inline]
    pub(crate) fn push(&mut self, position: &Position, heard: &Heard) -> bool {
        let Some(limit) = self.limit else { return false };
        let stand = Stand::of(position, heard);
        let place = self.entries.len() as u32;
        let latest = &mut self.latest[stand.bucket()];
        let before = (latest.game == self.game).then_some(latest.place);
        *latest = Latest { game: self.game, place };
        self.entries.push(Entry { stand, before });
        match before {
            None => limit == 1,
            Some(_) => self.stood(place) >= limit,
        }
    }

    /// How many positions there is room for.
    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// How often the stand at that place has stood.
    #[cold]
    #[inline(never)]
    fn stood(&self, place: u32) -> u32 {
        let stand = &self.entries[place as usize].stand;
        let bucket = std::iter::successors(Some(place), |&place| self.entries[place as usize].before);
        bucket.filter(|&place| self.entries[place as usize].stand == *stand).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_tells_rings_apart() {
        for size in 4..=32 {
            let ring: Vec<u8> = (0..size).map(|square| square * 7 + 1).collect();
            for square in 0..ring.len() {
                let mut other = ring.clone();
                other[square] ^= 0x80;
                assert_ne!(pack(&ring), pack(&other), "square {square} of {size}");
            }
        }
    }
}
