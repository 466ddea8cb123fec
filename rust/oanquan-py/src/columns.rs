//! `Columns`: games as columns, handed out by the Arrow C interfaces and the buffer protocol.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use oanquan_columns::{Columns, schema};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::buffer::PyColumn;
use crate::convert::{Text, Tuple};
use crate::errors::OanquanError;
use crate::shards::raise;

/// Games as columns, one row a game, in the order of their numbers: what `oanquan.Columns` is made of.
///
/// >>> from oanquan import _core
/// >>> import oanquan as oaq
/// >>> _, columns, _ = _core.simulate(oaq.Position.start(), 5, ["random"], 7, 1, 1000, 3, True, False, False, None)
/// >>> len(columns), columns.names[:4]
/// (5, ('game', 'points_a', 'points_b', 'plies'))
#[pyclass(name = "Columns", module = "oanquan._core", frozen)]
pub(crate) struct PyColumns(pub(crate) Columns);

#[pymethods]
impl PyColumns {
    /// The names of the columns.
    #[getter]
    fn names(&self) -> Tuple<&str> {
        self.0.schema().fields().iter().map(|field| field.name().as_str()).collect()
    }

    const fn __len__(&self) -> usize {
        self.0.rows()
    }

    /// The numbers of a column, or the codes of a column of words. Raises `OanquanError` for other names.
    #[pyo3(signature = (name, /))]
    fn column(&self, name: Text) -> PyResult<PyColumn> {
        let column = self.0.buffer(&name.0).and_then(|(bytes, kind)| PyColumn::new(bytes, &kind));
        column.ok_or_else(|| {
            let fields = self.0.schema().fields().iter().map(|field| field.name().as_str());
            let names: Vec<_> = fields.filter(|name| self.0.buffer(name).is_some()).collect();
            OanquanError::new_err(format!("column: expected one of {}, got {:?}", names.join(", "), name.0))
        })
    }

    /// The words of a column, in the order of their codes; none if it has none.
    #[pyo3(signature = (name, /))]
    #[allow(clippy::unused_self, reason = "a method for those who have columns at hand")]
    fn words(&self, name: Text) -> Tuple<&'static str> {
        Tuple(schema::words(&name.0).unwrap_or_default())
    }

    /// The action numbers of the moves of a row, a byte each; none past the end or if moves are not kept.
    #[pyo3(signature = (row, /))]
    fn moves<'py>(&self, row: usize, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.moves(row).unwrap_or_default())
    }

    /// The texts of the positions of a row; none past the end or if positions are not kept.
    #[pyo3(signature = (row, /))]
    fn positions(&self, row: usize) -> Tuple<String> {
        Tuple(self.0.positions(row).unwrap_or_default())
    }

    /// Pickled as bytes in Arrow's IPC form.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let core = &slf.get().0;
        let bytes = py.detach(|| core.to_bytes()).map_err(|error| raise(error, None, py))?;
        Ok((slf.get_type().getattr("from_bytes")?, (PyBytes::new(py, &bytes),)))
    }

    /// The columns that were pickled as those bytes. Raises `OanquanError` if they are no columns of games.
    #[staticmethod]
    #[pyo3(signature = (pickled, /))]
    fn from_bytes(pickled: &[u8], py: Python<'_>) -> PyResult<Self> {
        Columns::from_bytes(pickled).map(Self).map_err(|error| raise(error, None, py))
    }

    /// The columns as an Arrow C stream, which shares them: a capsule named `arrow_array_stream`.
    ///
    /// Arrow's protocol lets a producer ignore `requested_schema`, and so it is.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        requested_schema: Option<Bound<'py, PyAny>>,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        drop(requested_schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(self.0.batches()));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream").map(Bound::into_any)
    }

    /// The names and types of the columns as an Arrow C schema: a capsule named `arrow_schema`.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let schema =
            FFI_ArrowSchema::try_from(&**self.0.schema()).map_err(|error| OanquanError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema").map(Bound::into_any)
    }
}
