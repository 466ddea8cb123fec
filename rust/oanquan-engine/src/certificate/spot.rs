//! What of a position the rest of the game depends on, read off positions and set up as positions again.

use oanquan_core::knobs::{Directions, MandarinLeftovers, ReseedFrom, Shortfall};
use oanquan_core::{Ending, MAX_SIDES, Position, PositionError, Rules, Setup, Side, Store};

/// Squares that a ring of two sides can have.
const RING: usize = 16;

/// A position from the side to move, without what does not matter to the further difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Spot {
    /// Pebbles by ring index from the first citizen square of the side to move; beyond the ring none.
    pub pebbles: [u8; RING],
    /// Bit 0: a mandarin stands in the mandarin square of the side to move; bit 1: in the other.
    pub mandarins: u8,
    /// For how many plies taking a mandarin is still barred.
    pub ban: u8,
    /// What the side to move has for re-seeding, where it matters; 0 elsewhere.
    pub funds: i32,
    /// How many points it is ahead, where it matters; 0 elsewhere.
    pub margin: i32,
}

/// What a spot carries beside the board, by the rules' `shortfall`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carried {
    /// Nothing: `borrow`, `owe`. A re-seeding is possible or not by the board, and costs who makes it the same margin
    /// whoever pays.
    Nothing,
    /// The funds of the side to move: `partial`, `count`.
    Funds,
    /// Its margin too: `loses`, under which points do not matter to who loses so.
    Margin,
}

/// How the stores are filled when a spot becomes a position. Where spots carry nothing, any way must do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Split {
    /// All to the side to move.
    Mover,
    /// All to the other side.
    Other,
}

/// What is the same in all positions of a game of two sides: the rules, and how many pebbles and mandarins there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ground {
    rules: Rules,
    pebbles: i64,
    mandarins: u8,
    carried: Carried,
    mirrors: bool,
}

impl Ground {
    /// The game of that position, which must be of two sides.
    pub fn of(position: &Position) -> Self {
        let rules = *position.rules();
        let stores: Vec<Store> = rules.all_sides().map(|side| position.store(side)).collect();
        let standing = position.squares().filter(|&(_, _, mandarin)| mandarin).count() as u8;
        Self {
            rules,
            pebbles: position.pebbles().iter().map(|&n| i64::from(n)).sum::<i64>()
                + stores.iter().map(|store| i64::from(store.pebbles)).sum::<i64>(),
            mandarins: standing + stores.iter().map(|store| store.mandarins).sum::<u8>(),
            carried: match rules.shortfall {
                Shortfall::Borrow | Shortfall::Owe => Carried::Nothing,
                Shortfall::Partial | Shortfall::Count => Carried::Funds,
                Shortfall::Loses => Carried::Margin,
            },
            mirrors: rules.directions == Directions::Both
                && rules.shortfall != Shortfall::Partial
                && rules.mandarin_leftovers != MandarinLeftovers::Adjacent,
        }
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What its spots carry.
    pub const fn carried(&self) -> Carried {
        self.carried
    }

    /// Whether a board and its mirror are worth the same, so that only the smaller is written down.
    pub const fn mirrors(&self) -> bool {
        self.mirrors
    }

    /// The spot of a position of this game, and whether it is that of its mirror.
    pub fn spot(&self, position: &Position) -> (Spot, bool) {
        let ring = self.rules.ring();
        let turn = position.turn();
        let offset = turn.index() * (ring / 2);
        let mut spot = Spot::default();
        for (index, (_, pebbles, mandarin)) in position.squares().enumerate() {
            let place = (index + ring - offset) % ring;
            spot.pebbles[place % RING] = pebbles;
            if mandarin {
                spot.mandarins |= if place < ring / 2 { 1 } else { 2 };
            }
        }
        if !position.is_over() {
            spot.ban = u32::from(self.rules.mandarin_ban).saturating_sub(position.ply()) as u8;
        }
        if self.carried != Carried::Nothing {
            spot.funds = self.funds(position.store(turn));
        }
        if self.carried == Carried::Margin {
            spot.margin = margin(position, turn);
        }
        self.canonical(spot)
    }

    /// The smaller of a spot and its mirror, where they are worth the same, and whether it is the mirror.
    pub(crate) fn canonical(&self, spot: Spot) -> (Spot, bool) {
        let mirror = if self.mirrors { self.mirror(&spot) } else { spot };
        if mirror < spot { (mirror, true) } else { (spot, false) }
    }

    /// The spot with left and right exchanged.
    pub(crate) fn mirror(&self, spot: &Spot) -> Spot {
        let (ring, squares) = (self.rules.ring(), usize::from(self.rules.squares));
        let mut mirror = *spot;
        for place in 0..ring {
            mirror.pebbles[(squares + ring - 1 - place) % ring] = spot.pebbles[place];
        }
        mirror.mandarins = spot.mandarins >> 1 | (spot.mandarins & 1) << 1;
        mirror
    }

    /// What a store is worth for re-seeding.
    fn funds(&self, store: Store) -> i32 {
        store.pebbles + i32::from(store.mandarins) * self.by_points()
    }

    /// What a mandarin counts for in re-seeding.
    fn by_points(&self) -> i32 {
        match self.rules.reseed_from {
            ReseedFrom::Pebbles => 0,
            ReseedFrom::Points => self.rules.mandarin_value.into(),
        }
    }

    /// A position with that spot, side a to move and without debts.
    pub(crate) fn position(&self, spot: &Spot, split: Split) -> Result<Position, PositionError> {
        let ring = self.rules.ring();
        let mut setup = Setup::empty(self.rules);
        for place in 0..ring {
            setup.pebbles[place] = spot.pebbles[place].into();
        }
        setup.mandarins[ring / 2 - 1] = (spot.mandarins & 1).into();
        setup.mandarins[ring - 1] = (spot.mandarins >> 1).into();
        setup.ply = i64::from(self.rules.mandarin_ban) - i64::from(spot.ban);
        let taken = i64::from(self.mandarins) - i64::from(spot.mandarins.count_ones());
        let stored = self.pebbles - spot.pebbles.iter().map(|&n| i64::from(n)).sum::<i64>();
        let (pebbles, mandarins) = self.stores(spot, stored, taken, split);
        setup.store_pebbles = both(pebbles, stored);
        setup.store_mandarins = both(mandarins, taken);
        setup.turn = Side::A;
        setup.position()
    }

    /// The pebbles and the mandarins in the store of the side to move.
    fn stores(&self, spot: &Spot, stored: i64, taken: i64, split: Split) -> (i64, i64) {
        let value = i64::from(self.rules.mandarin_value);
        let funds = i64::from(spot.funds);
        match self.carried {
            Carried::Nothing => match split {
                Split::Mover => (stored, taken),
                Split::Other => (0, 0),
            },
            // Whose the mandarins are does not matter beyond the funds.
            Carried::Funds => (funds - taken * i64::from(self.by_points()), taken),
            Carried::Margin if self.by_points() > 0 => (funds - taken * value, taken),
            Carried::Margin => {
                let ahead = (i64::from(spot.margin) - funds + (stored - funds)).div_euclid(value);
                (funds, (taken + ahead).div_euclid(2))
            }
        }
    }

    /// The final margin of `side` in a position that is over. A game lost by a shortfall that loses is worth at least
    /// all points of a game to the winner: no count is worse to the loser.
    pub(crate) fn final_margin(&self, position: &Position, side: Side) -> i32 {
        let counted = margin(position, side);
        match position.outcome() {
            Some(outcome) if outcome.ending == Ending::Loses => {
                let all = self.rules.total_points();
                if outcome.winner == Some(side) { counted.max(all) } else { counted.min(-all) }
            }
            _ => counted,
        }
    }
}

/// The points of `side` minus those of the other: as they stand in a position in play, by the count in one that is over.
pub(crate) fn margin(position: &Position, side: Side) -> i32 {
    let points = position.points();
    let other = if side == Side::A { Side::B } else { Side::A };
    points[side] - points[other]
}

/// What side a has of all, and side b the rest.
fn both(mine: i64, all: i64) -> [i64; MAX_SIDES] {
    [mine, all - mine, 0, 0]
}
