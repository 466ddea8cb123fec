//! Laps worked out beforehand, for rings of up to 16 squares: one addition sows a whole hand.

/// The most squares of a ring whose laps are in the table.
pub(crate) const NARROW: usize = 16;
/// The fewest squares a ring can have.
const SMALLEST: usize = 4;

/// What a lap of fewer pebbles than the ring has squares does, as bytes in the order of the ring.
#[derive(Clone, Copy)]
pub(crate) struct Lap {
    /// To be added to the ring, as one number: takes the hand from its square and puts one pebble in each square that
    /// it reaches. Every byte of the sum is a number of pebbles, so that nothing is carried from one to the next.
    pub(crate) change: u128,
    /// Bit i is set when a pebble is dropped in square i.
    pub(crate) reached: u32,
    /// The square after the last drop.
    pub(crate) next: u32,
}

/// The laps in one direction round one ring, by the square lifted from and the pebbles in hand.
pub(crate) type Laps = [[Lap; NARROW]; NARROW];

/// The laps round a ring of that size; those of the nearest size in the table if it is not there.
#[inline]
pub(crate) fn laps(ring: usize, clockwise: bool) -> &'static Laps {
    &TABLE[ring.clamp(SMALLEST, NARROW) - SMALLEST][usize::from(clockwise)]
}

/// The full rounds of a hand that has a pebble for every square, or more: what is left in hand, and what is to be added
/// to the ring, as in [`Lap::change`].
#[cold]
#[inline(never)]
pub(crate) fn full_rounds(ring: usize, from: usize, hand: usize) -> (usize, u128) {
    let ring = ring.clamp(SMALLEST, NARROW);
    let (rounds, rest) = (hand / ring, hand % ring);
    let one_each = (u128::MAX / 0xFF) >> (8 * (NARROW - ring));
    let lifted = ((hand - rest) as u128) << (8 * (from & (NARROW - 1)));
    (rest, (one_each * rounds as u128).wrapping_sub(lifted))
}

static TABLE: [[Laps; 2]; NARROW - SMALLEST + 1] = {
    let mut table = [[[[Lap { change: 0, reached: 0, next: 0 }; NARROW]; NARROW]; 2]; NARROW - SMALLEST + 1];
    let mut place = 0;
    while place < table.len() {
        let ring = place + SMALLEST;
        let mut from = 0;
        while from < ring {
            // Up the ring one square on is 1; down the ring it is all but one.
            table[place][0][from] = hands(ring, from, 1);
            table[place][1][from] = hands(ring, from, ring - 1);
            from += 1;
        }
        place += 1;
    }
    table
};

/// The laps from one square, by the pebbles in hand.
const fn hands(ring: usize, from: usize, step: usize) -> [Lap; NARROW] {
    let mut laps = [Lap { change: 0, reached: 0, next: 0 }; NARROW];
    let (mut dropped, mut reached) = (0_u128, 0);
    let mut square = from;
    let mut hand = 0;
    while hand < ring {
        square = (square + step) % ring;
        let lifted = (hand as u128) << (8 * from);
        laps[hand] = Lap { change: dropped.wrapping_sub(lifted), reached, next: square as u32 };
        dropped += 1 << (8 * square);
        reached |= 1 << square;
        hand += 1;
    }
    laps
}
