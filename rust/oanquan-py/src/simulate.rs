//! Games by the million, with progress: the engine on threads of its own, the calling thread in touch with Python.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use oanquan_columns::Options;
use oanquan_engine::{Agent, Config, Summary, agent};
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use pyo3::{PyTypeInfo, type_hint_identifier, type_hint_subscript};

use crate::columns::PyColumns;
use crate::convert::{Text, Tuple};
use crate::errors::OanquanError;
use crate::interrupt::TICK;
use crate::position::PyPosition;
use crate::shards;
use crate::summary::PySummary;

/// The texts of the agents that can play, each with what it does.
///
/// >>> from oanquan import _core
/// >>> [text for text, _ in _core.agents()][:3]
/// ['random', 'greedy', 'cautious']
#[pyfunction]
pub(crate) fn agents() -> Tuple<(&'static str, &'static str)> {
    agent::FORMS.into_iter().collect()
}

/// The one form of the text of an agent. Raises `OanquanError` for what is none.
///
/// >>> from oanquan import _core
/// >>> _core.agent_name("mcts:simulations=0050")
/// 'mcts:simulations=50'
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn agent_name(text: Text) -> PyResult<String> {
    Ok(by_names(&[text])?[0].name().to_owned())
}

/// Play `games` games from `position`, sum them up and keep their columns: what `oanquan.simulate` is made of.
///
/// Side k is played by the k-th of `agents`, round and round; `threads` 0 means all cores. The columns are kept if
/// `columns` is true, with moves and positions if these are. `progress` is called from this thread with the games done
/// and the games in all, about every 50 ms and at the end. Returns the sums, the columns if there are any, and what was
/// raised by `progress` or a signal handler and stopped the run, if anything was. Raises `MemoryError` if there is no
/// room for the columns.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start = oaq.Position.start()
/// >>> summary, columns, error = _core.simulate(start, 100, ["random"], 7, 1, 1000, 3, False, False, False, None)
/// >>> summary.games, columns, error
/// (100, None, None)
#[pyfunction]
#[pyo3(signature = (position, games, agents, seed, threads, max_plies, repetition, columns, moves, positions, progress, /))]
pub(crate) fn simulate<'py>(
    position: &Bound<'py, PyPosition>,
    games: u64,
    agents: Vec<Text>,
    seed: u64,
    threads: usize,
    max_plies: Option<u32>,
    repetition: Option<u32>,
    columns: bool,
    moves: bool,
    positions: bool,
    progress: Option<Callback>,
    py: Python<'py>,
) -> PyResult<(PySummary, Option<PyColumns>, Option<Bound<'py, PyBaseException>>)> {
    let start = position.get().core;
    let agents = by_names(&agents)?;
    let config = Config { agents, seed, max_plies, repetition, threads, ..Config::new(start, games) };
    let options = Options { moves, positions };
    let (played, error) = watched(py, games, progress.as_ref(), |stop, done| {
        if columns {
            let (summary, columns) = oanquan_columns::collect(&config, options, stop, done)?;
            Ok((summary, Some(PyColumns(columns))))
        } else {
            Ok((oanquan_engine::simulate(&config, stop, done), None))
        }
    })?;
    let (core, columns) = played.map_err(|error| shards::raise(error, None, py))?;
    Ok((PySummary::new(core, start.rules()), columns, error.map(|error| error.into_value(py).into_bound(py))))
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

impl Callback {
    pub(crate) fn call(&self, py: Python<'_>, done: u64, games: u64) -> PyResult<()> {
        self.0.call1(py, (done, games)).map(drop)
    }
}

/// The agents of those texts.
pub(crate) fn by_names(names: &[Text]) -> PyResult<Vec<Arc<dyn Agent>>> {
    let refused = |error| OanquanError::new_err(format!("agents: {error}"));
    names.iter().map(|name| agent::parse(&name.0).map_err(refused)).collect()
}

/// Does work of many games on a thread of its own, with the interpreter free for others; `progress` is called and
/// signals are handled meanwhile. The work must end soon once the flag that it is given is set, and count the games that
/// are done. Returns what came of it, and what was raised meanwhile and stopped it, if anything was.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    games: u64,
    progress: Option<&Callback>,
    work: impl FnOnce(&AtomicBool, &AtomicU64) -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let done = AtomicU64::new(0);
    watched_by(py, progress, &|| (done.load(Ordering::Relaxed), games), |stop| work(stop, &done))
}

/// As [`watched`], for work that counts by itself: `counts` tells what is done and what there is in all.
pub(crate) fn watched_by<T: Send>(
    py: Python<'_>,
    progress: Option<&Callback>,
    counts: &(dyn Fn() -> (u64, u64) + Sync),
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let stop = AtomicBool::new(false);
    let report = |py: Python<'_>| match progress {
        Some(callback) => callback.call(py, counts().0, counts().1),
        None => Ok(()),
    };
    let (result, error) = py
        .detach(|| {
            thread::scope(|scope| {
                let (ended, end) = mpsc::channel::<()>();
                let stop = &stop;
                let work = move || {
                    let _ended = ended; // dropped, and so heard, when the work ends in whatever way
                    work(stop)
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
                    Ok(result) => Ok((result, error)),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        })
        .map_err(|error: std::io::Error| PyErr::from(error))?;
    let error = error.or_else(|| report(py).err());
    Ok((result, error))
}

/// Simulates with the interpreter free for others; returns what was raised meanwhile, if it stopped the run.
pub(crate) fn run(py: Python<'_>, config: &Config, progress: Option<&Callback>) -> PyResult<(Summary, Option<PyErr>)> {
    watched(py, config.games, progress, |stop, done| oanquan_engine::simulate(config, stop, done))
}
