//! The two provers of a position, side by side, each looking deeper and deeper.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;

use oanquan_core::duel::Duel;

use super::proof::{Halt, LEAST, NEVER, PLY, Prover};
use super::table::key_of;
use super::{Interval, Options, SolveError, Telling};

/// Stands for no bound.
pub(super) const UNKNOWN: i32 = i32::MAX;
/// The most points in stores that the tables can tell apart.
pub(super) const MOST_POINTS: i32 = 10_000;
/// Deeper than this nobody looks.
const MOST_PLIES: i32 = 400;
/// How much more than the last is tried next, at most.
const GREATEST_STEP: i32 = 16;
/// A prover alone on one thread works at least so many nodes before the other has its turn.
const SPELL: u64 = 1 << 20;

/// One side's bound of a goal, and where it is looked for next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pursuit {
    /// The further difference that is proved; `NEVER` if nothing is.
    pub(super) proved: i32,
    budget: i32,
    step: i32,
    given_up: bool,
}

impl Pursuit {
    const NEW: Self = Self { proved: NEVER, budget: 0, step: 1, given_up: false };

    /// What to prove next, when more than `most` cannot be proved.
    fn need(&self, most: i32) -> i32 {
        // First anything at all.
        if self.proved == NEVER { LEAST.min(most) } else { (self.proved + self.step).min(most) }
    }

    fn succeeded(&mut self, value: i32) {
        self.proved = value;
        self.step = (2 * self.step).min(GREATEST_STEP);
    }

    fn failed(&mut self) {
        if self.step > 1 {
            self.step = 1;
            return;
        }
        self.budget += PLY;
        self.given_up = self.budget > MOST_PLIES * PLY;
    }
}

/// A position whose bounds are wanted, as one of the provers sees it: prover 0 proves for the side to move at the root.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) duel: Duel,
    /// Whether prover 0's side is to move.
    pub(super) first_moves: bool,
    pub(super) pursuits: [Pursuit; 2],
}

impl Goal {
    pub(super) const fn new(duel: Duel, first_moves: bool) -> Self {
        Self { duel, first_moves, pursuits: [Pursuit::NEW; 2] }
    }

    /// The margin as prover 0 sees it.
    pub(super) fn margin(&self) -> i32 {
        if self.first_moves { self.duel.margin() } else { -self.duel.margin() }
    }

    /// Whether that prover is to move.
    pub(super) const fn moves(&self, prover: usize) -> bool {
        self.first_moves == (prover == 0)
    }

    /// The final margin as prover 0 sees it.
    pub(super) fn interval(&self) -> Interval {
        let [lower, upper] = self.pursuits.map(|pursuit| Some(pursuit.proved).filter(|&proved| proved != NEVER));
        Interval { lower: lower.map(|value| self.margin() + value), upper: upper.map(|value| self.margin() - value) }
    }

    fn settled(&self) -> bool {
        self.interval().exact().is_some() || self.pursuits.iter().all(|pursuit| pursuit.given_up)
    }

    /// Takes over what the provers remember.
    pub(super) fn recall(&mut self, provers: &[Prover<'_>; 2]) {
        for (number, prover) in provers.iter().enumerate() {
            let (key, _) = key_of(&prover.rules, &self.duel, prover.future, self.moves(number));
            if let Some(proof) = prover.table.get(&key).and_then(|entry| entry.proof()) {
                self.pursuits[number].proved = self.pursuits[number].proved.max(proof.value.into());
            }
        }
    }
}

/// What the provers of a goal share.
struct Course<'a> {
    options: &'a Options<'a>,
    stop: &'a AtomicBool,
    telling: &'a Telling,
    /// Whether it is told how deep they look.
    tell: bool,
    /// What each prover has proved.
    proved: [AtomicI32; 2],
}

impl Course<'_> {
    /// The most that a prover can prove: what the other has shown, negated.
    fn most(&self, prover: usize) -> i32 {
        -self.proved[1 - prover].load(Ordering::Relaxed)
    }

    fn met(&self) -> bool {
        self.proved[0].load(Ordering::Relaxed) >= self.most(0)
    }

    /// One search of a prover; whether it came to an end.
    fn attempt(&self, prover: &mut Prover<'_>, number: usize, goal: &Goal, pursuit: &mut Pursuit, nodes: u64) -> bool {
        let need = pursuit.need(self.most(number));
        if self.tell {
            self.telling.plies[number].store((pursuit.budget / PLY) as u32, Ordering::Relaxed);
        }
        let halt = Halt {
            stop: self.stop,
            deadline: self.options.deadline,
            nodes,
            rival: &self.proved[1 - number],
            need,
            told: &self.telling.nodes,
        };
        let verdict = prover.prove(&goal.duel, need, pursuit.budget, goal.moves(number), &halt);
        if prover.halted {
            return false;
        }
        if verdict.value < need {
            pursuit.failed();
            return true;
        }
        pursuit.succeeded(verdict.value);
        self.proved[number].store(verdict.value, Ordering::Relaxed);
        if self.tell {
            let (bound, value) = match number {
                0 => (&self.telling.lower, goal.margin() + verdict.value),
                _ => (&self.telling.upper, goal.margin() - verdict.value),
            };
            bound.store(value, Ordering::Relaxed);
        }
        true
    }

    /// Whether a prover has to stop altogether.
    fn ended(&self, prover: &Prover<'_>, nodes: u64) -> bool {
        self.stop.load(Ordering::Relaxed)
            || prover.nodes >= nodes
            || self.options.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline)
    }

    /// One prover alone, on its own thread.
    fn pursue(&self, prover: &mut Prover<'_>, number: usize, goal: &Goal, pursuit: &mut Pursuit, nodes: u64) {
        while !self.met() && !pursuit.given_up && !self.ended(prover, nodes) {
            self.attempt(prover, number, goal, pursuit, nodes);
        }
    }

    /// Both provers in turn: whoever has worked less on the goal goes on, until it has worked twice as much.
    fn take_turns(&self, provers: &mut [Prover<'_>; 2], goal: &Goal, pursuits: &mut [Pursuit; 2]) {
        let begun = [0, 1].map(|number| provers[number].nodes);
        while !self.met() {
            let worked = [0, 1].map(|number| provers[number].nodes - begun[number]);
            let next = match [0, 1].map(|number: usize| pursuits[number].given_up) {
                [true, true] => return,
                [true, false] => 1,
                [false, true] => 0,
                [false, false] => usize::from(worked[1] < worked[0]),
            };
            let all = provers[0].nodes + provers[1].nodes;
            let left = self.options.nodes.saturating_sub(all);
            if left == 0 || self.ended(&provers[next], u64::MAX) {
                return;
            }
            let spell = (2 * worked[1 - next]).saturating_sub(worked[next]) + SPELL;
            let nodes = provers[next].nodes + spell.min(left);
            self.attempt(&mut provers[next], next, goal, &mut pursuits[next], nodes);
        }
    }
}

/// Narrows the interval of a goal until it is a value or a limit is reached.
pub(super) fn run(
    provers: &mut [Prover<'_>; 2],
    goal: &mut Goal,
    options: &Options<'_>,
    stop: &AtomicBool,
    telling: &Telling,
    tell: bool,
) -> Result<(), SolveError> {
    goal.recall(provers);
    if !goal.settled() {
        let proved = goal.pursuits.map(|pursuit| AtomicI32::new(pursuit.proved));
        let course = Course { options, stop, telling, tell, proved };
        let mut pursuits = goal.pursuits;
        if options.threads > 1 {
            let left = options.nodes.saturating_sub(provers[0].nodes + provers[1].nodes) / 2;
            thread::scope(|scope| {
                for (number, (prover, pursuit)) in provers.iter_mut().zip(&mut pursuits).enumerate() {
                    let (course, goal) = (&course, &*goal);
                    let nodes = prover.nodes.saturating_add(left);
                    scope.spawn(move || course.pursue(prover, number, goal, pursuit, nodes));
                }
            });
        } else {
            course.take_turns(provers, goal, &mut pursuits);
        }
        goal.pursuits = pursuits;
    }
    let interval = goal.interval();
    if interval.crossed() { Err(SolveError::Unsound(interval)) } else { Ok(()) }
}
