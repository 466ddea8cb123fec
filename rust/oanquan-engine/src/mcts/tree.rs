//! The tree: nodes, their edges, how one is chosen and what is written into it.

use oanquan_core::{Moves, Side};

use super::field::{Field, Values};
use super::playout::draw;
use super::{Selection, Value};
use crate::GameStream;

/// A legal action of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The values of its visits, summed, for the side that chooses.
    pub(super) sum: f64,
    pub(super) visits: u32,
    /// The node it leads to; [`NONE`] while there is none.
    child: u32,
    pub(super) prior: f32,
    /// What it is worth, if `solved`.
    pub(super) exact: f32,
    pub(super) action: u8,
    pub(super) solved: bool,
}

const NONE: u32 = u32::MAX;

impl Edge {
    /// The mean of its values, or what it is worth exactly; 0 without a visit.
    #[inline]
    pub(super) fn value(&self) -> f32 {
        match self.visits {
            _ if self.solved => self.exact,
            0 => 0.0,
            visits => (self.sum / f64::from(visits)) as f32,
        }
    }
}

/// What the choice asks of an edge, apart from the rest and worked out when it changes: every choice asks all edges of a
/// node, and changes one.
#[derive(Clone, Copy, Debug)]
struct Bound {
    /// What the edge is worth.
    value: f32,
    /// What the weight of the node is multiplied with: 1 / √n, or p / (1 + n); 0 of an edge that is solved.
    spread: f32,
}

/// A position in which somebody chooses.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The values of its visits, summed, for the side that chooses.
    sum: f64,
    first: u32,
    visits: u32,
    /// `c √(ln N)`, or `c √(N + 1)`: with one more than the visits, so that priors decide from the first on.
    weight: f32,
    /// Its edges, and those of them without a visit.
    edges: u8,
    unvisited: u8,
}

/// An edge that a simulation goes through, and its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    node: u32,
    edge: u32,
}

/// Where a simulation came out of the tree.
pub(super) enum Leaf<S> {
    /// What it is worth is known: to each side, from the side to move there on.
    Known(Values),
    /// A state in play that nobody has looked at.
    New(S),
}

/// How a tree grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habit {
    pub(super) selection: Selection,
    pub(super) exploration: f32,
    pub(super) value: Value,
    /// Whether a leaf becomes a node by itself, when it is come to again; otherwise others make nodes.
    pub(super) grows: bool,
}

/// A tree from a position that is not over.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    habit: Habit,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// As many as there are edges.
    bounds: Vec<Bound>,
    /// What the root is worth to the side to move, if that is known exactly.
    pub(super) exact: Option<f32>,
    /// The edges that the last walk went through.
    path: Vec<Step>,
}

impl Tree {
    /// A tree of one node with these legal actions.
    pub(super) fn new(mask: u16, habit: Habit) -> Self {
        let mut tree = Self::empty(habit);
        tree.grow(mask);
        tree
    }

    fn empty(habit: Habit) -> Self {
        let (nodes, edges, bounds, path) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { habit, nodes, edges, bounds, exact: None, path }
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The edges of the root, by their actions.
    pub(super) fn root(&self) -> &[Edge] {
        self.edges_of(0)
    }

    /// How many edges the last walk went through.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.path.len() as u32
    }

    fn edges_of(&self, node: u32) -> &[Edge] {
        let Node { first, edges, .. } = self.nodes[node as usize];
        &self.edges[first as usize..][..edges.into()]
    }

    /// Adds a node with these legal actions, all of the same prior.
    fn grow(&mut self, mask: u16) -> u32 {
        let (node, first, edges) = (self.nodes.len() as u32, self.edges.len() as u32, mask.count_ones());
        let prior = 1.0 / edges.max(1) as f32;
        let edge = |action| Edge { sum: 0.0, visits: 0, child: NONE, prior, exact: 0.0, action, solved: false };
        self.edges.extend(Moves::new(Side::A, mask).map(|mv| edge(mv.action())));
        self.bounds.resize(self.edges.len(), Bound { value: 0.0, spread: prior });
        let weight = self.habit.exploration;
        self.nodes.push(Node { sum: 0.0, first, visits: 0, weight, edges: edges as u8, unvisited: edges as u8 });
        node
    }

    /// Walks from the root, which stands at that state, to where the tree ends; the path is kept.
    pub(super) fn walk<F: Field>(&mut self, field: &F, root: &F::State, stream: GameStream) -> Leaf<F::State> {
        let (mut state, mut node) = (*root, 0);
        self.path.clear();
        loop {
            let edge = self.choose(node, stream);
            self.path.push(Step { node, edge });
            let Edge { child, visits, action, solved, exact, .. } = self.edges[edge as usize];
            if solved {
                return Leaf::Known([-exact, exact, 0.0, 0.0]);
            }
            field.play(&mut state, action);
            if field.is_over(&state) {
                let values = field.values(&state, self.habit.value);
                if field.solves() {
                    self.solve(-values[0]);
                }
                return Leaf::Known(values);
            }
            node = match child {
                NONE if self.habit.grows && visits > 0 => {
                    let child = self.grow(field.mask(&state));
                    self.edges[edge as usize].child = child;
                    child
                }
                NONE => return Leaf::New(state),
                child => child,
            };
        }
    }

    /// The edge with the greatest bound: by visits, one without a visit first, drawn; by priors, one without a visit being
    /// worth what the node is.
    #[inline]
    fn choose(&self, node: u32, stream: GameStream) -> u32 {
        let Node { sum, first, visits, weight, edges, unvisited } = self.nodes[node as usize];
        let bounds = &self.bounds[first as usize..][..edges.into()];
        if unvisited == 0 {
            return first + greatest(bounds.iter().map(|bound| bound.value + weight * bound.spread));
        }
        let edges = self.edges_of(node);
        if self.habit.selection == Selection::Uct {
            let new = edges.iter().enumerate().filter(|(_, edge)| edge.visits == 0);
            let mask = new.fold(0, |mask, (place, _)| mask | 1 << place);
            return first + u32::from(draw(mask, stream, self.depth()));
        }
        let mean = if visits == 0 { 0.0 } else { (sum / f64::from(visits)) as f32 };
        let value = |edge: &Edge, bound: &Bound| if edge.visits == 0 { mean } else { bound.value };
        let bound = |(edge, bound): (&Edge, &Bound)| value(edge, bound) + weight * bound.spread;
        first + greatest(edges.iter().zip(bounds).map(bound))
    }

    /// Makes the edge that the path ends in worth exactly that, and whatever follows from it.
    fn solve(&mut self, exact: f32) {
        let mut exact = exact;
        for step in (0..self.path.len()).rev() {
            let Step { node, edge } = self.path[step];
            self.bounds[edge as usize] = Bound { value: exact, spread: 0.0 };
            let edge = &mut self.edges[edge as usize];
            (edge.solved, edge.exact) = (true, exact);
            let edges = self.edges_of(node);
            let best = edges.iter().filter(|edge| edge.solved).map(|edge| edge.exact).fold(-1.0, f32::max);
            // Nothing is worth more than 1.
            if best < 1.0 && !edges.iter().all(|edge| edge.solved) {
                return;
            }
            exact = -best;
        }
        self.exact = Some(-exact);
    }

    /// Writes into the path what its end is worth to each side, from the side to move there on.
    #[inline]
    pub(super) fn back_up(&mut self, values: &Values, sides: usize) {
        let Habit { selection, exploration, .. } = self.habit;
        let mut seat = 0;
        for &Step { node, edge: place } in self.path.iter().rev() {
            seat = if seat == 0 { sides - 1 } else { seat - 1 };
            let value = f64::from(values[seat & 3]);
            let edge = &mut self.edges[place as usize];
            let node = &mut self.nodes[node as usize];
            node.unvisited -= u8::from(edge.visits == 0);
            node.visits += 1;
            node.sum += value;
            edge.visits += 1;
            edge.sum += value;
            let visits = edge.visits as f32;
            let spread = match selection {
                Selection::Uct => {
                    node.weight = exploration * ln(node.visits).sqrt();
                    1.0 / visits.sqrt()
                }
                Selection::Puct => {
                    node.weight = exploration * (node.visits as f32 + 1.0).sqrt();
                    edge.prior / (1.0 + visits)
                }
            };
            if !edge.solved {
                self.bounds[place as usize] = Bound { value: edge.value(), spread };
            }
        }
    }

    /// Makes a node of the state that the last walk came out at, with these legal actions and the priors of every action.
    pub(super) fn grow_leaf(&mut self, mask: u16, priors: &[f32]) {
        let node = self.grow(mask);
        if let Some(last) = self.path.last() {
            self.edges[last.edge as usize].child = node;
        }
        self.set_priors(node, priors);
    }

    /// Gives the root the priors of every action.
    pub(super) fn set_root_priors(&mut self, priors: &[f32]) {
        self.set_priors(0, priors);
    }

    /// The priors of the legal actions, made to sum to 1; equal ones if all are 0.
    fn set_priors(&mut self, node: u32, priors: &[f32]) {
        let Node { first, edges, .. } = self.nodes[node as usize];
        let edges = &mut self.edges[first as usize..][..edges.into()];
        let prior = |edge: &Edge| priors.get(usize::from(edge.action)).copied().unwrap_or_default();
        let all: f32 = edges.iter().map(prior).sum();
        if all > 0.0 {
            for (edge, bound) in edges.iter_mut().zip(&mut self.bounds[first as usize..]) {
                edge.prior = prior(edge) / all;
                bound.spread = edge.prior;
            }
        }
    }

    /// Mixes noise, a share for each legal action, into the priors of the root.
    pub(super) fn add_noise(&mut self, noise: &[f32], fraction: f32) {
        let edges = usize::from(self.nodes[0].edges);
        for ((edge, bound), &noise) in self.edges[..edges].iter_mut().zip(&mut self.bounds).zip(noise) {
            edge.prior += fraction * (noise - edge.prior);
            if !edge.solved {
                bound.spread = edge.prior / (1.0 + edge.visits as f32);
            }
        }
    }

    /// The edge of a node to play: of those that are solved the best one, if it is worth as much as the most visited of the
    /// others, else that one. `None` if there is no edge.
    fn best_of(&self, node: u32) -> Option<&Edge> {
        let edges = self.edges_of(node);
        // Of equals the first: `max_by` takes the last.
        let open = edges.iter().rev().filter(|edge| !edge.solved);
        let open = open.max_by(|a, b| a.visits.cmp(&b.visits).then(a.value().total_cmp(&b.value())));
        let solved = edges.iter().rev().filter(|edge| edge.solved);
        let solved = solved.max_by(|a, b| a.exact.total_cmp(&b.exact).then(a.visits.cmp(&b.visits)));
        match (solved, open) {
            (Some(solved), Some(open)) => Some(if solved.exact >= open.value() { solved } else { open }),
            (solved, open) => solved.or(open),
        }
    }

    /// The action to play at the root.
    pub(super) fn best(&self) -> Option<u8> {
        self.best_of(0).map(|edge| edge.action)
    }

    /// The actions to play from the root on, as far as the tree reaches.
    pub(super) fn line(&self) -> Vec<u8> {
        let (mut line, mut node) = (Vec::new(), 0);
        while node != NONE {
            let Some(edge) = self.best_of(node).filter(|edge| edge.visits > 0) else { break };
            line.push(edge.action);
            node = edge.child;
        }
        line
    }

    /// The subtree under an action of the root, with everything that is known there; `None` if there is no node yet.
    pub(super) fn subtree(&self, action: u8) -> Option<Self> {
        let top = self.root().iter().find(|edge| edge.action == action).filter(|edge| edge.child != NONE)?;
        let mut below = Self::empty(self.habit);
        below.exact = top.solved.then_some(-top.exact);
        // Nodes in the order of their discovery; each is copied with the old numbers of its children, which are then
        // replaced.
        let mut old = vec![top.child];
        let mut next = 0;
        while let Some(&node) = old.get(next) {
            let first = below.edges.len() as u32;
            let Node { first: old_first, edges, .. } = self.nodes[node as usize];
            below.nodes.push(Node { first, ..self.nodes[node as usize] });
            below.bounds.extend_from_slice(&self.bounds[old_first as usize..][..edges.into()]);
            for edge in self.edges_of(node) {
                let mut edge = *edge;
                if edge.child != NONE {
                    old.push(edge.child);
                    edge.child = old.len() as u32 - 1;
                }
                below.edges.push(edge);
            }
            next += 1;
        }
        Some(below)
    }
}

/// The place of the first of the greatest numbers.
#[inline]
fn greatest(numbers: impl Iterator<Item = f32>) -> u32 {
    let (mut best, mut most) = (0, f32::NEG_INFINITY);
    for (place, number) in numbers.enumerate() {
        if number > most {
            (best, most) = (place, number);
        }
    }
    best as u32
}

/// The natural logarithm of a whole number, 0 of 0, to about six digits. The one of the system's library may differ from
/// machine to machine in its last bit.
#[inline]
fn ln(n: u32) -> f32 {
    let number = n.max(1);
    let log2 = number.ilog2();
    // A number from 1 to 2, and ln m = 2 artanh((m - 1) / (m + 1)).
    let part = number as f32 / (1_u64 << log2) as f32;
    let s = (part - 1.0) / (part + 1.0);
    let square = s * s;
    let series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
    log2 as f32 * std::f32::consts::LN_2 + 2.0 * s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_one() {
        for n in (1..5000).chain((5000..u32::MAX).step_by(1_234_567)) {
            let exact = f64::from(n).ln();
            assert!((f64::from(ln(n)) - exact).abs() <= 3e-6 * exact.max(1.0), "{n}: {} {exact}", ln(n));
        }
        assert_eq!((ln(0), ln(1)), (0.0, 0.0));
    }
}
