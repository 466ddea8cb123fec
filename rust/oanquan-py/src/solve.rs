//! `solve`, `verify_certificate`: bounds that are proved, and their proofs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use oanquan_core::Position;
use oanquan_engine::certificate::{Certificate, CertificateError, Checked, verify};
use oanquan_engine::solver::{Interval, Options, Solution, SolveError, Solver, Telling};
use oanquan_engine::{Probe, tablebase::Tablebase};
use pyo3::exceptions::{PyBaseException, PyMemoryError};
use pyo3::prelude::*;

use crate::convert::Tuple;
use crate::errors::{self, OanquanError};
use crate::moves::{PyMove, shared};
use crate::position::PyPosition;
use crate::shards;
use crate::simulate::{Callback, watched_by};
use crate::tables::PyTable;

/// How a call of `solve` is getting on: what its `progress` looks at.
///
/// >>> from oanquan import _core
/// >>> telling = _core.Telling()
/// >>> telling.nodes, telling.lower, telling.upper, telling.plies, telling.decisions
/// (0, None, None, (0, 0), 0)
#[pyclass(name = "Telling", module = "oanquan._core", frozen)]
pub(crate) struct PyTelling(Arc<Telling>);

#[pymethods]
impl PyTelling {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    /// The positions looked at.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    /// What the side to move can get at least, so far.
    #[getter]
    fn lower(&self) -> Option<i32> {
        self.0.interval().lower
    }

    /// What the other side can hold it to, so far.
    #[getter]
    fn upper(&self) -> Option<i32> {
        self.0.interval().upper
    }

    /// The plies of the longest line that was looked at for the lower and for the upper bound.
    #[getter]
    fn plies(&self) -> (u32, u32) {
        self.0.plies().into()
    }

    /// The decisions of the certificate that are written down or verified.
    #[getter]
    fn decisions(&self) -> u64 {
        self.0.decisions()
    }
}

/// The lower and the upper bound, and whether it is proved that they are the best there are.
type Bounds = (Option<i32>, Option<i32>, bool, bool);
type Moves<'py> = Vec<(Bound<'py, PyMove>, Bounds)>;
/// Decisions, moves played to verify them, bytes of the file.
type Certified = (u64, u64, u64);
type Solved<'py> = (Bounds, Moves<'py>, u64, (u32, u32), f64, Option<Certified>);

/// Prove bounds of a position and of its moves: what `oanquan.solve` is made of.
///
/// `nodes` and `seconds` limit the search; `table_size` is the bytes of its tables. With `moves` each move is settled too.
/// What `telling` has is kept up to date, and `progress` is called from this thread with its nodes and decisions, about every
/// 50 ms and at the end. With `certificate` the proofs are written to that path, once they are verified.
///
/// Returns the bounds, the moves with their bounds, the nodes, the depths, the use of the tables, and of the
/// certificate the decisions, the moves played to verify it and the bytes; then what was raised by `progress` or a signal
/// handler, if that ended the search: then there is no certificate.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start = oaq.Position.start(oaq.Rules(squares=2, pebbles=2))
/// >>> solved, error = _core.solve(start, None, None, 1 << 20, 1, False, None, None, _core.Telling(), None)
/// >>> solved[0], error
/// ((10, 10, False, False), None)
#[pyfunction]
#[pyo3(signature = (position, nodes, seconds, table_size, threads, moves, tables, certificate, telling, progress, /))]
pub(crate) fn solve<'py>(
    position: &Bound<'py, PyPosition>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    table_size: usize,
    threads: usize,
    moves: bool,
    tables: Option<&Bound<'py, PyTable>>,
    certificate: Option<PathBuf>,
    telling: &Bound<'py, PyTelling>,
    progress: Option<Callback>,
    py: Python<'py>,
) -> PyResult<(Solved<'py>, Option<Bound<'py, PyBaseException>>)> {
    let core = position.get().core;
    let tables: Option<Arc<Tablebase>> = tables.map(|table| table.get().core.clone());
    let options = Options {
        nodes: nodes.unwrap_or(u64::MAX),
        deadline: seconds.and_then(|seconds| Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?)),
        table_bytes: table_size,
        threads,
        moves,
        tables: tables.as_deref().map(|table| table as &dyn Probe),
    };
    let telling = telling.get().0.clone();
    let counts = || (telling.nodes(), telling.decisions());
    let (outcome, raised) = watched_by(py, progress.as_ref(), &counts, |stop| {
        work(&core, options, certificate.as_deref(), stop, &telling)
    })?;
    let (solution, certified) = match (outcome, raised.is_some()) {
        (Ok(outcome), _) => outcome,
        (Err(error), _) => return Err(raised.unwrap_or_else(|| raise(error, certificate.as_deref(), py))),
    };
    let mut moves = Vec::new();
    for &(mv, interval) in &solution.moves {
        moves.push((shared(py, mv)?.clone(), bounds(interval)));
    }
    let solved =
        (bounds(solution.interval), moves, solution.nodes, solution.plies.into(), solution.table_use, certified);
    Ok((solved, raised.map(|error| error.into_value(py).into_bound(py))))
}

const fn bounds(interval: Interval) -> Bounds {
    let Interval { lower, upper, lower_is_best, upper_is_best } = interval;
    (lower, upper, lower_is_best, upper_is_best)
}

/// What can go wrong in `solve`.
enum Failure {
    Solve(SolveError),
    Certificate(CertificateError),
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        Self::Solve(error)
    }
}

impl From<CertificateError> for Failure {
    fn from(error: CertificateError) -> Self {
        Self::Certificate(error)
    }
}

fn work(
    position: &Position,
    options: Options<'_>,
    path: Option<&Path>,
    stop: &AtomicBool,
    telling: &Telling,
) -> Result<(Solution, Option<Certified>), Failure> {
    let mut solver = Solver::new(position, options)?;
    let solution = solver.run(stop, telling)?;
    let Some(path) = path.filter(|_| !stop.load(Ordering::Relaxed)) else { return Ok((solution, None)) };
    let certificate = solver.certificate(stop, telling)?;
    if certificate.claims.is_empty() {
        return Ok((solution, None));
    }
    // The search may be large, and the replay needs nothing of it.
    drop(solver);
    let checked = verify(&certificate, options.threads, stop, &AtomicU64::new(0))?;
    let bytes = certificate.write(path)?;
    Ok((solution, Some((checked.decisions, checked.moves, bytes))))
}

fn raise(failure: Failure, path: Option<&Path>, py: Python<'_>) -> PyErr {
    match failure {
        Failure::Solve(SolveError::Memory(bytes)) => {
            PyMemoryError::new_err(format!("no room for tables of {bytes} bytes"))
        }
        Failure::Solve(error) => OanquanError::new_err(error.to_string()),
        Failure::Certificate(error) => raise_certificate(error, path, py),
    }
}

fn raise_certificate(error: CertificateError, path: Option<&Path>, py: Python<'_>) -> PyErr {
    match error {
        CertificateError::Io(error) => shards::io(&error, path, py),
        error => errors::certificate(&error),
    }
}

/// Replay a certificate with the core's checked moves: what `oanquan.verify_certificate` is made of.
///
/// Returns the text of its rules, the claims as (bound, value, position), its decisions and the moves played.
/// `progress` is called with the decisions replayed and all of them. Raises `OSError` if the file cannot be read,
/// `CertificateError` if it proves nothing, and what `progress` or a signal handler raises.
///
/// >>> from oanquan import _core
/// >>> _core.verify_certificate("nothing", 1, None)
/// Traceback (most recent call last):
/// FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
#[pyfunction]
#[pyo3(signature = (path, threads, progress, /))]
pub(crate) fn verify_certificate(
    path: PathBuf,
    threads: usize,
    progress: Option<Callback>,
    py: Python<'_>,
) -> PyResult<(String, Tuple<(&'static str, i32, String)>, u64, u64)> {
    let (done, all) = (AtomicU64::new(0), AtomicU64::new(0));
    let counts = || (done.load(Ordering::Relaxed), all.load(Ordering::Relaxed));
    let replay = |stop: &AtomicBool| -> Result<(Certificate, Checked), CertificateError> {
        let certificate = Certificate::read(&path)?;
        all.store(certificate.decisions.len() as u64, Ordering::Relaxed);
        let checked = verify(&certificate, threads, stop, &done)?;
        Ok((certificate, checked))
    };
    let (outcome, raised) = watched_by(py, progress.as_ref(), &counts, replay)?;
    if let Some(raised) = raised {
        return Err(raised);
    }
    let (certificate, checked) = outcome.map_err(|error| raise_certificate(error, Some(&path), py))?;
    let claims = certificate.claims.iter();
    let claims = claims.map(|claim| (claim.bound.name(), claim.value, claim.position.to_string())).collect();
    Ok((certificate.rules.to_string(), claims, checked.decisions, checked.moves))
}
