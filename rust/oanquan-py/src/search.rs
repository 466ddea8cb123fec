//! Search: the engine on a thread of its own, the calling thread in touch with Python.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use oanquan_core::duel::DuelRules;
use oanquan_core::{Game, Position, Rules};
use oanquan_engine::Probe;
use oanquan_engine::search::{Analysis, Limits, Options, SearchError, plain};
use pyo3::exceptions::{PyBaseException, PyMemoryError};
use pyo3::prelude::*;

use crate::convert::{Text, Tuple};
use crate::errors::{self, OanquanError};
use crate::game::PyGame;
use crate::interrupt::TICK;
use crate::moves::{self, MoveArgument, PyMove};
use crate::tables::PyTable;

/// A line as its moves, its score in hundredths of a point, and what is proven, lower and upper, in points.
type Line<'py> = (Tuple<Bound<'py, PyMove>>, i32, Option<i32>, Option<i32>);
/// An analysis as its method, depth, lines, what is proven, lower and upper, nodes, seconds and the share of the table
/// that is used.
type Found<'py> = (&'static str, u32, Tuple<Line<'py>>, Option<i32>, Option<i32>, u64, f64, f64);

fn found<'py>(py: Python<'py>, analysis: &Analysis) -> PyResult<Found<'py>> {
    let line = |line: &oanquan_engine::search::Line| {
        let moves = line.moves.iter().map(|&mv| moves::shared(py, mv).cloned());
        Ok::<_, PyErr>((moves.collect::<PyResult<Tuple<_>>>()?, line.score, line.lower, line.upper))
    };
    let lines = analysis.lines.iter().map(line).collect::<PyResult<Tuple<_>>>()?;
    let Analysis { method, depth, lower, upper, nodes, time, table_used, .. } = analysis;
    Ok((method.name(), *depth, lines, *lower, *upper, *nodes, time.as_secs_f64(), *table_used))
}

/// Search the position that a game has come to: what `oanquan.search` is made of.
///
/// `moves`: the first moves to look at, all if there are none. `tables`: an endgame table that serves the rules. `progress`
/// is called from this thread with what is found at each depth, and `stop` many times a second: once it returns what is true
/// the search ends. Returns what was found, and what was raised by them or a signal handler and stopped the search, if
/// anything was. Raises `OanquanError` if the game is over or a store holds too much, `IllegalMoveError` for a first move
/// that is not legal, `MemoryError` if there is no room for the table.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> (method, depth, lines, *_), error = _core.search(oaq.Game(), [], 3, None, None, 1, 1, 1 << 20, None, None, None)
/// >>> method, depth, len(lines[0][0]), error
/// ('alpha-beta', 3, 3, None)
#[pyfunction]
#[pyo3(signature = (game, moves, depth, nodes, seconds, lines, threads, table_bytes, tables, progress, stop, /))]
pub(crate) fn search<'py>(
    game: &Bound<'py, PyGame>,
    moves: Vec<MoveArgument>,
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    lines: usize,
    threads: usize,
    table_bytes: usize,
    tables: Option<&Bound<'py, PyTable>>,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
    py: Python<'py>,
) -> PyResult<(Found<'py>, Option<Bound<'py, PyBaseException>>)> {
    let game = game.get().snapshot(py);
    let moves = moves.into_iter().map(|mv| mv.resolve(game.position(), game.ending())).collect::<PyResult<Vec<_>>>()?;
    // What is longer than can be waited for is no limit.
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let tables = tables.map(|table| table.get().core.clone() as Arc<dyn Probe>);
    let options = Options { limits: Limits { depth, nodes, time }, lines, threads, table_bytes, moves, tables };
    let (analysis, error) = watched(py, &game, &options, progress.as_ref(), stop.as_ref())?;
    let analysis = analysis.map_err(|error| match error {
        SearchError::Illegal(error) => errors::illegal(error),
        SearchError::Memory(_) => PyMemoryError::new_err(error.to_string()),
        other => OanquanError::new_err(other.to_string()),
    })?;
    Ok((found(py, &analysis)?, error.map(|error| error.into_value(py).into_bound(py))))
}

/// Searches on a thread of its own, with the interpreter free for others; `progress` and `asked` are called and signals are
/// handled meanwhile. Returns what came of it, and what was raised meanwhile and stopped it, if anything was.
fn watched(
    py: Python<'_>,
    game: &Game,
    options: &Options,
    progress: Option<&Py<PyAny>>,
    asked: Option<&Py<PyAny>>,
) -> PyResult<(Result<Analysis, SearchError>, Option<PyErr>)> {
    let stop = AtomicBool::new(false);
    // Whether to go on.
    let report = |py: Python<'_>, analysis: Option<&Analysis>| -> PyResult<bool> {
        py.check_signals()?;
        if let (Some(progress), Some(analysis)) = (progress, analysis) {
            progress.call1(py, (found(py, analysis)?,))?;
        }
        asked.map_or(Ok(true), |asked| Ok(!asked.bind(py).call0()?.is_truthy()?))
    };
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, reports) = mpsc::channel();
            let stop = &stop;
            let work = move || {
                // Nobody may be listening any more.
                let mut tell = |analysis: &Analysis| drop(sender.send(analysis.clone()));
                oanquan_engine::search::search(game, options, stop, &mut tell)
            };
            let worker = thread::Builder::new().spawn_scoped(scope, work)?;
            let mut error = None;
            loop {
                let analysis = match reports.recv_timeout(TICK) {
                    Ok(analysis) => Some(analysis),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if stop.load(Ordering::Relaxed) {
                    continue;
                }
                match Python::try_attach(|py| report(py, analysis.as_ref())) {
                    Some(Ok(true)) => continue,
                    Some(Err(raised)) => error = Some(raised),
                    Some(Ok(false)) | None => (), // asked to, or the interpreter is going away
                }
                stop.store(true, Ordering::Relaxed);
            }
            match worker.join() {
                Ok(result) => Ok((result, error)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    })
    .map_err(|error: std::io::Error| PyErr::from(error))
}

/// Search the start of `wikipedia-vi` to a depth on one core: `"plain"` is alpha-beta without a table and without an order
/// of moves, `"search"` what `oanquan.search` does, with a table of 16 MiB.
///
/// Returns the number of nodes (positions reached by playing a move) and the seconds they took.
///
/// >>> from oanquan import _core
/// >>> nodes, seconds = _core.bench_search("plain", 5)
/// >>> nodes > _core.bench_search("search", 5)[0] > 0
/// True
#[pyfunction]
pub(crate) fn bench_search(method: Text, depth: u32, py: Python<'_>) -> PyResult<(u64, f64)> {
    let unknown = || OanquanError::new_err(format!("method: expected plain or search, got {:?}", method.0));
    let rules = Rules::parse("wikipedia-vi").map_err(|error| errors::rules(&error))?;
    let start = Position::start(rules);
    let Some(duel_rules) = DuelRules::new(rules) else { return Err(unknown()) };
    let begin = Instant::now();
    let nodes = match method.0.as_str() {
        "plain" => py.detach(|| plain::alpha_beta(&duel_rules, &duel_rules.duel(&start), depth).1),
        "search" => {
            let options = Options { limits: Limits { depth: Some(depth), ..Limits::default() }, ..Options::default() };
            let (analysis, error) = watched(py, &Game::new(start), &options, None, None)?;
            error.map_or(Ok(()), Err)?;
            analysis.map_err(|error| OanquanError::new_err(error.to_string()))?.nodes
        }
        _ => return Err(unknown()),
    };
    Ok((nodes, begin.elapsed().as_secs_f64()))
}
