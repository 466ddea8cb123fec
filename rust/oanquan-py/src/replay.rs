//! Shards read through: held against games played again, and written as text.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use oanquan_columns::{Error, Form, Options, check_shard as check, text_header as header, write_text as write};
use oanquan_engine::Config;
use pyo3::prelude::*;

use crate::convert::Text;
use crate::errors::OanquanError;
use crate::position::PyPosition;
use crate::shards::raise;
use crate::simulate::{Callback, by_names, watched};

/// Read a shard through and play those of its games again that `sample` has, numbers in rising order.
///
/// The other arguments are those of `_core.write_shard`. Returns the numbers of the games that are not what the shard
/// says. Raises `OSError` if the file cannot be read, `OanquanError` if it cannot be read through or has other games,
/// and what was raised by `progress` or a signal handler.
///
/// >>> import os, tempfile
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start, sample = oaq.Position.start(), [500, 599]
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "games.parquet")
/// ...     _core.write_shard(path, start, 500, 100, ["random"], 7, 1, 1000, 3, False, False, [], None)
/// ...     _core.check_shard(path, start, 500, 100, ["random"], 7, 1000, 3, False, False, sample, None)
/// ...     _core.check_shard(path, start, 500, 100, ["random"], 8, 1000, 3, False, False, sample, None)
/// 100
/// []
/// [500, 599]
#[pyfunction]
#[pyo3(signature = (path, position, first_game, games, agents, seed, max_plies, repetition, moves, positions, sample,
                    progress, /))]
pub(crate) fn check_shard(
    path: PathBuf,
    position: &Bound<'_, PyPosition>,
    first_game: u64,
    games: u64,
    agents: Vec<Text>,
    seed: u64,
    max_plies: Option<u32>,
    repetition: Option<u32>,
    moves: bool,
    positions: bool,
    sample: Vec<u64>,
    progress: Option<Callback>,
    py: Python<'_>,
) -> PyResult<Vec<u64>> {
    let start = position.get().core;
    let agents = by_names(&agents)?;
    let config = Config { first_game, agents, seed, max_plies, repetition, ..Config::new(start, games) };
    let options = Options { moves, positions };
    let (checked, raised) =
        watched(py, games, progress.as_ref(), |stop, done| check(&path, &config, options, &sample, stop, done))?;
    match (checked, raised) {
        (Ok(_) | Err(Error::Stopped), Some(raised)) => Err(raised),
        (checked, _) => checked.map_err(|error| raise(error, Some(&path), py)),
    }
}

/// The line that stands before games as text, if there is one; arguments as in `_core.write_text`.
///
/// >>> from oanquan import _core
/// >>> _core.text_header("csv", 2, True, False)[:26], _core.text_header("records", 2, True, False)
/// ('game,points_a,points_b,pli', '')
#[pyfunction]
#[pyo3(signature = (form, sides, moves, positions, /))]
pub(crate) fn text_header(form: Text, sides: usize, moves: bool, positions: bool) -> PyResult<String> {
    Ok(header(form_of(&form.0)?, sides, Options { moves, positions }))
}

/// Add the games of a shard to the end of a file, in their order, as `form` `"csv"` or `"records"`.
///
/// The games are read from `path` and written to `out`; the other arguments are those of `_core.write_shard`. Raises
/// what `check_shard` does, and `OSError` if the file cannot be written.
///
/// >>> import os, tempfile
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start = oaq.Position.start()
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path, out = (os.path.join(folder, name) for name in ("games.parquet", "games.txt"))
/// ...     _core.write_shard(path, start, 500, 100, ["random"], 7, 1, 1000, 3, False, False, [], None)
/// ...     _core.write_text(path, out, "records", start, 500, 100, ["random"], 7, 1, 1000, 3, False, False, None)
/// ...     with open(out) as text:
/// ...         len(oaq.Game.parse_all(text.read()))
/// 100
/// 100
#[pyfunction]
#[pyo3(signature = (path, out, form, position, first_game, games, agents, seed, threads, max_plies, repetition, moves,
                    positions, progress, /))]
pub(crate) fn write_text(
    path: PathBuf,
    out: PathBuf,
    form: Text,
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
    progress: Option<Callback>,
    py: Python<'_>,
) -> PyResult<()> {
    let form = form_of(&form.0)?;
    let start = position.get().core;
    let agents = by_names(&agents)?;
    let config = Config { first_game, agents, seed, max_plies, repetition, threads, ..Config::new(start, games) };
    let options = Options { moves, positions };
    let mut failed = false;
    let (written, raised) = watched(py, games, progress.as_ref(), |stop, done| {
        let opened = OpenOptions::new().append(true).create(true).open(&out);
        let mut file = Noting { file: BufWriter::new(opened.inspect_err(|_| failed = true)?), failed: false };
        let written = write(&path, &mut file, form, &config, options, stop, done);
        let written = written.and_then(|()| Ok(file.flush()?));
        failed = file.failed;
        written
    })?;
    match (written, raised) {
        (Ok(()) | Err(Error::Stopped), Some(raised)) => Err(raised),
        (written, _) => written.map_err(|error| raise(error, Some(if failed { &out } else { &path }), py)),
    }
}

/// A file that notes whether writing to it failed, to say which file an error is about.
struct Noting {
    file: BufWriter<File>,
    failed: bool,
}

impl Write for Noting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).inspect_err(|_| self.failed = true)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().inspect_err(|_| self.failed = true)
    }
}

fn form_of(name: &str) -> PyResult<Form> {
    match name {
        "csv" => Ok(Form::Csv),
        "records" => Ok(Form::Records),
        _ => Err(OanquanError::new_err(format!("form: expected csv or records, got {name:?}"))),
    }
}
