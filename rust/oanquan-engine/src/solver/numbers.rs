//! What a proof search remembers of the work that is left: proof numbers. They steer it and prove nothing.

use super::facts::Key;
use super::room::Room;
use crate::fetch::fetch;

/// How much is left to prove of "the side to move can have so much".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    /// At least so many positions have to be settled for a proof; 0 if there is one.
    pub(super) proof: u32,
    /// The same for a refutation.
    pub(super) refutation: u32,
}

/// Of what is settled the other way.
pub(super) const NEVER: u32 = 1 << 28;
/// Of what comes back to a position on the way to it, or would be too deep.
pub(super) const CIRCLE: u32 = 1 << 24;
/// The most that is remembered of what is left to prove: whether there is a circle depends on the way, so that it is not.
const MOST: u32 = 1 << 20;

impl Numbers {
    pub(super) const PROVED: Self = Self { proof: 0, refutation: NEVER };
    pub(super) const REFUTED: Self = Self { proof: NEVER, refutation: 0 };
    pub(super) const CIRCLE: Self = Self { proof: CIRCLE, refutation: CIRCLE };
    /// The side to move has enough if it does not mind going round.
    pub(super) const KEPT: Self = Self { proof: 0, refutation: CIRCLE };
    /// The side to move falls short if the other does not mind going round.
    pub(super) const KEPT_FROM: Self = Self { proof: CIRCLE, refutation: 0 };

    /// Whether every line that is left comes back to where it was.
    #[inline]
    pub(super) const fn goes_round(self) -> bool {
        self.proof >= CIRCLE && self.refutation >= CIRCLE
    }

    /// Whether it is settled, be it by going round.
    #[inline]
    pub(super) const fn is_answered(self) -> bool {
        self.proof == 0 || self.refutation == 0
    }

    /// Whether it is proved or refuted.
    #[inline]
    pub(super) const fn is_settled(self) -> bool {
        self.proof == NEVER || self.refutation == NEVER
    }
}

/// Numbers of a position and a need, found by a hash: what is mistaken for another only leads the search astray.
#[derive(Clone, Copy)]
struct Slot {
    check: u32,
    proof: u32,
    refutation: u32,
    /// Positions looked at for it.
    work: u32,
}

/// Slots that share their places: a line of the cache.
const BUCKET: usize = 4;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

/// The numbers of a search.
pub(super) struct Memory(Room<Bucket>);

impl Memory {
    /// A memory with [room](Room::new) for so many bytes.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        Room::new(bytes, Bucket([Slot { check: 0, proof: 1, refutation: 1, work: 0 }; BUCKET])).map(Self)
    }

    /// Takes all of its room, as [`Room::lay_out`] does.
    pub(super) fn lay_out(&mut self, go_on: impl Fn() -> bool) {
        self.0.lay_out(go_on);
    }

    /// Where the numbers of a question are kept: of a position, a need and a kind of answer.
    #[inline]
    pub(super) fn place(&self, key: &Key, need: i32, kind: u32) -> Place {
        let mixed = key.mixed(u64::from(need as u16) << 2 | u64::from(kind));
        Place { bucket: self.0.place(mixed), check: mixed as u32 }
    }

    #[inline]
    pub(super) fn fetch(&self, place: Place) {
        if let Some(bucket) = self.0.get(place.bucket) {
            fetch(bucket);
        }
    }

    #[inline]
    pub(super) fn get(&self, place: Place) -> Option<Numbers> {
        let slots = &self.0.get(place.bucket)?.0;
        let slot = slots.iter().find(|slot| slot.check == place.check && slot.work > 0)?;
        Some(Numbers { proof: slot.proof, refutation: slot.refutation })
    }

    /// Notes the numbers that so much more work has come to; those with the least work make room.
    pub(super) fn note(&mut self, place: Place, numbers: Numbers, work: u64) {
        let Some(Bucket(slots)) = self.0.get_mut(place.bucket) else { return };
        let known = slots.iter().position(|slot| slot.check == place.check && slot.work > 0);
        let index = known.unwrap_or_else(|| (0..BUCKET).min_by_key(|&index| slots[index].work).unwrap_or(0));
        let before = if known.is_some() { slots[index].work } else { 0 };
        let most = if numbers.is_answered() { CIRCLE } else { MOST };
        slots[index] = Slot {
            check: place.check,
            proof: numbers.proof.min(most),
            refutation: numbers.refutation.min(most),
            work: before.saturating_add(work.min(u32::MAX.into()) as u32).max(1),
        };
    }
}

/// A place in a memory, which tells questions apart but for a hash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    bucket: usize,
    check: u32,
}

/// The questions on the way to a position.
pub(super) struct Way {
    places: Vec<Place>,
    /// How many of them have each value of some bits: nearly always none has those of a question that is not among them.
    counts: [u16; Self::COUNTS],
}

impl Way {
    const COUNTS: usize = 1 << 12;

    pub(super) const fn new() -> Self {
        Self { places: Vec::new(), counts: [0; Self::COUNTS] }
    }

    #[inline]
    const fn bits(place: Place) -> usize {
        place.check as usize % Self::COUNTS
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    #[inline]
    pub(super) fn contains(&self, place: Place) -> bool {
        self.counts[Self::bits(place)] > 0 && self.places.contains(&place)
    }

    #[inline]
    pub(super) fn push(&mut self, place: Place) {
        self.counts[Self::bits(place)] += 1;
        self.places.push(place);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(place) = self.places.pop() {
            self.counts[Self::bits(place)] -= 1;
        }
    }
}
