//! Monte Carlo tree search: by itself, and with leaves valued from outside.

use std::sync::{Mutex, MutexGuard, PoisonError};

use oanquan_core::{Move, Position};
use oanquan_engine::mcts::playout::Policy;
use oanquan_engine::mcts::{Forest, ForestError, ForestOptions, MoveFound, Noise, Options, Selection, Value, search};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyBaseException;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyTuple;

use crate::batch::{named, view};
use crate::buffers_in::{Kind, floats, own, whole_numbers, writable};
use crate::convert::{Text, Tuple, Whole};
use crate::errors::{self, OanquanError};
use crate::interrupt::Watch;
use crate::moves::{self, MoveTuple, PyMove};
use crate::position::PyPosition;
use crate::simulate::{Callback, watched};

/// A move with its visits, what it is worth, and whether that is exact.
type Row<'py> = (Bound<'py, PyMove>, u32, f32, bool);

/// Search a position by Monte Carlo: what `oanquan.mcts` is made of.
///
/// Returns the legal moves, each with its visits, what it is worth and whether that is exact; the place of the best one
/// among them, `None` if the game is over; the line of best moves; what the position is worth and whether that is exact;
/// the simulations made and the nodes of the tree; and what was raised by `progress` or a signal handler and stopped the
/// search, if anything was.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start = oaq.Position.start()
/// >>> rows, best, line, value, exact, simulations, nodes, error = _core.mcts(
/// ...     start, 500, 7, 0.7, "uct", "random", "result", None
/// ... )
/// >>> sum(visits for _, visits, _, _ in rows), rows[best][0] == line[0], exact, simulations, error
/// (500, True, False, 500, None)
#[pyfunction]
#[pyo3(signature = (position, simulations, seed, exploration, selection, playout, value, progress, /))]
pub(crate) fn mcts<'py>(
    position: &Bound<'py, PyPosition>,
    simulations: u32,
    seed: u64,
    exploration: f32,
    selection: Text,
    playout: Text,
    value: Text,
    progress: Option<Callback>,
    py: Python<'py>,
) -> PyResult<(Vec<Row<'py>>, Option<usize>, MoveTuple<'py>, f32, bool, u32, usize, Option<Bound<'py, PyBaseException>>)>
{
    let options = Options {
        simulations,
        seed,
        exploration,
        selection: named("selection", &selection.0, &Selection::NAMES)?,
        playout: named("playout", &playout.0, &Policy::NAMES)?,
        value: named("value", &value.0, &Value::NAMES)?,
    };
    let start = position.get().core;
    let work = |stop: &_, done: &_| search(&start, &options, stop, done);
    let (found, error) = watched(py, simulations.into(), progress.as_ref(), work)?;
    let row = |of: &MoveFound| Ok((moves::shared(py, of.mv)?.clone(), of.visits, of.value, of.exact));
    let rows = found.moves.iter().map(row).collect::<PyResult<Vec<_>>>()?;
    let best = found.moves.iter().position(|of| Some(of.mv) == found.best);
    let line = move_tuple(py, &found.line)?;
    let error = error.map(|error| error.into_value(py).into_bound(py));
    Ok((rows, best, line, found.value, found.exact, found.simulations, found.nodes, error))
}

/// Moves as a tuple of the shared objects.
pub(crate) fn move_tuple<'py>(py: Python<'py>, moves: &[Move]) -> PyResult<MoveTuple<'py>> {
    let moves = moves.iter().map(|&mv| moves::shared(py, mv)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, moves).map(MoveTuple)
}

/// The usual exploration of `mcts` and of a `Forest`.
///
/// >>> from oanquan import _core
/// >>> exploration, exploration_of_forests = _core.mcts_defaults()
/// >>> exploration > 0, exploration_of_forests > 0
/// (True, True)
#[pyfunction]
pub(crate) fn mcts_defaults() -> (f64, f64) {
    // By their decimal digits: as doubles they have others after them.
    let decimal = |number: f32| number.to_string().parse().unwrap_or_else(|_| number.into());
    (decimal(Options::default().exploration), decimal(ForestOptions::default().exploration))
}

/// Many trees whose leaves are valued from outside: what `oanquan.Mcts` is made of.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> forest = _core.Forest([oaq.Position.start()], 1.5, "points", None, 0)
/// >>> forest.leaves()
/// 1
/// >>> forest.update([0.0], [[1.0] * 10])
/// >>> forest.own("visits").tolist()
/// [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
#[pyclass(name = "Forest", module = "oanquan._core", frozen)]
pub(crate) struct PyForest {
    inner: Mutex<Forest>,
    trees: usize,
    actions: usize,
    sides: usize,
    own: [Py<PyAny>; OUTPUTS.len()],
    buffers: Buffers,
    rules: Py<PyAny>,
}

/// The outputs by name.
const OUTPUTS: [&str; 6] = ["observations", "legal_masks", "waiting", "visits", "values", "best"];

/// The memory of the outputs.
struct Buffers {
    observations: PyBuffer<i16>,
    legal_masks: PyBuffer<u8>,
    waiting: PyBuffer<u8>,
    visits: PyBuffer<i32>,
    values: PyBuffer<f32>,
    best: PyBuffer<i64>,
}

fn raised(error: ForestError) -> PyErr {
    let message = error.to_string();
    match error {
        ForestError::Illegal { error, .. } => errors::illegal_with(message, error),
        _ => OanquanError::new_err(message),
    }
}

/// What a call came to that `watch` may have stopped.
fn done<T>(result: Result<T, ForestError>, watch: Watch) -> PyResult<T> {
    match result {
        Err(ForestError::Stopped) => watch.finish(None),
        result => result.map_err(raised),
    }
}

#[pymethods]
impl PyForest {
    #[new]
    #[pyo3(signature = (positions, exploration, value, noise, seed, /))]
    fn new(
        positions: Vec<Bound<'_, PyPosition>>,
        exploration: f32,
        value: Text,
        noise: Option<(f32, f32)>,
        seed: u64,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let noise = noise.map(|(alpha, fraction)| Noise { alpha, fraction });
        if let Some(fault) = noise.and_then(|noise| noise.fault()) {
            return Err(OanquanError::new_err(fault));
        }
        let Some(first) = positions.first() else {
            return Err(OanquanError::new_err("positions: expected one or more, got none"));
        };
        let value = named("value", &value.0, &Value::NAMES)?;
        let roots: Vec<Position> = positions.iter().map(|position| position.get().core).collect();
        let forest = Forest::new(&roots, ForestOptions { exploration, value, noise, seed }).map_err(raised)?;
        let (trees, actions, sides) = (forest.len(), forest.actions(), usize::from(forest.rules().sides));
        let rows = |kind, columns: Option<usize>| {
            let shape: Vec<usize> = std::iter::once(trees).chain(columns).collect();
            own(py, kind, &shape)
        };
        let observations = rows(Kind::Int16, Some(forest.observation_size()))?;
        let legal_masks = rows(Kind::Int8, Some(actions))?;
        let waiting = rows(Kind::Bool, None)?;
        let (visits, values) = (rows(Kind::Int32, Some(actions))?, rows(Kind::Float32, Some(actions))?);
        let best = rows(Kind::Int64, None)?;
        let buffers = Buffers {
            observations: writable(&observations, "observations", Kind::Int16, &[trees, forest.observation_size()])?,
            legal_masks: writable(&legal_masks, "legal_masks", Kind::Int8, &[trees, actions])?,
            waiting: writable(&waiting, "waiting", Kind::Bool, &[trees])?,
            visits: writable(&visits, "visits", Kind::Int32, &[trees, actions])?,
            values: writable(&values, "values", Kind::Float32, &[trees, actions])?,
            best: writable(&best, "best", Kind::Int64, &[trees])?,
        };
        let own = [observations, legal_masks, waiting, visits, values, best].map(Bound::unbind);
        let rules = first.get().rules.clone_ref(py);
        let new = Self { inner: Mutex::new(forest), trees, actions, sides, own, buffers, rules };
        new.write_roots(py)?;
        Ok(new)
    }

    /// The names of the outputs, in order.
    ///
    /// >>> from oanquan import _core
    /// >>> _core.Forest.outputs()[:3]
    /// ('observations', 'legal_masks', 'waiting')
    #[staticmethod]
    fn outputs() -> Tuple<&'static str> {
        OUTPUTS.into_iter().collect()
    }

    /// The memory of an output, as a memoryview of its own; `None` if there is no such output.
    fn own<'py>(&self, name: Text, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let output = OUTPUTS.into_iter().position(|known| known == name.0);
        output.map(|output| view(&self.own[output], py)).transpose()
    }

    /// Walk down every tree, write the leaves that wait, and return how many do.
    fn leaves(&self, py: Python<'_>) -> PyResult<usize> {
        let mut guard = self.inner(py);
        let (forest, cells, mut watch) = (&mut *guard, self.trees * self.actions, Watch::new());
        let work = || {
            let (mut observations, mut masks) = (vec![0; forest.len() * forest.observation_size()], vec![0; cells]);
            let waiting = forest.leaves_while(|| watch.go_on())?;
            forest.observe(&mut observations, &mut masks).map(|()| (waiting, observations, masks))
        };
        let (waiting, observations, masks) = done(py.detach(work), watch)?;
        self.buffers.observations.copy_from_slice(py, &observations)?;
        self.buffers.legal_masks.copy_from_slice(py, &masks)?;
        let flags: Vec<u8> = waiting.iter().map(|&waits| waits.into()).collect();
        self.buffers.waiting.copy_from_slice(py, &flags)?;
        drop(guard);
        self.write_roots(py)?;
        Ok(waiting.into_iter().filter(|&waits| waits).count())
    }

    /// Value the leaves that wait.
    #[pyo3(signature = (values, priors, /))]
    fn update(&self, values: &Bound<'_, PyAny>, priors: &Bound<'_, PyAny>, py: Python<'_>) -> PyResult<()> {
        let shape = if self.sides == 2 { vec![self.trees] } else { vec![self.trees, self.sides] };
        let values = floats(values, "values", &shape)?;
        let priors = floats(priors, "priors", &[self.trees, self.actions])?;
        let mut guard = self.inner(py);
        let (forest, mut watch) = (&mut *guard, Watch::new());
        let updated = done(py.detach(|| forest.update_while(&values, &priors, || watch.go_on())), watch);
        drop(guard);
        // Some trees may have been updated, though not all.
        self.write_roots(py)?;
        updated
    }

    /// Play an action in every tree; a tree with a negative number stays.
    #[pyo3(signature = (actions, /))]
    fn advance(&self, actions: &Bound<'_, PyAny>, py: Python<'_>) -> PyResult<()> {
        let actions = whole_numbers(actions, "actions", self.trees)?;
        let mut guard = self.inner(py);
        let (forest, mut watch) = (&mut *guard, Watch::new());
        done(py.detach(|| forest.advance_while(&actions, || watch.go_on())), watch)?;
        drop(guard);
        self.write_roots(py)
    }

    /// Plant new trees at these places.
    #[pyo3(signature = (trees, positions, /))]
    fn set_positions(&self, trees: Vec<Whole>, positions: Vec<Bound<'_, PyPosition>>, py: Python<'_>) -> PyResult<()> {
        if trees.len() != positions.len() {
            let (trees, positions) = (trees.len(), positions.len());
            return Err(OanquanError::new_err(format!(
                "positions: expected {trees}, one for each tree, got {positions}"
            )));
        }
        let positions = positions.iter().map(|position| position.get().core);
        let both: Vec<(usize, Position)> = self.places(&trees)?.into_iter().zip(positions).collect();
        self.inner(py).set_positions(&both).map_err(raised)?;
        self.write_roots(py)
    }

    /// The positions at the roots of these trees.
    #[pyo3(signature = (trees, /))]
    fn positions(&self, trees: Vec<Whole>, py: Python<'_>) -> PyResult<Tuple<PyPosition>> {
        let (places, forest) = (self.places(&trees)?, self.inner(py));
        Ok(places.iter().filter_map(|&tree| forest.position(tree)).map(|core| self.wrap(core, py)).collect())
    }

    /// The leaves of these trees, `None` for one without a leaf that waits.
    #[pyo3(signature = (trees, /))]
    fn leaf_positions(&self, trees: Vec<Whole>, py: Python<'_>) -> PyResult<Tuple<Option<PyPosition>>> {
        let (places, forest) = (self.places(&trees)?, self.inner(py));
        Ok(places.iter().map(|&tree| forest.leaf(tree).map(|core| self.wrap(core, py))).collect())
    }

    fn __len__(&self) -> usize {
        self.trees
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.rules)
    }
}

impl PyForest {
    fn inner(&self, py: Python<'_>) -> MutexGuard<'_, Forest> {
        self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn wrap(&self, core: Position, py: Python<'_>) -> PyPosition {
        PyPosition { core, rules: self.rules.clone_ref(py) }
    }

    /// Places of trees, each checked.
    fn places(&self, trees: &[Whole]) -> PyResult<Vec<usize>> {
        let most = self.trees as i64 - 1;
        trees.iter().map(|tree| Ok(tree.within("tree", 0, most)? as usize)).collect()
    }

    /// Writes what is known at the roots.
    fn write_roots(&self, py: Python<'_>) -> PyResult<()> {
        let forest = self.inner(py);
        let (mut visits, mut values, mut best) = (Vec::new(), Vec::new(), Vec::new());
        for tree in 0..self.trees {
            visits.extend(forest.visits(tree).into_iter().flatten().map(|visits| visits as i32));
            values.extend(forest.values(tree).into_iter().flatten());
            best.push(forest.best(tree).map_or(-1, i64::from));
        }
        self.buffers.visits.copy_from_slice(py, &visits)?;
        self.buffers.values.copy_from_slice(py, &values)?;
        self.buffers.best.copy_from_slice(py, &best)
    }
}
