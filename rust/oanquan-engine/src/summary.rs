//! What many games came to, in whole numbers: counts that can be added in any order and come out the same.

use oanquan_core::{Ending, MAX_SIDES, MAX_SQUARES, Move, Side};

use crate::{Distribution, Finished, Tally};

/// Action numbers that a side can have.
const ACTIONS: usize = 2 * MAX_SQUARES;

/// What the games that began with one move came to.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{GameStream, Limits, Playout, Random, Summary};
/// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
/// let mut summary = Summary::default();
/// let game = playout.run(&Random, GameStream::new(7, 0));
/// summary.add(&game);
/// let (mv, opening) = summary.openings().next().unwrap();
/// assert_eq!((Some(mv), opening.margin.count), (game.opening, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// How many of them each side won.
    pub wins: [u64; MAX_SIDES],
    /// How many of them nobody won.
    pub draws: u64,
    /// The points of the side that moved first minus the most that another side had; its count is that of the games.
    pub margin: Tally,
}

impl Opening {
    #[inline]
    fn add(&mut self, mover: Side, game: &Finished) {
        match game.outcome.winner {
            Some(side) => self.wins[side.index()] += 1,
            None => self.draws += 1,
        }
        self.margin.add(margin(mover, game.outcome.points.as_slice()));
    }

    fn merge(&mut self, other: &Self) {
        for (mine, others) in self.wins.iter_mut().zip(other.wins) {
            *mine += others;
        }
        self.draws += other.draws;
        self.margin.merge(&other.margin);
    }
}

/// What many games came to.
///
/// Two summaries of different games merge into that of all of them, in any order.
///
/// ```
/// use oanquan_core::{Ending, Position, Rules};
/// use oanquan_engine::{Config, simulate};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let config = Config { seed: 7, ..Config::new(Position::start(Rules::default()), 1000) };
/// let summary = simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0));
/// assert_eq!(summary.ended_by(Ending::Mandarins) + summary.stopped(), 1000);
/// let [a, b] = [0, 1].map(|side| summary.points[side].tally().sum);
/// assert_eq!(a - b, summary.difference.tally().sum);
/// assert_eq!(summary.openings().map(|(_, opening)| opening.margin.count).sum::<u64>(), 1000);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// How many games there are.
    pub games: u64,
    /// How many games each side won.
    pub wins: [u64; MAX_SIDES],
    /// How many games nobody won.
    pub draws: u64,
    /// How many games ended for each reason, in the order of [`Ending::ALL`].
    pub endings: [u64; Ending::ALL.len()],
    /// The plies of the games; their sum is the number of moves made.
    pub plies: Distribution,
    /// The points of each side; empty for a side that does not play.
    pub points: [Distribution; MAX_SIDES],
    /// The points of side a minus those of side b; empty unless two sides play.
    pub difference: Distribution,
    /// How many rows were re-seeded.
    pub reseedings: u64,
    /// How many loans were made, one for each lender.
    pub loans: u64,
    /// How many pebbles were lent.
    pub pebbles_lent: u64,
    /// By side and action number of the first move.
    openings: Box<[Opening; MAX_SIDES * ACTIONS]>,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            games: 0,
            wins: [0; MAX_SIDES],
            draws: 0,
            endings: [0; Ending::ALL.len()],
            plies: Distribution::default(),
            points: Default::default(),
            difference: Distribution::default(),
            reseedings: 0,
            loans: 0,
            pebbles_lent: 0,
            openings: Box::new([Opening::default(); MAX_SIDES * ACTIONS]),
        }
    }
}

impl Summary {
    /// Adds a game.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{GameStream, Limits, Playout, Random, Summary};
    /// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    /// let mut summary = Summary::default();
    /// summary.add(&playout.run(&Random, GameStream::new(7, 0)));
    /// assert_eq!((summary.games, summary.points[0].tally().count), (1, 1));
    /// ```
    #[inline]
    pub fn add(&mut self, game: &Finished) {
        self.games += 1;
        match game.outcome.winner {
            Some(side) => self.wins[side.index()] += 1,
            None => self.draws += 1,
        }
        self.endings[game.outcome.ending as usize] += 1;
        self.plies.add(game.plies.into());
        let points = game.outcome.points.as_slice();
        for (distribution, &points) in self.points.iter_mut().zip(points) {
            distribution.add(points.into());
        }
        if let &[a, b] = points {
            self.difference.add(i64::from(a) - i64::from(b));
        }
        if let Some(mv) = game.opening {
            self.openings[place(mv)].add(mv.side(), game);
        }
        self.reseedings += u64::from(game.reseedings);
        self.loans += u64::from(game.loans);
        self.pebbles_lent += u64::from(game.pebbles_lent);
    }

    /// Adds the games of another summary.
    ///
    /// ```
    /// use oanquan_engine::Summary;
    /// let [mut summary, mut other] = [Summary::default(), Summary::default()];
    /// (summary.games, summary.draws) = (2, 2);
    /// (other.games, other.wins[0]) = (1, 1);
    /// summary.merge(&other);
    /// assert_eq!((summary.games, summary.wins[0], summary.draws), (3, 1, 2));
    /// ```
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.draws += other.draws;
        self.reseedings += other.reseedings;
        self.loans += other.loans;
        self.pebbles_lent += other.pebbles_lent;
        let counts = self.wins.iter_mut().chain(&mut self.endings);
        for (mine, others) in counts.zip(other.wins.iter().chain(&other.endings)) {
            *mine += others;
        }
        for (mine, others) in self.points.iter_mut().zip(&other.points) {
            mine.merge(others);
        }
        for (mine, others) in self.openings.iter_mut().zip(other.openings.iter()) {
            mine.merge(others);
        }
        self.plies.merge(&other.plies);
        self.difference.merge(&other.difference);
    }

    /// The first moves that occur, by side and action number, each with what its games came to. A game that was over
    /// before a move is in none.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().openings().count(), 0);
    /// ```
    pub fn openings(&self) -> impl Iterator<Item = (Move, &Opening)> {
        let moves = Side::ALL.into_iter().flat_map(|side| (0..ACTIONS).map(move |action| (side, action as u8)));
        let named = moves.zip(self.openings.iter()).filter(|(_, opening)| opening.margin.count > 0);
        named.filter_map(|((side, action), opening)| Some((Move::from_action(side, action)?, opening)))
    }

    /// How many moves were made.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().moves(), 0);
    /// ```
    pub fn moves(&self) -> u64 {
        self.plies.tally().sum as u64
    }

    /// How many games that side won.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().won_by(oanquan_core::Side::A), 0);
    /// ```
    pub fn won_by(&self, side: Side) -> u64 {
        self.wins[side.index()]
    }

    /// How many games ended for that reason.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().ended_by(oanquan_core::Ending::Mandarins), 0);
    /// ```
    pub fn ended_by(&self, ending: Ending) -> u64 {
        self.endings[ending as usize]
    }

    /// How many games were ended by a limit: repetition or the number of plies.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::Summary::default().stopped(), 0);
    /// ```
    pub fn stopped(&self) -> u64 {
        self.ended_by(Ending::Repetition) + self.ended_by(Ending::MaxPlies)
    }
}

/// The points of that side minus the most that another one has.
#[inline]
fn margin(side: Side, points: &[i32]) -> i64 {
    // Most games have two sides: they are counted without a loop.
    if let &[a, b] = points {
        let difference = i64::from(a) - i64::from(b);
        return if side == Side::A { difference } else { -difference };
    }
    let of = |points: Option<&i32>| points.map_or(0, |&points| i64::from(points));
    let others = points.iter().enumerate().filter(|&(other, _)| other != side.index());
    of(points.get(side.index())) - of(others.map(|(_, points)| points).max())
}

/// Where the opening with that move stands.
#[inline]
fn place(mv: Move) -> usize {
    mv.side().index() * ACTIONS + usize::from(mv.action())
}
