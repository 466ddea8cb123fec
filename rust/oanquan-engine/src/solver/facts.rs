//! What a proof search has proved: by exact keys, and never more than was proved.
//!
//! Under `shortfall = loses` what is proved asks for funds: who proves it must have so much in its store, and may have more.
//! More never hurts: all that is in both stores is given by the board, so that what one side has more the other has less, and
//! a side that cannot pay has lost. So a fact is one of a board, not of a board and stores.

use std::cmp::Reverse;
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
    /// Mandarins, two bits; ban, four; whether funds are part of it; that the entry is in use.
    state: u8,
}

const WITH_FUNDS: u8 = 0x40;
const IN_USE: u8 = 0x80;

impl Key {
    const NONE: Self = Self { low: 0, high: 0, funds: 0, state: 0 };

    /// The key of a duel that is the smaller of itself and its mirror, with what is in its store or not.
    #[inline]
    fn of(duel: &Duel, with_funds: bool) -> Self {
        let mut state = duel.mandarins() | duel.ban() << 2 | IN_USE;
        let mut funds = 0;
        if with_funds {
            (state, funds) = (state | WITH_FUNDS, duel.funds()[0] as i16);
        }
        let pebbles = duel.pebbles();
        Self { low: pebbles as u64, high: (pebbles >> 64) as u64, funds, state }
    }

    /// Well mixed bits of it and of a number besides.
    #[inline]
    pub(super) fn mixed(&self, number: u64) -> u64 {
        let rest = u64::from(self.state) | u64::from(self.funds as u16) << 8;
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
    (Key::of(&canonical, future == Future::Funds), mirrored)
}

/// The key of a duel and of all that its future depends on.
pub(super) fn whole_key_of(rules: &DuelRules, duel: &Duel, future: Future) -> Key {
    Key::of(&rules.canonical(duel).0, future != Future::Board)
}

/// That the side to move can have so much: a lower bound of the further difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proof {
    pub(super) value: i32,
    /// Within how many plies the game is over; from [`TOLD`] on where it rests on an endgame table.
    pub(super) plies: u16,
    /// The move with which it begins; as on the smaller of the board and its mirror.
    pub(super) action: u8,
    /// What the side to move must have in its store.
    pub(super) funds: i16,
}

/// That the side to move cannot have more than so much: an upper bound of the further difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Refutation {
    pub(super) value: i32,
    /// As of a proof.
    pub(super) plies: u16,
    /// What the other side must have in its store.
    pub(super) funds: i16,
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

/// Whether what is in a store is enough.
#[inline]
const fn suffice(funds: i32, needed: i16) -> bool {
    // Where nothing is asked for there may be debts.
    needed == 0 || funds >= needed as i32
}

/// All that is proved of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    // The key, in pieces, so that no byte is lost between it and the rest.
    low: u64,
    high: u64,
    funds: i16,
    lower: i16,
    upper: i16,
    lower_plies: u16,
    upper_plies: u16,
    lower_funds: i16,
    upper_funds: i16,
    state: u8,
    action: u8,
}

/// No bound.
const NO_LOWER: i16 = i16::MIN;
const NO_UPPER: i16 = i16::MAX;

impl Fact {
    const NONE: Self = Self::new(Key::NONE);

    const fn new(key: Key) -> Self {
        let Key { low, high, funds, state } = key;
        Self {
            low,
            high,
            funds,
            lower: NO_LOWER,
            upper: NO_UPPER,
            lower_plies: 0,
            upper_plies: 0,
            lower_funds: 0,
            upper_funds: 0,
            state,
            action: 0,
        }
    }

    #[inline]
    fn is_of(&self, key: &Key) -> bool {
        self.low == key.low && self.high == key.high && self.state == key.state && self.funds == key.funds
    }

    /// The proof, for a side to move with so much in its store.
    #[inline]
    pub(super) fn proof(&self, [funds, _]: [i32; 2]) -> Option<Proof> {
        let (value, plies) = (self.lower.into(), self.lower_plies);
        let proof = Proof { value, plies, action: self.action, funds: self.lower_funds };
        (self.lower != NO_LOWER && suffice(funds, proof.funds)).then_some(proof)
    }

    /// The refutation, for another side with so much in its store.
    #[inline]
    pub(super) fn refutation(&self, [_, funds]: [i32; 2]) -> Option<Refutation> {
        let (value, plies) = (self.upper.into(), self.upper_plies);
        let refutation = Refutation { value, plies, funds: self.upper_funds };
        (self.upper != NO_UPPER && suffice(funds, refutation.funds)).then_some(refutation)
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

    /// The shortest proof of so much that is spelt out, for such funds.
    pub(super) fn spelt_proof(&self, key: &Key, need: i32, [funds, _]: [i32; 2]) -> Option<Proof> {
        let spelt = self.spelt.get(key)?.iter();
        let fitting = spelt.filter(|proof| proof.value >= need && suffice(funds, proof.funds));
        fitting.min_by_key(|proof| proof.plies).copied()
    }

    /// The shortest refutation of `need` that is spelt out, for such funds.
    pub(super) fn spelt_refutation(&self, key: &Key, need: i32, [_, funds]: [i32; 2]) -> Option<Refutation> {
        let spelt = self.spelt_refutations.get(key)?.iter();
        let fitting = spelt.filter(|refutation| refutation.value < need && suffice(funds, refutation.funds));
        fitting.min_by_key(|refutation| refutation.plies).copied()
    }

    /// The part of the room in use, of 1.
    pub(super) fn filling(&self) -> f64 {
        self.used as f64 / (self.room.len() * BUCKET) as f64
    }

    /// Notes a proof that holds for such funds. One of more, or of as much in fewer plies or for less, takes the place of
    /// the one known, and so does any that holds where that one does not.
    pub(super) fn prove(&mut self, key: &Key, proof: Proof, [funds, _]: [i32; 2]) {
        // Less than was proved is still proved.
        let value = proof.value.min(i32::from(NO_UPPER) - 1);
        if value <= i32::from(NO_LOWER) {
            return;
        }
        let value = value as i16;
        let new = (value, Reverse(proof.plies), Reverse(proof.funds));
        self.update(key, |fact| {
            let known = (fact.lower, Reverse(fact.lower_plies), Reverse(fact.lower_funds));
            let better = new > known || !suffice(funds, fact.lower_funds);
            if better {
                (fact.lower, fact.lower_plies, fact.lower_funds) = (value, proof.plies, proof.funds);
                fact.action = proof.action;
            }
            better
        });
    }

    /// Notes a refutation in the same way.
    pub(super) fn refute(&mut self, key: &Key, refutation: Refutation, [_, funds]: [i32; 2]) {
        let value = refutation.value.max(i32::from(NO_LOWER) + 1);
        if value >= i32::from(NO_UPPER) {
            return;
        }
        let value = value as i16;
        let new = (value, refutation.plies, refutation.funds);
        self.update(key, |fact| {
            let known = (fact.upper, fact.upper_plies, fact.upper_funds);
            let better = new < known || !suffice(funds, fact.upper_funds);
            if better {
                (fact.upper, fact.upper_plies, fact.upper_funds) = new;
            }
            better
        });
    }

    /// Notes a proof that is spelt out.
    pub(super) fn spell(&mut self, key: &Key, proof: Proof) {
        let known = self.spelt.entry(*key).or_default();
        if !known.iter().any(|it| it.is(proof.value, proof.plies) && it.funds <= proof.funds) {
            self.news += 1;
            known.push(proof);
        }
    }

    /// Notes a refutation that is spelt out.
    pub(super) fn spell_refutation(&mut self, key: &Key, refutation: Refutation) {
        let known = self.spelt_refutations.entry(*key).or_default();
        let Refutation { value, plies, funds } = refutation;
        if !known.iter().any(|it| it.value <= value && it.plies <= plies && it.funds <= funds) {
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
