//! Memory that the caller owns, by the buffer protocol: where a batch writes, and what it reads.
//!
//! What is written is copied with the interpreter attached, in one piece a buffer. So there is no unsafe code here, and
//! other Python threads never see a row half written.

use pyo3::buffer::{Element, ElementType, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyMemoryView};

use crate::convert::Whole;
use crate::errors::OanquanError;

/// What a buffer holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Int8,
    Uint8,
    Int16,
    Int32,
    Int64,
    Float32,
}

impl Kind {
    /// The name that numpy has for it.
    const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "int8",
            Self::Uint8 => "uint8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Float32 => "float32",
        }
    }

    /// The letter of the module `struct`, and how many bytes an element takes.
    const fn format(self) -> (&'static str, usize) {
        match self {
            Self::Bool => ("?", 1),
            Self::Int8 => ("b", 1),
            Self::Uint8 => ("B", 1),
            Self::Int16 => ("h", 2),
            Self::Int32 => ("i", 4),
            Self::Int64 => ("q", 8),
            Self::Float32 => ("f", 4),
        }
    }

    /// Small numbers and flags, for which one byte is as good as another.
    const fn is_flag(self) -> bool {
        matches!(self, Self::Bool | Self::Int8 | Self::Uint8)
    }

    /// Whether the buffer holds this, in the byte order of the machine.
    fn holds(self, buffer: &PyUntypedBuffer) -> bool {
        let format = buffer.format();
        if !is_native(buffer) {
            return false;
        }
        match self {
            Self::Int16 => i16::is_compatible_format(format),
            Self::Int32 => i32::is_compatible_format(format),
            Self::Int64 => i64::is_compatible_format(format),
            Self::Float32 => f32::is_compatible_format(format),
            Self::Bool | Self::Int8 | Self::Uint8 => matches!(
                ElementType::from_format(format),
                ElementType::Bool | ElementType::SignedInteger { bytes: 1 } | ElementType::UnsignedInteger { bytes: 1 }
            ),
        }
    }
}

/// Memory of our own, all zeros, as a memoryview of that kind and shape.
pub(crate) fn own<'py>(py: Python<'py>, kind: Kind, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let (format, bytes) = kind.format();
    let memory = PyByteArray::new_with(py, bytes * shape.iter().product::<usize>(), |_| Ok(()))?;
    PyMemoryView::from(&memory)?.call_method1(pyo3::intern!(py, "cast"), (format, shape.to_vec()))
}

/// The memory of an object, which must be writable, C-contiguous, and of that kind and shape. Flags are bytes of any kind.
pub(crate) fn writable<T: Element>(
    object: &Bound<'_, PyAny>,
    name: &str,
    kind: Kind,
    shape: &[usize],
) -> PyResult<PyBuffer<T>> {
    let buffer = buffer(object, name)?;
    let expected = |what: &str, got: &str| OanquanError::new_err(format!("{name}: expected {what}, got {got}"));
    if !kind.holds(&buffer) {
        return Err(expected(kind.name(), &element(&buffer)));
    }
    check_shape(&buffer, name, shape)?;
    if buffer.readonly() {
        return Err(expected("a writable buffer", "a read-only one"));
    }
    if !buffer.is_c_contiguous() {
        return Err(expected("a C-contiguous buffer", "one that is not"));
    }
    if kind.is_flag() { bytes(object)?.into_typed() } else { buffer.into_typed() }
}

/// Whole numbers: a buffer of any integers, or a sequence.
pub(crate) fn whole_numbers(object: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<i64>> {
    let py = object.py();
    let Ok(buffer) = PyUntypedBuffer::get(object) else {
        let numbers: Vec<Whole> = object.extract()?;
        check_count(name, count, numbers.len())?;
        return Ok(numbers.into_iter().map(|number| number.0).collect());
    };
    check_shape(&buffer, name, &[count])?;
    let kind = element(&buffer);
    let element = if is_native(&buffer) { ElementType::from_format(buffer.format()) } else { ElementType::Unknown };
    match element {
        ElementType::SignedInteger { bytes: 8 } => widened::<i64>(py, buffer),
        ElementType::SignedInteger { bytes: 4 } => widened::<i32>(py, buffer),
        ElementType::SignedInteger { bytes: 2 } => widened::<i16>(py, buffer),
        ElementType::SignedInteger { bytes: 1 } => widened::<i8>(py, buffer),
        ElementType::UnsignedInteger { bytes: 4 } => widened::<u32>(py, buffer),
        ElementType::UnsignedInteger { bytes: 2 } => widened::<u16>(py, buffer),
        ElementType::UnsignedInteger { bytes: 1 } => widened::<u8>(py, buffer),
        // What is beyond 63 bits is no action, however it comes out.
        ElementType::UnsignedInteger { bytes: 8 } => {
            let numbers = buffer.into_typed::<u64>()?.to_vec(py)?;
            Ok(numbers.into_iter().map(|number| i64::try_from(number).unwrap_or(i64::MAX)).collect())
        }
        _ => Err(OanquanError::new_err(format!("{name}: expected whole numbers of at most 64 bits, got {kind}"))),
    }
}

fn widened<T: Element + Into<i64>>(py: Python<'_>, buffer: PyUntypedBuffer) -> PyResult<Vec<i64>> {
    Ok(buffer.into_typed::<T>()?.to_vec(py)?.into_iter().map(Into::into).collect())
}

/// Flags: a buffer of bools or other bytes, or a sequence of bools.
pub(crate) fn flags(object: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<u8>> {
    let Ok(buffer) = PyUntypedBuffer::get(object) else {
        let flags: Vec<bool> = object.extract()?;
        check_count(name, count, flags.len())?;
        return Ok(flags.into_iter().map(u8::from).collect());
    };
    if !Kind::Bool.holds(&buffer) {
        return Err(OanquanError::new_err(format!("{name}: expected bool, got {}", element(&buffer))));
    }
    check_shape(&buffer, name, &[count])?;
    let contiguous = PyMemoryView::from(object)?.call_method0("tobytes")?;
    PyUntypedBuffer::get(&contiguous)?.into_typed::<u8>()?.to_vec(object.py())
}

fn buffer(object: &Bound<'_, PyAny>, name: &str) -> PyResult<PyUntypedBuffer> {
    PyUntypedBuffer::get(object).map_err(|_| match object.get_type().name() {
        Ok(kind) => PyTypeError::new_err(format!("{name}: expected an object with the buffer protocol, got {kind}")),
        Err(error) => error,
    })
}

/// Flags as plain bytes: there is no Rust type whose format is `?`.
fn bytes(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    PyUntypedBuffer::get(&PyMemoryView::from(object)?.call_method1(pyo3::intern!(object.py(), "cast"), ("B",))?)
}

/// Whether the format names no byte order. The checks of pyo3 0.30 take the swapped one for that of the machine.
fn is_native(buffer: &PyUntypedBuffer) -> bool {
    !matches!(buffer.format().to_bytes().first(), Some(b'<' | b'>' | b'!'))
}

/// What a buffer holds, in words.
fn element(buffer: &PyUntypedBuffer) -> String {
    let format = buffer.format();
    match ElementType::from_format(format) {
        _ if !is_native(buffer) => format!("elements of the format {:?}", format.to_string_lossy()),
        ElementType::Bool => String::from("bool"),
        ElementType::SignedInteger { bytes } => format!("int{}", 8 * bytes),
        ElementType::UnsignedInteger { bytes } => format!("uint{}", 8 * bytes),
        ElementType::Float { bytes } => format!("float{}", 8 * bytes),
        ElementType::Unknown => format!("elements of the format {:?}", format.to_string_lossy()),
    }
}

fn check_shape(buffer: &PyUntypedBuffer, name: &str, shape: &[usize]) -> PyResult<()> {
    if buffer.shape() == shape {
        return Ok(());
    }
    let text = |shape: &[usize]| match shape {
        [only] => format!("({only},)"),
        many => format!("({})", many.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    };
    let (expected, got) = (text(shape), text(buffer.shape()));
    Err(OanquanError::new_err(format!("{name}: expected the shape {expected}, got {got}")))
}

fn check_count(name: &str, expected: usize, got: usize) -> PyResult<()> {
    if expected == got {
        return Ok(());
    }
    Err(OanquanError::new_err(format!("{name}: expected {expected} of them, one for each game, got {got}")))
}
