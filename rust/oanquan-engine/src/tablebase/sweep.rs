//! Going over the positions of a group again and again, on all cores, until nothing changes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use oanquan_core::duel::DuelRules;

use super::expansion::Expansion;
use super::index::{Group, Index};

/// The fewest slots of a region.
const REGION: u32 = 12;
/// The most regions of a group: what each reads is kept as a bit for each other.
const MOST_REGIONS: u64 = 8192;
/// How many slots are visited between two looks at the stop flag.
const STRIDE: u64 = 256;

/// How far a build or a verification is.
#[derive(Debug, Default)]
pub struct Progress {
    /// Positions with nothing left to do.
    pub settled: AtomicU64,
    /// How often the positions were gone over.
    pub sweeps: AtomicU64,
}

/// What is done with the positions of a table.
pub(crate) trait Work: Sync {
    /// Whether nothing can change about the slot any more.
    fn is_done(&self, slot: u64) -> bool;
    /// Looks at a slot once more; whether something changed.
    fn visit(&self, slot: u64, board: u128, mandarins: u8) -> Visit;
    /// Makes the slot of the mirrored position, which may be the same, equal to that of the position.
    fn copy(&self, slot: u64, mirrored: u64);
    /// Called now and then from any thread; whether to go on.
    fn pause(&self) -> bool {
        true
    }
}

/// What came of a visit.
pub(crate) enum Visit {
    /// There is no position.
    Nothing,
    /// There is, with these moves; whether something changed.
    Position(Expansion, bool),
}

/// Goes over groups of positions with so many threads.
pub(crate) struct Sweeper<'a> {
    pub(crate) index: &'a Index,
    pub(crate) threads: usize,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) progress: &'a Progress,
}

/// Bits, set by many threads.
struct Bits(Vec<AtomicU64>);

impl Bits {
    fn new(bits: u64) -> Self {
        Self((0..bits.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn set(&self, bit: u64) {
        let word = &self.0[bit as usize / 64];
        if word.load(Ordering::Relaxed) >> (bit % 64) & 1 == 0 {
            word.fetch_or(1 << (bit % 64), Ordering::Relaxed);
        }
    }

    /// What is set; then nothing is.
    fn take(&self) -> Vec<u64> {
        self.0.iter().map(|word| word.swap(0, Ordering::Relaxed)).collect()
    }
}

/// A group cut into regions, and which regions must be looked at again.
struct Regions {
    group: Group,
    /// A region has 2 to this slots.
    shift: u32,
    count: u64,
    /// For each region, the regions that its unfinished positions lead to.
    reads: Vec<Bits>,
    /// The regions in which something changed in this sweep.
    changed: Bits,
}

impl Regions {
    fn new(group: Group) -> Self {
        let slots = group.end - group.first;
        let mut shift = REGION;
        while slots >> shift >= MOST_REGIONS {
            shift += 1;
        }
        let count = slots.div_ceil(1 << shift);
        let reads = (0..count).map(|_| Bits::new(count)).collect();
        Self { group, shift, count, reads, changed: Bits::new(count) }
    }

    fn region(&self, slot: u64) -> u64 {
        (slot - self.group.first) >> self.shift
    }

    /// The slots of a region.
    fn slots(&self, region: u64) -> Group {
        let first = self.group.first + (region << self.shift);
        Group { first, end: (first + (1 << self.shift)).min(self.group.end) }
    }

    /// Notes where a position leads to that may still change.
    fn note(&self, expansion: &Expansion, work: &impl Work, reads: &mut [u64]) {
        for &child in expansion.slots() {
            if (self.group.first..self.group.end).contains(&child) && !work.is_done(child) {
                let region = self.region(child);
                reads[region as usize / 64] |= 1 << (region % 64);
            }
        }
    }

    /// Whether something changed, since the region was last looked at, in what its positions lead to.
    fn is_stale(&self, region: u64, changed: &[u64]) -> bool {
        let reads = &self.reads[region as usize].0;
        reads.iter().zip(changed).any(|(read, changed)| read.load(Ordering::Relaxed) & changed != 0)
    }
}

impl Sweeper<'_> {
    /// Goes over all groups until nothing changes; false if it was stopped before.
    pub(crate) fn run(&self, work: &impl Work) -> bool {
        self.index.groups().into_iter().all(|group| self.settle(&Regions::new(group), work))
    }

    /// Goes over one group until nothing changes. A position is left out of a sweep when nothing that it depends on can
    /// have changed since it was last visited; nothing is left out of the first.
    fn settle(&self, regions: &Regions, work: &impl Work) -> bool {
        let mut stale: Vec<u64> = (0..regions.count).collect();
        while !stale.is_empty() {
            self.sweep(regions, &stale, work);
            if self.stop.load(Ordering::Relaxed) || !work.pause() {
                return false;
            }
            self.progress.sweeps.fetch_add(1, Ordering::Relaxed);
            let changed = regions.changed.take();
            stale = (0..regions.count).filter(|&region| regions.is_stale(region, &changed)).collect();
        }
        true
    }

    /// Visits the positions of these regions, in order, on all threads.
    fn sweep(&self, regions: &Regions, stale: &[u64], work: &impl Work) {
        let taken = AtomicU64::new(0);
        let run = || {
            while let Some(&region) = stale.get(taken.fetch_add(1, Ordering::Relaxed) as usize) {
                if !work.pause() || !self.visit_region(regions, region, work) {
                    break;
                }
            }
        };
        thread::scope(|scope| {
            // If the system gives no more threads, those that there are do all the work.
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, run).ok();
            let others: Vec<_> = (1..self.threads).map_while(spawn).collect();
            run();
            for other in others {
                if let Err(panic) = other.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        });
    }

    /// Visits the unfinished positions of a region; false if the stop flag was set before the end.
    fn visit_region(&self, regions: &Regions, region: u64, work: &impl Work) -> bool {
        let Group { first, end } = regions.slots(region);
        let mut reads = vec![0_u64; regions.count.div_ceil(64) as usize];
        let (mut board, mut mandarins) = self.index.at(first);
        for slot in first..end {
            if slot % STRIDE == 0 && self.stop.load(Ordering::Relaxed) {
                return false;
            }
            if slot > first {
                board = self.index.next(board);
                if self.index.is_first(slot) {
                    (board, mandarins) = self.index.at(slot);
                }
            }
            if !work.is_done(slot) {
                self.visit_slot(regions, slot, (board, mandarins), work, &mut reads);
            }
        }
        for (kept, read) in regions.reads[region as usize].0.iter().zip(reads) {
            kept.store(read, Ordering::Relaxed);
        }
        true
    }

    fn visit_slot(&self, regions: &Regions, slot: u64, at: (u128, u8), work: &impl Work, reads: &mut [u64]) {
        let (board, mandarins) = at;
        let mirrors = self.index.mirrors_within(mandarins);
        if mirrors && self.index.mirror(board) < board {
            return; // the other of the pair is visited for both
        }
        let mirrored = |slot| if mirrors { self.index.mirrored(slot, board) } else { slot };
        match work.visit(slot, board, mandarins) {
            Visit::Nothing => work.copy(slot, mirrored(slot)),
            Visit::Position(expansion, changed) => {
                let is_done = work.is_done(slot);
                if changed {
                    let mirrored = mirrored(slot);
                    work.copy(slot, mirrored);
                    regions.changed.set(regions.region(slot));
                    regions.changed.set(regions.region(mirrored));
                    if is_done {
                        let positions = self.index.weight(mandarins) + u64::from(mirrored != slot);
                        self.progress.settled.fetch_add(positions, Ordering::Relaxed);
                    }
                }
                if !is_done {
                    regions.note(&expansion, work, reads);
                }
            }
        }
    }
}

/// So many threads; 0 means as many as there are cores.
pub(crate) fn thread_count(threads: usize) -> usize {
    match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// A position with its moves, of rules with a numbering.
pub(crate) fn expand(rules: &DuelRules, index: &Index, board: u128, mandarins: u8) -> Option<Expansion> {
    index.is_position(board, mandarins).then(|| Expansion::new(rules, index, board, mandarins))
}
