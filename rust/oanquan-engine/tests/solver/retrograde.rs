//! The whole state space of small games, with neither search nor `Duel`: bounds by sweeps from the ends.

use std::collections::HashMap;

use oanquan_core::{Ending, Position, Side};
use oanquan_engine::certificate::{Ground, Spot};

/// Stands for endless play, on either side.
const ENDLESS: i32 = 1_000_000;

/// What a move leads to: a change of the mover's margin, and the state, if the game goes on.
pub(crate) struct Edge {
    pub(crate) change: i32,
    pub(crate) to: Option<usize>,
    /// The move, by its number on the board of the spot.
    pub(crate) action: u8,
}

/// Every state that can be reached, the start first.
pub(crate) struct Space {
    pub(crate) positions: Vec<Position>,
    pub(crate) spots: Vec<Spot>,
    pub(crate) edges: Vec<Vec<Edge>>,
    /// For each state what the side to move can force and what it can be held to, as changes of its margin from here on.
    known: Vec<(i32, i32)>,
    /// For each state what the side to move can force within how many plies, where more plies force more.
    pub(crate) forced: Vec<Vec<(i32, u16)>>,
}

pub(crate) fn margin(position: &Position, side: Side) -> i32 {
    let points = position.points();
    let counted = points[Side::A] - points[Side::B];
    let counted = if side == Side::A { counted } else { -counted };
    match position.outcome() {
        Some(outcome) if outcome.ending == Ending::Loses => {
            let all = position.rules().total_points();
            if outcome.winner == Some(side) { counted.max(all) } else { counted.min(-all) }
        }
        _ => counted,
    }
}

/// What each side can force of the final margin of a position with the game over, where endless play is worth the worst to
/// whoever proves: the lower and the upper bound, `None` where nothing can be forced.
pub(crate) fn bounds(start: &Position) -> (Option<i32>, Option<i32>) {
    let (lower, upper) = Space::of(start).bounds(0);
    let told = |bound: i32| bound + margin(start, start.turn());
    (lower.map(told), upper.map(told))
}

impl Space {
    pub(crate) fn of(start: &Position) -> Self {
        let mut space = states(start);
        for sweep in 1.. {
            assert!(sweep < 2000, "bounds grow without end");
            let swept: Vec<_> = (0..space.edges.len()).map(|state| space.swept(state)).collect();
            for (state, (before, after)) in space.known.iter().zip(&swept).enumerate() {
                if after.0 > before.0 {
                    space.forced[state].push((after.0, sweep));
                }
            }
            if swept == space.known {
                break;
            }
            space.known = swept;
        }
        space
    }

    /// The bounds of a state, as changes of the mover's margin from here on.
    pub(crate) fn bounds(&self, state: usize) -> (Option<i32>, Option<i32>) {
        let (lower, upper) = self.known[state];
        let told = |bound: i32| (bound.abs() != ENDLESS).then_some(bound);
        (told(lower), told(upper))
    }

    /// What a move is worth to who makes it, if endless play is worth the worst to it, and if the best.
    pub(crate) fn worth(&self, edge: &Edge) -> (i32, i32) {
        match edge.to {
            None => (edge.change, edge.change),
            Some(to) => {
                let (lower, upper) = self.known[to];
                (add(edge.change, -upper), add(edge.change, -lower))
            }
        }
    }

    fn swept(&self, state: usize) -> (i32, i32) {
        let worths = || self.edges[state].iter().map(|edge| self.worth(edge));
        (worths().map(|worth| worth.0).max().unwrap(), worths().map(|worth| worth.1).max().unwrap())
    }
}

fn add(change: i32, bound: i32) -> i32 {
    if bound.abs() == ENDLESS { bound } else { change + bound }
}

fn states(start: &Position) -> Space {
    let ground = Ground::of(start);
    let mut numbers: HashMap<Spot, usize> = HashMap::from([(ground.spot(start).0, 0)]);
    let mut positions = vec![*start];
    let (mut spots, mut edges) = (Vec::new(), Vec::new());
    while edges.len() < positions.len() {
        let position = positions[edges.len()];
        let side = position.turn();
        let (spot, mirrored) = ground.spot(&position);
        let last = 2 * position.rules().squares - 1;
        let moves = position.legal_moves().map(|mv| {
            let next = position.play(mv).unwrap();
            let change = margin(&next, side) - margin(&position, side);
            let to = (!next.is_over()).then(|| {
                let new = positions.len();
                let number = *numbers.entry(ground.spot(&next).0).or_insert(new);
                if number == new {
                    positions.push(next);
                }
                number
            });
            let action = mv.action();
            Edge { change, to, action: if mirrored { last - action } else { action } }
        });
        let moves = moves.collect();
        edges.push(moves);
        spots.push(spot);
    }
    let (known, forced) = (vec![(-ENDLESS, ENDLESS); edges.len()], vec![Vec::new(); edges.len()]);
    Space { positions, spots, edges, known, forced }
}
