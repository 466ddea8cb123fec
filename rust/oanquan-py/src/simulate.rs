//! Games by the million, with progress: the engine on threads of its own, the calling thread in touch with Python.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use oanquan_core::Ending;
use oanquan_engine::{Agent, Config, Summary, Tally, agent};
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use pyo3::{PyTypeInfo, type_hint_identifier, type_hint_subscript};

use crate::convert::{Letter, Text, Tuple};
use crate::errors::OanquanError;
use crate::interrupt::TICK;
use crate::position::PyPosition;

/// The names of the agents that can play.
///
/// >>> from oanquan import _core
/// >>> _core.agents()
/// ('random', 'greedy')
#[pyfunction]
pub(crate) fn agents() -> Tuple<&'static str> {
    agent::NAMES.into_iter().collect()
}

/// Play `games` games from `position` and sum them up: what `oanquan.simulate` is made of.
///
/// Side k is played by the k-th of `agents`, round and round; `threads` 0 means all cores. `progress` is called from
/// this thread with the games done and the games in all, about every 50 ms and at the end. Returns the sums, and what
/// was raised by `progress` or a signal handler and stopped the run, if anything was.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> summary, error = _core.simulate(oaq.Position.start(), 100, ["random"], 7, 1, 1000, 3, None)
/// >>> summary.games, error
/// (100, None)
#[pyfunction]
#[pyo3(signature = (position, games, agents, seed, threads, max_plies, repetition, progress, /))]
pub(crate) fn simulate<'py>(
    position: &Bound<'py, PyPosition>,
    games: u64,
    agents: Vec<Text>,
    seed: u64,
    threads: usize,
    max_plies: Option<u32>,
    repetition: Option<u32>,
    progress: Option<Callback>,
    py: Python<'py>,
) -> PyResult<(PySummary, Option<Bound<'py, PyBaseException>>)> {
    let agents = agents.iter().map(|name| by_name(&name.0)).collect::<PyResult<_>>()?;
    let start = position.get().core;
    let config = Config { agents, seed, max_plies, repetition, threads, ..Config::new(start, games) };
    let (core, error) = run(py, &config, progress.as_ref())?;
    let sides = start.rules().sides.into();
    Ok((PySummary { core, sides }, error.map(|error| error.into_value(py).into_bound(py))))
}

/// What is called with the games done and the games in all.
pub(crate) struct Callback(Py<PyAny>);

impl<'py> FromPyObject<'_, 'py> for Callback {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_subscript!(
        type_hint_identifier!("collections.abc", "Callable"),
        PyStaticExpr::List { elts: &[PyInt::TYPE_HINT, PyInt::TYPE_HINT] },
        type_hint_identifier!("builtins", "object")
    );

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_callable() {
            return Ok(Self(object.to_owned().unbind()));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("progress: expected a callable, got {kind}")))
    }
}

fn by_name(name: &str) -> PyResult<std::sync::Arc<dyn Agent>> {
    agent::by_name(name)
        .ok_or_else(|| OanquanError::new_err(format!("agents: expected {}, got {name:?}", agent::NAMES.join(" or "))))
}

/// Simulates with the interpreter free for others; returns what was raised meanwhile, if it stopped the run.
pub(crate) fn run(py: Python<'_>, config: &Config, progress: Option<&Callback>) -> PyResult<(Summary, Option<PyErr>)> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let report = |py: Python<'_>| match progress {
        Some(callback) => callback.0.call1(py, (done.load(Ordering::Relaxed), config.games)).map(drop),
        None => Ok(()),
    };
    let (summary, error) = py
        .detach(|| {
            thread::scope(|scope| {
                let (ended, end) = mpsc::channel::<()>();
                let work = || {
                    let _ended = ended; // dropped, and so heard, when the work ends in whatever way
                    oanquan_engine::simulate(config, &stop, &done)
                };
                let worker = thread::Builder::new().spawn_scoped(scope, work)?;
                let mut error = None;
                while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    if stop.load(Ordering::Relaxed) {
                        continue;
                    }
                    match Python::try_attach(|py| py.check_signals().and_then(|()| report(py))) {
                        Some(Ok(())) => continue,
                        Some(Err(raised)) => error = Some(raised),
                        None => (), // the interpreter is going away
                    }
                    stop.store(true, Ordering::Relaxed);
                }
                match worker.join() {
                    Ok(summary) => Ok((summary, error)),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        })
        .map_err(|error: std::io::Error| PyErr::from(error))?;
    let error = error.or_else(|| report(py).err());
    Ok((summary, error))
}

/// What many games came to, in whole numbers. A number of each game is summed up as
/// `(count, sum, sum of squares, least, greatest)`.
#[pyclass(name = "Summary", module = "oanquan._core", frozen)]
pub(crate) struct PySummary {
    core: Summary,
    sides: usize,
}

type Sums = (u64, i128, i128, i64, i64);

const fn sums(tally: &Tally) -> Sums {
    (tally.count, tally.sum, tally.squares, tally.min, tally.max)
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
        self.sides().map(|side| (Letter(side), self.core.won_by(side))).collect()
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
        self.sides().map(|side| (Letter(side), sums(&self.core.points[side.index()]))).collect()
    }

    /// The sums of side a's points minus side b's; `None` unless two sides play.
    #[getter]
    fn difference(&self) -> Option<Sums> {
        (self.sides == 2).then(|| sums(&self.core.difference))
    }

    /// The sums of the plies; the sum of plies is the number of moves made.
    #[getter]
    const fn plies(&self) -> Sums {
        sums(&self.core.plies)
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

impl PySummary {
    fn sides(&self) -> impl Iterator<Item = oanquan_core::Side> + use<> {
        oanquan_core::Side::ALL.into_iter().take(self.sides)
    }
}
