//! Game records of any number, read from and written to Python's files.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Mutex, MutexGuard, TryLockError};

use oanquan_core::Record;
use oanquan_engine::records::{Error, Place, Reader, Source, Step, Writer};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::errors;
use crate::game::{PyGame, TextDict};

/// So many records are read ahead, if they are there.
const AHEAD: usize = 64;

/// A Python file as a source and a sink of bytes.
struct File(Py<PyAny>);

impl Read for File {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = |py: Python<'_>| -> PyResult<usize> {
            // Whoever passes over much finds no other moment for Ctrl-C.
            py.check_signals()?;
            let file = self.0.bind(py);
            // What comes through a pipe is taken as it comes, where the file has a way to do so.
            let as_it_comes = file.getattr_opt(pyo3::intern!(py, "read1"))?;
            let read = match as_it_comes {
                Some(read1) => read1.call1((into.len(),))?,
                None => file.call_method1(pyo3::intern!(py, "read"), (into.len(),))?,
            };
            let Ok(bytes) = read.cast::<PyBytes>() else {
                let kind = read.get_type().name()?;
                let message = format!("file: expected one that is read as bytes, got {kind}; open it with \"rb\"");
                return Err(PyTypeError::new_err(message));
            };
            let bytes = bytes.as_bytes();
            let Some(into) = into.get_mut(..bytes.len()) else {
                let message = format!("file: expected at most {} bytes, got {}", into.len(), bytes.len());
                return Err(PyValueError::new_err(message));
            };
            into.copy_from_slice(bytes);
            Ok(bytes.len())
        };
        Ok(Python::attach(read)?)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let write = |py: Python<'_>| -> PyResult<usize> {
            let written = self.0.bind(py).call_method1(pyo3::intern!(py, "write"), (PyBytes::new(py, bytes),))?;
            written.extract()
        };
        Ok(Python::attach(write)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where a record is: its number and its line from 1, its byte from 0.
type Found<T> = (u64, u64, u64, T);

fn at<T>(place: Place, found: T) -> Found<T> {
    (place.number, place.line, place.offset, found)
}

/// The records of a file, one after the other, and what is no record between them.
///
/// >>> import io
/// >>> from oanquan import _core
/// >>> reader = _core.RecordReader(io.BytesIO(b"1. a1+ * 1. a2+ *"), 1, 1, 0)
/// >>> number, line, offset, game = reader.record()
/// >>> game.moves, reader.headers(), reader.record()
/// ((Move('a1+'),), (2, 1, 9, {}), None)
#[pyclass(name = "RecordReader", module = "oanquan._core", frozen)]
pub(crate) struct PyRecordReader(Mutex<State>);

struct State {
    reader: Reader<Source<File>>,
    /// What was read ahead.
    ready: VecDeque<Result<(Place, Record), Error>>,
}

impl PyRecordReader {
    /// The reader, for the length of one call: a file may call back.
    fn lock(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.0.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyValueError::new_err("records are already being read")),
        }
    }
}

fn raise(error: Error) -> PyErr {
    match error {
        Error::Io(error) => error.into(),
        Error::Bad(bad) => errors::bad_record(*bad),
    }
}

#[pymethods]
impl PyRecordReader {
    /// Read a file, which has the record of that number at that line and byte.
    #[new]
    #[pyo3(signature = (file, number, line, offset, /))]
    fn new(file: Py<PyAny>, number: u64, line: u64, offset: u64) -> Self {
        let reader = Reader::new(Source::new(File(file))).beginning_at(Place { number, offset, line });
        Self(Mutex::new(State { reader, ready: VecDeque::new() }))
    }

    /// Return number, line, byte and game of the next record; `None` if there is none. Raises `RecordError` for what is no
    /// record, and what the file raises; either way the next call goes on behind it.
    fn record(&self, py: Python<'_>) -> PyResult<Option<Found<PyGame>>> {
        let mut guard = self.lock()?;
        let State { reader, ready } = &mut *guard;
        if ready.is_empty() {
            py.detach(|| {
                while ready.len() < AHEAD {
                    match reader.record(ready.is_empty()) {
                        Ok(Step::Found(place, record)) => ready.push_back(Ok((place, record))),
                        Ok(Step::Pending | Step::End) => break,
                        Err(error) => {
                            ready.push_back(Err(error));
                            break;
                        }
                    }
                }
            });
        }
        let next = ready.pop_front();
        drop(guard);
        match next {
            Some(Ok((place, record))) => Ok(Some(at(place, PyGame::from_record(record, py)?))),
            Some(Err(error)) => Err(raise(error)),
            None => Ok(None),
        }
    }

    /// Return number, line, byte and headers of the next record, whose moves are not looked at; `None` if there is none.
    /// Raises what `record` does.
    fn headers(&self, py: Python<'_>) -> PyResult<Option<Found<TextDict<String>>>> {
        let mut guard = self.lock()?;
        let reader = &mut guard.reader;
        // What is there already takes less time than to let others run meanwhile.
        let next = match reader.headers(false).map_err(raise)? {
            Step::Pending => py.detach(|| reader.headers(true)).map_err(raise)?,
            next => next,
        };
        let Step::Found(place, headers) = next else { return Ok(None) };
        let dict = PyDict::new(py);
        for (key, value) in headers {
            dict.set_item(key, value)?;
        }
        Ok(Some(at(place, dict.unbind().into())))
    }

    /// Pass over records, whose headers and moves are not looked at, up to the end or to what is no record. Return how many
    /// there were and, unless it is the end, the `RecordError`. Raises what the file raises.
    fn pass_over(&self, py: Python<'_>) -> PyResult<(u64, Option<PyErr>)> {
        let mut guard = self.lock()?;
        let reader = &mut guard.reader;
        let (number, error) = py.detach(|| {
            let mut number = 0;
            loop {
                match reader.skip(true) {
                    Ok(Step::Found(..)) => number += 1,
                    Ok(Step::Pending | Step::End) => return (number, None),
                    Err(error) => return (number, Some(error)),
                }
            }
        });
        match error {
            Some(error @ Error::Io(_)) => Err(raise(error)),
            error => Ok((number, error.map(raise))),
        }
    }
}

/// Write the records of games to a file, an empty line after each; return how many.
///
/// Raises `OanquanError` for a header that would not be read back, `TypeError` for what is no game, and what the file and
/// the iterable raise. What was written before stands.
///
/// >>> import io
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> file = io.BytesIO()
/// >>> _core.write_records(file, [oaq.Game.parse("1. a1+ *")])
/// 1
/// >>> file.getvalue()
/// b'[Rules "mancala-world"]\n[Result "*"]\n\n1. a1+ *\n\n'
#[pyfunction]
#[pyo3(signature = (file, games, /))]
pub(crate) fn write_records(file: Py<PyAny>, games: &Bound<'_, PyAny>) -> PyResult<u64> {
    let mut writer = Writer::new(File(file));
    let mut number = 0;
    for game in games.try_iter()? {
        let game = game?;
        let Ok(game) = game.cast::<PyGame>() else {
            let kind: Bound<'_, PyString> = game.get_type().name()?;
            return Err(PyTypeError::new_err(format!("games: expected games, got {kind}")));
        };
        game.get().with_parts(game.py(), |parts| writer.write(parts))??;
        number += 1;
    }
    writer.flush()?;
    Ok(number)
}
