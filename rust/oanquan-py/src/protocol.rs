//! The engine protocols, on standard input and output.

use std::io::{self, Stdin, Stdout};

use oanquan_engine::protocol::{self, Kind, OPTIONS, Settings};
use pyo3::prelude::*;

use crate::convert::{Text, Tuple};
use crate::errors::OanquanError;

/// Speak UGI on standard input and output until `quit` or the end of the input: what `oanquan ugi` does.
///
/// `options` are set before the first command, each a name and a value. Raises `OanquanError` for one that cannot be set,
/// before anything is read or written; `OSError` if standard input cannot be read or standard output not be written.
/// Python's own buffers of both are passed by, and no signal handler written in Python runs meanwhile.
///
/// >>> import subprocess, sys
/// >>> code = "from oanquan import _core; _core.serve_ugi([('Rules', 'wikipedia-vi')])"
/// >>> commands = "position startpos moves a1+\nquery p1turn\nquit\n"
/// >>> subprocess.run([sys.executable, "-c", code], input=commands, capture_output=True, text=True).stdout
/// 'response false\n'
#[pyfunction]
#[pyo3(signature = (options, /))]
pub(crate) fn serve_ugi(options: Vec<(Text, Text)>, py: Python<'_>) -> PyResult<()> {
    serve(&options, py, protocol::ugi::serve)
}

/// Speak GTP on standard input and output: what `oanquan gtp` does. All else is as with `serve_ugi`.
///
/// >>> import subprocess, sys
/// >>> code = "from oanquan import _core; _core.serve_gtp([])"
/// >>> subprocess.run([sys.executable, "-c", code], input="1 name\n", capture_output=True, text=True).stdout
/// '=1 oanquan\n\n'
#[pyfunction]
#[pyo3(signature = (options, /))]
pub(crate) fn serve_gtp(options: Vec<(Text, Text)>, py: Python<'_>) -> PyResult<()> {
    serve(&options, py, protocol::gtp::serve)
}

fn serve(
    options: &[(Text, Text)],
    py: Python<'_>,
    serve: fn(Stdin, Stdout, Settings) -> io::Result<()>,
) -> PyResult<()> {
    let mut settings = Settings::default();
    for (name, value) in options {
        settings.set(&name.0, &value.0).map_err(|error| OanquanError::new_err(error.to_string()))?;
    }
    Ok(py.detach(|| serve(io::stdin(), io::stdout(), settings))?)
}

/// Return the options of both protocols: for each its name, the text of its default, the least and the most if it is a
/// number, and what it does.
///
/// >>> from oanquan import _core
/// >>> [option[:4] for option in _core.protocol_options()][4]
/// ('Hash', '16', 1, 65536)
#[pyfunction]
pub(crate) fn protocol_options() -> Tuple<(&'static str, String, Option<u64>, Option<u64>, &'static str)> {
    let option = |option: &protocol::Choice| match option.kind {
        Kind::Text { default } => (option.name, default.to_string(), None, None, option.summary),
        Kind::Number { default, least, most } => {
            (option.name, default.to_string(), Some(least), Some(most), option.summary)
        }
    };
    OPTIONS.iter().map(option).collect()
}
