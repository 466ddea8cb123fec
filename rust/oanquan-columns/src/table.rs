//! The columns while threads write into them: allocated at once, cut into disjoint slices.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use oanquan_core::{MAX_SIDES, Move, Side};
use oanquan_engine::{Collect, Config, Finished};

use crate::lists::Lists;
use crate::schema::{DRAW, NO_OPENING};
use crate::{Error, Options};

/// In the column of endings, until the game is finished.
const UNFINISHED: i8 = -1;
/// After so many games a thread says how far it is.
const GAMES_A_REPORT: u64 = 64;

/// Room for the columns of a run.
pub(crate) struct Table {
    pub(crate) game: Vec<u64>,
    /// As many as there are sides.
    pub(crate) points: Vec<Vec<i32>>,
    pub(crate) plies: Vec<u32>,
    pub(crate) ending: Vec<i8>,
    pub(crate) winner: Vec<i8>,
    pub(crate) opening: Vec<i8>,
    pub(crate) reseedings: Vec<u32>,
    pub(crate) loans: Vec<u32>,
    pub(crate) pebbles_lent: Vec<u32>,
}

impl Table {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        let sides = usize::from(config.start.rules().sides);
        // The memory of all rows is asked for at once, to hear whether there is any: a vector alone would abort.
        let row = size_of::<u64>() + (sides + 4) * size_of::<u32>() + 4 * size_of::<u8>();
        let rows = usize::try_from(config.games).ok();
        let room = rows.and_then(|rows| Vec::<u8>::new().try_reserve_exact(rows.checked_mul(row)?).ok());
        let (Some(rows), Some(())) = (rows, room) else { return Err(Error::Memory { games: config.games }) };
        Ok(Self {
            game: vec![0; rows],
            points: vec![vec![0; rows]; sides],
            plies: vec![0; rows],
            ending: vec![UNFINISHED; rows],
            winner: vec![0; rows],
            opening: vec![0; rows],
            reseedings: vec![0; rows],
            loans: vec![0; rows],
            pebbles_lent: vec![0; rows],
        })
    }

    /// All rows, to write into.
    pub(crate) fn rows(&mut self) -> Rows<'_> {
        let mut points: [&mut [i32]; MAX_SIDES] = Default::default();
        for (slice, column) in points.iter_mut().zip(&mut self.points) {
            *slice = column;
        }
        Rows {
            game: &mut self.game,
            points,
            plies: &mut self.plies,
            ending: &mut self.ending,
            winner: &mut self.winner,
            opening: &mut self.opening,
            reseedings: &mut self.reseedings,
            loans: &mut self.loans,
            pebbles_lent: &mut self.pebbles_lent,
        }
    }

    /// Leaves out the games that were not finished.
    pub(crate) fn keep_finished(&mut self) {
        let runs = self.ending.chunk_by(|one, next| (*one == UNFINISHED) == (*next == UNFINISHED));
        let mut kept = Vec::new();
        let mut row = 0;
        for run in runs {
            if run.first() != Some(&UNFINISHED) {
                kept.push(row..row + run.len());
            }
            row += run.len();
        }
        keep(&mut self.game, &kept);
        for column in &mut self.points {
            keep(column, &kept);
        }
        for column in [&mut self.ending, &mut self.winner, &mut self.opening] {
            keep(column, &kept);
        }
        for column in [&mut self.plies, &mut self.reseedings, &mut self.loans, &mut self.pebbles_lent] {
            keep(column, &kept);
        }
    }
}

/// Keeps those rows of a column.
fn keep<T: Copy>(column: &mut Vec<T>, kept: &[Range<usize>]) {
    let mut rows = 0;
    for range in kept {
        if range.start != rows {
            column.copy_within(range.clone(), rows);
        }
        rows += range.len();
    }
    column.truncate(rows);
}

/// Some rows in a row, to write into.
#[derive(Default)]
pub(crate) struct Rows<'a> {
    game: &'a mut [u64],
    points: [&'a mut [i32]; MAX_SIDES],
    plies: &'a mut [u32],
    ending: &'a mut [i8],
    winner: &'a mut [i8],
    opening: &'a mut [i8],
    reseedings: &'a mut [u32],
    loans: &'a mut [u32],
    pebbles_lent: &'a mut [u32],
}

impl Rows<'_> {
    pub(crate) const fn len(&self) -> usize {
        self.game.len()
    }

    /// Takes rows off the front: so many, or all if there are fewer.
    pub(crate) fn take(&mut self, rows: usize) -> Self {
        let rows = rows.min(self.len());
        // There are no rows to take of sides that do not play.
        let points = self.points.each_mut().map(|points| points.split_off_mut(..rows).unwrap_or_default());
        Self {
            game: self.game.split_off_mut(..rows).unwrap_or_default(),
            points,
            plies: self.plies.split_off_mut(..rows).unwrap_or_default(),
            ending: self.ending.split_off_mut(..rows).unwrap_or_default(),
            winner: self.winner.split_off_mut(..rows).unwrap_or_default(),
            opening: self.opening.split_off_mut(..rows).unwrap_or_default(),
            reseedings: self.reseedings.split_off_mut(..rows).unwrap_or_default(),
            loans: self.loans.split_off_mut(..rows).unwrap_or_default(),
            pebbles_lent: self.pebbles_lent.split_off_mut(..rows).unwrap_or_default(),
        }
    }

    #[inline]
    fn write(&mut self, row: usize, game: u64, finished: &Finished) {
        let outcome = &finished.outcome;
        self.game[row] = game;
        for (slice, &points) in self.points.iter_mut().zip(outcome.points.as_slice()) {
            slice[row] = points;
        }
        self.plies[row] = finished.plies;
        self.ending[row] = outcome.ending as i8;
        self.winner[row] = outcome.winner.map_or(DRAW, |side| side.index() as i8);
        self.opening[row] = finished.opening.map_or(NO_OPENING, |mv| mv.action() as i8);
        self.reseedings[row] = finished.reseedings;
        self.loans[row] = finished.loans;
        self.pebbles_lent[row] = finished.pebbles_lent;
    }
}

/// Takes the games of some rows, in any order.
pub(crate) struct Writer<'a> {
    rows: Rows<'a>,
    /// The number of the game of the first row.
    first_game: u64,
    options: Options,
    /// The moves of all games, in the order in which they came.
    moves: Vec<Move>,
    /// Where the moves of each row are.
    spans: Vec<Range<usize>>,
    done: &'a AtomicU64,
    unreported: u64,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(rows: Rows<'a>, first_game: u64, options: Options, done: &'a AtomicU64) -> Self {
        let spans = if options.lists() { vec![0..0; rows.len()] } else { Vec::new() };
        Self { rows, first_game, options, moves: Vec::new(), spans, done, unreported: 0 }
    }

    /// The lists of the games that were finished, in the order of their numbers.
    pub(crate) fn finish(self, config: &Config) -> Result<Vec<Lists>, Error> {
        self.done.fetch_add(self.unreported, Ordering::Relaxed);
        let mut parts = vec![Lists::new(self.options)];
        let finished = self.spans.into_iter().enumerate().filter(|&(row, _)| self.rows.ending[row] != UNFINISHED);
        for (row, span) in finished {
            if parts.last().is_none_or(Lists::is_full) {
                parts.push(Lists::new(self.options));
            }
            if let Some(last) = parts.last_mut() {
                last.push(self.rows.game[row], &config.start, &self.moves[span])?;
            }
        }
        Ok(parts)
    }
}

impl Collect for Writer<'_> {
    fn wants_moves(&self) -> bool {
        self.options.lists()
    }

    #[inline]
    fn add(&mut self, game: u64, finished: &Finished, moves: &[Move]) {
        // Numbers go on modulo 2^64.
        let row = game.wrapping_sub(self.first_game) as usize;
        self.rows.write(row, game, finished);
        if self.options.lists() {
            let start = self.moves.len();
            self.moves.extend_from_slice(moves);
            self.spans[row] = start..self.moves.len();
        }
        self.unreported += 1;
        if self.unreported == GAMES_A_REPORT {
            self.done.fetch_add(self.unreported, Ordering::Relaxed);
            self.unreported = 0;
        }
    }
}

/// The code of a side in the columns of words.
pub(crate) const fn code(side: Side) -> i8 {
    side.index() as i8
}

#[cfg(test)]
mod tests {
    use super::*;
    use oanquan_core::{Position, Rules};
    use oanquan_engine::{GameStream, Limits, Playout, Random};

    #[test]
    fn games_may_come_in_any_order_and_some_never() {
        let config = Config { first_game: u64::MAX - 4, ..Config::new(Position::start(Rules::default()), 10) };
        let options = Options { moves: true, positions: true };
        let mut table = Table::new(&config).unwrap();
        let mut rows = table.rows();
        let done = AtomicU64::new(0);
        let mut played = Vec::new();
        let mut lists = Vec::new();
        // Numbers go on past 2^64 in the second half.
        for (first, order) in [(0, [4, 1, 2]), (5, [1, 4, 0])] {
            let mut writer = Writer::new(rows.take(5), config.first_game.wrapping_add(first), options, &done);
            assert!(writer.wants_moves());
            for row in order {
                let game = config.first_game.wrapping_add(first + row);
                let mut playout = Playout::new(config.start, Limits::default());
                let finished = playout.run(&Random, GameStream::new(0, game));
                writer.add(game, &finished, playout.moves());
                played.push((first + row, game, finished, playout.moves().len()));
            }
            lists.extend(writer.finish(&config).unwrap());
        }
        assert_eq!((rows.len(), done.into_inner()), (0, 6));
        table.keep_finished();
        played.sort_by_key(|&(row, ..)| row);
        assert_eq!(table.game, played.iter().map(|&(_, game, ..)| game).collect::<Vec<_>>());
        assert_eq!(table.plies, played.iter().map(|(.., finished, _)| finished.plies).collect::<Vec<_>>());
        let points = |side| played.iter().map(|(.., finished, _)| finished.outcome.points[side]).collect::<Vec<_>>();
        assert_eq!(table.points, [points(Side::A), points(Side::B)]);
        assert_eq!(table.ending.len() + table.winner.len() + table.opening.len() + table.loans.len(), 4 * 6);
        let parts = crate::lists::finish(lists, true).unwrap();
        assert_eq!((parts.len(), parts[0].rows), (1, 6));
        let moves = parts[0].moves.as_ref().unwrap();
        let lengths: Vec<_> = (0..6).map(|row| moves.value_length(row) as usize).collect();
        assert_eq!(lengths, played.iter().map(|&(.., moves)| moves).collect::<Vec<_>>());
    }
}
