//! max^n, after Luckhardt and Irani (*An algorithmic solution of N-person games*, AAAI 1986): every side takes the move
//! by which it ends up furthest ahead of the best of the others. No move is left out, and nothing is kept, so it looks less
//! deep than a search of two sides. It proves nothing: what a side can make sure of against all others together is another
//! question.

use oanquan_core::{Game, MAX_SIDES, Move, Position, Side};

use super::analysis::{Analysis, Line, Method};
use super::evaluation::{POINT, expected};
use super::limits::{Clock, Shared};
use super::{Options, ended_by_limit};

/// What each side is expected to end up with, in hundredths of a point.
type Worth = [i32; MAX_SIDES];

/// How far a side is ahead of the best of the others, in hundredths of a point.
///
/// ```
/// use oanquan_engine::search::many::lead;
/// assert_eq!(lead(&[100, 300, 250], 1), 50);
/// ```
pub fn lead(worth: &[i32], side: usize) -> i32 {
    let others = worth.iter().enumerate().filter(|&(other, _)| other != side).map(|(_, &worth)| worth);
    worth.get(side).copied().unwrap_or_default() - others.max().unwrap_or_default()
}

struct Search<'a> {
    clock: Clock<'a>,
    sides: usize,
    /// For each ply, the best line from there on.
    lines: Vec<Vec<Move>>,
}

impl Search<'_> {
    fn worth(&mut self, position: &Position, depth: u32, ply: usize) -> Worth {
        self.lines[ply].clear();
        if depth == 0 || position.is_over() || self.clock.must_stop() {
            return expected(position);
        }
        let mover = position.turn().index();
        let mut best: Option<(i32, Worth)> = None;
        for mv in position.legal_moves() {
            let mut next = *position;
            next.play_unchecked(mv);
            self.clock.nodes += 1;
            let worth = self.worth(&next, depth - 1, ply + 1);
            if self.clock.stopped {
                break;
            }
            let score = lead(&worth[..self.sides], mover);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, worth));
                self.lengthen(ply, mv);
            }
        }
        best.map_or_else(|| expected(position), |(_, worth)| worth)
    }

    /// The best line of a ply becomes that move and the best line of the next ply.
    fn lengthen(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    /// Every first move with its score and how it goes on, the best first; `None` if the clock stopped.
    fn iterate(&mut self, game: &Game, moves: &[Move], depth: u32) -> Option<Vec<Line>> {
        let position = game.position();
        let mut lines = Vec::new();
        for &mv in moves {
            let mut next = *position;
            next.play_unchecked(mv);
            self.clock.nodes += 1;
            let mut line = vec![mv];
            let worth = if let Some(over) = ended_by_limit(game, mv) {
                counted(&over)
            } else {
                let worth = self.worth(&next, depth - 1, 0);
                line.extend_from_slice(&self.lines[0]);
                worth
            };
            if self.clock.stopped {
                return None;
            }
            let score = lead(&worth[..self.sides], position.turn().index());
            lines.push(Line { moves: line, score, lower: None, upper: None });
        }
        lines.sort_by_key(|line| -line.score);
        Some(lines)
    }
}

/// The points by the count.
fn counted(position: &Position) -> Worth {
    let points = position.counted();
    let mut worth = [0; MAX_SIDES];
    for (side, &points) in points.as_slice().iter().enumerate() {
        worth[side] = POINT * points;
    }
    worth
}

/// Searches depth after depth on this thread.
pub(crate) fn deepen(
    game: &Game,
    moves: &[Move],
    options: &Options,
    shared: &Shared<'_>,
    report: &mut dyn FnMut(&Analysis),
) -> Analysis {
    let sides = Side::ALL.len().min(usize::from(game.position().rules().sides));
    let last = options.limits.last_depth();
    let mut search = Search { clock: Clock::new(shared), sides, lines: vec![Vec::new(); last as usize + 1] };
    let unsearched = moves.iter().map(|&mv| Line { moves: vec![mv], score: 0, lower: None, upper: None });
    let mut analysis = Analysis {
        method: Method::MaxN,
        depth: 0,
        lines: unsearched.collect(),
        lower: None,
        upper: None,
        nodes: 0,
        time: shared.passed(),
        table_used: 0.0,
    };
    for depth in 1..=last {
        let Some(lines) = search.iterate(game, moves, depth) else { break };
        search.clock.tell();
        (analysis.depth, analysis.lines) = (depth, lines);
        analysis.lines.truncate(options.lines.max(1));
        (analysis.nodes, analysis.time) = (shared.nodes(), shared.passed());
        report(&analysis);
        search.clock.arm();
    }
    search.clock.tell();
    (analysis.nodes, analysis.time) = (shared.nodes(), shared.passed());
    analysis
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, search};
    use oanquan_core::Rules;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn no_table_is_made_that_nobody_asks() {
        let game = Game::new(Position::start(Rules::parse("three-players").unwrap()));
        let limits = Limits { nodes: Some(u64::MAX), time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let options = Options { limits, table_bytes: usize::MAX, ..Options::default() };
        assert!(search(&game, &options, &AtomicBool::new(false), &mut |_| ()).is_ok());
    }

    /// What each side ends up with, written down as the definition reads.
    fn by_definition(position: &Position, depth: u32) -> Worth {
        let (mover, sides) = (position.turn().index(), usize::from(position.rules().sides));
        let after = |mv| by_definition(&position.play(mv).unwrap(), depth - 1);
        if depth == 0 || position.is_over() {
            return expected(position);
        }
        // `max_by_key` takes the last of equals.
        position.legal_moves().map(after).rev_max(|worth| lead(&worth[..sides], mover))
    }

    trait RevMax: Iterator<Item = Worth> + Sized {
        fn rev_max(self, key: impl Fn(&Worth) -> i32) -> Worth {
            let mut all: Vec<_> = self.collect();
            all.reverse();
            all.into_iter().max_by_key(key).unwrap()
        }
    }

    impl<I: Iterator<Item = Worth>> RevMax for I {}

    #[test]
    fn every_side_takes_what_is_best_for_it() {
        for rules in ["three-players", "four-players", "sides=3,squares=2,pebbles=2,shortfall=loses"] {
            let mut position = Position::start(Rules::parse(rules).unwrap());
            for ply in 0..12 {
                let game = Game::new(position);
                let limits = Limits { depth: Some(3), ..Limits::default() };
                let options = Options { limits, lines: 14, ..Options::default() };
                let Ok(analysis) = search(&game, &options, &AtomicBool::new(false), &mut |_| ()) else { break };
                assert_eq!((analysis.method, analysis.lines.len()), (Method::MaxN, position.legal_moves().len()));
                let side = position.turn().index();
                for line in &analysis.lines {
                    let next = position.play(line.moves[0]).unwrap();
                    let worth = by_definition(&next, 2);
                    assert_eq!(line.score, lead(&worth[..usize::from(position.rules().sides)], side), "{position:?}");
                }
                assert!(analysis.lines.is_sorted_by_key(|line| -line.score));
                position = position.play(analysis.lines[ply % analysis.lines.len()].moves[0]).unwrap();
            }
        }
    }
}
