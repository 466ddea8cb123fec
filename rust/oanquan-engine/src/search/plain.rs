//! Searches without anything clever, to hold the clever one against.

use oanquan_core::duel::{Duel, DuelRules};
use oanquan_core::{Ending, Position};

use super::evaluation::{Evaluation, POINT};
use crate::Probe;

/// The score of a position by minimax so many plies deep: in hundredths of a point, seen from the side to move. It plays
/// on [`Position`], so that it shares no step with the searches that play on a [`Duel`], but for what a leaf is worth.
///
/// What endgame tables know of a position bounds its score, as in [`search`](super::search()).
///
/// ```
/// use oanquan_core::{Position, Rules, duel::DuelRules};
/// use oanquan_engine::search::plain::{alpha_beta, minimax};
/// let rules = DuelRules::new(Rules::default()).unwrap();
/// let start = Position::start(Rules::default());
/// let (score, nodes) = alpha_beta(&rules, &rules.duel(&start), 5);
/// assert_eq!(minimax(&rules, &start, 5, None), score);
/// assert!(nodes > 100);
/// ```
pub fn minimax(rules: &DuelRules, position: &Position, depth: u32, tables: Option<&dyn Probe>) -> i32 {
    let (mover, other) = match position.turn() {
        side if side.index() == 0 => (0, 1),
        _ => (1, 0),
    };
    let points = position.points();
    let margin = points.as_slice()[mover] - points.as_slice()[other];
    if position.ending() == Some(Ending::Loses) {
        let all = rules.rules().total_points();
        let won = position.outcome().and_then(|outcome| outcome.winner).is_some_and(|side| side.index() == mover);
        return POINT * if won { margin.max(all) } else { margin.min(-all) };
    }
    if position.is_over() {
        return POINT * margin;
    }
    let children = position.legal_moves().filter_map(|mv| position.play(mv).ok());
    let score = match depth {
        0 => POINT * margin + Evaluation::new(rules).future(&rules.duel(position)),
        _ => children.map(|next| -minimax(rules, &next, depth - 1, tables)).max().unwrap_or_default(),
    };
    let Some(tables) = tables else { return score };
    let known = tables.probe(&rules.duel(position));
    let points = |further: i32| i64::from(POINT) * (i64::from(margin) + i64::from(further));
    i64::from(score).max(points(known.lower)).min(points(known.upper)) as i32
}

/// The score of a position in play by alpha-beta so many plies deep (1 at least), and how many nodes that took. It tries the moves in
/// the order of their action numbers and keeps nothing. This is what [`search`](super::search()) is measured against.
///
/// ```
/// use oanquan_core::{Position, Rules, duel::DuelRules};
/// use oanquan_engine::search::plain::alpha_beta;
/// let rules = DuelRules::new(Rules::default()).unwrap();
/// let start = rules.duel(&Position::start(Rules::default()));
/// assert_eq!(alpha_beta(&rules, &start, 1).1, 10);
/// ```
pub fn alpha_beta(rules: &DuelRules, duel: &Duel, depth: u32) -> (i32, u64) {
    let mut plain = Plain { rules, evaluation: Evaluation::new(rules), nodes: 0 };
    let score = plain.value(duel, depth, -FAR, FAR);
    (score, plain.nodes)
}

/// More than any score.
const FAR: i32 = 1 << 30;

struct Plain<'a> {
    rules: &'a DuelRules,
    evaluation: Evaluation,
    nodes: u64,
}

impl Plain<'_> {
    fn value(&mut self, duel: &Duel, depth: u32, alpha: i32, beta: i32) -> i32 {
        if depth <= 1 {
            return self.frontier(duel, beta);
        }
        let (mut best, mut mask) = (-FAR, self.rules.legal_mask(duel));
        while mask != 0 && best < beta {
            let mut next = *duel;
            self.rules.play(&mut next, mask.trailing_zeros() as u8);
            mask &= mask - 1;
            self.nodes += 1;
            let score = if next.is_over() {
                POINT * self.rules.final_margin(&next)
            } else {
                self.value(&next, depth - 1, -beta, -alpha.max(best))
            };
            best = best.max(-score);
        }
        best
    }

    /// The value one ply above the leaves.
    fn frontier(&mut self, duel: &Duel, beta: i32) -> i32 {
        let (mut best, mut mask) = (-FAR, self.rules.legal_mask(duel));
        while mask != 0 && best < beta {
            let mut next = *duel;
            self.rules.play(&mut next, mask.trailing_zeros() as u8);
            mask &= mask - 1;
            self.nodes += 1;
            let score = if next.is_over() {
                POINT * self.rules.final_margin(&next)
            } else {
                POINT * next.margin() + self.evaluation.future(&next)
            };
            best = best.max(-score);
        }
        best
    }
}
