//! Positions and games as people see them: asked of the Python modules that draw, which are imported when they are needed.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// What a function of a module of the package makes of something.
pub(crate) fn shown<'py>(
    py: Python<'py>,
    module: &str,
    function: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyResult<String> {
    py.import(module)?.call_method1(function, arguments)?.extract()
}
