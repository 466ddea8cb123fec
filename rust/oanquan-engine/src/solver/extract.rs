//! From what was proved to strategies that stand by themselves.
//!
//! The table has, for each position, the proof of most that was found, and no others. A proof was made of proofs that
//! were there at the time; when one of those has since made room for one of more that takes longer, the plies do not fall
//! along that line any more. So the plies are no ranks: a graph of decisions is drawn first, and ranks are read off it. Lines
//! along which the plies do not fall may close a circle, though they hardly ever do. Where one does, what is needed there is
//! proved once more and spelt out: from ended games and in proofs that never make room, so that their plies fall along every
//! line. So is what rests on an endgame table.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oanquan_core::duel::Duel;
use oanquan_core::{Position, Side};

use super::facts::{Proof, TOLD};
use super::held::Closed;
use super::race::Goal;
use super::ranks;
use super::search::{Halt, Searcher};
use super::{SolveError, Telling};
use crate::certificate::{Bound, Carried, Certificate, Claim, Decision, Ground, Spot};

/// What is asked of a proof besides what it proves.
#[derive(Clone, Copy)]
struct Below {
    /// Rather one of fewer plies than that.
    plies: u16,
    /// One that is spelt out, no other.
    is_spelt: bool,
}

const ANY: Below = Below { plies: TOLD, is_spelt: false };

/// The rank of decisions that hold without an end.
const HELD: u16 = 0;

/// A value as decisions have it.
fn narrowed(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// A position and the proof that is followed there.
struct Node {
    searcher: usize,
    duel: Duel,
    spot: Spot,
    proof: Proof,
    /// Whether the proof is spelt out, and so are its answers.
    is_spelt: bool,
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
    searchers: &'a mut [Searcher<'p>],
    stop: &'a AtomicBool,
    telling: &'a Telling,
    claims: Vec<Claim>,
    nodes: Vec<Node>,
    by_spot: HashMap<Spot, Vec<u32>>,
    /// Decisions of closed sets.
    held: Vec<Decision>,
    /// How many nodes have their answers.
    closed: usize,
}

impl<'a, 'p> Extraction<'a, 'p> {
    pub(super) fn new(
        position: &Position,
        searchers: &'a mut [Searcher<'p>],
        stop: &'a AtomicBool,
        telling: &'a Telling,
    ) -> Self {
        let ground = Ground::of(position);
        let (claims, nodes, by_spot, held) = (Vec::new(), Vec::new(), HashMap::new(), Vec::new());
        Self { ground, searchers, stop, telling, claims, nodes, by_spot, held, closed: 0 }
    }

    /// The claims about a goal, which is that position, and all nodes that they need.
    pub(super) fn add(&mut self, goal: &Goal, position: &Position) -> Result<(), SolveError> {
        let margin = goal.duel.margin();
        if let Some((value, searcher)) = goal.lower {
            self.node_for(searcher, &goal.duel, value, ANY)?;
            self.claims.push(Claim { position: *position, bound: Bound::Lower, value: margin + value });
            self.close()?;
        }
        if let Some((value, searcher)) = goal.upper {
            self.answers(searcher, &goal.duel, value, ANY)?;
            self.claims.push(Claim { position: *position, bound: Bound::Upper, value: margin + value });
            self.close()?;
        }
        let bounds = [(goal.lower, Bound::LowerAtMost), (goal.upper, Bound::UpperAtLeast)];
        for (held, (value, bound)) in goal.held.iter().zip(bounds) {
            if let (Some((closed, searcher)), Some((value, _))) = (held, value) {
                self.add_held(closed, *searcher)?;
                self.claims.push(Claim { position: *position, bound, value: margin + value });
            }
        }
        Ok(())
    }

    /// The decisions of a closed set, and all nodes that they need.
    fn add_held(&mut self, closed: &Closed, searcher: usize) -> Result<(), SolveError> {
        for &(duel, need, action) in &closed.decisions {
            let (spot, mirrored) = self.spot(&duel);
            let its = &self.searchers[searcher];
            let action = if mirrored { its.rules.mirror_action(action) } else { action };
            self.held.push(Decision { spot, value: narrowed(its.lower_bound(&duel, need)), rank: HELD, action });
        }
        for (duel, need) in &closed.forced {
            self.node_for(searcher, duel, *need, ANY)?;
            self.close()?;
        }
        for (duel, most) in &closed.refuted {
            self.answers(searcher, duel, *most, ANY)?;
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
            value: narrowed(node.proof.value),
            rank,
            action: node.action,
        };
        let mut decisions: Vec<_> = self.nodes.iter().zip(ranks).map(row).chain(self.held).collect();
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
            let Node { searcher, duel, proof, is_spelt, .. } = self.nodes[self.closed];
            let its = &self.searchers[searcher];
            let mut next = duel;
            its.rules.play(&mut next, its.seen(proof.action, its.key(&duel).1));
            // What the other side may have at most from there.
            let most = its.change(&duel, &next) - proof.value;
            if !next.is_over() {
                let below = Below { plies: proof.plies, is_spelt };
                self.nodes[self.closed].answers = self.answers(searcher, &next, most, below)?;
            }
            self.closed += 1;
        }
        Ok(())
    }

    /// The answers to every move of this position, so that its side to move does not have more than that.
    fn answers(&mut self, searcher: usize, duel: &Duel, most: i32, below: Below) -> Result<Vec<Answer>, SolveError> {
        let rules = self.searchers[searcher].rules;
        let mut answers = Vec::new();
        let mut mask = rules.legal_mask(duel);
        while mask != 0 {
            let mut next = *duel;
            rules.play(&mut next, mask.trailing_zeros() as u8);
            mask &= mask - 1;
            if !next.is_over() {
                let need = self.searchers[searcher].change(duel, &next) - most;
                answers.push(Answer { node: self.node_for(searcher, &next, need, below)?, need });
            }
        }
        Ok(answers)
    }

    /// A node for a position in which there is so much to be had.
    fn node_for(&mut self, searcher: usize, duel: &Duel, need: i32, below: Below) -> Result<u32, SolveError> {
        if below.is_spelt {
            return self.spelt(searcher, duel, need);
        }
        let asked = self.searchers[searcher].asked(duel, need);
        for again in [false, true] {
            // Of fewer plies if one is at hand.
            for most in [below.plies - 1, TOLD - 1] {
                if let Some(node) = self.fitting(duel, need, most, false) {
                    return Ok(node);
                }
                let its = &self.searchers[searcher];
                if let Some(proof) = its.proof(&its.key(duel).0, duel, asked).filter(|proof| proof.is(asked, most)) {
                    return Ok(self.push(searcher, duel, proof, false));
                }
            }
            let count = AtomicU64::new(0);
            let halt = Halt::by_flag(self.stop, &count);
            if !again && self.searchers[searcher].known(duel).lower < asked {
                // The table had no room to keep it.
                self.searchers[searcher].ask(duel, asked, false, &halt);
            }
        }
        self.spelt(searcher, duel, need)
    }

    /// A node that is there, of so much within so many plies.
    fn fitting(&self, duel: &Duel, need: i32, most: u16, is_spelt: bool) -> Option<u32> {
        let known = self.by_spot.get(&self.spot(duel).0).into_iter().flatten().copied();
        known.into_iter().find(|&node| {
            let node = &self.nodes[node as usize];
            node.proof.is(need, most) && (node.is_spelt || !is_spelt)
        })
    }

    fn push(&mut self, searcher: usize, duel: &Duel, mut proof: Proof, is_spelt: bool) -> u32 {
        let (spot, mirrored) = self.spot(duel);
        let its = &self.searchers[searcher];
        proof.value = its.lower_bound(duel, proof.value);
        let seen = its.seen(proof.action, its.key(duel).1);
        let action = if mirrored { its.rules.mirror_action(seen) } else { seen };
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { searcher, duel: *duel, spot, proof, is_spelt, action, answers: Vec::new() });
        self.by_spot.entry(spot).or_default().push(number);
        self.telling.decisions.fetch_add(1, Ordering::Relaxed);
        number
    }

    /// A node whose proof is spelt out.
    fn spelt(&mut self, searcher: usize, duel: &Duel, need: i32) -> Result<u32, SolveError> {
        let its = &mut self.searchers[searcher];
        let asked = its.asked(duel, need);
        let mut proof = its.spelt_proof(&its.key(duel).0, duel, asked);
        if proof.is_none() {
            let count = AtomicU64::new(0);
            let halt = Halt::by_flag(self.stop, &count);
            proof = its.spell(duel, asked, &halt);
        }
        let Some(proof) = proof else {
            let lost = || SolveError::Lost(its.rules.position(duel, Side::A).to_string());
            return Err(if its.halted { SolveError::Stopped } else { lost() });
        };
        let there = self.fitting(duel, need, proof.plies, true);
        Ok(there.unwrap_or_else(|| self.push(searcher, duel, proof, true)))
    }

    /// Opens circles: within each, answers of as many plies as what they answer, or more, make room for what is spelt out.
    fn straighten(&mut self, circles: &[u32]) -> Result<(), SolveError> {
        for number in 0..circles.len() {
            for place in 0..self.nodes[number].answers.len() {
                let Answer { node, need } = self.nodes[number].answers[place];
                let (from, to) = (&self.nodes[number], &self.nodes[node as usize]);
                let same = circles[number] != ranks::NO_CIRCLE && circles[number] == circles[node as usize];
                if same && to.proof.plies >= from.proof.plies {
                    let (searcher, duel) = (to.searcher, to.duel);
                    self.nodes[number].answers[place].node = self.spelt(searcher, &duel, need)?;
                }
            }
        }
        self.close()
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
