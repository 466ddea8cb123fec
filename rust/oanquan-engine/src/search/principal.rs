//! Principal variation search: alpha-beta that looks at all moves but the first with an empty window, until one is better.
//!
//! What it finds at a depth is what plain minimax of that depth finds, whatever is in the table: nothing is left out on
//! a guess. An entry of the table stands for a position and a depth, and its score is used at that depth only; what is
//! *proven* is used at that depth and deeper, since the line that proves it lies within.

use oanquan_core::duel::{Duel, DuelRules, Future};

use super::evaluation::{Evaluation, POINT};
use super::limits::{Clock, MOST_DEPTH};
use super::ordering::{ACTIONS, Child, Ordering, bring_best};
use super::table::{Entry, Key, Kind, Table};
use super::value::{FAR, KNOWN, Value};
use crate::Probe;

/// Less than every score.
pub(crate) const WORST: i32 = -(1 << 30);

/// So far above the leaves, and further, positions are kept in the table; what lies nearer is found out again in less time
/// than it is looked up.
const KEPT: u32 = 3;
/// So far above the leaves, and further, all moves are played and looked up before one is looked into.
const KEYED: u32 = 5;

/// One thread of a search.
pub(crate) struct Worker<'a> {
    pub(crate) rules: &'a DuelRules,
    evaluation: Evaluation,
    future: Future,
    table: &'a Table,
    tables: Option<&'a dyn Probe>,
    pub(crate) clock: Clock<'a>,
    ordering: Ordering,
    /// For each ply, the moves of the position there.
    children: Vec<[Child; ACTIONS]>,
    /// For each ply, the best line from there on.
    lines: Vec<Line>,
}

#[derive(Clone)]
struct Line {
    actions: [u8; MOST_DEPTH as usize + 1],
    length: usize,
}

/// The window of a node and what is known before its moves are looked at.
struct Node {
    depth: u32,
    ply: usize,
    alpha: i32,
    beta: i32,
    key: Option<Key>,
    /// The best move by the table.
    first: Option<u8>,
    lower: i32,
    upper: i32,
    /// The same by endgame tables alone.
    least: i32,
    most: i32,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        rules: &'a DuelRules,
        table: &'a Table,
        tables: Option<&'a dyn Probe>,
        clock: Clock<'a>,
        root: &Duel,
    ) -> Self {
        let plies = MOST_DEPTH as usize + 2;
        let child = Child { duel: *root, key: None, promise: 0, action: 0 };
        Self {
            rules,
            evaluation: Evaluation::new(rules),
            future: rules.future(),
            table,
            tables,
            clock,
            ordering: Ordering::new(),
            children: vec![[child; ACTIONS]; plies],
            lines: vec![Line { actions: [0; MOST_DEPTH as usize + 1], length: 0 }; plies],
        }
    }

    /// The best line from that ply on, as the last search with an open window left it.
    pub(crate) fn line(&self, ply: usize) -> &[u8] {
        let Line { actions, length } = &self.lines[ply];
        &actions[..*length]
    }

    /// The value of a position that was reached by a move, `depth` plies deep. What it returns is worth nothing once the
    /// clock has stopped.
    #[inline]
    pub(crate) fn value(&mut self, duel: &Duel, depth: u32, ply: usize, alpha: i32, beta: i32) -> Value {
        self.value_of(duel, None, depth, ply, alpha, beta)
    }

    /// The same, with the key if it is known already.
    #[inline]
    fn value_of(&mut self, duel: &Duel, key: Option<Key>, depth: u32, ply: usize, alpha: i32, beta: i32) -> Value {
        if duel.is_over() {
            self.lines[ply].length = 0;
            return Value::ended(self.rules.final_margin(duel));
        }
        match depth {
            0 => {
                self.lines[ply].length = 0;
                self.leaf(duel)
            }
            1 => self.frontier(duel, ply, alpha, beta),
            _ => self.inner(duel, key, depth, ply, alpha, beta),
        }
    }

    /// The value of a position in play where the search ends.
    #[inline]
    fn leaf(&self, duel: &Duel) -> Value {
        let value = Value::guess(POINT * duel.margin() + self.evaluation.future(duel));
        if self.tables.is_some() { self.probed(duel, value) } else { value }
    }

    /// A guess, kept within what endgame tables know.
    fn probed(&self, duel: &Duel, guess: Value) -> Value {
        let (lower, upper) = self.probe(duel);
        Value { score: within(guess.score, lower, upper), lower, upper }
    }

    /// What endgame tables know of the final margin.
    #[inline]
    fn probe(&self, duel: &Duel) -> (i32, i32) {
        let Some(tables) = self.tables else { return (-FAR, FAR) };
        let known = tables.probe(duel);
        let margin = duel.margin();
        let lower = if known.lower > -KNOWN { known.lower + margin } else { -FAR };
        let upper = if known.upper < KNOWN { known.upper + margin } else { FAR };
        (lower, upper)
    }

    /// A position one ply above the leaves.
    fn frontier(&mut self, duel: &Duel, ply: usize, alpha: i32, beta: i32) -> Value {
        let mut best = Value { score: WORST, lower: -FAR, upper: -FAR };
        let (mut chosen, mut mask) = (0, self.rules.legal_mask(duel));
        while mask != 0 {
            let action = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            let mut next = *duel;
            self.rules.play(&mut next, action);
            self.clock.nodes += 1;
            let value = if next.is_over() { -Value::ended(self.rules.final_margin(&next)) } else { -self.leaf(&next) };
            best.lower = best.lower.max(value.lower);
            best.upper = best.upper.max(value.upper);
            if value.score > best.score {
                (best.score, chosen) = (value.score, action);
                if value.score >= beta {
                    best.upper = FAR;
                    break;
                }
            }
        }
        if alpha + 1 < beta {
            let line = &mut self.lines[ply];
            (line.actions[0], line.length) = (chosen, 1);
        }
        if self.tables.is_some() { self.bounded(duel, best) } else { best }
    }

    /// What was found, kept within what endgame tables know.
    fn bounded(&self, duel: &Duel, value: Value) -> Value {
        let (lower, upper) = self.probe(duel);
        Value { score: within(value.score, lower, upper), lower: value.lower.max(lower), upper: value.upper.min(upper) }
    }

    /// A position at least two plies above the leaves.
    fn inner(&mut self, duel: &Duel, key: Option<Key>, depth: u32, ply: usize, alpha: i32, beta: i32) -> Value {
        self.lines[ply].length = 0;
        let (least, most) = self.probe(duel);
        let key = if depth < KEPT { None } else { key.or_else(|| Key::of(self.rules, self.future, duel)) };
        let mut node = Node { depth, ply, alpha, beta, key, first: None, lower: least, upper: most, least, most };
        if let Some(value) = self.known(duel, &mut node) {
            return value;
        }
        let mut best = self.moves(duel, &node);
        if self.clock.stopped {
            return best.0;
        }
        best.0.lower = best.0.lower.max(node.lower);
        best.0.upper = best.0.upper.min(node.upper);
        best.0.score = within(best.0.score, node.least, node.most);
        self.keep(duel, &node, best);
        best.0
    }

    /// What the table and endgame tables say, if that is enough.
    #[inline]
    fn known(&self, duel: &Duel, node: &mut Node) -> Option<Value> {
        let open = node.alpha + 1 < node.beta;
        if let Some(key) = &node.key {
            for entry in self.table.get(key).into_iter().flatten() {
                let value = entry.value.ahead(duel.margin());
                node.first = node.first.or(entry.action);
                if entry.depth > node.depth {
                    continue;
                }
                node.lower = node.lower.max(value.lower);
                node.upper = node.upper.min(value.upper);
                let enough = match entry.kind {
                    Kind::Exact => true,
                    Kind::Lower => value.score >= node.beta,
                    Kind::Upper => value.score <= node.alpha,
                };
                if enough && !open && entry.depth == node.depth {
                    return Some(Value { score: value.score, lower: node.lower, upper: node.upper });
                }
            }
            if key.mirrored {
                node.first = node.first.map(|action| self.rules.mirror_action(action));
            }
        }
        // A line is shown to its end: an open window is left open, unless an endgame table has the value.
        let (lower, upper) = if open { (node.least, node.most) } else { (node.lower, node.upper) };
        let known = |points: i32| Some(Value { score: POINT * points, lower: node.lower, upper: node.upper });
        match () {
            () if lower == upper || lower > -KNOWN && POINT * lower >= node.beta => known(lower),
            () if upper < KNOWN && POINT * upper <= node.alpha => known(upper),
            () => None,
        }
    }

    /// Looks at the moves until one is too good; returns what was found and the best move.
    fn moves(&mut self, duel: &Duel, node: &Node) -> (Value, u8) {
        let mut best = (Value { score: WORST, lower: -FAR, upper: -FAR }, 0);
        let mut mask = self.rules.legal_mask(duel);
        let first = node.first.filter(|&first| mask >> first & 1 != 0);
        if node.depth < KEYED
            && let Some(first) = first
        {
            mask &= !(1 << first);
            let mut next = *duel;
            self.rules.play(&mut next, first);
            self.clock.nodes += 1;
            if self.look_into(&next, None, first, node, &mut best) {
                return best;
            }
        }
        let count = self.play_all(duel, mask, node.ply);
        if node.depth >= KEYED
            && let Some(enough) = self.look_up(node, count, first)
        {
            return enough;
        }
        for place in 0..count {
            bring_best(&mut self.children[node.ply][..count], place);
            let Child { duel, key, action, .. } = self.children[node.ply][place];
            if self.look_into(&duel, key, action, node, &mut best) {
                break;
            }
        }
        best
    }

    /// Plays the moves of a mask and says how promising they look; returns how many there are.
    #[inline]
    fn play_all(&mut self, duel: &Duel, mut mask: u16, ply: usize) -> usize {
        let mut count = 0;
        while mask != 0 {
            let action = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            // In its place: copied right after it was written piece by piece, it would be waited for.
            let child = &mut self.children[ply][count];
            (child.duel, child.action, child.key) = (*duel, action, None);
            self.rules.play(&mut child.duel, action);
            let worth = if child.duel.is_over() {
                POINT * self.rules.final_margin(&child.duel)
            } else {
                POINT * child.duel.margin() + self.evaluation.future(&child.duel)
            };
            child.promise = self.ordering.promise(ply, action) - worth;
            count += 1;
        }
        self.clock.nodes += count as u64;
        count
    }

    /// Asks the table about the positions that the moves lead to: one that is known to be bad enough for the other side
    /// makes all else needless, and what is known of them orders the moves better than a guess.
    #[inline]
    fn look_up(&mut self, node: &Node, count: usize, first: Option<u8>) -> Option<(Value, u8)> {
        let children = &mut self.children[node.ply][..count];
        for child in &mut *children {
            if !child.duel.is_over() {
                child.key = Key::of(self.rules, self.future, &child.duel);
                if let Some(key) = &child.key {
                    self.table.fetch(key);
                }
            }
        }
        let open = node.alpha + 1 < node.beta;
        for child in children {
            let entries = child.key.as_ref().map_or([None; 2], |key| self.table.get(key));
            for entry in entries.into_iter().flatten() {
                let value = -entry.value.ahead(child.duel.margin());
                let holds = entry.depth == node.depth - 1 && entry.kind != Kind::Lower;
                if holds && value.score >= node.beta && !open {
                    return Some((Value { upper: FAR, ..value }, child.action));
                }
                if entry.depth + 2 >= node.depth {
                    child.promise = value.score;
                }
            }
            if first == Some(child.action) {
                child.promise = i32::MAX;
            }
        }
        None
    }

    /// Looks into a move. Returns whether that is enough: it is too good, or the clock has stopped.
    #[inline]
    fn look_into(&mut self, next: &Duel, key: Option<Key>, action: u8, node: &Node, best: &mut (Value, u8)) -> bool {
        if self.clock.must_stop() {
            return true;
        }
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        let alpha = node.alpha.max(best.0.score);
        let mut value;
        if best.0.score == WORST {
            value = -self.value_of(next, key, depth, ply, -node.beta, -alpha);
        } else {
            value = -self.value_of(next, key, depth, ply, -alpha - 1, -alpha);
            if value.score > alpha && value.score < node.beta && !self.clock.stopped {
                let before = value;
                value = -self.value_of(next, key, depth, ply, -node.beta, -alpha);
                value.lower = value.lower.max(before.lower);
                value.upper = value.upper.min(before.upper);
            }
        }
        if self.clock.stopped {
            return true;
        }
        best.0.lower = best.0.lower.max(value.lower);
        best.0.upper = best.0.upper.max(value.upper);
        if value.score > best.0.score {
            (best.0.score, best.1) = (value.score, action);
            if value.score > node.alpha && node.alpha + 1 < node.beta {
                self.lengthen(node.ply, action);
            }
            if value.score >= node.beta {
                self.ordering.cut(node.ply, node.depth, action);
                best.0.upper = FAR;
                return true;
            }
        }
        false
    }

    /// The best line of a ply becomes that move and the best line of the next ply.
    fn lengthen(&mut self, ply: usize, action: u8) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut above[ply], &below[0]);
        let length = rest.length.min(MOST_DEPTH as usize);
        line.actions[0] = action;
        line.actions[1..=length].copy_from_slice(&rest.actions[..length]);
        line.length = length + 1;
    }

    /// Writes down what was found.
    #[inline]
    fn keep(&self, duel: &Duel, node: &Node, (value, action): (Value, u8)) {
        let Some(key) = &node.key else { return };
        let kind = match value.score {
            score if score >= node.beta => Kind::Lower,
            score if score <= node.alpha => Kind::Upper,
            _ => Kind::Exact,
        };
        let action = if key.mirrored { self.rules.mirror_action(action) } else { action };
        let entry = Entry { depth: node.depth, kind, action: Some(action), value: value.ahead(-duel.margin()) };
        self.table.put(key, &entry);
    }
}

/// A score, kept within bounds in points.
#[inline]
fn within(score: i32, lower: i32, upper: i32) -> i32 {
    score.max(POINT * lower.max(-KNOWN)).min(POINT * upper.min(KNOWN))
}
