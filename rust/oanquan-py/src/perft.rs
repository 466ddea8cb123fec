//! `perft`, `divide`.

use oanquan_core::perft::{divide_while, perft_while};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTypeInfo, type_hint_subscript};

use crate::convert::Whole;
use crate::interrupt::Watch;
use crate::moves::{PyMove, shared};
use crate::position::PyPosition;

/// The deepest that is counted: deeper than can be waited for, and not too deep for the stack.
const MAX_DEPTH: i64 = 1000;

/// Return the number of sequences of `depth` moves from a position; a game that is over earlier adds nothing.
///
/// The classic test of a move generator. `depth` is 0 to 1000; another raises `OanquanError`. Other threads run
/// meanwhile, and Ctrl-C ends it.
///
/// >>> import oanquan as oaq
/// >>> [oaq.perft(oaq.Position.start(), depth) for depth in range(5)]
/// [1, 10, 80, 664, 5132]
#[pyfunction]
#[pyo3(signature = (position, depth))]
pub(crate) fn perft(position: &Bound<'_, PyPosition>, depth: Whole, py: Python<'_>) -> PyResult<u64> {
    let depth = depth.within("depth", 0, MAX_DEPTH)? as u32;
    let (core, mut watch) = (position.get().core, Watch::new());
    let count = py.detach(|| perft_while(&core, depth, &mut || watch.go_on()));
    watch.finish(count)
}

/// Return the perft of depth `depth - 1` after each legal move, in the order of their action numbers.
///
/// From depth 1 on the counts add up to `perft(position, depth)`; at depth 0 there is nothing to divide, and the dict is
/// empty. Takes and raises what `perft` does.
///
/// >>> import oanquan as oaq
/// >>> counts = oaq.divide(oaq.Position.start(), 3)
/// >>> counts[oaq.Move("a1+")], sum(counts.values())
/// (70, 664)
#[pyfunction]
#[pyo3(signature = (position, depth))]
pub(crate) fn divide<'py>(position: &Bound<'py, PyPosition>, depth: Whole, py: Python<'py>) -> PyResult<Counts<'py>> {
    let depth = depth.within("depth", 0, MAX_DEPTH)? as u32;
    let (core, mut watch) = (position.get().core, Watch::new());
    let counts = py.detach(|| divide_while(&core, depth, &mut || watch.go_on()));
    let dict = PyDict::new(py);
    for (mv, count) in watch.finish(counts)? {
        dict.set_item(shared(py, mv)?, count)?;
    }
    Ok(Counts(dict))
}

/// A dict of moves and numbers.
pub(crate) struct Counts<'py>(Bound<'py, PyDict>);

impl<'py> IntoPyObject<'py> for Counts<'py> {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = std::convert::Infallible;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(PyDict::TYPE_HINT, PyMove::TYPE_HINT, u64::OUTPUT_TYPE);

    fn into_pyobject(self, _: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(self.0)
    }
}
