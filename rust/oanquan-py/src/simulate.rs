//! Games by the million, with progress: the engine on threads of its own, the calling thread in touch with Python.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use oanquan_engine::{Agent, Config, Summary, agent};
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use pyo3::{PyTypeInfo, type_hint_identifier, type_hint_subscript};

use crate::convert::{Text, Tuple};
use crate::errors::OanquanError;
use crate::interrupt::TICK;
use crate::position::PyPosition;
use crate::summary::PySummary;

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
    Ok((PySummary::new(core, start.rules()), error.map(|error| error.into_value(py).into_bound(py))))
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
