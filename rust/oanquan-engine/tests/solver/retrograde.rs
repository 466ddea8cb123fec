//! The whole state space of small games, with neither search nor `Duel`: bounds by sweeps from the ends.

use std::collections::HashMap;

use oanquan_core::{Ending, Position, Side};
use oanquan_engine::certificate::{Ground, Spot};

/// Stands for endless play, on either side.
const ENDLESS: i32 = 1_000_000;

/// What a move leads to: a change of the mover's margin, and the state, if the game goes on.
struct Edge {
    change: i32,
    to: Option<usize>,
}

fn margin(position: &Position, side: Side) -> i32 {
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
    let edges = states(start);
    let mut known = vec![(-ENDLESS, ENDLESS); edges.len()];
    for sweep in 0.. {
        assert!(sweep < 2000, "bounds grow without end");
        let worth = |edge: &Edge, known: &[(i32, i32)]| match edge.to {
            None => (edge.change, edge.change),
            Some(to) => {
                let (lower, upper) = known[to];
                (add(edge.change, -upper), add(edge.change, -lower))
            }
        };
        let swept: Vec<_> = edges
            .iter()
            .map(|moves| {
                let worths: Vec<_> = moves.iter().map(|edge| worth(edge, &known)).collect();
                (worths.iter().map(|w| w.0).max().unwrap(), worths.iter().map(|w| w.1).max().unwrap())
            })
            .collect();
        if swept == known {
            break;
        }
        known = swept;
    }
    let (lower, upper) = known[0];
    let told = |bound: i32| (bound.abs() != ENDLESS).then_some(bound + margin(start, start.turn()));
    (told(lower), told(upper))
}

fn add(change: i32, bound: i32) -> i32 {
    if bound.abs() == ENDLESS { bound } else { change + bound }
}

/// Every state that can be reached, the start first, with its moves.
fn states(start: &Position) -> Vec<Vec<Edge>> {
    let ground = Ground::of(start);
    let mut numbers: HashMap<Spot, usize> = HashMap::from([(ground.spot(start).0, 0)]);
    let mut positions = vec![*start];
    let mut edges = Vec::new();
    while edges.len() < positions.len() {
        let position = positions[edges.len()];
        let side = position.turn();
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
            Edge { change, to }
        });
        let moves = moves.collect();
        edges.push(moves);
    }
    edges
}
