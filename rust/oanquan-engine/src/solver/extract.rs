//! From what the provers remember to strategies that stand by themselves.
//!
//! The table has, for each position, the proof of most that was found, and no others. A proof was made of proofs that
//! were there at the time; when one of those has since made room for one of more that takes longer, the plies do not fall
//! along that line any more. So the plies are no ranks: a graph of decisions is drawn first, and ranks are read off it. Lines
//! along which the plies do not fall may close a circle, though they hardly ever do. Where one does, what is needed there is
//! proved once more, within so many plies that there is none.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

use oanquan_core::duel::Duel;
use oanquan_core::{Position, Side};

use super::proof::{Halt, NEVER, PLY, Prover};
use super::race::Goal;
use super::ranks;
use super::table::{Proof, TOLD, key_of};
use super::{SolveError, Telling};
use crate::certificate::{Bound, Carried, Certificate, Claim, Decision, Ground, Spot};

/// Proofs of what endgame tables know are not longer.
const MOST_PLIES: u16 = 400;

/// A position of a prover, and the proof that is followed there.
struct Node {
    prover: usize,
    duel: Duel,
    spot: Spot,
    proof: Proof,
    /// As on the spot's board.
    action: u8,
    /// The answers to the replies.
    answers: Vec<Answer>,
}

/// The node that answers a reply, and what it has to promise.
#[derive(Clone, Copy)]
struct Answer {
    node: u32,
    need: i32,
}

/// The decisions of a certificate as they are found.
pub(super) struct Extraction<'a, 'p> {
    ground: Ground,
    provers: &'a mut [Prover<'p>; 2],
    stop: &'a AtomicBool,
    telling: &'a Telling,
    claims: Vec<Claim>,
    nodes: Vec<Node>,
    by_spot: HashMap<Spot, Vec<u32>>,
    /// How many nodes have their answers.
    closed: usize,
}

impl<'a, 'p> Extraction<'a, 'p> {
    pub(super) fn new(
        position: &Position,
        provers: &'a mut [Prover<'p>; 2],
        stop: &'a AtomicBool,
        telling: &'a Telling,
    ) -> Self {
        let ground = Ground::of(position);
        let (claims, nodes, by_spot) = (Vec::new(), Vec::new(), HashMap::new());
        Self { ground, provers, stop, telling, claims, nodes, by_spot, closed: 0 }
    }

    /// The claims about a goal, which is that position, and all nodes that they need.
    pub(super) fn add(&mut self, goal: &Goal, position: &Position) -> Result<(), SolveError> {
        for (number, pursuit) in goal.pursuits.iter().enumerate() {
            if pursuit.proved == NEVER {
                continue;
            }
            let (bound, value) = if goal.moves(number) {
                self.node_for(number, &goal.duel, pursuit.proved, u16::MAX)?;
                (Bound::Lower, goal.duel.margin() + pursuit.proved)
            } else {
                self.answers(number, &goal.duel, pursuit.proved, u16::MAX)?;
                (Bound::Upper, goal.duel.margin() - pursuit.proved)
            };
            self.claims.push(Claim { position: *position, bound, value });
            self.close()?;
        }
        Ok(())
    }

    /// The certificate, once every claim is added.
    pub(super) fn finish(mut self) -> Result<Certificate, SolveError> {
        let ranks = loop {
            let edges: Vec<Vec<u32>> =
                self.nodes.iter().map(|node| node.answers.iter().map(|answer| answer.node).collect()).collect();
            match ranks::ranks(&edges) {
                Ok(ranks) => break ranks,
                Err(circles) => self.straighten(&circles)?,
            }
        };
        let row = |(node, rank): (&Node, u16)| Decision {
            spot: node.spot,
            value: node.proof.value,
            rank,
            action: node.action,
        };
        let mut decisions: Vec<_> = self.nodes.iter().zip(ranks).map(row).collect();
        decisions.sort_unstable();
        decisions.dedup();
        Ok(Certificate { rules: *self.ground.rules(), claims: self.claims, decisions })
    }

    /// Finds the answers of every node that has none yet.
    fn close(&mut self) -> Result<(), SolveError> {
        while self.closed < self.nodes.len() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(SolveError::Stopped);
            }
            let Node { prover, duel, proof, .. } = self.nodes[self.closed];
            let (rules, future) = (self.provers[prover].rules, self.provers[prover].future);
            let action = self.provers[prover].seen(proof.action, key_of(&rules, &duel, future, true).1);
            let mut next = duel;
            rules.play(&mut next, action);
            let need = i32::from(proof.value) - self.provers[prover].change(&duel, &next, true);
            if !next.is_over() {
                self.nodes[self.closed].answers = self.answers(prover, &next, need, proof.plies)?;
            }
            self.closed += 1;
        }
        Ok(())
    }

    /// The answers to every move of the other side in this position.
    fn answers(&mut self, prover: usize, duel: &Duel, need: i32, below: u16) -> Result<Vec<Answer>, SolveError> {
        let rules = self.provers[prover].rules;
        let mut answers = Vec::new();
        let mut mask = rules.legal_mask(duel);
        while mask != 0 {
            let mut next = *duel;
            rules.play(&mut next, mask.trailing_zeros() as u8);
            mask &= mask - 1;
            if !next.is_over() {
                let need = need - self.provers[prover].change(duel, &next, false);
                answers.push(Answer { node: self.node_for(prover, &next, need, below)?, need });
            }
        }
        Ok(answers)
    }

    /// A node for a position in which the prover is to move: of fewer plies than `below` if one is at hand.
    fn node_for(&mut self, prover: usize, duel: &Duel, need: i32, below: u16) -> Result<u32, SolveError> {
        let (spot, _) = self.spot(duel);
        for most in [below - 1, u16::MAX] {
            let known = self.by_spot.get(&spot).into_iter().flatten().copied();
            let mut fitting = known.filter(|&node| self.nodes[node as usize].proof.is(need, most));
            if let Some(node) = fitting.next() {
                return Ok(node);
            }
            if let Some(proof) = self.provers[prover].proof(duel, need, most) {
                return Ok(self.push(prover, duel, proof));
            }
        }
        let proof = self.found_again(prover, duel, need)?;
        Ok(self.push(prover, duel, proof))
    }

    fn push(&mut self, prover: usize, duel: &Duel, proof: Proof) -> u32 {
        let (spot, mirrored) = self.spot(duel);
        let Prover { rules, future, .. } = self.provers[prover];
        let seen = self.provers[prover].seen(proof.action, key_of(&rules, duel, future, true).1);
        let action = if mirrored { rules.mirror_action(seen) } else { seen };
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { prover, duel: *duel, spot, proof, action, answers: Vec::new() });
        self.by_spot.entry(spot).or_default().push(number);
        self.telling.decisions.fetch_add(1, Ordering::Relaxed);
        number
    }

    /// A proof that the table has no more, or that an endgame table has and does not spell out.
    fn found_again(&mut self, prover: usize, duel: &Duel, need: i32) -> Result<Proof, SolveError> {
        let told = self.provers[prover].known(duel, true).lower >= need;
        let (rival, count) = (AtomicI32::new(NEVER), AtomicU64::new(0));
        let halt = Halt { stop: self.stop, deadline: None, nodes: u64::MAX, rival: &rival, need, told: &count };
        let prover = &mut self.provers[prover];
        for plies in (1..MOST_PLIES).step_by(2) {
            let proof = if told {
                prover.prove_within(duel, need, plies, &halt)
            } else {
                prover.prove(duel, need, i32::from(plies) * PLY, true, &halt);
                prover.proof(duel, need, u16::MAX)
            };
            if let Some(proof) = proof {
                return Ok(proof);
            }
            if prover.halted {
                return Err(SolveError::Stopped);
            }
        }
        Err(SolveError::Lost(prover.rules.position(duel, Side::A).to_string()))
    }

    /// Opens circles: within each, answers of as many plies as what they answer, or more, make room for shorter ones.
    fn straighten(&mut self, circles: &[u32]) -> Result<(), SolveError> {
        let mut opened = 0;
        for number in 0..circles.len() {
            for place in 0..self.nodes[number].answers.len() {
                let Answer { node, need } = self.nodes[number].answers[place];
                let (from, to) = (&self.nodes[number], &self.nodes[node as usize]);
                let same = circles[number] != ranks::NO_CIRCLE && circles[number] == circles[node as usize];
                if !same || to.proof.plies < from.proof.plies {
                    continue;
                }
                let (prover, duel, below) = (to.prover, to.duel, from.proof.plies);
                let shorter = self.shorter(prover, &duel, need, below)?;
                self.nodes[number].answers[place].node = shorter;
                opened += 1;
            }
        }
        if opened == 0 {
            return Err(SolveError::Lost(String::from("a position that its own proof comes back to")));
        }
        self.close()
    }

    /// A node whose proof has fewer plies than that.
    fn shorter(&mut self, prover: usize, duel: &Duel, need: i32, below: u16) -> Result<u32, SolveError> {
        let (spot, _) = self.spot(duel);
        let known = self.by_spot.get(&spot).into_iter().flatten().copied();
        let mut fitting = known.filter(|&node| self.nodes[node as usize].proof.is(need, below - 1));
        if let Some(node) = fitting.next() {
            return Ok(node);
        }
        let (rival, count) = (AtomicI32::new(NEVER), AtomicU64::new(0));
        let halt = Halt { stop: self.stop, deadline: None, nodes: u64::MAX, rival: &rival, need, told: &count };
        match self.provers[prover].prove_within(duel, need, below.min(TOLD) - 1, &halt) {
            Some(proof) => Ok(self.push(prover, duel, proof)),
            None if self.provers[prover].halted => Err(SolveError::Stopped),
            None => Err(SolveError::Lost(self.provers[prover].rules.position(duel, Side::A).to_string())),
        }
    }

    /// The spot of a duel in play, and whether it is that of its mirror.
    fn spot(&self, duel: &Duel) -> (Spot, bool) {
        let carried = self.ground.carried();
        let spot = Spot {
            pebbles: duel.pebbles().to_le_bytes(),
            mandarins: duel.mandarins(),
            ban: duel.ban(),
            funds: if carried == Carried::Nothing { 0 } else { duel.funds()[0] },
            margin: if carried == Carried::Margin { duel.margin() } else { 0 },
        };
        self.ground.canonical(spot)
    }
}
