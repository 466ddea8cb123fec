//! The ring of squares: a byte a square for pebbles, a bit a square for mandarins and for what is occupied.

use crate::MAX_RING;

/// What stands on the squares, by ring index, with room for so many. Squares beyond the ring stay empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board<const ROOM: usize = MAX_RING> {
    pub(crate) pebbles: [u8; ROOM],
    pub(crate) standing: Standing,
}

/// Where something stands: what a move asks first, without waiting for the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    /// Bit i is set when ring square i holds pebbles.
    pub(crate) occupied: u32,
    /// Bit i is set when a mandarin stands in ring square i.
    pub(crate) mandarins: u32,
}

impl Standing {
    /// Whether a mandarin stands in the square.
    #[inline]
    pub(crate) const fn mandarin(self, square: usize) -> bool {
        self.mandarins >> square & 1 != 0
    }

    /// A square is empty when it holds neither pebble nor mandarin (rules section 2).
    #[inline]
    pub(crate) const fn is_empty(self, square: usize) -> bool {
        (self.occupied | self.mandarins) >> square & 1 == 0
    }

    /// Whether a square holds pebbles.
    #[inline]
    pub(crate) fn set_occupied(&mut self, square: usize, holds: bool) {
        self.occupied = self.occupied & !(1 << square) | u32::from(holds) << square;
    }
}

impl<const ROOM: usize> Board<ROOM> {
    pub(crate) const EMPTY: Self = Self { pebbles: [0; ROOM], standing: Standing { occupied: 0, mandarins: 0 } };

    /// The same board with room for another number of squares; those for which there is none are left out.
    pub(crate) fn with_room<const OTHER: usize>(&self) -> Board<OTHER> {
        let mut other = Board { pebbles: [0; OTHER], standing: self.standing };
        let both = if ROOM < OTHER { ROOM } else { OTHER };
        other.pebbles[..both].copy_from_slice(&self.pebbles[..both]);
        other
    }

    /// Puts that many pebbles into a square, in place of what was there.
    #[inline]
    pub(crate) fn set(&mut self, square: usize, pebbles: u8) {
        self.pebbles[square] = pebbles;
        self.standing.set_occupied(square, pebbles > 0);
    }

    /// Whether a mandarin stands in the square.
    #[inline]
    pub(crate) fn mandarin(&self, square: usize) -> bool {
        self.standing.mandarin(square)
    }

    /// All pebbles on the board.
    pub(crate) fn total(&self) -> usize {
        self.pebbles.iter().copied().map(usize::from).sum()
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
