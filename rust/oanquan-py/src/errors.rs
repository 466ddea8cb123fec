//! The errors of the crates as the classes of `oanquan.errors`.

use oanquan_core::{IllegalMove, NotationError, ParseError, PositionError, RecordError, RulesError};
use oanquan_engine::batch::BatchError;
use oanquan_engine::certificate;
use oanquan_engine::records::BadRecord;
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::{Text, Tuple};

/// The classes of `oanquan.errors`, by their names there.
mod python {
    pyo3::import_exception!(oanquan.errors, OanquanError);
    pyo3::import_exception!(oanquan.errors, RulesError);
    pyo3::import_exception!(oanquan.errors, PositionError);
    pyo3::import_exception!(oanquan.errors, NotationError);
    pyo3::import_exception!(oanquan.errors, RecordError);
    pyo3::import_exception!(oanquan.errors, IllegalMoveError);
    pyo3::import_exception!(oanquan.errors, CertificateError);
}

pub(crate) use python::OanquanError;

pub(crate) fn rules(error: &RulesError) -> PyErr {
    let faults: Tuple<_> = error.faults.iter().map(ToString::to_string).collect();
    python::RulesError::new_err((error.to_string(), faults))
}

pub(crate) fn position(error: &PositionError) -> PyErr {
    position_faults(error.faults.iter().map(ToString::to_string).collect())
}

pub(crate) fn position_faults(faults: Vec<String>) -> PyErr {
    python::PositionError::new_err((faults.join("; "), Tuple(faults)))
}

pub(crate) fn notation(error: NotationError) -> PyErr {
    python::NotationError::new_err((error.to_string(), error.column, error.text))
}

pub(crate) fn parse(error: ParseError) -> PyErr {
    match error {
        ParseError::Notation(error) => notation(error),
        ParseError::Position(error) => position(&error),
    }
}

pub(crate) fn certificate(error: &certificate::CertificateError) -> PyErr {
    python::CertificateError::new_err(error.to_string())
}

/// `text` is the record that was read; the column counts from its beginning, the message says line and column.
pub(crate) fn record(error: &RecordError, text: String) -> PyErr {
    let before: usize = text.split_inclusive('\n').take(error.line - 1).map(|line| line.chars().count()).sum();
    python::NotationError::new_err((error.to_string(), before + error.column, text))
}

/// The name of the file is for those to add who know it.
pub(crate) fn bad_record(bad: BadRecord) -> PyErr {
    let BadRecord { place, line, column, message, text } = bad;
    python::RecordError::new_err((message, column, text, line, place.number, place.offset, None::<String>))
}

pub(crate) fn illegal(error: IllegalMove) -> PyErr {
    illegal_with(error.to_string(), error)
}

/// The error of an illegal move, with a message that also says where it was tried.
pub(crate) fn illegal_with(message: String, error: IllegalMove) -> PyErr {
    let position = error.position.to_string();
    python::IllegalMoveError::new_err((message, error.given, position))
}

/// The error of a move in one of many games, with its place: what this package says of a move begins with it, whatever
/// else was raised has it in a note.
pub(crate) fn in_game(py: Python<'_>, error: PyErr, place: &str) -> PyErr {
    let value = error.value(py);
    // Without the place the error is still the error.
    let _ = match begin_with(place, value) {
        Ok(true) => Ok(()),
        _ => value.call_method1(pyo3::intern!(py, "add_note"), (place,)).map(drop),
    };
    error
}

/// Puts the place before the message of an error that is ours, which stays the same object of the same class.
fn begin_with(place: &str, value: &Bound<'_, PyBaseException>) -> PyResult<bool> {
    let py = value.py();
    let ours = [
        py.get_type::<python::IllegalMoveError>(),
        py.get_type::<python::NotationError>(),
        py.get_type::<PyTypeError>(),
    ];
    if !ours.iter().any(|class| value.get_type().is(class)) {
        return Ok(false);
    }
    let arguments = value.getattr(pyo3::intern!(py, "args"))?.cast_into::<PyTuple>()?;
    let arguments = arguments.to_list();
    let message: Text = arguments.get_item(0)?.extract()?;
    arguments.set_item(0, format!("{place}: {}", message.0))?;
    value.setattr(pyo3::intern!(py, "args"), arguments.to_tuple())?;
    Ok(true)
}

/// An illegal action of one of many games names the game; its position is that game's.
pub(crate) fn batch(error: BatchError) -> PyErr {
    let message = error.to_string();
    match error {
        BatchError::Illegal { error, .. } => illegal_with(message, error),
        _ => OanquanError::new_err(message),
    }
}
