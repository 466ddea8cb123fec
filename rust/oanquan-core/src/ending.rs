//! How games end, and the count (rules sections 5 and 6).

use alloc::string::String;
use core::fmt;
use core::ops::Index;

use crate::knobs::{MandarinLeftovers, RowLeftovers};
use crate::{MAX_SIDES, Position, Side, Step};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// Every mandarin square is empty, or no mandarin stands, by `ends_when` (rules 3.5).
    Mandarins,
    /// A side could not re-seed its row, and the game is counted (rules section 4).
    Short,
    /// A side could not re-seed its row and has lost (rules section 4, `shortfall = loses`).
    Loses,
    /// The same position stood too often; of a game, not a position (rules section 6).
    Repetition,
    /// The game reached its limit of plies; of a game, not a position (rules section 6).
    MaxPlies,
}

impl Ending {
    /// Every ending, in order.
    pub const ALL: [Self; 5] = [Self::Mandarins, Self::Short, Self::Loses, Self::Repetition, Self::MaxPlies];

    /// The word in text forms.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mandarins => "mandarins",
            Self::Short => "short",
            Self::Loses => "loses",
            Self::Repetition => "repetition",
            Self::MaxPlies => "max_plies",
        }
    }

    /// The ending of that word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.name() == name)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Points of every side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Points {
    points: [i32; MAX_SIDES],
    sides: u8,
}

impl Points {
    /// The points in the order of the sides, as many as there are sides.
    pub fn as_slice(&self) -> &[i32] {
        &self.points[..usize::from(self.sides)]
    }

    /// The side with the most points, unless two share them; sides for which `out` holds do not count.
    fn best(&self, out: impl Fn(Side) -> bool) -> Option<Side> {
        let players = || Side::ALL.into_iter().zip(self.as_slice()).filter(|&(side, _)| !out(side));
        let most = players().map(|(_, points)| points).max()?;
        let mut winners = players().filter(|&(_, points)| points == most);
        winners.next().filter(|_| winners.next().is_none()).map(|(side, _)| side)
    }
}

/// The points of two sides.
///
/// ```
/// use oanquan_core::{Points, Side};
/// let points = Points::from([40, 30]);
/// assert_eq!((points[Side::B], points.to_string()), (30, String::from("40/30")));
/// ```
impl From<[i32; 2]> for Points {
    #[inline]
    fn from([a, b]: [i32; 2]) -> Self {
        Self { points: [a, b, 0, 0], sides: 2 }
    }
}

impl Index<Side> for Points {
    type Output = i32;

    fn index(&self, side: Side) -> &i32 {
        &self.points[side.index()]
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, points) in self.as_slice().iter().enumerate() {
            write!(f, "{}{points}", if place == 0 { "" } else { "/" })?;
        }
        Ok(())
    }
}

/// How a game came out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The side that won, or `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game is over.
    pub ending: Ending,
    /// The points of the count.
    pub points: Points,
}

impl Outcome {
    /// `a` to `d` for the winner, or `draw`.
    pub fn result(&self) -> String {
        self.winner.map_or_else(|| String::from("draw"), |side| String::from(side.letter()))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} wins {} ({})", self.points, self.ending),
            None => write!(f, "draw {} ({})", self.points, self.ending),
        }
    }
}

/// Divides `amount` evenly; the remainder goes one each in turn order, from the side after the one that moved last.
fn split(amount: i32, position: &Position) -> [i32; MAX_SIDES] {
    let sides = usize::from(position.rules.sides);
    let mut shares = [0; MAX_SIDES];
    for seat in 0..sides {
        let extra = i32::from((seat as i32) < amount % sides as i32);
        shares[position.turn.after(seat, sides).index()] = amount / sides as i32 + extra;
    }
    shares
}

/// The worth of the stores with debts repaid: the points of a position in play.
pub(crate) fn standing(position: &Position) -> Points {
    settle(position, [0; MAX_SIDES])
}

/// Rules section 5: the points if the game is counted as it stands, each step told.
pub(crate) fn count(position: &Position, tell: &mut dyn FnMut(Step)) -> Points {
    let rules = &position.rules;
    let sides = || rules.all_sides();
    let in_row = |side: Side| {
        let first = position.first(side);
        position.board.pebbles[first..first + usize::from(rules.squares)].iter().map(|&n| i32::from(n)).sum::<i32>()
    };
    let in_mandarin_square = |side: Side| {
        let square = rules.mandarin_index(side.index());
        let mandarin = i32::from(position.board.mandarin(square)) * i32::from(rules.mandarin_value);
        i32::from(position.board.pebbles[square]) + mandarin
    };
    let each =
        |amount: &dyn Fn(Side) -> i32| Side::ALL.map(|side| if sides().any(|s| s == side) { amount(side) } else { 0 });
    let rows = match rules.row_leftovers {
        RowLeftovers::Owner => each(&in_row),
        RowLeftovers::Split => split(sides().map(in_row).sum(), position),
    };
    let shares = match rules.mandarin_leftovers {
        MandarinLeftovers::Nobody => [0; MAX_SIDES],
        MandarinLeftovers::Split => split(sides().map(in_mandarin_square).sum(), position),
        MandarinLeftovers::Adjacent => each(&in_mandarin_square),
    };
    for side in sides().filter(|side| rows[side.index()] > 0) {
        tell(Step::Sweep { side, pebbles: rows[side.index()] as u32 });
    }
    for side in sides().filter(|side| shares[side.index()] > 0) {
        tell(Step::Share { side, points: shares[side.index()] as u32 });
    }
    for (debtor, creditor, pebbles) in position.debts() {
        tell(Step::Repay { debtor, creditor, pebbles });
    }
    settle(position, core::array::from_fn(|side| rows[side] + shares[side]))
}

/// Store, mandarins by value and `extra`, then debts repaid (rules section 5).
fn settle(position: &Position, extra: [i32; MAX_SIDES]) -> Points {
    let rules = &position.rules;
    let mut points = extra;
    for side in rules.all_sides().map(Side::index) {
        let store = position.stores[side];
        let worth = store.pebbles.saturating_add(i32::from(store.mandarins) * i32::from(rules.mandarin_value));
        points[side] = points[side].saturating_add(worth);
    }
    for (debtor, creditor, pebbles) in position.debts() {
        points[debtor.index()] = points[debtor.index()].saturating_sub_unsigned(pebbles);
        points[creditor.index()] = points[creditor.index()].saturating_add_unsigned(pebbles);
    }
    Points { points, sides: rules.sides }
}

/// The outcome of a game that ends so: most points wins, but who `loses` is out (rules sections 4 and 5).
pub(crate) fn outcome(position: &Position, ending: Ending) -> Outcome {
    let points = count(position, &mut |_| ());
    let loser = if ending == Ending::Loses { position.rows_to_reseed().next() } else { None };
    Outcome { winner: points.best(|side| Some(side) == loser), ending, points }
}
