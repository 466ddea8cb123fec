//! The proof search: depth-first proof number search for both sides at once (Nagai 2002).
//!
//! It asks of a position whether the side to move can have at least `need`, and goes where the least seems to be left to
//! prove or to refute. What it settles is made of ended games, of endgame tables and of what was settled before, so that it
//! stands whatever steered the search.
//!
//! Each question is asked for one side, who does not mind going round: a move that comes back to a question on the way is
//! good enough for that side. Whether it truly is can depend on the way, so such an answer is remembered as a guess, like
//! the numbers; [`hold`](super::held::hold) makes a proof of it.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Instant;

use oanquan_core::Ending;
use oanquan_core::duel::{Duel, DuelRules, Future};
use oanquan_core::knobs::{EndsWhen, MandarinLeftovers};

use super::bankruptcy::BANKRUPT;
use super::facts::{Facts, Key, Proof, Refutation, TOLD, key_of, longer};
use super::numbers::{CIRCLE, Memory, NEVER, Numbers, Place, Way};
use crate::search::{Evaluation, POINT};
use crate::{Bounds, Probe};

/// Nodes between two looks at the clock and the flags.
const BETWEEN_LOOKS: u64 = 4096;
/// No line is looked at any further.
const MOST_PLIES: usize = 400;
/// No action is known.
const NO_ACTION: u8 = u8::MAX;
/// Stands for an outcome that there is not.
const NOTHING: i32 = i32::MIN / 2;

/// How far the guess at a margin has to be off for the numbers of an untouched position to be one more, in hundredths of a
/// point. By trial: with 100 to 1600 the work differs by a tenth.
const FAR: i32 = 2 * POINT;
/// The most that the numbers of an untouched position come to.
const MOST_AT_FIRST: i32 = 1 << 12;

/// When to give up a search.
#[derive(Clone, Copy)]
pub(super) struct Halt<'a> {
    pub(super) stop: &'a AtomicBool,
    pub(super) deadline: Option<Instant>,
    /// By the searcher's own count.
    pub(super) nodes: u64,
    /// What is asked, and the bounds that are known by now: it is idle once it is at most the lower one or more than the
    /// upper one.
    pub(super) asked: Option<(i32, &'a [AtomicI32; 2])>,
    /// Where nodes are told.
    pub(super) told: &'a AtomicU64,
}

impl<'a> Halt<'a> {
    /// Only when the flag is set.
    pub(super) const fn by_flag(stop: &'a AtomicBool, told: &'a AtomicU64) -> Self {
        Self { stop, deadline: None, nodes: u64::MAX, asked: None, told }
    }
}

/// A question: can the side to move have so much?
#[derive(Clone, Copy)]
struct Question<'d> {
    duel: &'d Duel,
    key: Key,
    /// Whether the key is the mirror's.
    mirrored: bool,
    need: i32,
    /// Whether the side to move is the one that does not mind going round, or that has to spell out its answers.
    is_apart: bool,
}

/// A move and what it leads to.
pub(super) struct Child {
    pub(super) duel: Duel,
    key: Key,
    mirrored: bool,
    pub(super) action: u8,
    /// By how much the margin of who moved changed.
    change: i32,
    /// What the side to move now would need to refute what is asked of the position before.
    pub(super) need: i32,
    place: Place,
    pub(super) numbers: Numbers,
    /// What is proved of it, as far as it is needed.
    lower: Known,
    upper: Known,
    /// It is on the way here, or too deep.
    is_closed: bool,
}

/// A bound that is known: its value, within how many plies the game is over, and the funds it asks for.
type Known = (i32, u16, i16);

/// What the moves come to that end the game.
#[derive(Clone, Copy, Default)]
pub(super) struct Ended {
    /// The best of them, and the action.
    pub(super) best: Option<(i32, u8)>,
    /// The funds that the side to move must have for that one to end as it does, and the other side for any other to.
    funds: [i16; 2],
}

/// What the children of a node come to.
struct Summary {
    numbers: Numbers,
    /// The child to go on with.
    next: Option<usize>,
    /// The refutation number of the one to go on with after that.
    second: u32,
    /// The proof numbers of all other children together.
    others: u32,
}

impl Summary {
    /// With nothing to go on with.
    const fn answered(numbers: Numbers) -> Self {
        Self { numbers, next: None, second: NEVER, others: 0 }
    }
}

/// Searches for proofs, and remembers what it finds.
pub(super) struct Searcher<'a> {
    pub(super) rules: DuelRules,
    pub(super) facts: Facts,
    pub(super) memory: Memory,
    pub(super) nodes: u64,
    pub(super) halted: bool,
    /// How many plies the longest line had that was looked at.
    pub(super) plies: usize,
    /// No count is of more points.
    pub(super) most: i32,
    pub(super) probe: Option<&'a dyn Probe>,
    pub(super) future: Future,
    evaluation: Evaluation,
    /// Whether every game counts all points, or nearly every one: then needs of the other parity ask the same.
    counts_all: bool,
    /// One side has to spell out what it proves, rather than not to mind going round: to the end of every
    /// game and from nothing that is remembered but what was spelt out so; for the other, whatever is known counts.
    spells: bool,
    looked: u64,
    /// The questions on the way.
    way: Way,
    pool: Vec<Vec<Child>>,
}

impl<'a> Searcher<'a> {
    /// A searcher for games with so many points, with so many bytes to remember in; `None` if there is no room.
    pub(super) fn new(rules: DuelRules, points: i32, bytes: usize, probe: Option<&'a dyn Probe>) -> Option<Self> {
        let knobs = rules.rules();
        let counts_all =
            knobs.ends_when == EndsWhen::SquaresEmpty || knobs.mandarin_leftovers != MandarinLeftovers::Nobody;
        Some(Self {
            facts: Facts::new(bytes / 2)?,
            memory: Memory::new(bytes / 2)?,
            nodes: 0,
            halted: false,
            plies: 0,
            most: points.max(knobs.total_points()),
            probe,
            future: rules.future(),
            evaluation: Evaluation::new(&rules),
            counts_all,
            rules,
            spells: false,
            looked: 0,
            way: Way::new(),
            pool: Vec::new(),
        })
    }

    pub(super) fn key(&self, duel: &Duel) -> (Key, bool) {
        key_of(&self.rules, duel, self.future)
    }

    /// An action as on the board that is looked at, from one as on the smaller of it and its mirror, or the reverse.
    #[inline]
    pub(super) fn seen(&self, action: u8, mirrored: bool) -> u8 {
        if mirrored && action != NO_ACTION { self.rules.mirror_action(action) } else { action }
    }

    /// By how much the margin of who moves changes from `duel` to `next`, the count included if the game is over.
    #[inline]
    pub(super) fn change(&self, duel: &Duel, next: &Duel) -> i32 {
        if next.ending() == Some(Ending::Loses) {
            return if self.rules.final_margin(next) < 0 { BANKRUPT } else { -BANKRUPT };
        }
        // Both margins are seen from who was to move.
        let after = if next.is_over() { self.rules.final_margin(next) } else { next.margin() };
        -after - duel.margin()
    }

    /// What an endgame table knows.
    pub(super) fn known(&self, duel: &Duel) -> Bounds {
        self.probe.map_or(Bounds::NONE, |probe| probe.probe(duel))
    }

    /// A guess at the further difference.
    pub(super) fn guess(&self, duel: &Duel) -> i32 {
        self.evaluation.future(duel) / POINT
    }

    /// Needs that differ by less than this mostly ask the same.
    pub(super) fn unit(&self) -> i32 {
        if self.counts_all { 2 } else { 1 }
    }

    /// Looks whether the side to move of a position in play can have so much, until that is answered or it is time to stop:
    /// then `halted` says which of both kept it from going on, the time or that every line goes round. `is_apart` says for
    /// whom it is asked, as of a [`Question`].
    pub(super) fn ask(&mut self, duel: &Duel, need: i32, is_apart: bool, halt: &Halt<'_>) -> Numbers {
        let (key, mirrored) = self.key(duel);
        let question = Question { duel, key, mirrored, need, is_apart };
        self.halted = false;
        self.look(halt);
        loop {
            let news = self.facts.news;
            let numbers = self.node(question, Numbers { proof: NEVER, refutation: NEVER }, halt);
            // What went round may do so no more with what is proved since.
            if numbers.is_answered() || self.halted || self.facts.news == news {
                return numbers;
            }
        }
    }

    /// A proof of so much that is made of nothing but ended games and of proofs like it, all of which stay known.
    pub(super) fn spell(&mut self, duel: &Duel, need: i32, halt: &Halt<'_>) -> Option<Proof> {
        self.spells = true;
        self.ask(duel, need, true, halt);
        self.spells = false;
        self.spelt_proof(&self.key(duel).0, duel, need)
    }

    /// What the moves of a position lead to and what is known of that: the best that ends the game, and the others.
    pub(super) fn look_at(&mut self, duel: &Duel, need: i32, is_apart: bool) -> (Ended, Vec<Child>) {
        let (key, mirrored) = self.key(duel);
        let mut children = Vec::new();
        let ended = self.expand(Question { duel, key, mirrored, need, is_apart }, &mut children);
        for child in &mut children {
            self.judge(child, !is_apart);
        }
        (ended, children)
    }

    /// Notes what follows for a position from what is proved of its moves.
    pub(super) fn conclude(&mut self, duel: &Duel, need: i32, is_apart: bool) {
        let (key, mirrored) = self.key(duel);
        let (ended, children) = self.look_at(duel, need, is_apart);
        let numbers = summary(ended, need, &children).numbers;
        if numbers.is_settled() {
            self.settle(Question { duel, key, mirrored, need, is_apart }, numbers, ended, &children);
        }
    }

    fn node(&mut self, question: Question<'_>, most: Numbers, halt: &Halt<'_>) -> Numbers {
        let begun = self.nodes;
        let place = self.place(question.duel, &question.key, question.need, question.is_apart);
        self.way.push(place);
        self.plies = self.plies.max(self.way.len());
        let mut children = self.pool.pop().unwrap_or_default();
        let ended = self.expand(question, &mut children);
        let is_apart = !question.is_apart;
        for child in &mut children {
            self.judge(child, is_apart);
        }
        let numbers = loop {
            let Summary { numbers, next, second, others } = summary(ended, question.need, &children);
            if numbers.is_settled() {
                self.settle(question, numbers, ended, &children);
            }
            if numbers.is_answered() {
                break numbers;
            }
            self.look(halt);
            let Some(next) = next.filter(|_| !self.halted && !numbers.goes_round()) else { break numbers };
            if numbers.proof >= most.proof || numbers.refutation >= most.refutation {
                break numbers;
            }
            let child = &children[next];
            // The side to move there asks the reverse: a proof of its need refutes this one.
            let most = Numbers {
                proof: most.refutation - others.min(most.refutation),
                refutation: most.proof.min(second.saturating_add(second / 2).saturating_add(1)),
            };
            let duel = child.duel;
            let deeper = Question { duel: &duel, key: child.key, mirrored: child.mirrored, need: child.need, is_apart };
            let numbers = self.node(deeper, most, halt);
            let child = &mut children[next];
            child.numbers = numbers;
            if numbers.is_settled() {
                self.judge(child, is_apart);
            }
        };
        // Whether lines go round depends on the way here.
        if !numbers.is_settled() && !numbers.goes_round() {
            self.memory.note(place, numbers, self.nodes - begun);
        }
        children.clear();
        self.pool.push(children);
        self.way.pop();
        numbers
    }

    /// Where the numbers of a question are remembered.
    #[inline]
    fn place(&self, duel: &Duel, key: &Key, need: i32, is_apart: bool) -> Place {
        // What both sides still get adds up to what lies on the board, so the difference is as even or odd as that.
        let odd = if self.counts_all { (need ^ self.at_stake(duel)) & 1 } else { 0 };
        self.memory.place(key, need + odd, u32::from(self.spells) << 1 | u32::from(is_apart))
    }

    /// A number as even or odd as all points on the board.
    #[inline]
    fn at_stake(&self, duel: &Duel) -> i32 {
        const LOWEST_BITS: u128 = u128::MAX / 0xFF;
        let odd_squares = (duel.pebbles() & LOWEST_BITS).count_ones();
        (odd_squares + duel.mandarins().count_ones() * u32::from(self.rules.rules().mandarin_value)) as i32
    }

    /// Plays every move. The best of those that end the game, and the others as children.
    fn expand(&mut self, question: Question<'_>, children: &mut Vec<Child>) -> Ended {
        let mut ended = Ended::default();
        let has_twins = self.rules.has_mirror() && self.rules.mirror(question.duel) == *question.duel;
        let mut mask = self.rules.legal_mask(question.duel);
        while mask != 0 {
            let action = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            let mut duel = *question.duel;
            self.rules.play(&mut duel, action);
            self.nodes += 1;
            let change = self.change(question.duel, &duel);
            if duel.is_over() {
                self.end(question.duel, &duel, (change, action), &mut ended);
                continue;
            }
            let (key, mirrored) = self.key(&duel);
            // A board that is its own mirror has every move twice.
            if has_twins && children.iter().any(|child| child.key == key && child.change == change) {
                continue;
            }
            let need = change - question.need + 1;
            let is_apart = !question.is_apart;
            let place = self.place(&duel, &key, need, is_apart);
            self.facts.fetch(&key);
            self.memory.fetch(place);
            let is_closed = self.is_too_deep() || self.way.contains(place);
            let (lower, upper) = ((NOTHING, 0, 0), (-NOTHING, 0, 0));
            let numbers = Numbers { proof: 1, refutation: 1 };
            children.push(Child { duel, key, mirrored, action, change, need, place, numbers, lower, upper, is_closed });
        }
        ended
    }

    /// Notes a move that ends the game.
    #[inline]
    fn end(&self, duel: &Duel, next: &Duel, (change, action): (i32, u8), ended: &mut Ended) {
        if change == -BANKRUPT {
            ended.funds[1] = ended.funds[1].max(self.funds_to_win(duel, next, false));
        }
        if ended.best.is_none_or(|(best, _)| change > best) {
            ended.best = Some((change, action));
            ended.funds[0] = if change == BANKRUPT { self.funds_to_win(duel, next, true) } else { 0 };
        }
    }

    /// Whether no line is followed any further.
    #[inline]
    fn is_too_deep(&self) -> bool {
        self.way.len() >= MOST_PLIES
    }

    /// What is known of a child, and what its numbers are.
    fn judge(&self, child: &mut Child, is_apart: bool) {
        self.recall(child, is_apart);
        child.numbers = if child.lower.0 >= child.need {
            Numbers::PROVED
        } else if child.upper.0 < child.need {
            Numbers::REFUTED
        } else if child.is_closed {
            match is_apart {
                _ if self.spells || self.is_too_deep() => Numbers::CIRCLE,
                true => Numbers::KEPT,
                false => Numbers::KEPT_FROM,
            }
        } else {
            self.memory.get(child.place).unwrap_or_else(|| self.first_numbers(child))
        };
    }

    /// What is known of a child that counts: for the side that spells out its answers only what is spelt out.
    fn recall(&self, child: &mut Child, is_apart: bool) {
        let (key, duel, funds) = (&child.key, &child.duel, child.duel.funds());
        let mut told = self.known(duel);
        let (proof, refutation);
        if self.spells && is_apart {
            // Who is to move is who spells, or else the other: then it is the refutation that has to be spelt out.
            told.lower = Bounds::NONE.lower;
            proof = self.spelt_proof(key, duel, child.need);
        } else {
            proof = self.proof(key, duel, child.need);
        }
        if self.spells && !is_apart {
            told.upper = Bounds::NONE.upper;
            refutation = self.spelt_refutation(key, duel, child.need);
        } else {
            refutation = self.refutation(key, duel, child.need);
        }
        // What ends after so many plies rather than what a table knows.
        child.lower = match proof {
            Some(proof) if proof.value >= child.need || proof.value >= told.lower => {
                (proof.value, proof.plies, proof.funds)
            }
            _ => (told.lower.max(NOTHING), TOLD, self.funds_told(funds[0])),
        };
        child.upper = match refutation {
            Some(refutation) if refutation.value < child.need || refutation.value <= told.upper => {
                (refutation.value, refutation.plies, refutation.funds)
            }
            _ => (told.upper.min(-NOTHING), TOLD, self.funds_told(funds[1])),
        };
    }

    /// The numbers of a position that nobody has looked into: the more moves there are, the more has to be settled for a
    /// refutation, and the further the guess is from the need, the more for a proof or for a refutation.
    fn first_numbers(&self, child: &Child) -> Numbers {
        let moves = self.rules.legal_mask(&child.duel).count_ones();
        let ahead = (self.evaluation.future(&child.duel) - POINT * child.need + POINT / 2) / FAR;
        let (behind, ahead) = ((-ahead).clamp(0, MOST_AT_FIRST), ahead.clamp(0, MOST_AT_FIRST));
        Numbers { proof: 1 + behind as u32, refutation: moves + ahead as u32 }
    }

    /// Notes what is proved of a position whose question is settled.
    fn settle(&mut self, question: Question<'_>, numbers: Numbers, ended: Ended, children: &[Child]) {
        let is_spelt = self.spells;
        let before = question.duel.funds();
        if numbers.proof == 0 {
            let (value, action) = ended.best.unwrap_or((NOTHING, NO_ACTION));
            let (plies, funds) = (u16::from(ended.best.is_some()), ended.funds[0]);
            let mut best = Proof { value, plies, action, funds };
            for child in children {
                let (upper, plies, funds) = child.upper;
                let (value, plies) = (child.change.saturating_sub(upper), longer(plies));
                if value > best.value || value == best.value && plies < best.plies {
                    let funds = self.funds_before(funds, before[0], child.duel.funds()[1]);
                    best = Proof { value, plies, action: child.action, funds };
                }
            }
            best.action = self.seen(best.action, question.mirrored);
            let key = self.key_to_note(question.key, question.duel, best.value);
            if is_spelt && question.is_apart {
                self.facts.spell(&key, best);
            } else {
                self.facts.prove(&key, best, before);
            }
        } else {
            let (value, funds) = (ended.best.map_or(NOTHING, |(value, _)| value), ended.funds[1]);
            let mut worst = Refutation { value, plies: 1, funds };
            for child in children {
                let (lower, plies, funds) = child.lower;
                worst.value = worst.value.max(child.change.saturating_sub(lower));
                worst.plies = worst.plies.max(longer(plies));
                worst.funds = worst.funds.max(self.funds_before(funds, before[1], child.duel.funds()[0]));
            }
            let key = self.key_to_note(question.key, question.duel, -worst.value);
            if is_spelt && !question.is_apart {
                self.facts.spell_refutation(&key, worst);
            } else {
                self.facts.refute(&key, worst, before);
            }
        }
    }

    /// Looks at the flags and the clock now and then.
    #[inline]
    pub(super) fn look(&mut self, halt: &Halt<'_>) {
        self.halted |= self.nodes >= halt.nodes;
        if self.nodes - self.looked < BETWEEN_LOOKS {
            return;
        }
        halt.told.fetch_add(self.nodes - mem::replace(&mut self.looked, self.nodes), Ordering::Relaxed);
        let is_idle = |(need, [lower, upper]): (i32, &[AtomicI32; 2])| {
            need <= lower.load(Ordering::Relaxed) || need > upper.load(Ordering::Relaxed)
        };
        self.halted |= halt.stop.load(Ordering::Relaxed)
            || halt.asked.is_some_and(is_idle)
            || halt.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }
}

/// What the moves of a position come to.
fn summary(ended: Ended, need: i32, children: &[Child]) -> Summary {
    if ended.best.is_some_and(|(value, _)| value >= need) {
        return Summary::answered(Numbers::PROVED);
    }
    let (mut next, mut first, mut second) = (None, NEVER, NEVER);
    let (mut all, mut goes_round, mut is_kept) = (0_u32, false, false);
    for (place, child) in children.iter().enumerate() {
        let Numbers { proof, refutation } = child.numbers;
        if child.numbers == Numbers::REFUTED {
            return Summary::answered(Numbers::PROVED);
        }
        is_kept |= refutation == 0;
        all = (all + proof).min(NEVER - 1);
        if proof == 0 {
            goes_round |= refutation != NEVER;
        } else if child.is_closed {
            goes_round = true;
        } else if refutation < first {
            (second, first, next) = (first, refutation, Some(place));
        } else {
            second = second.min(refutation);
        }
    }
    if is_kept {
        return Summary::answered(Numbers::KEPT);
    }
    let proof = if next.is_none() && goes_round { CIRCLE } else { first };
    let others = next.map_or(0, |next| all - children[next].numbers.proof.min(all));
    Summary { numbers: Numbers { proof, refutation: all }, next, second, others }
}
