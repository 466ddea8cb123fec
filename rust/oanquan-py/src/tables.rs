//! `Table`: endgame tables in files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use oanquan_core::duel::DuelRules;
use oanquan_engine::Bounds;
use oanquan_engine::tablebase::{Progress, TableError, Tablebase};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::convert::Tuple;
use crate::errors::OanquanError;
use crate::position::PyPosition;
use crate::rules::PyRules;
use crate::shards;
use crate::simulate::{Callback, watched_by};

/// How often a build saves what it has come to.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// An endgame table in a file: what `oanquan.Tables` is made of.
///
/// >>> import os, tempfile
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     table = _core.Table.build(os.path.join(folder, "a.table"), oaq.Rules.preset("short-game"), 3, 1, None)
/// >>> table.rules_text, table.pebbles, table.positions
/// ('short-game', 3, 1005)
#[pyclass(name = "Table", module = "oanquan._core", frozen)]
pub(crate) struct PyTable {
    pub(crate) core: Arc<Tablebase>,
    path: PathBuf,
}

#[pymethods]
impl PyTable {
    /// Open the file of a table.
    ///
    /// Raises `OSError` if it cannot be read, `OanquanError` if it is no table.
    ///
    /// >>> from oanquan import _core
    /// >>> _core.Table.open("nothing")
    /// Traceback (most recent call last):
    /// FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
    #[staticmethod]
    #[pyo3(signature = (path, /))]
    fn open(path: PathBuf, py: Python<'_>) -> PyResult<Self> {
        let opened = py.detach(|| Tablebase::open(&path)).map_err(|error| raise(error, &path, py))?;
        Ok(Self { core: Arc::new(opened), path })
    }

    /// Build a table into a file, or open the one that is there; `threads` 0 means all cores. `progress` is called from this
    /// thread with the positions settled and all positions, about every 50 ms and at the end.
    ///
    /// Raises `OSError`, `MemoryError`, `OanquanError` if there is no such table or another file in the way, and what
    /// `progress` or a signal handler raises.
    ///
    /// >>> import oanquan as oaq
    /// >>> from oanquan import _core
    /// >>> _core.Table.build("a.table", oaq.Rules(shortfall="count"), 3, 1, None)
    /// Traceback (most recent call last):
    /// oanquan.errors.OanquanError: rules: expected two sides and shortfall=borrow, owe or loses, got shortfall=count
    #[staticmethod]
    #[pyo3(signature = (path, rules, pebbles, threads, progress, /))]
    fn build(
        path: PathBuf,
        rules: PyRules,
        pebbles: u32,
        threads: usize,
        progress: Option<Callback>,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let counts = Progress::default();
        let positions = Tablebase::positions_of(rules.core, pebbles).map_err(|error| raise(error, &path, py))?;
        let count = || (counts.settled.load(Ordering::Relaxed), positions);
        let built = watched_by(py, progress.as_ref(), &count, |stop| {
            Tablebase::build_file(&path, rules.core, pebbles, threads, SAVE_EVERY, stop, &counts)
        })?;
        Ok(Self { core: Arc::new(finished(built, &path, py)?), path })
    }

    /// The file.
    ///
    /// >>> from oanquan import _core
    /// >>> type(_core.Table.path).__name__
    /// 'getset_descriptor'
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The text of the rules.
    ///
    /// >>> from oanquan import _core
    /// >>> type(_core.Table.rules_text).__name__
    /// 'getset_descriptor'
    #[getter]
    fn rules_text(&self) -> String {
        self.core.rules().rules().to_string()
    }

    /// The most pebbles on a board of the table.
    ///
    /// >>> from oanquan import _core
    /// >>> type(_core.Table.pebbles).__name__
    /// 'getset_descriptor'
    #[getter]
    fn pebbles(&self) -> u32 {
        self.core.pebbles()
    }

    /// How many positions the table has.
    ///
    /// >>> from oanquan import _core
    /// >>> type(_core.Table.positions).__name__
    /// 'getset_descriptor'
    #[getter]
    fn positions(&self) -> u64 {
        self.core.positions()
    }

    /// Return whether positions by these rules are worth what the table says.
    ///
    /// >>> import os, tempfile
    /// >>> import oanquan as oaq
    /// >>> from oanquan import _core
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     table = _core.Table.build(os.path.join(folder, "a.table"), oaq.Rules(), 3, 1, None)
    /// >>> table.serves(oaq.Rules.preset("ten-pebbles")), table.serves(oaq.Rules.preset("quan-five"))
    /// (True, False)
    #[pyo3(signature = (rules, /))]
    fn serves(&self, rules: PyRules) -> bool {
        self.core.serves(&rules.core)
    }

    /// Return the lower and the upper bound of the further difference of a position; `None` for one that is not known.
    ///
    /// Raises `OanquanError` if the table does not serve the rules of the position, or its part of the file was changed.
    ///
    /// >>> import os, tempfile
    /// >>> import oanquan as oaq
    /// >>> from oanquan import _core
    /// >>> rules = oaq.Rules.preset("short-game")
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     table = _core.Table.build(os.path.join(folder, "a.table"), rules, 3, 1, None)
    /// >>> table.probe(oaq.Position.parse("0.0.1.0.0.0q1/0.0.0.0.1.0 25/23q1 - a 60", rules))
    /// (10, 10)
    #[pyo3(signature = (position, /))]
    fn probe(&self, position: &Bound<'_, PyPosition>, py: Python<'_>) -> PyResult<(Option<i32>, Option<i32>)> {
        let position = &position.get().core;
        let (own, given) = (self.core.rules().rules(), position.rules());
        let Some(rules) = DuelRules::new(*given).filter(|_| self.core.serves(given)) else {
            let expected = format!("one by rules that a table by {own} serves");
            return Err(OanquanError::new_err(format!("position: expected {expected}, got one by {given}")));
        };
        let bounds = self.core.look_up(&rules.duel(position)).map_err(|error| raise(error, &self.path, py))?;
        let known = |bound: i32| (bound.abs() < Bounds::UNKNOWN).then_some(bound);
        Ok((known(bounds.lower), known(bounds.upper)))
    }

    /// Hold the file against its checksums and its bounds against the rules; return what is wrong, the first ten faults, and
    /// how many positions are settled. `threads` and `progress` are as in `build`.
    ///
    /// >>> import os, tempfile
    /// >>> import oanquan as oaq
    /// >>> from oanquan import _core
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     table = _core.Table.build(os.path.join(folder, "a.table"), oaq.Rules.preset("short-game"), 3, 1, None)
    /// >>> table.verify(1, None)
    /// ((), 243)
    #[pyo3(signature = (threads, progress, /))]
    fn verify(&self, threads: usize, progress: Option<Callback>, py: Python<'_>) -> PyResult<(Tuple<String>, u64)> {
        let (counts, positions) = (Progress::default(), self.core.positions());
        let count = || (counts.settled.load(Ordering::Relaxed), positions);
        let verified = watched_by(py, progress.as_ref(), &count, |stop| self.core.verify(threads, stop, &counts))?;
        match verified {
            (Err(error @ TableError::File { .. }), None) => Ok((Tuple(vec![error.to_string()]), 0)),
            verified => {
                let verified = finished(verified, &self.path, py)?;
                Ok((verified.faults.iter().map(ToString::to_string).collect(), verified.settled))
            }
        }
    }
}

/// What the work came to; what was raised meanwhile goes before what it says of being stopped.
fn finished<T>((result, raised): (Result<T, TableError>, Option<PyErr>), path: &Path, py: Python<'_>) -> PyResult<T> {
    match raised {
        Some(raised) => Err(raised),
        None => result.map_err(|error| raise(error, path, py)),
    }
}

/// The error in Python, of the file at that path.
fn raise(error: TableError, path: &Path, py: Python<'_>) -> PyErr {
    match error {
        TableError::Io(error) => shards::io(&error, Some(path), py),
        TableError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        TableError::File { .. } => OanquanError::new_err(format!("{}: {error}", path.display())),
        other => OanquanError::new_err(other.to_string()),
    }
}
