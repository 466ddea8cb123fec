//! The bounds of a position, narrowed from both sides until they meet.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;

use oanquan_core::duel::Duel;

use super::held::{Closed, hold};
use super::search::{Halt, Searcher};
use super::{Interval, Options, SolveError, Telling};

/// Stands for no bound, with its sign.
pub(super) const UNKNOWN: i32 = i32::MAX;
/// The most points in stores that the tables can tell apart.
pub(super) const MOST_POINTS: i32 = 10_000;
/// More than this is not asked for, either way.
const MOST: i32 = 15_000;
/// How far from the guess a first bound is looked for, in units, unless every line nearer by goes round.
const GREATEST_DISTANCE: i32 = 6;
/// Bytes that a position played takes while a closed set is looked for.
const HELD_BYTES: u64 = 128;
/// The nodes of the first look at a question.
const FIRST_SPELL: u64 = 1 << 14;

/// A position whose bounds are wanted.
#[derive(Clone)]
pub(super) struct Goal {
    pub(super) duel: Duel,
    /// What is proved of the further difference of who is to move, and by which searcher.
    pub(super) lower: Option<(i32, usize)>,
    pub(super) upper: Option<(i32, usize)>,
    /// What shows that the lower bound and the upper bound are the best there are, and whose facts it rests on.
    pub(super) held: [Option<(Arc<Closed>, usize)>; 2],
}

impl Goal {
    pub(super) const fn new(duel: Duel) -> Self {
        Self { duel, lower: None, upper: None, held: [None, None] }
    }

    /// The final margin of who is to move.
    pub(super) fn interval(&self) -> Interval {
        let margin = |bound: Option<(i32, usize)>| bound.map(|(value, _)| self.duel.margin() + value);
        let [lower_is_best, upper_is_best] = self.held.each_ref().map(Option::is_some);
        Interval { lower: margin(self.lower), upper: margin(self.upper), lower_is_best, upper_is_best }
    }

    /// Takes over what a searcher knows.
    fn recall(&mut self, searcher: &Searcher<'_>, number: usize) {
        let (key, _) = searcher.key(&self.duel);
        if let Some(proof) = searcher.proof(&key, &self.duel, i32::MAX) {
            let value = searcher.lower_bound(&self.duel, proof.value);
            if self.lower.is_none_or(|(lower, _)| value > lower) {
                self.lower = Some((value, number));
            }
        }
        if let Some(refutation) = searcher.refutation(&key, &self.duel, i32::MIN) {
            let value = searcher.upper_bound(&self.duel, refutation.value);
            if self.upper.is_none_or(|(upper, _)| value < upper) {
                self.upper = Some((value, number));
            }
        }
    }

    /// Takes over what all of them know.
    pub(super) fn recall_all(&mut self, searchers: &[Searcher<'_>]) {
        for (number, searcher) in searchers.iter().enumerate() {
            self.recall(searcher, number);
        }
    }
}

/// The way of one bound: what is asked next, and for how long.
struct Pursuit {
    /// Whether it is the lower bound.
    raises: bool,
    /// How far from the guess or from the other bound it is looked for while there is none, in units.
    distance: i32,
    /// Nodes of the next look.
    spell: u64,
    /// Nodes of all looks.
    worked: u64,
    /// There is no more to be found in this way.
    given_up: bool,
    /// What shows that the bound is the best there is.
    held: Option<Closed>,
}

impl Pursuit {
    const fn new(raises: bool) -> Self {
        let distance = if raises { 0 } else { 1 };
        Self { raises, distance, spell: FIRST_SPELL, worked: 0, given_up: false, held: None }
    }

    /// What to ask next, with these bounds, `UNKNOWN` or a value.
    fn need(&self, (lower, upper): (i32, i32), guess: i32, unit: i32) -> i32 {
        let distance = unit.saturating_mul(self.distance);
        let need = match (self.raises, lower != -UNKNOWN, upper != UNKNOWN) {
            (true, true, _) => lower + unit,
            (true, false, true) => upper - distance,
            (true, false, false) => guess - distance,
            (false, _, true) => upper + 1 - unit,
            (false, true, false) => lower + 1 + distance,
            (false, false, false) => guess + distance,
        };
        need.clamp(if lower == -UNKNOWN { -MOST } else { lower + 1 }, if upper == UNKNOWN { MOST } else { upper })
    }

    /// Whether the bound that it is after is known.
    const fn is_under_way(&self, (lower, upper): (i32, i32)) -> bool {
        if self.raises { lower != -UNKNOWN } else { upper != UNKNOWN }
    }

    /// Whether there is nothing left to ask.
    const fn is_over(&self) -> bool {
        self.given_up || self.held.is_some()
    }

    /// Notes that a question stayed open, because of time or because every line goes round.
    fn stayed_open(&mut self, bounds: (i32, i32), goes_round: bool) {
        self.spell = self.spell.saturating_add(self.spell / 2);
        if !self.is_under_way(bounds) {
            // Less has to be asked for to have anything at all.
            self.given_up = goes_round && self.distance >= MOST;
            let most = if goes_round { MOST } else { self.distance.max(GREATEST_DISTANCE) };
            self.distance = (2 * self.distance + 4).min(most);
        }
    }
}

/// What all who work at a goal share.
struct Course<'a> {
    options: &'a Options<'a>,
    stop: &'a AtomicBool,
    telling: &'a Telling,
    /// Whether it is told how deep they look.
    tell: bool,
    /// The bounds proved so far.
    bounds: [AtomicI32; 2],
    duel: Duel,
    guess: i32,
    unit: i32,
}

impl Course<'_> {
    fn known(&self) -> (i32, i32) {
        (self.bounds[0].load(Ordering::Relaxed), self.bounds[1].load(Ordering::Relaxed))
    }

    fn is_settled(&self) -> bool {
        let (lower, upper) = self.known();
        lower >= upper
    }

    /// One look at a question.
    fn look(&self, searcher: &mut Searcher<'_>, pursuit: &mut Pursuit, nodes: u64) {
        let known = self.known();
        if known.0 >= known.1 {
            return;
        }
        let need = pursuit.need(known, self.guess, self.unit);
        let before = searcher.nodes;
        let halt = Halt {
            stop: self.stop,
            deadline: self.options.deadline,
            nodes: before + pursuit.spell.min(nodes),
            asked: Some((need, &self.bounds)),
            told: &self.telling.nodes,
        };
        // A bound is the best there is if the other side has enough by going round.
        let numbers = searcher.ask(&self.duel, searcher.asked(&self.duel, need), !pursuit.raises, &halt);
        pursuit.worked += searcher.nodes - before;
        if numbers.is_settled() {
            self.take_over(searcher);
            pursuit.given_up = self.known() == known;
        } else if !searcher.halted || searcher.nodes >= halt.nodes {
            let goes_round = !searcher.halted;
            pursuit.stayed_open(self.known(), goes_round);
            if goes_round && pursuit.is_under_way(self.known()) {
                if searcher.can_hold() {
                    self.hold(searcher, pursuit, nodes);
                } else {
                    pursuit.given_up = true;
                }
            }
        }
        if self.tell {
            self.tell(searcher, pursuit);
        }
    }

    /// Takes over what a searcher has proved.
    fn take_over(&self, searcher: &Searcher<'_>) {
        let mut found = Goal::new(self.duel);
        found.recall(searcher, 0);
        if let Some((lower, _)) = found.lower {
            self.bounds[0].fetch_max(lower, Ordering::Relaxed);
        }
        if let Some((upper, _)) = found.upper {
            self.bounds[1].fetch_min(upper, Ordering::Relaxed);
        }
    }

    fn tell(&self, searcher: &Searcher<'_>, pursuit: &Pursuit) {
        self.telling.plies[usize::from(!pursuit.raises)].store(searcher.plies as u32, Ordering::Relaxed);
        let (lower, upper) = self.known();
        let margin = self.duel.margin();
        if lower != -UNKNOWN {
            self.telling.lower.store(margin + lower, Ordering::Relaxed);
        }
        if upper != UNKNOWN {
            self.telling.upper.store(margin + upper, Ordering::Relaxed);
        }
    }

    /// Whether it is time to stop altogether.
    fn ended(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.options.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline)
    }

    /// One searcher after one bound.
    fn pursue(&self, searcher: &mut Searcher<'_>, mut pursuit: Pursuit, most: u64) -> Pursuit {
        while !self.is_settled() && !pursuit.is_over() && !self.ended() && searcher.nodes < most {
            self.look(searcher, &mut pursuit, most - searcher.nodes);
        }
        pursuit
    }

    /// One searcher after both bounds, in turn: at which less was worked.
    fn take_turns(&self, searcher: &mut Searcher<'_>, most: u64) -> [Pursuit; 2] {
        let mut pursuits = [Pursuit::new(true), Pursuit::new(false)];
        while !self.is_settled() && !self.ended() && searcher.nodes < most {
            let next = match pursuits.each_ref().map(Pursuit::is_over) {
                [true, true] => break,
                [true, false] => 1,
                [false, true] => 0,
                [false, false] => usize::from(pursuits[1].worked < pursuits[0].worked),
            };
            let before = self.known();
            self.look(searcher, &mut pursuits[next], most - searcher.nodes);
            if self.known() != before {
                // What goes round now may be another question.
                pursuits[1 - next].given_up = false;
            }
        }
        pursuits
    }

    /// Looks whether a bound is the best there is, since the other side can go on for ever.
    fn hold(&self, searcher: &mut Searcher<'_>, pursuit: &mut Pursuit, nodes: u64) {
        let (lower, upper) = self.known();
        if lower >= upper {
            return;
        }
        let (stop, deadline, told) = (self.stop, self.options.deadline, &self.telling.nodes);
        // All positions of such a set have to be kept: in about as much memory as the tables have.
        let most = (self.options.table_bytes as u64 / HELD_BYTES).max(FIRST_SPELL);
        let share = nodes.min(most).min(pursuit.worked.max(FIRST_SPELL));
        let before = searcher.nodes;
        let halt = Halt { stop, deadline, nodes: before.saturating_add(share), asked: None, told };
        let need = searcher.asked(&self.duel, if pursuit.raises { lower + 1 } else { upper });
        pursuit.held = hold(searcher, &self.duel, need, !pursuit.raises, &halt);
        pursuit.worked += searcher.nodes - before;
        self.take_over(searcher);
        let is_vain = if searcher.halted { share == most } else { self.known() == (lower, upper) };
        pursuit.given_up = pursuit.held.is_none() && is_vain;
    }
}

/// Narrows the interval of a goal until it is a value or a limit is reached.
pub(super) fn run(
    searchers: &mut [Searcher<'_>],
    goal: &mut Goal,
    options: &Options<'_>,
    stop: &AtomicBool,
    telling: &Telling,
    tell: bool,
) -> Result<(), SolveError> {
    goal.recall_all(searchers);
    let value = |bound: Option<(i32, usize)>, unknown| AtomicI32::new(bound.map_or(unknown, |(value, _)| value));
    let course = Course {
        options,
        stop,
        telling,
        tell,
        bounds: [value(goal.lower, -UNKNOWN), value(goal.upper, UNKNOWN)],
        duel: goal.duel,
        guess: searchers[0].guess(&goal.duel),
        unit: searchers[0].unit(),
    };
    let worked: u64 = searchers.iter().map(|searcher| searcher.nodes).sum();
    let left = options.nodes.saturating_sub(worked);
    let most = |searcher: &Searcher<'_>, left: u64| searcher.nodes.saturating_add(left);
    let pursuits: Vec<(Pursuit, usize)> = match searchers {
        [searcher] => course.take_turns(searcher, most(searcher, left)).map(|pursuit| (pursuit, 0)).into(),
        _ => thread::scope(|scope| {
            let mut threads = Vec::new();
            for (number, searcher) in searchers.iter_mut().enumerate() {
                let (course, most) = (&course, most(searcher, left / 2));
                threads.push(scope.spawn(move || (course.pursue(searcher, Pursuit::new(number == 0), most), number)));
            }
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        }),
    };
    let (lower, upper) = course.known();
    goal.recall_all(searchers);
    // Should the table have lost them since.
    if lower > goal.lower.map_or(-UNKNOWN, |(value, _)| value) {
        goal.lower = Some((lower, 0));
    }
    if upper < goal.upper.map_or(UNKNOWN, |(value, _)| value) {
        goal.upper = Some((upper, 0));
    }
    for (pursuit, searcher) in pursuits.into_iter().filter(|_| lower < upper) {
        if let Some(closed) = pursuit.held {
            goal.held[usize::from(!pursuit.raises)] = Some((Arc::new(closed), searcher));
        }
    }
    let interval = goal.interval();
    if interval.crossed() { Err(SolveError::Unsound(interval)) } else { Ok(()) }
}
