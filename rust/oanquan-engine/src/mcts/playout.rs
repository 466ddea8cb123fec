//! Games played on to their end, to see what a position is worth.

use oanquan_core::{Move, Moves, Side};

use super::Value;
use super::field::{Field, Values};
use crate::GameStream;

/// The most plies of a playout. It is counted then: random games of every preset are over long before.
pub const LONGEST: u32 = 1000;

/// Who plays a leaf out.
///
/// ```
/// use oanquan_engine::mcts::playout::Policy;
/// assert_eq!(Policy::NAMES[1], ("greedy", Policy::Greedy));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Uniform among the legal moves.
    Random,
    /// The move with which the lead in points grows most, drawn among equals.
    Greedy,
}

impl Policy {
    /// The policies by name.
    pub const NAMES: [(&str, Self); 2] = [("random", Self::Random), ("greedy", Self::Greedy)];
}

/// Plays on from a state that is not over, with the draws of that stream from `ply` on, and returns what the end is worth
/// to each side, from the side to move in that state on.
#[inline]
pub(super) fn play_out<F: Field>(
    field: &F,
    state: F::State,
    policy: Policy,
    value: Value,
    stream: GameStream,
    ply: u32,
) -> Values {
    let mut state = state;
    let mut plies = 0;
    while plies < LONGEST {
        let mask = field.mask(&state);
        if mask == 0 {
            break;
        }
        let action = match policy {
            Policy::Random => draw(mask, stream, ply + plies),
            Policy::Greedy => draw(greediest(field, &state, mask), stream, ply + plies),
        };
        field.play(&mut state, action);
        plies += 1;
    }
    turned(field.values(&state, value), plies as usize, field.sides())
}

/// One of the actions of a mask, drawn; 0 of none.
#[inline]
pub(super) fn draw(mask: u16, stream: GameStream, ply: u32) -> u8 {
    let mut moves = Moves::new(Side::A, mask);
    let place = stream.below(ply, moves.len() as u32);
    moves.nth(place as usize).map_or(0, Move::action)
}

/// The actions with which the lead grows most.
fn greediest<F: Field>(field: &F, state: &F::State, mask: u16) -> u16 {
    let (mut most, mut best) = (i32::MIN, 0);
    for mv in Moves::new(Side::A, mask) {
        let gain = field.gain(state, mv.action());
        if gain > most {
            (most, best) = (gain, 0);
        }
        best |= u16::from(gain == most) << mv.action();
    }
    best
}

/// Values of a state as the side to move so many plies before counts the sides.
#[inline]
fn turned(values: Values, plies: usize, sides: usize) -> Values {
    let mut before = [0.0; 4];
    for (seat, &value) in values.iter().enumerate().take(sides) {
        before[(seat + plies) % sides] = value;
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::field::{Many, Two};
    use crate::{Limits, Playout, Random};
    use oanquan_core::{PRESETS, Position};

    /// A random playout from the start is the random game of that stream.
    #[test]
    fn a_playout_is_a_game() {
        fn check<F: Field>(field: &F, start: Position) {
            let limits = Limits { max_plies: Some(LONGEST), repetition: None };
            let mut playout = Playout::new(start, limits);
            let sides = field.sides();
            for game in 0..40 {
                let stream = GameStream::new(3, game);
                let outcome = playout.run(&Random, stream).outcome;
                let points = outcome.points.as_slice();
                let mean = points.iter().sum::<i32>() as f32 / sides as f32;
                let values = play_out(field, field.state(&start), Policy::Random, Value::Points, stream, 0);
                let results = play_out(field, field.state(&start), Policy::Random, Value::Result, stream, 0);
                for side in 0..sides {
                    let lead = (points[side] as f32 - mean) * sides as f32 / (sides - 1) as f32;
                    let expected = (lead / start.rules().total_points() as f32).clamp(-1.0, 1.0);
                    assert!((values[side] - expected).abs() < 1e-5, "{} {points:?}: {values:?}", start.rules());
                    let won = outcome.winner.map_or(0.0, |winner| if winner.index() == side { 1.0 } else { -1.0 });
                    assert!((results[side] - won).abs() < 1e-9, "{} {outcome}", start.rules());
                }
            }
        }
        for preset in PRESETS {
            // A game lost by shortfall is worth all points.
            if preset.name == "bankrupt" {
                continue;
            }
            let start = Position::start(preset.rules());
            check(&Many::new(start.rules()), start);
            if let Some(two) = Two::new(start.rules()) {
                check(&two, start);
            }
        }
    }
}
