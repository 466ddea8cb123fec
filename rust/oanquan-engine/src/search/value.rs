//! What a search says of a position: a score, and what is proven.

use std::ops::Neg;

/// Further than any margin; beyond [`KNOWN`] a bound says nothing.
pub(crate) const FAR: i32 = 1 << 24;
/// Bounds beyond this say nothing.
pub(crate) const KNOWN: i32 = 1 << 22;

/// A score in hundredths of a point, and bounds in points that rest on ended games and endgame tables alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) score: i32,
    pub(crate) lower: i32,
    pub(crate) upper: i32,
}

impl Value {
    /// A guess.
    #[inline]
    pub(crate) const fn guess(score: i32) -> Self {
        Self { score, lower: -FAR, upper: FAR }
    }

    /// The margin of a game that is over.
    #[inline]
    pub(crate) const fn ended(margin: i32) -> Self {
        Self { score: super::POINT * margin, lower: margin, upper: margin }
    }

    /// The same with so much added to the margin. Bounds that say nothing go on saying nothing.
    #[inline]
    pub(crate) const fn ahead(self, margin: i32) -> Self {
        Self { score: self.score + super::POINT * margin, lower: self.lower + margin, upper: self.upper + margin }
    }
}

/// The same seen from the other side.
impl Neg for Value {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { score: -self.score, lower: -self.upper, upper: -self.lower }
    }
}
