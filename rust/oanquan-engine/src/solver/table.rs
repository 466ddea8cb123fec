//! What the proof search remembers: exact keys, proofs kept for good, failures for as long as there is room.

use oanquan_core::duel::{Duel, DuelRules, Future};

/// A position and who is to prove in it: all that the proven value is a function of, nothing hashed away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) pebbles: u128,
    /// Mandarins, two bits; ban, four; whether the prover is to move; that the entry is in use.
    pub(super) state: u8,
    pub(super) funds: i16,
    pub(super) margin: i16,
}

const IN_USE: u8 = 0x80;

impl Key {
    /// The key of a duel that is the smaller of itself and its mirror.
    #[inline]
    pub(super) fn of(duel: &Duel, future: Future, prover_moves: bool) -> Self {
        let state = duel.mandarins() | duel.ban() << 2 | u8::from(prover_moves) << 6 | IN_USE;
        let (mut funds, mut margin) = (0, 0);
        if future != Future::Board {
            funds = duel.funds()[0] as i16;
        }
        if future == Future::Margin {
            margin = duel.margin() as i16;
        }
        Self { pebbles: duel.pebbles(), state, funds, margin }
    }

    #[inline]
    fn mixed(&self) -> u64 {
        let (low, high) = (self.pebbles as u64, (self.pebbles >> 64) as u64);
        let rest = u64::from(self.state) | u64::from(self.funds as u16) << 8 | u64::from(self.margin as u16) << 24;
        let mixed = folded(low ^ 0x9E37_79B9_7F4A_7C15, high ^ rest << 24 ^ 0xD1B5_4A32_D192_ED03);
        folded(mixed ^ rest, 0xA076_1D64_78BD_642F)
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
pub(super) fn key_of(rules: &DuelRules, duel: &Duel, future: Future, prover_moves: bool) -> (Key, bool) {
    let (canonical, mirrored) = rules.canonical(duel);
    (Key::of(&canonical, future, prover_moves), mirrored)
}

/// What is known of a position. Values are further differences as the prover sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    key: Key,
    /// What the prover can force; `NOTHING` if nothing is proved.
    pub(super) proved: i16,
    /// Within how many plies; from `TOLD` on where it rests on an endgame table.
    pub(super) plies: u16,
    /// With the budget below, more than this was not proved.
    pub(super) failed: i16,
    /// The greatest budget with which that was tried; 0 if none was.
    pub(super) budget: u16,
    /// The move that proved, or that came nearest; as on the smaller of the board and its mirror.
    pub(super) action: u8,
}

/// A proof that is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proof {
    /// What the prover can force.
    pub(super) value: i16,
    /// Within how many plies.
    pub(super) plies: u16,
    /// The move with which it begins, if the prover is to move; as on the smaller of the board and its mirror.
    pub(super) action: u8,
}

impl Proof {
    /// Whether it is of so much within so many plies.
    #[inline]
    pub(super) const fn is(self, need: i32, plies: u16) -> bool {
        self.value as i32 >= need && self.plies <= plies
    }
}

/// Nothing is proved, or not even that could be.
pub(super) const NOTHING: i16 = i16::MIN;
/// The plies of what an endgame table proves: more than any proof that is spelt out.
pub(super) const TOLD: u16 = 20_000;
/// No move is known.
pub(super) const NO_ACTION: u8 = u8::MAX;

impl Entry {
    const EMPTY: Self = Self {
        key: Key { pebbles: 0, state: 0, funds: 0, margin: 0 },
        proved: 0,
        plies: 0,
        failed: 0,
        budget: 0,
        action: 0,
    };

    /// Nothing known yet.
    const fn new(key: Key) -> Self {
        Self { key, proved: NOTHING, plies: 0, failed: i16::MAX, budget: 0, action: NO_ACTION }
    }

    /// What is proved.
    #[inline]
    pub(super) fn proof(&self) -> Option<Proof> {
        let Self { proved, plies, action, .. } = *self;
        (proved != NOTHING).then_some(Proof { value: proved, plies, action })
    }

    /// What is lost when it makes room.
    #[inline]
    fn worth(&self) -> u32 {
        match (self.key.state, self.proved) {
            (0, _) => 0,
            (_, NOTHING) => 1 + u32::from(self.budget),
            _ => 1 + u32::from(self.budget.max(self.plies.min(64))) + PROOF_BONUS,
        }
    }
}

/// How much rather a proof is kept than a failure, in units of budget.
const PROOF_BONUS: u32 = 24;
/// Entries that share their places: two lines of the cache.
const BUCKET: usize = 4;

/// Buckets that are laid out between two questions whether to go on.
const STRIDE: usize = 1 << 15;

#[derive(Clone, Copy)]
#[repr(align(128))]
struct Bucket([Entry; BUCKET]);

/// A table of one prover.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// How many there are to be.
    count: usize,
    used: u64,
}

impl Table {
    /// A table of one bucket, with room [reserved](Self::lay_out) for at most that many bytes; `None` if there is none.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.push(Bucket([Entry::EMPTY; BUCKET]));
        Some(Self { buckets, count, used: 0 })
    }

    /// Takes all of its room, which can take seconds, while it is told to go on; what it has then does as well. Nothing may
    /// have been noted before.
    pub(super) fn lay_out(&mut self, go_on: impl Fn() -> bool) {
        while self.buckets.len() < self.count && self.used == 0 && go_on() {
            self.buckets.resize(self.count.min(self.buckets.len() + STRIDE), Bucket([Entry::EMPTY; BUCKET]));
        }
    }

    #[inline]
    fn place(&self, key: &Key) -> usize {
        ((u128::from(key.mixed()) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, key: &Key) -> Option<Entry> {
        let bucket = self.buckets.get(self.place(key))?;
        bucket.0.iter().find(|entry| entry.key == *key).copied()
    }

    /// The part of the table in use, of 1.
    pub(super) fn filling(&self) -> f64 {
        self.used as f64 / (self.buckets.len() * BUCKET) as f64
    }

    /// Notes a proof. One of more, or of as much in fewer plies, takes the place of the one known.
    pub(super) fn prove(&mut self, key: &Key, value: i32, plies: u16, action: u8) {
        // Less than was proved is still proved.
        let value = value.min(i16::MAX.into()) as i16;
        self.update(key, |entry| {
            let more = entry.proved == NOTHING || value > entry.proved;
            if more || value == entry.proved && plies < entry.plies {
                (entry.proved, entry.plies, entry.action) = (value, plies, action);
            }
        });
    }

    /// Notes that with a budget no more than `value` was proved.
    pub(super) fn fail(&mut self, key: &Key, value: i32, budget: u16, action: u8) {
        let value = value.clamp(NOTHING.into(), i16::MAX.into()) as i16;
        self.update(key, |entry| {
            if budget > entry.budget || budget == entry.budget && value < entry.failed {
                (entry.failed, entry.budget) = (value, budget);
            }
            if entry.proved == NOTHING {
                entry.action = action;
            }
        });
    }

    #[inline]
    fn update(&mut self, key: &Key, change: impl FnOnce(&mut Entry)) {
        let place = self.place(key);
        let Some(Bucket(entries)) = self.buckets.get_mut(place) else { return };
        let known = entries.iter().position(|entry| entry.key == *key);
        let index = known.unwrap_or_else(|| {
            let least = (0..BUCKET).min_by_key(|&index| entries[index].worth()).unwrap_or(0);
            self.used += u64::from(entries[least].key.state == 0);
            entries[least] = Entry::new(*key);
            least
        });
        change(&mut entries[index]);
    }
}
