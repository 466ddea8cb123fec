//! Memory that the caller owns, by the buffer protocol: where a batch writes, and what it reads.
//!
//! What is written is copied with the interpreter attached, in one piece a buffer. So there is no unsafe code here, and
//! other Python threads never see a row half written.

use pyo3::buffer::{Element, ElementType, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyInt, PyMemoryView};

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
    let buffer = buffer(object, name, shape)?;
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
    if kind.is_flag() {
        let plain = bytes(object).map_err(|_| expected(kind.name(), &format(&buffer)))?;
        return typed(plain, name);
    }
    typed(buffer, name)
}

/// The buffer as one of that type, whose format it has.
fn typed<T: Element>(buffer: PyUntypedBuffer, name: &str) -> PyResult<PyBuffer<T>> {
    let bytes = align_of::<T>();
    if buffer.buf_ptr().cast::<T>().is_aligned() {
        return buffer.into_typed();
    }
    let got = buffer.buf_ptr().addr() % bytes;
    Err(OanquanError::new_err(format!(
        "{name}: expected a buffer that begins at a multiple of {bytes} bytes, got one that begins {got} past it"
    )))
}

/// Whole numbers: a buffer of any integers, or a sequence. Bools are none.
pub(crate) fn whole_numbers(object: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<i64>> {
    let Some(buffer) = buffer_of(object, name, &[count])? else {
        let items = items(object, name, count)?;
        return items
            .iter()
            .map(|item| if is_bool(item)? { Err(no_number(name, "bool")) } else { whole(item) })
            .collect();
    };
    check_shape(&buffer, name, &[count])?;
    integers(object.py(), buffer, name)?.map_err(|kind| no_number(name, &kind))
}

/// Numbers in rows: a buffer of float32 or float64 of that shape, or sequences.
pub(crate) fn floats(object: &Bound<'_, PyAny>, name: &str, shape: &[usize]) -> PyResult<Vec<f32>> {
    let py = object.py();
    let Some(buffer) = buffer_of(object, name, shape)? else {
        let count = shape.iter().product();
        let mut all = Vec::with_capacity(count);
        collect_floats(object, name, shape, &mut all)?;
        return Ok(all);
    };
    check_shape(&buffer, name, shape)?;
    let kind = element(&buffer);
    match ElementType::from_format(buffer.format()) {
        ElementType::Float { bytes: 4 } if is_native(&buffer) => typed::<f32>(buffer, name)?.to_vec(py),
        ElementType::Float { bytes: 8 } if is_native(&buffer) => {
            Ok(typed::<f64>(buffer, name)?.to_vec(py)?.into_iter().map(|number| number as f32).collect())
        }
        _ => Err(OanquanError::new_err(format!("{name}: expected float32 or float64, got {kind}"))),
    }
}

/// The numbers of sequences within sequences.
fn collect_floats(object: &Bound<'_, PyAny>, name: &str, shape: &[usize], all: &mut Vec<f32>) -> PyResult<()> {
    let Some((&count, rest)) = shape.split_first() else {
        all.push(object.extract::<f64>()? as f32);
        return Ok(());
    };
    let items: Vec<Bound<'_, PyAny>> = object.extract()?;
    if items.len() != count {
        return Err(OanquanError::new_err(format!("{name}: expected {count} of them, got {}", items.len())));
    }
    items.iter().try_for_each(|item| collect_floats(item, name, rest, all))
}

fn no_number(name: &str, got: &str) -> PyErr {
    OanquanError::new_err(format!("{name}: expected whole numbers of at most 64 bits, got {got}"))
}

/// The integers of a buffer, or what it holds instead.
fn integers(py: Python<'_>, buffer: PyUntypedBuffer, name: &str) -> PyResult<Result<Vec<i64>, String>> {
    let kind = element(&buffer);
    let element = if is_native(&buffer) { ElementType::from_format(buffer.format()) } else { ElementType::Unknown };
    match element {
        ElementType::SignedInteger { bytes: 8 } => widened::<i64>(py, buffer, name),
        ElementType::SignedInteger { bytes: 4 } => widened::<i32>(py, buffer, name),
        ElementType::SignedInteger { bytes: 2 } => widened::<i16>(py, buffer, name),
        ElementType::SignedInteger { bytes: 1 } => widened::<i8>(py, buffer, name),
        ElementType::UnsignedInteger { bytes: 4 } => widened::<u32>(py, buffer, name),
        ElementType::UnsignedInteger { bytes: 2 } => widened::<u16>(py, buffer, name),
        ElementType::UnsignedInteger { bytes: 1 } => widened::<u8>(py, buffer, name),
        // What is beyond 63 bits is no action, however it comes out.
        ElementType::UnsignedInteger { bytes: 8 } => {
            let numbers = typed::<u64>(buffer, name)?.to_vec(py)?;
            Ok(numbers.into_iter().map(|number| i64::try_from(number).unwrap_or(i64::MAX)).collect())
        }
        _ => return Ok(Err(kind)),
    }
    .map(Ok)
}

fn widened<T: Element + Into<i64>>(py: Python<'_>, buffer: PyUntypedBuffer, name: &str) -> PyResult<Vec<i64>> {
    Ok(typed::<T>(buffer, name)?.to_vec(py)?.into_iter().map(Into::into).collect())
}

/// Flags: bools, or the whole numbers 0 and 1, in a buffer or a sequence.
pub(crate) fn flags(object: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<u8>> {
    let py = object.py();
    let refused = |got: &str| OanquanError::new_err(format!("{name}: expected bools, or numbers 0 and 1, got {got}"));
    let flag =
        |number: i64| u8::try_from(number).ok().filter(|&flag| flag <= 1).ok_or_else(|| refused(&number.to_string()));
    let Some(buffer) = buffer_of(object, name, &[count])? else {
        let items = items(object, name, count)?;
        let number =
            |item: &Bound<'_, PyAny>| if is_bool(item)? { item.extract::<bool>().map(i64::from) } else { whole(item) };
        return items.iter().map(|item| number(item).and_then(flag)).collect();
    };
    check_shape(&buffer, name, &[count])?;
    if matches!(ElementType::from_format(buffer.format()), ElementType::Bool) {
        let contiguous = PyMemoryView::from(object)?.call_method0(pyo3::intern!(py, "tobytes"))?;
        return PyUntypedBuffer::get(&contiguous)?.into_typed::<u8>()?.to_vec(py);
    }
    let numbers = integers(py, buffer, name)?.map_err(|kind| refused(&kind))?;
    numbers.into_iter().map(flag).collect()
}

/// The items of a sequence, as many as there are games.
fn items<'py>(object: &Bound<'py, PyAny>, name: &str, count: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let items: Vec<_> = object.extract()?;
    check_count(name, count, items.len())?;
    Ok(items)
}

fn whole(item: &Bound<'_, PyAny>) -> PyResult<i64> {
    item.extract::<Whole>().map(|number| number.0)
}

/// Whether it is a bool of Python or of numpy.
fn is_bool(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    if item.is_instance_of::<PyInt>() {
        return Ok(item.is_instance_of::<PyBool>());
    }
    let kind = item.get_type();
    Ok(kind.module()? == "numpy" && matches!(kind.name()?.to_str()?, "bool" | "bool_"))
}

/// The memory of an object, which must have the protocol and that shape.
fn buffer(object: &Bound<'_, PyAny>, name: &str, shape: &[usize]) -> PyResult<PyUntypedBuffer> {
    buffer_of(object, name, shape)?.ok_or_else(|| match object.get_type().name() {
        Ok(kind) => PyTypeError::new_err(format!("{name}: expected an object with the buffer protocol, got {kind}")),
        Err(error) => error,
    })
}

/// The memory of an object, if it has the protocol. The shape is what the error expects of one without dimensions.
fn buffer_of(object: &Bound<'_, PyAny>, name: &str, shape: &[usize]) -> PyResult<Option<PyUntypedBuffer>> {
    if let Ok(buffer) = PyUntypedBuffer::get(object) {
        return Ok(Some(buffer));
    }
    // ctypes leaves the strides out, which a memoryview fills in; what has no dimension has no shape either.
    let py = object.py();
    let refused = |error: &PyErr| OanquanError::new_err(format!("{name}: expected a buffer, got {}", error.value(py)));
    let view = match PyMemoryView::from(object) {
        Ok(view) => view,
        Err(error) if error.is_instance_of::<PyTypeError>(py) => return Ok(None),
        Err(error) => return Err(refused(&error)),
    };
    if view.getattr(pyo3::intern!(py, "ndim"))?.extract::<usize>()? == 0 {
        return Err(wrong_shape(name, shape, &[]));
    }
    PyUntypedBuffer::get(&view).map(Some).map_err(|error| refused(&error))
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
    match ElementType::from_format(buffer.format()) {
        _ if !is_native(buffer) => format(buffer),
        ElementType::Bool => String::from("bool"),
        ElementType::SignedInteger { bytes } => format!("int{}", 8 * bytes),
        ElementType::UnsignedInteger { bytes } => format!("uint{}", 8 * bytes),
        ElementType::Float { bytes } => format!("float{}", 8 * bytes),
        ElementType::Unknown => format(buffer),
    }
}

/// What a buffer says of its elements.
fn format(buffer: &PyUntypedBuffer) -> String {
    let order = if is_native(buffer) { "" } else { ", which names a byte order" };
    format!("elements of the format {:?}{order}", buffer.format().to_string_lossy())
}

fn check_shape(buffer: &PyUntypedBuffer, name: &str, shape: &[usize]) -> PyResult<()> {
    if buffer.shape() == shape { Ok(()) } else { Err(wrong_shape(name, shape, buffer.shape())) }
}

fn wrong_shape(name: &str, expected: &[usize], got: &[usize]) -> PyErr {
    let text = |shape: &[usize]| match shape {
        [only] => format!("({only},)"),
        many => format!("({})", many.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    };
    OanquanError::new_err(format!("{name}: expected the shape {}, got {}", text(expected), text(got)))
}

fn check_count(name: &str, expected: usize, got: usize) -> PyResult<()> {
    if expected == got {
        return Ok(());
    }
    Err(OanquanError::new_err(format!("{name}: expected {expected} of them, one for each game, got {got}")))
}
