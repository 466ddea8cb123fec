//! The proof search of one side: can it make the game end with so much, looking as deep as a budget allows?

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Instant;

use oanquan_core::duel::{Duel, DuelRules, Future};

use super::table::{Entry, Key, NO_ACTION, Proof, TOLD, Table, key_of};
use crate::{Bounds, Probe};

/// Less than any difference: what is not known to end is worth to the prover.
pub(super) const NEVER: i32 = -30_000;
/// The least that is ever asked for. What is not known to end stays below it, whatever is gained on the way there.
pub(super) const LEAST: i32 = -15_000;
/// The budget of a ply.
pub(super) const PLY: i32 = 4;
/// A failure that no budget would mend.
pub(super) const FOR_GOOD: u16 = u16::MAX;
/// Nodes between two looks at the clock and the flags.
const BETWEEN_LOOKS: u64 = 4096;

/// What a node came to. A value that reaches what was needed is proved, within so many plies; one that does not is what
/// was not exceeded with this budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub(super) value: i32,
    pub(super) plies: u16,
}

/// When to give up a search.
#[derive(Clone, Copy)]
pub(super) struct Halt<'a> {
    pub(super) stop: &'a AtomicBool,
    pub(super) deadline: Option<Instant>,
    /// By the prover's own count.
    pub(super) nodes: u64,
    /// What the other side has proved: the prover cannot prove more than the negative of it.
    pub(super) rival: &'a AtomicI32,
    /// What is to be proved at the root.
    pub(super) need: i32,
    /// Where nodes are told.
    pub(super) told: &'a AtomicU64,
}

/// A move and what it leads to.
struct Child {
    duel: Duel,
    key: Key,
    /// Whether the key is the mirror's.
    mirrored: bool,
    action: u8,
    /// By how much the prover's margin changed.
    change: i32,
    /// How promising it is to who moves.
    promise: i32,
}

/// Proves for one side, whoever that is: positions are told apart by who moves.
pub(super) struct Prover<'a> {
    pub(super) rules: DuelRules,
    pub(super) table: Table,
    probe: Option<&'a dyn Probe>,
    pub(super) future: Future,
    pub(super) nodes: u64,
    looked: u64,
    pub(super) halted: bool,
    /// Proofs count only when they are short enough for the budget, and endgame tables only refute.
    strict: bool,
    /// What strict searches prove beside the table, which keeps the proof of most alone.
    spelt: HashMap<Key, Vec<Proof>>,
    pool: Vec<Vec<Child>>,
}

/// A node in the making.
struct Node {
    key: Key,
    mirrored: bool,
    prover_moves: bool,
    need: i32,
    value: i32,
    plies: u16,
    action: u8,
}

impl Node {
    /// Takes in what a move is worth; whether that decides the node.
    #[inline]
    fn take(&mut self, value: i32, plies: u16, action: u8) -> bool {
        let reached = value >= self.need;
        if self.prover_moves {
            if value > self.value {
                (self.value, self.plies, self.action) = (value, plies, action);
            }
            reached
        } else {
            if value < self.value {
                (self.value, self.action) = (value, action);
            }
            self.plies = self.plies.max(plies);
            !reached
        }
    }
}

/// One ply more; a proof that does not know its length stays so.
#[inline]
pub(super) fn longer(plies: u16) -> u16 {
    plies.saturating_add(1)
}

impl<'a> Prover<'a> {
    pub(super) fn new(rules: DuelRules, table: Table, probe: Option<&'a dyn Probe>) -> Self {
        let future = rules.future();
        Self {
            rules,
            table,
            probe,
            future,
            nodes: 0,
            looked: 0,
            halted: false,
            strict: false,
            spelt: HashMap::new(),
            pool: Vec::new(),
        }
    }

    /// By how much the prover's margin changes with a move from `duel` to `next`, the count included if the game is over.
    #[inline]
    pub(super) fn change(&self, duel: &Duel, next: &Duel, prover_moves: bool) -> i32 {
        // Both margins are seen from who was to move.
        let after = if next.is_over() { self.rules.final_margin(next) } else { next.margin() };
        let change = -after - duel.margin();
        if prover_moves { change } else { -change }
    }

    /// What an endgame table knows, as the prover sees it.
    #[inline]
    pub(super) fn known(&self, duel: &Duel, prover_moves: bool) -> Bounds {
        let Some(probe) = self.probe else { return Bounds::NONE };
        let bounds = probe.probe(duel);
        if prover_moves { bounds } else { Bounds { lower: -bounds.upper, upper: -bounds.lower } }
    }

    /// Whether the prover can force `need` from a position in play.
    pub(super) fn prove(
        &mut self,
        duel: &Duel,
        need: i32,
        budget: i32,
        prover_moves: bool,
        halt: &Halt<'_>,
    ) -> Verdict {
        self.halted = false;
        let (key, mirrored) = key_of(&self.rules, duel, self.future, prover_moves);
        self.node(duel, (key, mirrored), need, budget, prover_moves, halt)
    }

    /// The same, with a proof that is spelt out within so many plies: nothing longer that is remembered counts.
    pub(super) fn prove_within(&mut self, duel: &Duel, need: i32, plies: u16, halt: &Halt<'_>) -> Option<Proof> {
        self.strict = true;
        self.prove(duel, need, (i32::from(plies) - 1) * PLY, true, halt);
        self.strict = false;
        self.proof(duel, need, plies)
    }

    /// The proof that is remembered of a position in which the prover is to move, if it is of enough and short enough.
    pub(super) fn proof(&self, duel: &Duel, need: i32, plies: u16) -> Option<Proof> {
        let (key, _) = key_of(&self.rules, duel, self.future, true);
        let proof = self.table.get(&key).and_then(|entry| entry.proof()).filter(|proof| proof.is(need, plies));
        proof.or_else(|| self.spelt_out(&key, need, plies))
    }

    fn spelt_out(&self, key: &Key, need: i32, plies: u16) -> Option<Proof> {
        self.spelt.get(key)?.iter().find(|proof| proof.is(need, plies)).copied()
    }

    fn node(
        &mut self,
        duel: &Duel,
        (key, mirrored): (Key, bool),
        need: i32,
        budget: i32,
        prover_moves: bool,
        halt: &Halt<'_>,
    ) -> Verdict {
        self.look(halt);
        let value = if prover_moves { NEVER } else { i32::MAX };
        let mut node = Node { key, mirrored, prover_moves, need, value, plies: 0, action: NO_ACTION };
        let mut children = self.pool.pop().unwrap_or_default();
        let mut decided = self.expand(duel, &mut node, &mut children);
        if decided {
            self.note(&node, i32::from(FOR_GOOD));
        } else {
            decided = self.recall(&mut node, &mut children, budget);
            if !decided {
                self.search(&mut node, &mut children, budget, halt);
            }
            if self.halted {
                (node.value, node.plies) = (NEVER, 0);
            } else {
                self.note(&node, budget);
            }
        }
        if node.value < LEAST {
            node.value = NEVER;
        }
        children.clear();
        self.pool.push(children);
        Verdict { value: node.value, plies: node.plies }
    }

    /// Plays every move. Those that end the game are taken in, the others become children; whether the former decide.
    fn expand(&mut self, duel: &Duel, node: &mut Node, children: &mut Vec<Child>) -> bool {
        let mut mask = self.rules.legal_mask(duel);
        while mask != 0 {
            let action = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            let mut next = *duel;
            self.rules.play(&mut next, action);
            self.nodes += 1;
            let change = self.change(duel, &next, node.prover_moves);
            if next.is_over() {
                if node.take(change, 1, action) {
                    return true;
                }
                continue;
            }
            let (key, mirrored) = key_of(&self.rules, &next, self.future, !node.prover_moves);
            // A board that is its own mirror has every move twice.
            if children.iter().all(|child| child.key != key || child.change != change) {
                children.push(Child { duel: next, key, mirrored, action, change, promise: 0 });
            }
        }
        false
    }

    /// Takes in what is known of the children, and removes those; whether that decides.
    fn recall(&mut self, node: &mut Node, children: &mut Vec<Child>, budget: i32) -> bool {
        let own = self.table.get(&node.key);
        let tried = own.map_or(NO_ACTION, |entry| self.seen(entry.action, node.mirrored));
        let mut decided = false;
        let mut kept = 0;
        for index in 0..children.len() {
            let child = &children[index];
            let need = node.need - child.change;
            let entry = self.table.get(&child.key);
            let known = if self.strict {
                let plies = ((budget - PLY).div_euclid(PLY) + 1).clamp(0, TOLD.into()) as u16;
                self.spelt_out(&child.key, need, plies).map(|proof| (proof.value.into(), proof.plies))
            } else {
                None
            };
            let known = known.or_else(|| entry.and_then(|entry| self.settled(&entry, need, budget - PLY)));
            let known = known.or_else(|| self.beyond(child, need, !node.prover_moves));
            if let Some((value, plies)) = known {
                decided |= node.take(child.change.saturating_add(value), longer(plies), child.action);
                if decided {
                    return true;
                }
                continue;
            }
            let promise = self.promise(child, entry.as_ref(), need, node.prover_moves);
            children[index].promise = if children[index].action == tried { i32::MAX } else { promise };
            children.swap(kept, index);
            kept += 1;
        }
        children.truncate(kept);
        false
    }

    /// What an entry says of a need with so much to spend.
    #[inline]
    fn settled(&self, entry: &Entry, need: i32, budget: i32) -> Option<(i32, u16)> {
        if let Some(proof) = entry.proof().filter(|proof| i32::from(proof.value) >= need)
            && (!self.strict || (i32::from(proof.plies) - 1) * PLY <= budget)
        {
            return Some((proof.value.into(), proof.plies));
        }
        let failed = i32::from(entry.failed);
        let tried = entry.budget > 0 && i32::from(entry.budget) >= budget;
        (tried && failed < need).then(|| (failed.max(NEVER), 0))
    }

    /// What an endgame table settles, or that more is needed than there is to be had.
    fn beyond(&self, child: &Child, need: i32, prover_moves: bool) -> Option<(i32, u16)> {
        let bounds = self.known(&child.duel, prover_moves);
        if bounds.lower >= need && !self.strict {
            return Some((bounds.lower, TOLD));
        }
        if bounds.upper < need {
            return Some((bounds.upper, 0));
        }
        let most = self.at_stake(&child.duel) + SLACK;
        (need > most).then_some((most, 0))
    }

    /// All points on the board.
    #[inline]
    fn at_stake(&self, duel: &Duel) -> i32 {
        let pebbles: u32 = duel.pebbles().to_le_bytes().into_iter().map(u32::from).sum();
        pebbles as i32 + duel.mandarins().count_ones() as i32 * i32::from(self.rules.rules().mandarin_value)
    }

    /// An action as on the board that is looked at, from one as on the smaller of it and its mirror, or the reverse.
    #[inline]
    pub(super) fn seen(&self, action: u8, mirrored: bool) -> u8 {
        if mirrored && action != NO_ACTION { self.rules.mirror_action(action) } else { action }
    }

    /// How promising a move is to who makes it.
    fn promise(&self, child: &Child, entry: Option<&Entry>, need: i32, prover_moves: bool) -> i32 {
        let replies = self.rules.legal_mask(&child.duel).count_ones() as i32;
        let gain = if prover_moves { child.change } else { -child.change };
        let mut promise = 8 * gain - 3 * replies;
        if let Some(entry) = entry {
            // What failed with less to spend tells how far off it was.
            let failed = if entry.budget > 0 && i32::from(entry.failed) < need { 20 } else { 0 };
            promise += if prover_moves { -failed } else { failed };
        }
        promise
    }

    /// Searches the children in the order of their promise.
    fn search(&mut self, node: &mut Node, children: &mut [Child], budget: i32, halt: &Halt<'_>) {
        if children.is_empty() {
            return;
        }
        let left = budget - PLY;
        if left < 0 {
            if !node.prover_moves {
                node.value = NEVER;
            }
            return;
        }
        children.sort_by_key(|child| (std::cmp::Reverse(child.promise), child.action));
        for child in children.iter() {
            let need = node.need - child.change;
            let verdict = self.node(&child.duel, (child.key, child.mirrored), need, left, !node.prover_moves, halt);
            if self.halted || node.take(child.change.saturating_add(verdict.value), longer(verdict.plies), child.action)
            {
                return;
            }
        }
    }

    /// Notes what a node came to.
    fn note(&mut self, node: &Node, budget: i32) {
        let action = self.seen(node.action, node.mirrored);
        if node.value >= node.need {
            if self.strict {
                let proof = Proof { value: node.value.min(i16::MAX.into()) as i16, plies: node.plies, action };
                self.spelt.entry(node.key).or_default().push(proof);
            }
            self.table.prove(&node.key, node.value, node.plies, action);
        } else {
            self.table.fail(&node.key, node.value, budget.clamp(0, FOR_GOOD.into()) as u16, action);
        }
    }

    /// Looks at the flags and the clock now and then.
    #[inline]
    fn look(&mut self, halt: &Halt<'_>) {
        if self.nodes - self.looked < BETWEEN_LOOKS {
            return;
        }
        halt.told.fetch_add(self.nodes - mem::replace(&mut self.looked, self.nodes), Ordering::Relaxed);
        self.halted |= halt.stop.load(Ordering::Relaxed)
            || self.nodes >= halt.nodes
            || halt.need > -halt.rival.load(Ordering::Relaxed)
            || halt.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }
}

/// What more than all points on the board is not looked for, though re-seedings of the other side could bring it.
const SLACK: i32 = 5;
