//! One depth after the other: the root of a search of two sides, on one thread or several.

use std::sync::Arc;

use oanquan_core::duel::{Duel, DuelRules};
use oanquan_core::{Move, Side};

use super::analysis::{Analysis, Line, Method};
use super::evaluation::POINT;
use super::limits::{Clock, Shared};
use super::principal::{WORST, Worker};
use super::table::Table;
use super::value::{FAR, KNOWN, Value};
use crate::Probe;

/// A window begins with so much on either side of the score of the depth before, in hundredths of a point.
const WINDOW: i32 = 100;

/// A first move.
#[derive(Clone)]
pub(crate) struct RootMove {
    pub(crate) action: u8,
    pub(crate) next: Duel,
    /// The margin by the count, where the move ends the game by a limit that is the game's, not the position's.
    pub(crate) counted: Option<i32>,
    score: i32,
    /// What is proven, whatever the depth.
    lower: i32,
    upper: i32,
    /// How it goes on.
    line: Vec<u8>,
}

impl RootMove {
    pub(crate) const fn new(action: u8, next: Duel, counted: Option<i32>) -> Self {
        Self { action, next, counted, score: 0, lower: -FAR, upper: FAR, line: Vec::new() }
    }
}

/// What is searched, and how.
pub(crate) struct Task<'a> {
    pub(crate) rules: &'a DuelRules,
    pub(crate) root: Duel,
    pub(crate) turn: Side,
    pub(crate) lines: usize,
    pub(crate) table: &'a Table,
    pub(crate) tables: Option<&'a Arc<dyn Probe>>,
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) last_depth: u32,
}

impl Task<'_> {
    fn worker(&self) -> Worker<'_> {
        let tables = self.tables.map(|tables| &**tables as &dyn Probe);
        Worker::new(self.rules, self.table, tables, Clock::new(self.shared), &self.root)
    }

    /// Searches on this thread and `helpers` more; what is found at each depth is reported.
    pub(crate) fn run(&self, moves: &[RootMove], helpers: usize, report: &mut dyn FnMut(&Analysis)) -> Analysis {
        std::thread::scope(|scope| {
            for helper in 0..helpers {
                let mut moves = moves.to_vec();
                // From another first move on, and every other one a ply ahead: otherwise they would all do the same.
                let turned = (helper + 1) % moves.len();
                moves.rotate_left(turned);
                // Without a thread to help, this one does it alone.
                let _ =
                    std::thread::Builder::new().spawn_scoped(scope, move || self.help(moves, 1 + helper as u32 % 2));
            }
            let analysis = self.lead(moves.to_vec(), report);
            self.shared.finish();
            analysis
        })
    }

    /// Fills the table for the others.
    fn help(&self, moves: Vec<RootMove>, ahead: u32) {
        let mut deepening = Deepening { worker: self.worker(), moves, lines: self.lines };
        deepening.worker.clock.arm();
        for depth in 1 + ahead..=self.last_depth {
            if !deepening.iterate(depth) {
                break;
            }
        }
        deepening.worker.clock.tell();
    }

    fn lead(&self, moves: Vec<RootMove>, report: &mut dyn FnMut(&Analysis)) -> Analysis {
        let mut deepening = Deepening { worker: self.worker(), moves, lines: self.lines };
        deepening.worker.clock.nodes = deepening.moves.len() as u64;
        let mut analysis = None;
        for depth in 1..=self.last_depth {
            if !deepening.iterate(depth) {
                break;
            }
            let settled = deepening.settle(depth);
            let found = analysis.insert(deepening.analysis(self, depth));
            report(found);
            if settled {
                break;
            }
            deepening.worker.clock.arm();
        }
        deepening.worker.clock.tell();
        // Depth 1 is always searched to its end.
        let mut analysis = analysis.unwrap_or_else(|| deepening.analysis(self, 0));
        (analysis.nodes, analysis.time) = (self.shared.nodes(), self.shared.passed());
        analysis.table_used = self.table.used();
        analysis
    }
}

/// The first moves, the best so far first, and who looks into them.
struct Deepening<'a> {
    worker: Worker<'a>,
    moves: Vec<RootMove>,
    lines: usize,
}

impl Deepening<'_> {
    /// Searches so deep; says whether it was searched to its end.
    fn iterate(&mut self, depth: u32) -> bool {
        for first in 0..self.lines.min(self.moves.len()) {
            let before = self.moves[first].score;
            let (mut below, mut above) = (WINDOW, WINDOW);
            loop {
                // The first depths find their way without a window.
                let wide = |width: i32| depth < 3 || width > 30 * POINT;
                let alpha = if wide(below) { WORST } else { before - below };
                let beta = if wide(above) { -WORST } else { before + above };
                let score = self.search(first, depth, alpha, beta);
                if self.worker.clock.stopped {
                    return false;
                }
                match score {
                    score if score <= alpha => below *= 4,
                    score if score >= beta => above *= 4,
                    _ => break,
                }
            }
        }
        true
    }

    /// Searches the moves from `first` on, and brings the best of them there.
    fn search(&mut self, first: usize, depth: u32, alpha: i32, beta: i32) -> i32 {
        let (mut best, mut place) = (WORST, first);
        for index in first..self.moves.len() {
            if self.worker.clock.must_stop() {
                return best;
            }
            let from = alpha.max(best);
            let mut value = self.look_into(index, depth, from, if index == first { beta } else { from + 1 });
            if index > first && value.score > from && value.score < beta {
                value = self.look_into(index, depth, from, beta);
            }
            if self.worker.clock.stopped {
                return best;
            }
            if value.score > best {
                (best, place) = (value.score, index);
                let mv = &mut self.moves[index];
                mv.score = best;
                if best > alpha {
                    mv.line.clear();
                    if mv.counted.is_none() {
                        mv.line.extend(self.worker.line(1));
                    }
                }
                if best >= beta {
                    break;
                }
            }
        }
        self.moves[first..=place].rotate_right(1);
        best
    }

    /// The value of a first move.
    fn look_into(&mut self, index: usize, depth: u32, alpha: i32, beta: i32) -> Value {
        let mv = &mut self.moves[index];
        let value = match mv.counted {
            Some(margin) => Value::ended(margin),
            None => -self.worker.value(&mv.next, depth - 1, 1, -beta, -alpha),
        };
        if !self.worker.clock.stopped {
            mv.lower = mv.lower.max(value.lower);
            mv.upper = mv.upper.min(value.upper);
        }
        value
    }

    /// What is proven of the position.
    fn proven(&self) -> (i32, i32) {
        self.moves.iter().fold((-FAR, -FAR), |(lower, upper), mv| (lower.max(mv.lower), upper.max(mv.upper)))
    }

    /// Whether nothing is left to find out. If so, the best move is one that is proven to be.
    fn settle(&mut self, depth: u32) -> bool {
        let (lower, upper) = self.proven();
        let count = self.lines.min(self.moves.len());
        if lower != upper || self.moves[1..count].iter().any(|mv| mv.lower != mv.upper) {
            return false;
        }
        if self.moves[0].lower == lower {
            return true;
        }
        // The score of another move is no more than this one's, and this one's is proven.
        let Some(place) = self.moves.iter().position(|mv| mv.lower == lower).filter(|&place| place >= count) else {
            return self.moves[0].lower == lower;
        };
        let score = POINT * lower;
        self.look_into(place, depth, score - 1, score + 1);
        let line = self.worker.line(1).to_vec();
        let mv = &mut self.moves[place];
        (mv.score, mv.line) = (score, if mv.counted.is_none() { line } else { Vec::new() });
        self.moves[..=place].rotate_right(1);
        true
    }

    fn analysis(&mut self, task: &Task<'_>, depth: u32) -> Analysis {
        self.worker.clock.tell();
        let bound = |points: i32| (points.abs() < KNOWN).then_some(points);
        let lines = self.moves.iter().take(self.lines).map(|mv| {
            let actions = std::iter::once(mv.action).chain(mv.line.iter().copied());
            let sides = [task.turn, if task.turn == Side::A { Side::B } else { Side::A }].into_iter().cycle();
            let moves = actions.zip(sides).filter_map(|(action, side)| Move::from_action(side, action)).collect();
            Line { moves, score: mv.score, lower: bound(mv.lower), upper: bound(mv.upper) }
        });
        let lines = lines.collect();
        let (lower, upper) = self.proven();
        Analysis {
            method: Method::AlphaBeta,
            depth,
            lines,
            lower: bound(lower),
            upper: bound(upper),
            nodes: task.shared.nodes(),
            time: task.shared.passed(),
            table_used: task.table.used(),
        }
    }
}
