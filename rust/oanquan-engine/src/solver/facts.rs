//! What a proof search has proved: by exact keys, and never more than was proved.

use std::collections::HashMap;

use oanquan_core::duel::{Duel, DuelRules, Future};

use super::room::Room;
use crate::fetch::fetch;

/// A position: all that the proven value is a function of, nothing hashed away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    low: u64,
    high: u64,
    funds: i16,
    margin: i16,
    /// Mandarins, two bits; ban, four; that the entry is in use.
    state: u8,
}

const IN_USE: u8 = 0x80;

impl Key {
    const NONE: Self = Self { low: 0, high: 0, funds: 0, margin: 0, state: 0 };

    /// The key of a duel that is the smaller of itself and its mirror.
    #[inline]
    fn of(duel: &Duel, future: Future) -> Self {
        let state = duel.mandarins() | duel.ban() << 2 | IN_USE;
        let (mut funds, mut margin) = (0, 0);
        if future != Future::Board {
            funds = duel.funds()[0] as i16;
        }
        if future == Future::Margin {
            margin = duel.margin() as i16;
        }
        let pebbles = duel.pebbles();
        Self { low: pebbles as u64, high: (pebbles >> 64) as u64, funds, margin, state }
    }

    /// Well mixed bits of it and of a number besides.
    #[inline]
    pub(super) fn mixed(&self, number: u64) -> u64 {
        let rest = u64::from(self.state) | u64::from(self.funds as u16) << 8 | u64::from(self.margin as u16) << 24;
        let mixed = folded(self.low ^ 0x9E37_79B9_7F4A_7C15, self.high ^ rest << 24 ^ 0xD1B5_4A32_D192_ED03);
        folded(mixed ^ rest, number << 32 ^ 0xA076_1D64_78BD_642F)
    }
}

/// Both halves of a product.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The key of a duel, which is that of the smaller of it and its mirror, and whether that is the mirror.
#[inline]
pub(super) fn key_of(rules: &DuelRules, duel: &Duel, future: Future) -> (Key, bool) {
    let (canonical, mirrored) = rules.canonical(duel);
    (Key::of(&canonical, future), mirrored)
}

/// That the side to move can have so much: a lower bound of the further difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proof {
    pub(super) value: i32,
    /// Within how many plies the game is over; from [`TOLD`] on where it rests on an endgame table.
    pub(super) plies: u16,
    /// The move with which it begins; as on the smaller of the board and its mirror.
    pub(super) action: u8,
}

/// That the side to move cannot have more than so much: an upper bound of the further difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Refutation {
    pub(super) value: i32,
    /// As of a proof.
    pub(super) plies: u16,
}

impl Proof {
    /// Whether it is of so much within so many plies.
    #[inline]
    pub(super) const fn is(self, need: i32, plies: u16) -> bool {
        self.value >= need && self.plies <= plies
    }
}

/// The plies of what an endgame table knows: more than those of any proof that is spelt out.
pub(super) const TOLD: u16 = 20_000;

/// One ply more; what rests on a table goes on to do so.
#[inline]
pub(super) const fn longer(plies: u16) -> u16 {
    plies.saturating_add(1)
}

/// All that is proved of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    // The key, in pieces, so that no byte is lost between it and the rest.
    low: u64,
    high: u64,
    funds: i16,
    margin: i16,
    lower: i16,
    upper: i16,
    lower_plies: u16,
    upper_plies: u16,
    state: u8,
    action: u8,
}

/// No bound.
const NO_LOWER: i16 = i16::MIN;
const NO_UPPER: i16 = i16::MAX;

impl Fact {
    const NONE: Self = Self::new(Key::NONE);

    const fn new(key: Key) -> Self {
        let Key { low, high, funds, margin, state } = key;
        let (lower, upper) = (NO_LOWER, NO_UPPER);
        Self { low, high, funds, margin, lower, upper, lower_plies: 0, upper_plies: 0, state, action: 0 }
    }

    #[inline]
    fn is_of(&self, key: &Key) -> bool {
        self.low == key.low
            && self.high == key.high
            && self.state == key.state
            && self.funds == key.funds
            && self.margin == key.margin
    }

    #[inline]
    pub(super) fn proof(&self) -> Option<Proof> {
        let proof = Proof { value: self.lower.into(), plies: self.lower_plies, action: self.action };
        (self.lower != NO_LOWER).then_some(proof)
    }

    #[inline]
    pub(super) fn refutation(&self) -> Option<Refutation> {
        let refutation = Refutation { value: self.upper.into(), plies: self.upper_plies };
        (self.upper != NO_UPPER).then_some(refutation)
    }

    /// What is lost when it makes room: what took long to prove is kept.
    #[inline]
    fn worth(&self) -> u16 {
        let plies = |plies: u16| if plies >= TOLD { plies - TOLD } else { plies };
        if self.state == 0 { 0 } else { 1 + plies(self.lower_plies).max(plies(self.upper_plies)).min(TOLD) }
    }
}

/// Facts that share their places: two lines of the cache.
const BUCKET: usize = 4;

#[derive(Clone, Copy)]
#[repr(align(128))]
struct Bucket([Fact; BUCKET]);

/// The facts of a search: as many as there is room for, and those that a certificate spells out, which are kept all.
pub(super) struct Facts {
    room: Room<Bucket>,
    used: u64,
    /// How often anything new was noted.
    pub(super) news: u64,
    /// Proofs that were spelt out, of every value. None ever makes room for another, so that what a proof was made of is
    /// there as long as it is.
    spelt: HashMap<Key, Vec<Proof>>,
    /// The same of refutations.
    spelt_refutations: HashMap<Key, Vec<Refutation>>,
}

impl Facts {
    /// No facts yet, with [room](Room::new) for so many bytes.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let (spelt, spelt_refutations) = (HashMap::new(), HashMap::new());
        let room = Room::new(bytes, Bucket([Fact::NONE; BUCKET]))?;
        Some(Self { room, used: 0, news: 0, spelt, spelt_refutations })
    }

    /// Takes all of its room, as [`Room::lay_out`] does. What was noted before may be lost.
    pub(super) fn lay_out(&mut self, go_on: impl Fn() -> bool) {
        self.room.lay_out(go_on);
    }

    #[inline]
    fn place(&self, key: &Key) -> usize {
        self.room.place(key.mixed(0))
    }

    /// Has what is known of a position brought near.
    #[inline]
    pub(super) fn fetch(&self, key: &Key) {
        if let Some(bucket) = self.room.get(self.place(key)) {
            fetch(&bucket.0[0]);
            fetch(&bucket.0[2]);
        }
    }

    /// What is known of a position, but for what was spelt out.
    #[inline]
    pub(super) fn get(&self, key: &Key) -> Option<Fact> {
        let bucket = self.room.get(self.place(key))?;
        bucket.0.iter().find(|fact| fact.is_of(key)).copied()
    }

    /// The shortest proof of so much that is spelt out.
    pub(super) fn spelt_proof(&self, key: &Key, need: i32) -> Option<Proof> {
        self.spelt.get(key)?.iter().filter(|proof| proof.value >= need).min_by_key(|proof| proof.plies).copied()
    }

    /// The shortest refutation of `need` that is spelt out.
    pub(super) fn spelt_refutation(&self, key: &Key, need: i32) -> Option<Refutation> {
        let spelt = self.spelt_refutations.get(key)?.iter().filter(|refutation| refutation.value < need);
        spelt.min_by_key(|refutation| refutation.plies).copied()
    }

    /// The part of the room in use, of 1.
    pub(super) fn filling(&self) -> f64 {
        self.used as f64 / (self.room.len() * BUCKET) as f64
    }

    /// Notes a proof. One of more, or of as much in fewer plies, takes the place of the one known.
    pub(super) fn prove(&mut self, key: &Key, proof: Proof) {
        // Less than was proved is still proved.
        let value = proof.value.min(i32::from(NO_UPPER) - 1);
        if value <= i32::from(NO_LOWER) {
            return;
        }
        let value = value as i16;
        self.update(key, |fact| {
            let better = value > fact.lower || value == fact.lower && proof.plies < fact.lower_plies;
            if better {
                (fact.lower, fact.lower_plies, fact.action) = (value, proof.plies, proof.action);
            }
            better
        });
    }

    /// Notes a refutation in the same way.
    pub(super) fn refute(&mut self, key: &Key, refutation: Refutation) {
        let value = refutation.value.max(i32::from(NO_LOWER) + 1);
        if value >= i32::from(NO_UPPER) {
            return;
        }
        let value = value as i16;
        self.update(key, |fact| {
            let better = value < fact.upper || value == fact.upper && refutation.plies < fact.upper_plies;
            if better {
                (fact.upper, fact.upper_plies) = (value, refutation.plies);
            }
            better
        });
    }

    /// Notes a proof that is spelt out.
    pub(super) fn spell(&mut self, key: &Key, proof: Proof) {
        let known = self.spelt.entry(*key).or_default();
        if !known.iter().any(|it| it.is(proof.value, proof.plies)) {
            self.news += 1;
            known.push(proof);
        }
    }

    /// Notes a refutation that is spelt out.
    pub(super) fn spell_refutation(&mut self, key: &Key, refutation: Refutation) {
        let known = self.spelt_refutations.entry(*key).or_default();
        if !known.iter().any(|it| it.value <= refutation.value && it.plies <= refutation.plies) {
            self.news += 1;
            known.push(refutation);
        }
    }

    #[inline]
    fn update(&mut self, key: &Key, change: impl FnOnce(&mut Fact) -> bool) {
        let place = self.place(key);
        let Some(Bucket(facts)) = self.room.get_mut(place) else { return };
        let known = facts.iter().position(|fact| fact.is_of(key));
        let index = known.unwrap_or_else(|| {
            let least = (0..BUCKET).min_by_key(|&index| facts[index].worth()).unwrap_or(0);
            self.used += u64::from(facts[least].state == 0);
            facts[least] = Fact::new(*key);
            least
        });
        self.news += u64::from(change(&mut facts[index]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_two_lines_of_the_cache() {
        assert_eq!((size_of::<Fact>(), size_of::<Bucket>()), (32, 128));
    }
}
