//! The game as a tree sees it: two sides play on a [`Duel`], more on a [`Position`].

use oanquan_core::duel::{Duel, DuelRules};
use oanquan_core::{Ending, MAX_SIDES, Move, Position, Rules};

use super::Value;

/// What something is worth to each side, in the order of the turns from the side to move on.
pub(super) type Values = [f32; MAX_SIDES];

/// Rules, and what is played by them. The turn always passes to the next side round the ring.
pub(super) trait Field: Clone + Send + Sync {
    type State: Copy + Send + Sync;

    /// Whether what is exact is kept: only where one number says what a position is worth to all.
    fn solves(&self) -> bool;

    fn sides(&self) -> usize;

    fn state(&self, position: &Position) -> Self::State;

    /// The legal actions; none when the game is over.
    fn mask(&self, state: &Self::State) -> u16;

    fn play(&self, state: &mut Self::State, action: u8);

    fn is_over(&self, state: &Self::State) -> bool;

    /// What the game is worth that is over, or is counted as it stands.
    fn values(&self, state: &Self::State, value: Value) -> Values;

    /// How much the lead of the side to move grows with that action.
    fn gain(&self, state: &Self::State, action: u8) -> i32;
}

/// Two sides.
#[derive(Clone)]
pub(super) struct Two {
    rules: DuelRules,
    all_points: f32,
}

impl Two {
    /// `None` if more than two sides play by these rules.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        DuelRules::new(*rules).map(|prepared| Self { rules: prepared, all_points: all_points(rules) })
    }
}

impl Field for Two {
    type State = Duel;

    #[inline]
    fn solves(&self) -> bool {
        true
    }

    #[inline]
    fn sides(&self) -> usize {
        2
    }

    fn state(&self, position: &Position) -> Duel {
        self.rules.duel(position)
    }

    #[inline]
    fn mask(&self, state: &Duel) -> u16 {
        self.rules.legal_mask(state)
    }

    #[inline]
    fn play(&self, state: &mut Duel, action: u8) {
        self.rules.play(state, action);
    }

    #[inline]
    fn is_over(&self, state: &Duel) -> bool {
        state.is_over()
    }

    #[inline]
    fn values(&self, state: &Duel, value: Value) -> Values {
        let margin = if state.is_over() { self.rules.final_margin(state) } else { self.rules.count(state) };
        let own = match value {
            Value::Points => share(margin as f32, self.all_points),
            Value::Result => margin.signum() as f32,
        };
        [own, -own, 0.0, 0.0]
    }

    #[inline]
    fn gain(&self, state: &Duel, action: u8) -> i32 {
        let mut next = *state;
        self.rules.play(&mut next, action);
        -next.margin() - state.margin()
    }
}

/// Any number of sides.
#[derive(Clone, Debug)]
pub(super) struct Many {
    sides: usize,
    all_points: f32,
}

impl Many {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { sides: rules.sides.into(), all_points: all_points(rules) }
    }

    /// The points of that side less the mean of the others', times the number of the others.
    fn lead(&self, points: &[i32], side: usize) -> i32 {
        points[side] * self.sides as i32 - points.iter().sum::<i32>()
    }
}

impl Field for Many {
    type State = Position;

    fn solves(&self) -> bool {
        self.sides == 2
    }

    fn sides(&self) -> usize {
        self.sides
    }

    fn state(&self, position: &Position) -> Position {
        *position
    }

    fn mask(&self, state: &Position) -> u16 {
        state.legal_mask()
    }

    fn play(&self, state: &mut Position, action: u8) {
        // An action of the mask is a move.
        if let Some(mv) = Move::from_action(state.turn(), action) {
            state.play_unchecked(mv);
        }
    }

    fn is_over(&self, state: &Position) -> bool {
        state.is_over()
    }

    fn values(&self, state: &Position, value: Value) -> Values {
        let outcome = state.ending().map(|ending| state.outcome_by(ending));
        let points = state.counted();
        let points = points.as_slice();
        // The winner of a game that is cut off is who has most, as at the count.
        let most = points.iter().max().copied().unwrap_or_default();
        let leads = points.iter().filter(|&&points| points == most).count() == 1;
        let winner = outcome.and_then(|outcome| outcome.winner);
        let won_by = |side| winner.map_or(0.0, |winner| sign(winner.index() == side));
        std::array::from_fn(|seat| {
            if seat >= self.sides {
                return 0.0;
            }
            let side = (state.turn().index() + seat) % self.sides;
            match value {
                // Of two sides one has won all, as a duel says.
                Value::Points if self.sides == 2 && state.ending() == Some(Ending::Loses) => won_by(side),
                Value::Points => share(self.lead(points, side) as f32 / (self.sides - 1) as f32, self.all_points),
                Value::Result if outcome.is_some() => won_by(side),
                Value::Result => {
                    if leads {
                        sign(points[side] == most)
                    } else {
                        0.0
                    }
                }
            }
        })
    }

    fn gain(&self, state: &Position, action: u8) -> i32 {
        let mut next = *state;
        self.play(&mut next, action);
        let side = state.turn().index();
        self.lead(next.points().as_slice(), side) - self.lead(state.points().as_slice(), side)
    }
}

fn all_points(rules: &Rules) -> f32 {
    rules.total_points().max(1) as f32
}

/// A lead as a share of all points, -1 to 1.
fn share(lead: f32, all_points: f32) -> f32 {
    (lead / all_points).clamp(-1.0, 1.0)
}

const fn sign(won: bool) -> f32 {
    if won { 1.0 } else { -1.0 }
}
