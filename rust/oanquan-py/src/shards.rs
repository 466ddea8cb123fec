//! Shards: a range of games as a Parquet file, written and read with the interpreter free for others.

use std::path::PathBuf;
use std::sync::Mutex;

use oanquan_columns::{Error, Options, ShardReader};
use oanquan_engine::Config;
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;

use crate::columns::PyColumns;
use crate::convert::Text;
use crate::errors::OanquanError;
use crate::position::PyPosition;
use crate::simulate::{Callback, by_names, watched};

/// Play the games from number `first_game` on and write them to a new Parquet file at `path`.
///
/// The file has the columns of `_core.Columns`, compressed with zstd, and the texts `key_values` in its footer. It is
/// written row group by row group: memory does not grow with the number of games. `path` is written to as it is, and
/// not synced to the disk; after an error what is there is no shard, and the caller removes it. The other arguments are
/// those of `_core.simulate`.
///
/// Returns the number of games. Raises `OSError`, with its `errno`, if the file cannot be written, `OanquanError` if
/// the last number is not below 2**64 - 1, and what was raised by `progress` or a signal handler.
///
/// >>> import os, tempfile
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start, texts = oaq.Position.start(), [("made by", "an example")]
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "games.parquet")
/// ...     _core.write_shard(path, start, 500, 100, ["random"], 7, 1, 1000, 3, False, False, texts, None)
/// ...     _core.shard_info(path)
/// 100
/// (100, 500, 600, [('made by', 'an example')])
#[pyfunction]
#[pyo3(signature = (path, position, first_game, games, agents, seed, threads, max_plies, repetition, moves, positions,
                    key_values, progress, /))]
pub(crate) fn write_shard(
    path: PathBuf,
    position: &Bound<'_, PyPosition>,
    first_game: u64,
    games: u64,
    agents: Vec<Text>,
    seed: u64,
    threads: usize,
    max_plies: Option<u32>,
    repetition: Option<u32>,
    moves: bool,
    positions: bool,
    key_values: Vec<(Text, Text)>,
    progress: Option<Callback>,
    py: Python<'_>,
) -> PyResult<u64> {
    let start = position.get().core;
    let agents = by_names(&agents)?;
    let config = Config { first_game, agents, seed, max_plies, repetition, threads, ..Config::new(start, games) };
    let options = Options { moves, positions };
    let key_values: Vec<_> = key_values.into_iter().map(|(key, value)| (key.0, value.0)).collect();
    let (written, raised) = watched(py, games, progress.as_ref(), |stop, done| {
        oanquan_columns::write_shard(&path, &config, options, &key_values, stop, done)
    })?;
    match (written, raised) {
        (Ok(_) | Err(Error::Stopped), Some(raised)) => Err(raised),
        (Ok(summary), None) => Ok(summary.games),
        (Err(error), _) => Err(raise(error, Some(&path), py)),
    }
}

/// Read the footer of a shard: its number of games, the least number of a game, the one after the greatest, and the
/// texts that were given to `write_shard`.
///
/// Raises `OSError` if the file cannot be read, and `OanquanError` if it is no complete shard.
///
/// >>> from oanquan import _core
/// >>> _core.shard_info("no/such/file")
/// Traceback (most recent call last):
/// FileNotFoundError: [Errno 2] No such file or directory: 'no/such/file'
#[pyfunction]
#[pyo3(signature = (path, /))]
pub(crate) fn shard_info(path: PathBuf, py: Python<'_>) -> PyResult<(u64, u64, u64, Vec<(String, String)>)> {
    let info = py.detach(|| oanquan_columns::shard_info(&path)).map_err(|error| raise(error, Some(&path), py))?;
    let games = info.games.unwrap_or_default();
    Ok((info.rows, games.start, games.end, info.key_values))
}

/// The games of a shard, row group by row group: an iterator of `_core.Columns`.
///
/// Opening it reads the footer. Raises `OSError` if the file cannot be read, and `OanquanError` if it is no complete
/// shard; so may each step.
///
/// >>> import os, tempfile
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "games.parquet")
/// ...     _core.write_shard(path, oaq.Position.start(), 0, 100, ["random"], 7, 1, 1000, 3, True, False, [], None)
/// ...     [len(columns) for columns in _core.ShardReader(path)]
/// 100
/// [100]
#[pyclass(name = "ShardReader", module = "oanquan._core", frozen)]
pub(crate) struct PyShardReader {
    path: PathBuf,
    reader: Mutex<ShardReader>,
}

#[pymethods]
impl PyShardReader {
    #[new]
    #[pyo3(signature = (path, /))]
    fn new(path: PathBuf, py: Python<'_>) -> PyResult<Self> {
        let reader = py.detach(|| ShardReader::open(&path)).map_err(|error| raise(error, Some(&path), py))?;
        Ok(Self { path, reader: Mutex::new(reader) })
    }

    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyColumns>> {
        let next = py.detach(|| self.reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next());
        next.transpose().map(|core| core.map(PyColumns)).map_err(|error| raise(error, Some(&self.path), py))
    }
}

/// The error in Python, of the file at that path if there is one.
pub(crate) fn raise(error: Error, path: Option<&std::path::Path>, py: Python<'_>) -> PyErr {
    let shown = path.map(|path| format!("{}: ", path.display())).unwrap_or_default();
    match error {
        Error::Io(error) => io(&error, path, py),
        Error::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        other => OanquanError::new_err(format!("{shown}{other}")),
    }
}

/// What the system said, of the file at that path if there is one.
pub(crate) fn io(error: &std::io::Error, path: Option<&std::path::Path>, py: Python<'_>) -> PyErr {
    let shown = path.map(|path| format!("{}: ", path.display())).unwrap_or_default();
    match error.raw_os_error() {
        // With a number and a name OSError chooses its subclass.
        Some(number) => match os_error(number, path, py) {
            Ok(raised) | Err(raised) => raised,
        },
        None => PyOSError::new_err(format!("{shown}{error}")),
    }
}

fn os_error(number: i32, path: Option<&std::path::Path>, py: Python<'_>) -> PyResult<PyErr> {
    let text = py.import("os")?.call_method1("strerror", (number,))?.unbind();
    Ok(PyOSError::new_err((number, text, path.map(|path| path.as_os_str().to_owned()))))
}
