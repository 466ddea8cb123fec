//! `Column`: numbers of columns by the buffer protocol. The only file with unsafe code: the protocol is one of pointers.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};

use arrow_buffer::Buffer;
use arrow_schema::DataType;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::{PyResult, ffi};

/// The numbers of a column, read-only and without a copy by the buffer protocol: for `memoryview`, `numpy.asarray` and
/// whatever else reads buffers. It keeps the numbers alive.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> _, columns, _ = _core.simulate(oaq.Position.start(), 5, ["random"], 7, 1, 1000, 3, True, False, False, None)
/// >>> view = memoryview(columns.column("plies"))
/// >>> view.format, view.itemsize, view.shape, view.readonly
/// ('I', 4, (5,), True)
#[pyclass(name = "Column", module = "oanquan._core", frozen)]
pub(crate) struct PyColumn {
    bytes: Buffer,
    format: &'static CStr,
    /// The number of items, and the bytes from one to the next: what a view of the buffer points to.
    shape: [ffi::Py_ssize_t; 1],
    strides: [ffi::Py_ssize_t; 1],
}

impl PyColumn {
    /// The column of those bytes, if the type is one of numbers.
    pub(crate) fn new(bytes: Buffer, kind: &DataType) -> Option<Self> {
        let (format, width) = match kind {
            DataType::UInt64 => (c"Q", size_of::<u64>()),
            DataType::UInt32 => (c"I", size_of::<u32>()),
            DataType::Int32 => (c"i", size_of::<i32>()),
            DataType::Int8 => (c"b", size_of::<i8>()),
            _ => return None,
        };
        let shape = [(bytes.len() / width) as ffi::Py_ssize_t];
        Some(Self { bytes, format, shape, strides: [width as ffi::Py_ssize_t] })
    }
}

#[pymethods]
impl PyColumn {
    fn __len__(&self) -> usize {
        self.bytes.len() / self.strides[0] as usize
    }

    /// # Safety
    /// `view` is null or points to a `Py_buffer` that may be written to, as the interpreter's call of this slot says.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("expected a view to fill, got none"));
        }
        let column = slf.get();
        let bytes = column.bytes.as_slice();
        // SAFETY: `view` may be written to. The bytes live as long as the column, of which the view gets a reference of
        // its own, and are never written to: the view is made read-only, and refused to who asks for a writable one.
        let filled = unsafe {
            ffi::PyBuffer_FillInfo(
                view,
                slf.as_ptr(),
                bytes.as_ptr().cast_mut().cast(),
                bytes.len() as ffi::Py_ssize_t,
                1,
                flags,
            )
        };
        if filled != 0 {
            return Err(PyErr::fetch(slf.py()));
        }
        // SAFETY: `view` was filled above. What it is made to point to here lies in the column, a frozen object that
        // never moves and outlives the view, or in the program. Consumers only read through these pointers, as the
        // protocol demands. Those whose flags do not ask for them get null, as the protocol demands too.
        unsafe {
            (*view).itemsize = column.strides[0];
            if flags & ffi::PyBUF_FORMAT == ffi::PyBUF_FORMAT {
                (*view).format = column.format.as_ptr().cast_mut();
            }
            if flags & ffi::PyBUF_ND == ffi::PyBUF_ND {
                (*view).shape = column.shape.as_ptr().cast_mut();
            }
            if flags & ffi::PyBUF_STRIDES == ffi::PyBUF_STRIDES {
                (*view).strides = column.strides.as_ptr().cast_mut();
            }
        }
        Ok(())
    }
}
