//! The ring of squares: a byte a square for pebbles, a bit a square for mandarins.

use crate::{MAX_RING, Rules};

/// What stands on the squares, by ring index. Squares beyond the ring stay empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) pebbles: [u8; MAX_RING],
    /// Bit i is set when a mandarin stands in ring square i.
    pub(crate) mandarins: u32,
}

impl Board {
    pub(crate) const EMPTY: Self = Self { pebbles: [0; MAX_RING], mandarins: 0 };

    /// Whether a mandarin stands in the square.
    #[inline]
    pub(crate) fn mandarin(&self, square: usize) -> bool {
        self.mandarins >> square & 1 != 0
    }

    /// A square is empty when it holds neither pebble nor mandarin (rules section 2).
    #[inline]
    pub(crate) fn is_empty(&self, square: usize) -> bool {
        self.pebbles[square & (MAX_RING - 1)] == 0 && !self.mandarin(square)
    }

    /// All pebbles on the board.
    pub(crate) fn total(&self) -> usize {
        self.pebbles.iter().copied().map(usize::from).sum()
    }

    /// Bit i is set when citizen square i + 1 of the row that begins at ring index `first` holds pebbles.
    #[inline]
    pub(crate) fn occupied(&self, first: usize, rules: &Rules) -> u8 {
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        // A row begins at 0, 8, 16 or 24 at most, so that eight bytes from there lie within the array.
        let bytes = self.pebbles[first..].first_chunk::<8>().map_or(0, |row| u64::from_le_bytes(*row));
        let tops = (((bytes & LOW) + LOW) | bytes) & !LOW;
        // Gathers the top bits of the eight bytes into one byte.
        let bits = (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits as u8 & ((1 << rules.squares) - 1)
    }
}

/// For a ring, a direction and a square: how many drops before square i gets its first pebble of a lap from there.
/// The square lifted from comes last; squares beyond the ring never (255).
pub(crate) struct LapOrder([[[u8; MAX_RING]; MAX_RING]; 2]);

impl LapOrder {
    const fn new(ring: usize) -> Self {
        let mut order = [[[u8::MAX; MAX_RING]; MAX_RING]; 2];
        let mut from = 0;
        while from < ring {
            let mut drop = 0;
            while drop < ring {
                order[0][from][(from + 1 + drop) % ring] = drop as u8;
                order[1][from][(from + 2 * ring - 1 - drop) % ring] = drop as u8;
                drop += 1;
            }
            from += 1;
        }
        Self(order)
    }

    #[inline]
    pub(crate) fn of(ring: usize, clockwise: bool, from: usize) -> &'static [u8; MAX_RING] {
        &LAP_ORDERS[ring & (2 * MAX_RING - 1)].0[usize::from(clockwise)][from & (MAX_RING - 1)]
    }
}

/// One entry a ring size; the unused sizes keep the index in range without a check.
static LAP_ORDERS: [LapOrder; 2 * MAX_RING] = {
    let mut orders = [const { LapOrder::new(0) }; 2 * MAX_RING];
    let mut ring = 4;
    while ring <= MAX_RING {
        orders[ring] = LapOrder::new(ring);
        ring += 1;
    }
    orders
};
