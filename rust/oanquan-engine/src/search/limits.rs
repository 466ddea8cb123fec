//! When a search ends: depth, nodes, time, and a flag that somebody else sets.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The deepest that is searched, in plies.
pub const MOST_DEPTH: u32 = 100;

/// Nodes between two looks at the clock and the flag: a fraction of a millisecond.
const LOOK_EVERY: u64 = 4096;

/// When a search ends: whichever comes first. What is `None` does not end it.
///
/// ```
/// use oanquan_engine::search::Limits;
/// let limits = Limits { depth: Some(8), ..Limits::default() };
/// assert_eq!((limits.nodes, limits.time), (None, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// After this depth in plies; at most [`MOST_DEPTH`], which also ends a search without a limit. A depth of 0 is
    /// searched as 1.
    pub depth: Option<u32>,
    /// After so many nodes: positions reached by playing a move. Depth 1 is always searched to its end.
    pub nodes: Option<u64>,
    /// After so long. Depth 1 is always searched to its end.
    pub time: Option<Duration>,
}

impl Limits {
    /// The depth that ends the search.
    pub(crate) fn last_depth(&self) -> u32 {
        self.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH)
    }

    /// The size of a table that has room for what can be searched within these limits, so far as they tell, if that is
    /// less than `most`: a large table takes longer to make than a small search.
    pub(crate) fn table_bytes(&self, most: usize) -> usize {
        // One node in twenty or so is kept, in 32 bytes; a ply more takes about twice the nodes.
        const BYTES_A_NODE: u64 = 2;
        let by_depth = self.depth.map_or(u64::MAX, |depth| 1000_u64.saturating_mul(2_u64.saturating_pow(depth)));
        let nodes = self.nodes.unwrap_or(u64::MAX).min(by_depth);
        usize::try_from(nodes.saturating_mul(BYTES_A_NODE)).unwrap_or(usize::MAX).min(most)
    }
}

/// What all threads of a search share about its end.
pub(crate) struct Shared<'a> {
    begun: Instant,
    limits: Limits,
    /// Set by whoever wants the search to end.
    stop: &'a AtomicBool,
    /// Set when the search is done.
    done: AtomicBool,
    /// Nodes of all threads, as far as they told.
    nodes: AtomicU64,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(limits: Limits, stop: &'a AtomicBool) -> Self {
        let begun = Instant::now();
        Self { begun, limits, stop, done: AtomicBool::new(false), nodes: AtomicU64::new(0) }
    }

    pub(crate) fn passed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(crate) fn finish(&self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// Counts the nodes of one thread, and says when it must stop.
pub(crate) struct Clock<'a> {
    shared: &'a Shared<'a>,
    /// The nodes of this thread.
    pub(crate) nodes: u64,
    /// Those of them that the others know of.
    told: u64,
    /// How many nodes there may be before the next look.
    next: u64,
    /// Whether it must stop; not before it may.
    pub(crate) stopped: bool,
    armed: bool,
}

impl<'a> Clock<'a> {
    /// A clock that stops nobody before it is armed.
    pub(crate) const fn new(shared: &'a Shared<'a>) -> Self {
        Self { shared, nodes: 0, told: 0, next: u64::MAX, stopped: false, armed: false }
    }

    /// From now on the limits hold.
    pub(crate) fn arm(&mut self) {
        if !self.armed {
            self.armed = true;
            self.look();
        }
    }

    /// Whether the search must stop now.
    #[inline]
    pub(crate) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next {
            self.look();
        }
        self.stopped
    }

    /// Tells the others the nodes so far.
    pub(crate) fn tell(&mut self) -> u64 {
        let new = self.nodes - self.told;
        self.told = self.nodes;
        self.shared.nodes.fetch_add(new, Ordering::Relaxed) + new
    }

    #[cold]
    fn look(&mut self) {
        let total = self.tell();
        let Shared { limits, stop, done, .. } = self.shared;
        let left = limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(total));
        let late = || limits.time.is_some_and(|time| self.shared.passed() >= time);
        self.stopped |= left == 0 || stop.load(Ordering::Relaxed) || done.load(Ordering::Relaxed) || late();
        self.next = self.nodes.saturating_add(left.min(LOOK_EVERY));
    }
}
