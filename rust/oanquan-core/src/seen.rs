//! How often each position of a game has stood: one question of a table for each move, however long the game is.

use alloc::vec;
use alloc::vec::Vec;

use crate::Position;

/// Slots of the first table, a power of two.
const FEWEST_SLOTS: usize = 64;

/// One position of a game, by its place in it.
#[derive(Clone, Copy, Debug)]
struct Stand {
    hash: u64,
    /// How often the position has stood by then.
    times: u32,
    /// One more than the place at which it stood before; 0 if it did not.
    before: u32,
}

/// The positions of a game in the order in which they stood, found by a hash and then compared whole.
///
/// A slot of the table has one more than the last place of a position. What is popped came last, so that nothing was put
/// behind its slot: it is emptied without closing the gap.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    stands: Vec<Stand>,
    /// At most half full; its length is a power of two.
    slots: Vec<u32>,
}

impl Seen {
    pub(crate) const fn new() -> Self {
        Self { stands: Vec::new(), slots: Vec::new() }
    }

    pub(crate) const fn len(&self) -> usize {
        self.stands.len()
    }

    /// How often the last position has stood.
    pub(crate) fn times(&self) -> usize {
        self.stands.last().map_or(0, |stand| stand.times as usize)
    }

    /// Adds a position; `at` gives those that were added before, by their places.
    pub(crate) fn push<'a>(&mut self, position: &Position, at: impl Fn(usize) -> &'a Position) {
        if 2 * self.stands.len() >= self.slots.len() {
            self.grow();
        }
        let hash = hash(position);
        let slot = self.slot(hash, |place| at(place) == position);
        let before = self.slots[slot];
        let times = before.checked_sub(1).map_or(1, |place| self.stands[place as usize].times.saturating_add(1));
        self.stands.push(Stand { hash, times, before });
        self.slots[slot] = self.stands.len() as u32;
    }

    /// Takes the last position back.
    pub(crate) fn pop(&mut self) {
        let last = self.stands.len();
        let Some(stand) = self.stands.last() else { return };
        let slot = self.slot(stand.hash, |place| place + 1 == last);
        self.slots[slot] = stand.before;
        self.stands.pop();
    }

    /// The slot that belongs to a position: of the same hash and `equal`, or else empty.
    fn slot(&self, hash: u64, equal: impl Fn(usize) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(place) = self.slots[slot].checked_sub(1).map(|place| place as usize) {
            if self.stands[place].hash == hash && equal(place) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Makes the table twice as large and puts everything into it in the same order.
    #[cold]
    fn grow(&mut self) {
        self.slots = vec![0; FEWEST_SLOTS.max(2 * self.slots.len())];
        for place in 0..self.stands.len() {
            let Stand { hash, before, .. } = self.stands[place];
            let slot = self.slot(hash, |other| other + 1 == before as usize);
            self.slots[slot] = place as u32 + 1;
        }
    }
}

/// A hash of what can differ between equal rules. The ply is left out: it only sometimes counts.
fn hash(position: &Position) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = u64::from(position.board.standing.mandarins) << 8 | position.turn as u64;
    let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(FACTOR).rotate_left(32);
    for bytes in position.board.pebbles.as_chunks::<8>().0 {
        add(u64::from_le_bytes(*bytes));
    }
    for [one, other] in position.stores.as_chunks::<2>().0 {
        add(u64::from(one.pebbles as u32) << 32 | u64::from(other.pebbles as u32));
    }
    let debts = position.debts.iter().flatten().zip(1_u64..);
    add(debts.fold(0, |sum, (&owed, place)| {
        sum.wrapping_add(u64::from(owed).wrapping_mul(FACTOR.rotate_left(place as u32)))
    }));
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    /// Positions put in and taken out in waves, so that tables grow with repeated positions in them.
    #[test]
    fn counts_are_those_of_a_plain_search() {
        let start = Position::start(Rules::parse("squares=1,pebbles=2").unwrap());
        let mut kinds = vec![start];
        while kinds.len() < 40 {
            let last = kinds[kinds.len() - 1];
            let next = last.legal_moves().next().map_or(start, |mv| last.play(mv).unwrap());
            let mut next = if next.is_over() { start } else { next };
            next.stores[0].pebbles = kinds.len() as i32;
            kinds.push(next);
        }
        let (mut seen, mut history, mut state) = (Seen::new(), Vec::<Position>::new(), 1_u32);
        for step in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let up = state >> 16 & 3 != 0 || step % 2000 < 1000;
            if up && history.len() < 700 {
                let position = kinds[state as usize >> 20 & 31];
                seen.push(&position, |place| &history[place]);
                history.push(position);
            } else {
                seen.pop();
                history.pop();
            }
            let times = history.last().map_or(0, |last| history.iter().filter(|&other| other == last).count());
            assert_eq!((seen.len(), seen.times()), (history.len(), times), "step {step}");
        }
    }
}
