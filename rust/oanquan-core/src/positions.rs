//! Many positions by the same rules, in as few bytes as they need.

use alloc::boxed::Box;
use alloc::vec;

use crate::position::Store;
use crate::sow::Sink;
use crate::{Ending, MAX_RING, MAX_SIDES, Move, Position, Side};

/// Many positions by the same rules, for who plays thousands of games side by side: a [`Position`] carries its rules and
/// room for the largest board, these do not. On a ring of up to 16 squares with two sides one takes 60 bytes.
///
/// `RING` and `SIDES` say for which boards there is room.
///
/// ```
/// use oanquan_core::{Position, Rules, positions::Positions};
/// let start = Position::start(Rules::default());
/// let mut positions = Positions::<16, 2>::new(start, 1000).unwrap();
/// let mv = start.legal_moves().next().unwrap();
/// assert_eq!(positions.play(7, mv.action(), &mut ()), &start.play(mv)?);
/// assert_eq!(positions.get(8), Some(start));
/// assert!(Positions::<16, 2>::new(Position::start(Rules::parse("four-players").unwrap()), 1).is_none());
/// # Ok::<(), oanquan_core::IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct Positions<const RING: usize, const SIDES: usize> {
    items: Box<[Item<RING, SIDES>]>,
    /// The position last played on: its rules, and places beyond the items' room, are those of all.
    last: Position,
}

/// What differs between the positions.
///
/// Turn and ending stand apart, which they do not in a position: a move writes one of them, and to read both as one word
/// right after would stall the processor.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Item<const RING: usize, const SIDES: usize> {
    pebbles: [u8; RING],
    occupied: u32,
    mandarins: u32,
    store_pebbles: [i32; SIDES],
    debts: [[u32; SIDES]; SIDES],
    ply: u32,
    turn: Side,
    store_mandarins: [u8; SIDES],
    ending: Option<Ending>,
}

impl<const RING: usize, const SIDES: usize> Item<RING, SIDES> {
    #[inline]
    fn save(&mut self, position: &Position) {
        let board = &position.board;
        self.pebbles.copy_from_slice(&board.pebbles[..RING]);
        (self.occupied, self.mandarins) = (board.standing.occupied, board.standing.mandarins);
        for side in 0..SIDES {
            self.store_pebbles[side] = position.stores[side].pebbles;
            self.store_mandarins[side] = position.stores[side].mandarins;
            self.debts[side].copy_from_slice(&position.debts[side][..SIDES]);
        }
        (self.ply, self.turn, self.ending) = (position.ply, position.turn, position.ending);
    }

    #[inline]
    fn load(&self, position: &mut Position) {
        let board = &mut position.board;
        board.pebbles[..RING].copy_from_slice(&self.pebbles);
        (board.standing.occupied, board.standing.mandarins) = (self.occupied, self.mandarins);
        for side in 0..SIDES {
            position.stores[side] = Store { pebbles: self.store_pebbles[side], mandarins: self.store_mandarins[side] };
            position.debts[side][..SIDES].copy_from_slice(&self.debts[side]);
        }
        (position.ply, position.turn, position.ending) = (self.ply, self.turn, self.ending);
    }
}

impl<const RING: usize, const SIDES: usize> Positions<RING, SIDES> {
    /// That position `count` times; `None` if its board has more squares or sides than there is room for.
    pub fn new(position: Position, count: usize) -> Option<Self> {
        const { assert!(RING <= MAX_RING && SIDES <= MAX_SIDES) }
        let fits = position.rules.ring() <= RING && usize::from(position.rules.sides) <= SIDES;
        fits.then(|| Self::repeat(position, count))
    }

    fn repeat(position: Position, count: usize) -> Self {
        let mut item = Item {
            pebbles: [0; RING],
            occupied: 0,
            mandarins: 0,
            store_pebbles: [0; SIDES],
            debts: [[0; SIDES]; SIDES],
            ply: 0,
            turn: Side::A,
            store_mandarins: [0; SIDES],
            ending: None,
        };
        item.save(&position);
        Self { items: vec![item; count].into_boxed_slice(), last: position }
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The position at that place, if there is one.
    pub fn get(&self, place: usize) -> Option<Position> {
        let mut position = self.last;
        self.items.get(place)?.load(&mut position);
        Some(position)
    }

    /// Puts a position at that place; nothing happens if there is no such place or its rules are others. Returns whether
    /// it did.
    pub fn set(&mut self, place: usize, position: &Position) -> bool {
        match self.items.get_mut(place) {
            Some(item) if position.rules == self.last.rules => {
                item.save(position);
                true
            }
            _ => false,
        }
    }

    /// Plays the move of that action number at that place as [`Position::play_with`] does, without asking whether it is
    /// legal, and returns the position after it. Where there is no such place or no such action, nothing is played.
    #[inline]
    pub fn play<S: Sink>(&mut self, place: usize, action: u8, sink: &mut S) -> &Position {
        if let Some(item) = self.items.get_mut(place) {
            item.load(&mut self.last);
            if let Some(mv) = Move::from_action(self.last.turn, action) {
                self.last.play_with(mv, sink);
                item.save(&self.last);
            }
        }
        &self.last
    }
}

impl Positions<MAX_RING, MAX_SIDES> {
    /// That position `count` times, whatever its board.
    pub fn of_any_size(position: Position, count: usize) -> Self {
        Self::repeat(position, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PRESETS, Rules};

    #[test]
    fn an_item_of_the_standard_board_is_small() {
        assert!(size_of::<Item<16, 2>>() <= 60, "{} bytes", size_of::<Item<16, 2>>());
    }

    fn follow<const RING: usize, const SIDES: usize>(rules: Rules) {
        let start = Position::start(rules);
        let Some(mut positions) = Positions::<RING, SIDES>::new(start, 5) else { return };
        let mut twins = [start; 5];
        for step in 0..400_usize {
            let place = step * 7 % 5;
            let twin = &mut twins[place];
            let count = twin.legal_moves().len();
            if let Some(mv) = twin.legal_moves().nth(step * 31 % count.max(1)) {
                twin.play_unchecked(mv);
                assert_eq!(positions.play(place, mv.action(), &mut ()), twin);
            } else {
                *twin = start;
                assert!(positions.set(place, &start));
            }
            for (place, twin) in twins.iter().enumerate() {
                let kept = positions.get(place).unwrap();
                assert_eq!((kept, kept.ply), (*twin, twin.ply));
                assert_eq!(kept.board.standing.occupied, twin.board.standing.occupied);
            }
        }
    }

    #[test]
    fn kept_positions_are_the_positions() {
        for preset in PRESETS {
            follow::<16, 2>(preset.rules());
            follow::<32, 4>(preset.rules());
        }
    }

    #[test]
    fn nothing_happens_elsewhere() {
        let start = Position::start(Rules::default());
        let other = Position::start(Rules::parse("wikipedia-vi").unwrap());
        let mut positions = Positions::<16, 2>::new(start, 1).unwrap();
        assert!(!positions.set(0, &other) && !positions.set(1, &start));
        positions.play(0, 99, &mut ());
        positions.play(1, 0, &mut ());
        assert_eq!((positions.get(0), positions.get(1)), (Some(start), None));
    }
}
