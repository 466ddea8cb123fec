//! `Store`, `Debt`, `Outcome`: what a position holds besides its board, as plain values.

use oanquan_core::{Ending, Outcome, Side};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::convert::{Letter, Text, Tuple, Whole};
use crate::errors::OanquanError;

/// What a side has captured: pebbles, and mandarins (each worth `mandarin_value` pebbles at the count). Immutable.
///
/// The pebbles are below zero only where the rules let a side owe. Numbers beyond 64 bits become the nearest that fit.
///
/// >>> import oanquan as oaq
/// >>> oaq.Position.start().play("a1+").stores
/// (Store(pebbles=6, mandarins=0), Store(pebbles=0, mandarins=0))
#[pyclass(name = "Store", module = "oanquan", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyStore {
    pub(crate) pebbles: i64,
    pub(crate) mandarins: i64,
}

#[pymethods]
impl PyStore {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str) = ("pebbles", "mandarins");

    #[new]
    #[pyo3(signature = (pebbles, mandarins=Whole(0)), text_signature = "(pebbles, mandarins=0)")]
    const fn new(pebbles: Whole, mandarins: Whole) -> Self {
        Self { pebbles: pebbles.0, mandarins: mandarins.0 }
    }

    /// Captured pebbles, less those put back or lent.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().play("a1+").stores[0].pebbles
    /// 6
    #[getter]
    const fn pebbles(&self) -> i64 {
        self.pebbles
    }

    /// Captured mandarins.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Store(30, 1).mandarins
    /// 1
    #[getter]
    const fn mandarins(&self) -> i64 {
        self.mandarins
    }

    fn __repr__(&self) -> String {
        format!("Store(pebbles={}, mandarins={})", self.pebbles, self.mandarins)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (i64, i64)) {
        (py.get_type::<Self>(), (self.pebbles, self.mandarins))
    }
}

/// Pebbles that one side owes another, to be repaid at the count. Immutable.
///
/// Numbers beyond 64 bits become the nearest that fit. Raises `OanquanError` for an unknown side.
///
/// >>> import oanquan as oaq
/// >>> position = oaq.Position.parse("0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2 a 9")
/// >>> position.debts
/// (Debt(debtor='a', creditor='b', pebbles=2),)
#[pyclass(name = "Debt", module = "oanquan", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyDebt {
    pub(crate) debtor: Side,
    pub(crate) creditor: Side,
    pub(crate) pebbles: i64,
}

#[pymethods]
impl PyDebt {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str) = ("debtor", "creditor", "pebbles");

    #[new]
    const fn new(debtor: Letter, creditor: Letter, pebbles: Whole) -> Self {
        Self { debtor: debtor.0, creditor: creditor.0, pebbles: pebbles.0 }
    }

    /// The side that owes.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Debt("a", "b", 2).debtor
    /// 'a'
    #[getter]
    const fn debtor(&self) -> Letter {
        Letter(self.debtor)
    }

    /// The side that is owed.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Debt("a", "b", 2).creditor
    /// 'b'
    #[getter]
    const fn creditor(&self) -> Letter {
        Letter(self.creditor)
    }

    /// How many pebbles.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Debt("a", "b", 2).pebbles
    /// 2
    #[getter]
    const fn pebbles(&self) -> i64 {
        self.pebbles
    }

    fn __repr__(&self) -> String {
        format!("Debt(debtor='{}', creditor='{}', pebbles={})", self.debtor, self.creditor, self.pebbles)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Letter, Letter, i64)) {
        (py.get_type::<Self>(), (self.debtor(), self.creditor(), self.pebbles))
    }
}

/// How a game came out. Immutable.
///
/// Made by positions and games that are over; `Outcome(winner, ending, points)` makes one by hand and raises
/// `OanquanError` for an unknown side or ending.
///
/// >>> import oanquan as oaq
/// >>> over = oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins")
/// >>> over.outcome
/// Outcome(winner='a', ending='mandarins', points=(43, 27))
/// >>> print(over.outcome)
/// a wins 43/27 (mandarins)
#[pyclass(name = "Outcome", module = "oanquan", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyOutcome {
    winner: Option<Side>,
    ending: Ending,
    points: Vec<i64>,
}

impl From<Outcome> for PyOutcome {
    fn from(outcome: Outcome) -> Self {
        let points = outcome.points.as_slice().iter().map(|&points| points.into()).collect();
        Self { winner: outcome.winner, ending: outcome.ending, points }
    }
}

#[pymethods]
impl PyOutcome {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str) = ("winner", "ending", "points");

    #[new]
    #[pyo3(signature = (winner, ending, points))]
    fn new(winner: Option<Letter>, ending: Text, points: Vec<Whole>) -> PyResult<Self> {
        Ok(Self {
            winner: winner.map(|letter| letter.0),
            ending: ending_of(&ending.0)?,
            points: points.into_iter().map(|points| points.0).collect(),
        })
    }

    /// The side that won, or `None` for a draw.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Outcome("a", "mandarins", (43, 27)).winner
    /// 'a'
    #[getter]
    fn winner(&self) -> Option<Letter> {
        self.winner.map(Letter)
    }

    /// Why the game is over.
    ///
    /// `"mandarins"`: the mandarin squares are empty, or the mandarins taken, as the rules have it. `"short"`: a side
    /// could not re-seed its row. `"loses"`: the same, and that side has lost. `"repetition"`, `"max_plies"`: a limit
    /// of the game.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game(max_plies=0).outcome.ending
    /// 'max_plies'
    #[getter]
    const fn ending(&self) -> &'static str {
        self.ending.name()
    }

    /// The points of the count, one number a side.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Outcome("a", "mandarins", (43, 27)).points
    /// (43, 27)
    #[getter]
    fn points(&self) -> Tuple<i64> {
        Tuple(self.points.clone())
    }

    fn __str__(&self) -> String {
        let points: Vec<_> = self.points.iter().map(ToString::to_string).collect();
        let result = self.winner.map_or_else(|| String::from("draw"), |side| format!("{side} wins"));
        format!("{result} {} ({})", points.join("/"), self.ending)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let winner = self.winner.map_or_else(|| String::from("None"), |side| format!("'{side}'"));
        let points = self.points().into_pyobject(py)?.repr()?;
        Ok(format!("Outcome(winner={winner}, ending='{}', points={points})", self.ending))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Option<Letter>, &'static str, Tuple<i64>)) {
        (py.get_type::<Self>(), (self.winner(), self.ending(), self.points()))
    }
}

/// The ending of that word, `OanquanError` for another.
pub(crate) fn ending_of(text: &str) -> PyResult<Ending> {
    Ending::from_name(text).ok_or_else(|| {
        let names: Vec<_> = Ending::ALL.iter().map(|ending| ending.name()).collect();
        OanquanError::new_err(format!("ending: expected one of {}, got {text:?}", names.join(", ")))
    })
}
