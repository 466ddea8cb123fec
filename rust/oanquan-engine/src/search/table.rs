//! The transposition table: what was found out about positions, for all threads of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oanquan_core::duel::{Duel, DuelRules, Future};
use oanquan_core::knobs::ReseedFrom;

use crate::Probe;

use super::analysis::SearchError;
use super::value::{FAR, Value};
use crate::fetch::fetch;

/// Bytes of a bucket, which is one cache line.
const BUCKET_BYTES: usize = 64;
/// Buckets that are made between two looks at the stop flag.
const STRIDE: usize = 1 << 16;
/// Proven bounds are kept up to here; further than any board is worth.
const MOST_BOUND: i32 = 32_000;
/// Scores beyond this do not fit an entry, and are not kept.
const MOST_SCORE: i32 = (1 << 23) - 1;
const NO_ACTION: u8 = 0xF;
const GENERATIONS: u64 = 1 << 4;

/// How a score stands to what minimax of the same depth finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Exact,
    /// Minimax finds no less.
    Lower,
    /// Minimax finds no more.
    Upper,
}

/// What an entry says of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) depth: u32,
    pub(crate) kind: Kind,
    /// The best move so far, in the board as it stands in the key.
    pub(crate) action: Option<u8>,
    /// Seen from the side to move: further difference, not margin.
    pub(crate) value: Value,
}

/// Whose entry it is: everything that the further difference is a function of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    pebbles: [u64; 2],
    /// Funds and margin where they matter, mandarins and ban: the lower 54 bits.
    rest: u64,
    /// Whether the board was mirrored to get it.
    pub(crate) mirrored: bool,
}

const REST: u64 = (1 << 54) - 1;

impl Key {
    /// `None` for a position with stores so far from any game that they do not fit an entry.
    #[inline]
    pub(crate) fn of(rules: &DuelRules, future: Future, duel: &Duel) -> Option<Self> {
        let (seen, mirrored) = rules.canonical(duel);
        let pebbles = seen.pebbles();
        let board = u64::from(seen.mandarins()) | u64::from(seen.ban()) << 2;
        let more = if future == Future::Board { 0 } else { stores(future, &seen)? };
        Some(Self { pebbles: [pebbles as u64, (pebbles >> 64) as u64], rest: board | more << 6, mirrored })
    }

    #[inline]
    fn hash(&self) -> u64 {
        let [low, high] = self.pebbles;
        let product = |a: u64, b: u64| {
            let wide = u128::from(a) * u128::from(b);
            wide as u64 ^ (wide >> 64) as u64
        };
        let first = product(
            low ^ 0x9E37_79B9_7F4A_7C15,
            high ^ self.rest.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ 0xA076_1D64_78BD_642F,
        );
        product(first ^ low, 0xE703_7ED1_A0B4_28DB)
    }
}

/// The funds and the margin in 48 bits.
fn stores(future: Future, duel: &Duel) -> Option<u64> {
    let [own, other] = duel.funds();
    let bits = |number: i32| i16::try_from(number).ok().map(|number| u64::from(number as u16));
    let margin = if future == Future::Margin { duel.margin() } else { 0 };
    Some(bits(own)? | bits(other)? << 16 | bits(margin)? << 32)
}

/// An entry as four words. The pebbles are kept mixed with the other words: those of two entries, written at the same time
/// by two threads, do not fit together, so that a torn entry is nobody's.
type Slot = [AtomicU64; 4];

#[repr(align(64))]
#[derive(Default)]
struct Bucket([Slot; 2]);

/// What was found out about positions, for one search after the other by the same rules: two entries of 32 bytes in a
/// bucket, with the whole key, bounds of both kinds, and the search they are of.
///
/// ```
/// use oanquan_engine::search::Table;
/// let table = Table::new(1 << 20)?;
/// assert_eq!((table.bytes(), table.used()), (1 << 20, 0.0));
/// # Ok::<(), oanquan_engine::search::SearchError>(())
/// ```
pub struct Table {
    buckets: Vec<Bucket>,
    /// Counts searches, so that what earlier ones left gives way.
    generation: u64,
    holds_for: Option<HoldsFor>,
}

/// What entries hold for, beside what is in their keys.
struct HoldsFor {
    rules: DuelRules,
    /// What board and stores have together, which tells whether a re-seeding can be paid for.
    total: i64,
    tables: Option<Arc<dyn Probe>>,
}

impl Table {
    /// A table of about so many bytes, of one bucket (64 bytes) at least.
    ///
    /// # Errors
    /// [`SearchError::Memory`] if there is no room for it.
    ///
    /// ```
    /// use oanquan_engine::search::{SearchError, Table};
    /// assert_eq!(Table::new(0)?.bytes(), 64);
    /// assert!(matches!(Table::new(usize::MAX), Err(SearchError::Memory(usize::MAX))));
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn new(bytes: usize) -> Result<Self, SearchError> {
        Self::new_unless(bytes, &AtomicBool::new(false)).ok_or(SearchError::Memory(bytes))
    }

    /// The same, unless there is no room for it; smaller if `stop` is set meanwhile: great tables take seconds to make.
    pub(crate) fn new_unless(bytes: usize, stop: &AtomicBool) -> Option<Self> {
        let count = (bytes / BUCKET_BYTES).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        while buckets.is_empty() || buckets.len() < count && !stop.load(Ordering::Relaxed) {
            buckets.resize_with(count.min(buckets.len() + STRIDE), Bucket::default);
        }
        // A box of less than was reserved would be another place, with a copy of it all.
        Some(Self { buckets, generation: 1, holds_for: None })
    }

    /// Its size.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::search::Table::new(1000).unwrap().bytes(), 960);
    /// ```
    pub fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET_BYTES
    }

    /// The share of entries that the last search wrote, 0 to 1, by looking at the first thousand buckets.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::search::Table::new(64).unwrap().used(), 0.0);
    /// ```
    pub fn used(&self) -> f64 {
        let looked_at = &self.buckets[..self.buckets.len().min(1000)];
        let slots = looked_at.iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| slot[3].load(Ordering::Relaxed) >> 60 == self.generation).count();
        used as f64 / (2 * looked_at.len()) as f64
    }

    /// Forgets everything.
    ///
    /// ```
    /// let mut table = oanquan_engine::search::Table::new(64).unwrap();
    /// table.clear();
    /// assert_eq!(table.used(), 0.0);
    /// ```
    pub fn clear(&mut self) {
        for word in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0).flatten() {
            *word.get_mut() = 0;
        }
    }

    /// Makes ready for a search from that position: what other rules, other endgame tables or games of another size left is
    /// forgotten, what earlier searches left gives way.
    pub(crate) fn begin(&mut self, rules: &DuelRules, root: &Duel, tables: Option<&Arc<dyn Probe>>) {
        let total = total(rules, root);
        let same = self.holds_for.as_ref().is_some_and(|old| {
            old.rules == *rules
                && old.total == total
                && match (&old.tables, tables) {
                    (None, None) => true,
                    (Some(old), Some(new)) => Arc::ptr_eq(old, new),
                    _ => false,
                }
        });
        if !same {
            // A new one is empty. To write all of it again would take as long as to make it.
            if self.holds_for.is_some() {
                self.clear();
            }
            self.holds_for = Some(HoldsFor { rules: *rules, total, tables: tables.cloned() });
        }
        self.generation = self.generation % (GENERATIONS - 1) + 1;
    }

    #[inline]
    fn bucket(&self, key: &Key) -> &Bucket {
        let place = (u128::from(key.hash()) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize]
    }

    /// Has the memory of the entry brought near, while something else is done.
    #[inline]
    pub(crate) fn fetch(&self, key: &Key) {
        fetch(self.bucket(key));
    }

    /// What is known of the position: of two entries the deeper one first.
    #[inline]
    pub(crate) fn get(&self, key: &Key) -> [Option<Entry>; 2] {
        let bucket = self.bucket(key);
        [read(&bucket.0[0], key), read(&bucket.0[1], key)]
    }

    /// Keeps an entry: in place of that of the same position and depth; else in the first slot if it is deeper than what
    /// stands there, or that is of an earlier search; else in the second.
    #[inline]
    pub(crate) fn put(&self, key: &Key, entry: &Entry) {
        let score = entry.value.score;
        if score.abs() > MOST_SCORE {
            return;
        }
        let slots = &self.bucket(key).0;
        let same = |slot: &Slot| read(slot, key).is_some_and(|old| old.depth == entry.depth);
        let slot = if same(&slots[0]) || !same(&slots[1]) && self.gives_way(&slots[0], entry.depth) {
            &slots[0]
        } else {
            &slots[1]
        };
        write(slot, key, entry, self.generation);
    }

    #[inline]
    fn gives_way(&self, slot: &Slot, depth: u32) -> bool {
        let old = slot[2].load(Ordering::Relaxed) & 0xFF;
        slot[3].load(Ordering::Relaxed) >> 60 != self.generation || u64::from(depth) >= old
    }
}

/// What board and stores have together for re-seedings; no move changes it.
fn total(rules: &DuelRules, duel: &Duel) -> i64 {
    let pebbles: i64 = duel.pebbles().to_le_bytes().into_iter().map(i64::from).sum();
    let stones = match rules.rules().reseed_from {
        ReseedFrom::Pebbles => 0,
        ReseedFrom::Points => i64::from(duel.mandarins().count_ones()) * i64::from(rules.rules().mandarin_value),
    };
    duel.funds().into_iter().fold(pebbles + stones, |sum, funds| sum + i64::from(funds))
}

/// The first two words: each half of the pebbles with both other words in it, so that no two words of one entry fit two of
/// another.
#[inline]
const fn mixed(key: &Key, facts: u64, more: u64) -> [u64; 2] {
    [key.pebbles[0] ^ facts ^ more.rotate_left(32), key.pebbles[1] ^ more ^ facts.rotate_left(17)]
}

/// Word 2: depth 8 bits, score 24, lower 16, upper 16. Word 3: rest of the key 54, kind 2, action 4, generation 4.
#[inline]
fn read(slot: &Slot, key: &Key) -> Option<Entry> {
    let [low, high, facts, more] = slot.each_ref().map(|word| word.load(Ordering::Relaxed));
    let mixed = mixed(key, facts, more);
    let differs = low ^ mixed[0] | high ^ mixed[1] | (more ^ key.rest) & REST;
    if differs != 0 || more >> 60 == 0 {
        return None;
    }
    let kind = match more >> 54 & 3 {
        0 => Kind::Exact,
        1 => Kind::Lower,
        _ => Kind::Upper,
    };
    let action = (more >> 56 & 0xF) as u8;
    let action = (action != NO_ACTION).then_some(action);
    let bound = |bits: u64| match i32::from(bits as u16 as i16) {
        bound if bound > MOST_BOUND => FAR,
        bound if bound < -MOST_BOUND => -FAR,
        bound => bound,
    };
    let score = (facts as i32) >> 8;
    Some(Entry {
        depth: (facts & 0xFF) as u32,
        kind,
        action,
        value: Value { score, lower: bound(facts >> 32), upper: bound(facts >> 48) },
    })
}

#[inline]
fn write(slot: &Slot, key: &Key, entry: &Entry, generation: u64) {
    let bound = |bound: i32| u64::from(bound.clamp(-MOST_BOUND - 1, MOST_BOUND + 1) as i16 as u16);
    let Value { score, lower, upper } = entry.value;
    let facts = u64::from(entry.depth) | u64::from((score << 8) as u32) | bound(lower) << 32 | bound(upper) << 48;
    let action = u64::from(entry.action.unwrap_or(NO_ACTION));
    let more = key.rest | (entry.kind as u64) << 54 | action << 56 | generation << 60;
    let [low, high] = mixed(key, facts, more);
    let words = [low, high, facts, more];
    for (place, word) in slot.iter().zip(words) {
        place.store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oanquan_core::{Position, Rules};

    fn keys(rules: &str) -> (DuelRules, Vec<Key>) {
        let rules = DuelRules::new(Rules::parse(rules).unwrap()).unwrap();
        let start = rules.duel(&Position::start(*rules.rules()));
        let duels = (0..10).map(|action| {
            let mut next = start;
            rules.play(&mut next, action);
            next
        });
        let keys = duels.map(|duel| Key::of(&rules, rules.future(), &duel).unwrap()).collect();
        (rules, keys)
    }

    fn entry(number: i32) -> Entry {
        let kind = [Kind::Exact, Kind::Lower, Kind::Upper][number as usize % 3];
        let (lower, upper) = if number % 2 == 0 { (-FAR, FAR) } else { (-number, 3 * number) };
        let value = Value { score: [1, -1][number as usize % 2] * number * 777, lower, upper };
        Entry { depth: 3 + number as u32, kind, action: (number != 4).then_some(number as u8), value }
    }

    #[test]
    fn a_great_table_is_refused_or_given_up() {
        let stop = AtomicBool::new(false);
        assert!(Table::new_unless(usize::MAX, &stop).is_none());
        assert_eq!(Table::new_unless(1 << 28, &stop).map(|table| table.bytes()), Some(1 << 28));
        stop.store(true, Ordering::Relaxed);
        let begun = std::time::Instant::now();
        let table = Table::new_unless(1 << 33, &stop).unwrap();
        assert!(table.bytes() == STRIDE * BUCKET_BYTES && begun.elapsed().as_secs_f64() < 1.0);
    }

    #[test]
    fn what_is_put_is_got() {
        for rules in ["wikipedia-vi", "bankrupt", "shortfall=partial", "mandarin_ban=8"] {
            let (_, keys) = keys(rules);
            let table = Table::new(1 << 16).unwrap();
            for (number, key) in keys.iter().enumerate() {
                let entry = entry(number as i32);
                table.put(key, &entry);
                assert!(table.get(key).contains(&Some(entry)), "{rules} {number}");
            }
        }
    }

    #[test]
    fn a_bucket_keeps_the_deepest_and_the_latest() {
        let (rules, keys) = keys("wikipedia-vi");
        let mut table = Table::new(0).unwrap();
        let start = rules.duel(&Position::start(*rules.rules()));
        let kept = |table: &Table, key: &Key| table.get(key).into_iter().flatten().map(|entry| entry.depth).max();
        let at = |depth| Entry { depth, ..entry(1) };
        table.begin(&rules, &start, None);
        for (key, depth) in [(&keys[0], 9), (&keys[1], 4), (&keys[2], 5)] {
            table.put(key, &at(depth));
        }
        assert_eq!([0, 1, 2].map(|place| kept(&table, &keys[place])), [Some(9), None, Some(5)]);
        table.put(&keys[0], &at(7));
        assert_eq!([0, 2].map(|place| kept(&table, &keys[place])), [Some(9), None]);
        table.begin(&rules, &start, None);
        table.put(&keys[3], &at(3));
        assert_eq!([0, 3].map(|place| kept(&table, &keys[place])), [Some(7), Some(3)]);
        table.begin(&DuelRules::new(Rules::default()).unwrap(), &start, None);
        assert_eq!(kept(&table, &keys[3]), None);
    }

    /// Whatever halves of two entries stand side by side.
    #[test]
    fn a_torn_entry_is_nobodys() {
        let (_, keys) = keys("bankrupt");
        let words = |number: usize| {
            let slot = Slot::default();
            write(&slot, &keys[number], &entry(number as i32), 1);
            slot.map(AtomicU64::into_inner)
        };
        for (one, other) in [(0, 1), (2, 7), (3, 6), (5, 8)] {
            let (first, second) = (words(one), words(other));
            for torn in 1..15 {
                let slot: Slot = std::array::from_fn(|word| {
                    AtomicU64::new(if torn >> word & 1 == 0 { first } else { second }[word])
                });
                assert!(keys.iter().all(|key| read(&slot, key).is_none()), "{one} {other} {torn:b}");
            }
        }
    }
}
