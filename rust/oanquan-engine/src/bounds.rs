//! What is known of the value of a position.

use oanquan_core::duel::Duel;

/// Between what the further difference of a position lies with best play by both: what its
/// [margin](oanquan_core::duel::Duel::margin) still changes by until the end.
///
/// Both are theorems, however endless play is counted: the lower bound holds where an endless line is worth the worst to
/// the side to move, the upper one where it is worth the best to it.
///
/// ```
/// use oanquan_engine::Bounds;
/// assert!(Bounds { lower: 3, upper: 3 }.is_exact());
/// assert!(!Bounds::NONE.is_exact());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The least that it can be; `-Bounds::UNKNOWN` if nothing is known.
    pub lower: i32,
    /// The most that it can be; `Bounds::UNKNOWN` if nothing is known.
    pub upper: i32,
}

impl Bounds {
    /// Stands for no bound: more than any difference that is ever told.
    pub const UNKNOWN: i32 = i32::MAX;
    /// Nothing is known.
    pub const NONE: Self = Self { lower: -Self::UNKNOWN, upper: Self::UNKNOWN };

    /// Whether the value is settled.
    #[inline]
    pub const fn is_exact(&self) -> bool {
        self.lower == self.upper
    }
}

/// Knows bounds of some positions, as an endgame table does.
pub trait Probe: Send + Sync {
    /// What is known of a position in play; [`Bounds::NONE`] if nothing is.
    fn probe(&self, duel: &Duel) -> Bounds;

    /// Where bounds ask for funds: how much of these would have been enough for whoever a bound is good for.
    fn enough(&self, funds: i32) -> i32 {
        funds
    }
}
