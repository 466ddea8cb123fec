//! What the loop over the games knows of the board: its size, the row that a learner sees of it, and what of it tells
//! whether it stood before.

use oanquan_core::{Position, Rules, Side, Square};

use crate::history::pack;

/// The size of the board. For the standard board these are constants, so that its loops unroll.
pub(super) trait Shape: Copy + Send + Sync + 'static {
    /// The pebbles on the squares and in the stores but the last: within an epoch the last follows from the others, no
    /// pebble being lent or lost.
    type Stand: Copy + PartialEq + Send + Sync;

    fn sides(self) -> usize;

    fn squares(self) -> usize;

    fn stand(position: &Position) -> Self::Stand;

    /// The same for equal stands; its upper bits depend on all of them.
    fn hash(stand: &Self::Stand) -> u64;

    /// Squares of the ring that belong to one side, its mandarin square included.
    #[inline]
    fn row(self) -> usize {
        self.squares() + 1
    }

    #[inline]
    fn actions(self) -> usize {
        2 * self.squares()
    }

    /// The numbers of an observation: every square of the ring; a mandarin on the board, pebbles and mandarins in store
    /// for each side; a debt for each pair; the plies of the ban.
    #[inline]
    fn observation(self) -> usize {
        let sides = self.sides();
        sides * self.row() + 3 * sides + sides * (sides - 1) + 1
    }
}

/// Two sides of five squares.
#[derive(Clone, Copy)]
pub(super) struct Standard;

impl Shape for Standard {
    type Stand = [u64; 2];

    #[inline]
    fn sides(self) -> usize {
        2
    }

    #[inline]
    fn squares(self) -> usize {
        5
    }

    #[inline]
    fn stand(position: &Position) -> [u64; 2] {
        // Twelve squares: two loads, and no array in between.
        let ring = position.pebbles();
        let low = ring.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let high = ring.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        [low, u64::from(high) << 32 | u64::from(position.store(Side::A).pebbles as u32)]
    }

    #[inline]
    fn hash(stand: &[u64; 2]) -> u64 {
        mix([stand[0], stand[1], 0, 0])
    }
}

/// Any board, which takes so many words.
#[derive(Clone, Copy)]
pub(super) struct Any<const WORDS: usize> {
    sides: usize,
    squares: usize,
}

impl<const WORDS: usize> Any<WORDS> {
    pub(super) fn of(rules: &Rules) -> Self {
        Self { sides: rules.sides.into(), squares: rules.squares.into() }
    }
}

/// Two sides: up to 16 squares.
pub(super) type Small = Any<3>;
/// Up to four sides and 32 squares.
pub(super) type Large = Any<6>;

impl<const WORDS: usize> Shape for Any<WORDS> {
    type Stand = [u64; WORDS];

    #[inline]
    fn sides(self) -> usize {
        self.sides
    }

    #[inline]
    fn squares(self) -> usize {
        self.squares
    }

    #[inline]
    fn stand(position: &Position) -> [u64; WORDS] {
        const { assert!(WORDS == 3 || WORDS == 6) }
        let ring = pack(position.pebbles());
        let [a, b, c, _] = Side::ALL.map(|side| u64::from(position.store(side).pebbles as u32));
        let stores = [a | b << 32, c];
        let squares = if WORDS == 3 { 2 } else { 4 };
        std::array::from_fn(|word| if word < squares { ring[word] } else { stores[word - squares] })
    }

    #[inline]
    fn hash(stand: &[u64; WORDS]) -> u64 {
        mix(std::array::from_fn(|word| stand.get(word).copied().unwrap_or_default()))
    }
}

#[inline]
fn mix([a, b, c, d]: [u64; 4]) -> u64 {
    let low = (a ^ c.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let high = (b ^ d.rotate_left(41)).wrapping_mul(0xD1B5_4A32_D192_ED03);
    low.wrapping_add(high)
}

/// Writes the observation of a position as that side sees it, of as many numbers as the shape says.
#[inline]
pub(super) fn observe<S: Shape>(shape: S, position: &Position, viewer: Side, row: &mut [i16]) {
    let (sides, squares) = (shape.sides(), shape.row());
    // The side in that seat, counted from the viewer.
    let at = |seat: usize| {
        let index = viewer.index() + seat;
        Side::ALL[match sides {
            2 => index & 1,
            _ if index >= sides => (index - sides) & 3,
            _ => index & 3,
        }]
    };
    let (rows, rest) = row.split_at_mut(sides * squares);
    let (mandarins, rest) = rest.split_at_mut(sides);
    let (pebbles, rest) = rest.split_at_mut(sides);
    let (captured, rest) = rest.split_at_mut(sides);
    let (debts, ban) = rest.split_at_mut(sides * (sides - 1));
    for seat in 0..sides {
        let side = at(seat);
        let from = &position.pebbles()[side.index() * squares..][..squares];
        for (cell, &n) in rows[seat * squares..][..squares].iter_mut().zip(from) {
            *cell = n.into();
        }
        let store = position.store(side);
        mandarins[seat] = position.mandarin(Square::mandarin(side)).into();
        pebbles[seat] = clip(store.pebbles);
        captured[seat] = store.mandarins.into();
        for other in 1..sides {
            // The others in the order of their seats.
            let (place, other) = if other <= seat { (other - 1, other - 1) } else { (other - 1, other) };
            debts[seat * (sides - 1) + place] = position.debt(side, at(other)).min(i16::MAX as u32) as i16;
        }
    }
    ban[0] = u32::from(position.rules().mandarin_ban).saturating_sub(position.ply()) as i16;
}

/// The nearest number of 16 bits.
#[inline]
fn clip(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Writes 1 for each action whose bit is set, 0 for the others; at most 14.
#[inline]
pub(super) fn spread(mask: u16, row: &mut [u8]) {
    let [low, high] = mask.to_le_bytes().map(|bits| &BYTES[usize::from(bits)]);
    let (first, rest) = row.split_at_mut(row.len().min(8));
    first.copy_from_slice(&low[..first.len()]);
    rest.copy_from_slice(&high[..rest.len()]);
}

/// The bits of a byte as bytes of 0 or 1, the lowest first.
static BYTES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < table.len() {
        let mut place = 0;
        while place < 8 {
            table[bits][place] = (bits >> place & 1) as u8;
            place += 1;
        }
        bits += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mask_spreads() {
        for size in [2, 8, 10, 14] {
            for mask in 0..1 << size {
                let mut row = vec![9; size];
                spread(mask, &mut row);
                assert!((0..size).all(|action| row[action] == (mask >> action & 1) as u8), "{mask:b}");
            }
        }
    }
}
