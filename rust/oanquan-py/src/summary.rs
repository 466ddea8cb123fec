//! `Summary`: what many games came to, for `oanquan.results` to read.

use oanquan_core::{Ending, MAX_SIDES, Move, Rules, Side};
use oanquan_engine::{Distribution, Opening, Summary, Tally};
use pyo3::prelude::*;

use crate::convert::Letter;
use crate::moves::{self, PyMove};

/// What many games came to, in whole numbers. A number of each game is summed up as
/// `(count, sum, sum of squares, least, greatest)`, and its histogram is the numbers that occur, ascending, each with how
/// many games have it.
#[pyclass(name = "Summary", module = "oanquan._core", frozen)]
pub(crate) struct PySummary {
    core: Summary,
    sides: usize,
}

impl PySummary {
    /// The summary of games under those rules.
    pub(crate) fn new(core: Summary, rules: &Rules) -> Self {
        Self { core, sides: rules.sides.into() }
    }

    fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        Side::ALL.into_iter().take(self.sides)
    }

    /// A count of each side that plays.
    fn by_side(&self, counts: &[u64; MAX_SIDES]) -> Vec<(Letter, u64)> {
        self.sides().map(|side| (Letter(side), counts[side.index()])).collect()
    }
}

type Sums = (u64, i128, i128, i64, i64);

const fn sums(tally: Tally) -> Sums {
    (tally.count, tally.sum, tally.sum_of_squares, tally.min, tally.max)
}

type Histogram = Vec<(i64, u64)>;

fn histogram(distribution: &Distribution) -> Histogram {
    distribution.counts().collect()
}

#[pymethods]
impl PySummary {
    /// How many games were finished.
    #[getter]
    const fn games(&self) -> u64 {
        self.core.games
    }

    /// How many games each side won, in the order of the sides.
    #[getter]
    fn wins(&self) -> Vec<(Letter, u64)> {
        self.by_side(&self.core.wins)
    }

    /// How many games nobody won.
    #[getter]
    const fn draws(&self) -> u64 {
        self.core.draws
    }

    /// How many games ended for each reason.
    #[getter]
    fn endings(&self) -> Vec<(&'static str, u64)> {
        Ending::ALL.into_iter().map(|ending| (ending.name(), self.core.ended_by(ending))).collect()
    }

    /// The sums of each side's points.
    #[getter]
    fn points(&self) -> Vec<(Letter, Sums)> {
        self.sides().map(|side| (Letter(side), sums(self.core.points[side.index()].tally()))).collect()
    }

    /// The histogram of each side's points.
    #[getter]
    fn points_histogram(&self) -> Vec<(Letter, Histogram)> {
        self.sides().map(|side| (Letter(side), histogram(&self.core.points[side.index()]))).collect()
    }

    /// The sums of side a's points minus side b's; `None` unless two sides play.
    #[getter]
    fn difference(&self) -> Option<Sums> {
        (self.sides == 2).then(|| sums(self.core.difference.tally()))
    }

    /// The histogram of side a's points minus side b's; empty unless two sides play.
    #[getter]
    fn difference_histogram(&self) -> Histogram {
        histogram(&self.core.difference)
    }

    /// The sums of the plies; the sum of plies is the number of moves made.
    #[getter]
    fn plies(&self) -> Sums {
        sums(self.core.plies.tally())
    }

    /// The histogram of the plies.
    #[getter]
    fn plies_histogram(&self) -> Histogram {
        histogram(&self.core.plies)
    }

    /// The first moves that occur, by action number; of the games of each: how many each side won, how many nobody won,
    /// and the sums of the margin of the side that moved first over the best of the others.
    #[getter]
    fn openings<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyMove>, Vec<(Letter, u64)>, u64, Sums)>> {
        let of = |(mv, opening): (Move, &Opening)| {
            let wins = self.by_side(&opening.wins);
            Ok((moves::shared(py, mv)?.clone(), wins, opening.draws, sums(opening.margin)))
        };
        self.core.openings().map(of).collect()
    }

    /// How many rows were re-seeded.
    #[getter]
    const fn reseedings(&self) -> u64 {
        self.core.reseedings
    }

    /// How many loans were made, one for each lender.
    #[getter]
    const fn loans(&self) -> u64 {
        self.core.loans
    }

    /// How many pebbles were lent.
    #[getter]
    const fn pebbles_lent(&self) -> u64 {
        self.core.pebbles_lent
    }
}
