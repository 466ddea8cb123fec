//! Texts, sides, whole numbers and tuples, to and fro.

use oanquan_core::{MAX_SIDES, Side};
use pyo3::inspect::{PyStaticConstant, PyStaticExpr};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};
use pyo3::{IntoPyObjectExt, PyTypeInfo, type_hint_identifier, type_hint_subscript};

use crate::errors::OanquanError;

/// Any Python string. A lone surrogate, which is no character, is read as U+FFFD, so that whatever reads the text
/// objects to it in its own words.
pub(crate) struct Text(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = PyString::TYPE_HINT;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(object.cast::<PyString>()?.to_string_lossy().into_owned()))
    }
}

/// A side by its letter.
#[derive(Clone, Copy)]
pub(crate) struct Letter(pub(crate) Side);

impl<'py> FromPyObject<'_, 'py> for Letter {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = PyString::TYPE_HINT;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = Text::extract(object)?.0;
        side_of(&text)
            .map(Self)
            .ok_or_else(|| OanquanError::new_err(format!("side: expected one of {}, got {text:?}", letters(MAX_SIDES))))
    }
}

impl<'py> IntoPyObject<'py> for Letter {
    type Target = PyString;
    type Output = Bound<'py, PyString>;
    type Error = std::convert::Infallible;
    const OUTPUT_TYPE: PyStaticExpr = PyString::TYPE_HINT;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        // The letters are few and asked for often: share their objects.
        Ok(match self.0 {
            Side::A => pyo3::intern!(py, "a"),
            Side::B => pyo3::intern!(py, "b"),
            Side::C => pyo3::intern!(py, "c"),
            Side::D => pyo3::intern!(py, "d"),
        }
        .clone())
    }
}

/// The side of a text that is exactly its letter.
pub(crate) fn side_of(text: &str) -> Option<Side> {
    Side::ALL.into_iter().find(|side| text.strip_prefix(side.letter()) == Some(""))
}

/// `a, b`: the letters of the first `sides` sides.
pub(crate) fn letters(sides: usize) -> String {
    let letters: Vec<_> = Side::ALL.iter().take(sides).map(ToString::to_string).collect();
    letters.join(", ")
}

/// A whole number of any size. One beyond 64 bits becomes the greatest or the least that fits: further than anything
/// that is accepted anywhere.
#[derive(Clone, Copy)]
pub(crate) struct Whole(pub(crate) i64);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_identifier!("typing", "SupportsIndex");

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<i64>() {
            Ok(value) => Ok(Self(value)),
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(object.py()) => {
                let negative = index(object)?.lt(0)?;
                Ok(Self(if negative { i64::MIN } else { i64::MAX }))
            }
            Err(error) => Err(error),
        }
    }
}

impl Whole {
    /// The number, if it lies within the bounds.
    pub(crate) fn within(self, what: &str, least: i64, most: i64) -> PyResult<i64> {
        if (least..=most).contains(&self.0) {
            return Ok(self.0);
        }
        let got = match self.0 {
            i64::MIN | i64::MAX => String::from("a number of 64 bits or more"),
            number => number.to_string(),
        };
        Err(OanquanError::new_err(format!("{what}: expected {least} to {most}, got {got}")))
    }
}

/// `operator.index(object)`.
pub(crate) fn index<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(int) = object.cast::<PyInt>() {
        return Ok(int.to_owned());
    }
    Ok(object.call_method0(pyo3::intern!(object.py(), "__index__"))?.cast_into()?)
}

/// Becomes a tuple of any length, where a plain `Vec` becomes a list.
pub(crate) struct Tuple<T>(pub(crate) Vec<T>);

impl<T> FromIterator<T> for Tuple<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for Tuple<T> {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(PyTuple::TYPE_HINT, T::OUTPUT_TYPE, ELLIPSIS);

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let items: Vec<_> = self.0.into_iter().map(|item| item.into_bound_py_any(py)).collect::<PyResult<_>>()?;
        PyTuple::new(py, items)
    }
}

/// `...` in a type hint.
pub(crate) const ELLIPSIS: PyStaticExpr = PyStaticExpr::Constant { value: PyStaticConstant::Ellipsis };
