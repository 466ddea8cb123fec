//! `Batch`: many games stepped together, for learners.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oanquan_core::Position;
use oanquan_engine::agent::{NAMES as AGENTS_OF_ONE_WORD, parse as agent_of};
use oanquan_engine::batch::{Autoreset, BatchError, Options, Outputs, Reward};
use oanquan_engine::{Batch, Limits};
use pyo3::buffer::PyBuffer;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyMemoryView;

use crate::buffers_in::{Kind, flags, own, whole_numbers, writable};
use crate::convert::{Text, Tuple, Whole};
use crate::errors::{self, OanquanError};
use crate::position::PyPosition;
use crate::simulate::watched;

/// Many games stepped together: what `oanquan.Batch` is made of.
///
/// Outputs are given as a list of buffers, or of `None` for what is not wanted, in the order of `outputs`; `None`
/// instead of a list means the memory of the batch.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> batch = _core.Batch(oaq.Position.start(), 2, 7, 1000, 3, "points", "next_step")
/// >>> batch.step_random(None)
/// >>> batch.own("points").tolist()
/// [[6, 0], [6, 0]]
#[pyclass(name = "Batch", module = "oanquan._core", frozen)]
pub(crate) struct PyBatch {
    inner: Mutex<Inner>,
    shapes: Shapes,
    own: [Option<Py<PyAny>>; OUTPUTS],
    own_actions: Py<PyAny>,
    rules: Py<PyAny>,
}

/// In so many games the agents that take no options have chosen before Ctrl-C could be waited for: none starts a thread.
const AT_ONCE: usize = 4096;

/// How many outputs there are.
const OUTPUTS: usize = 8;

/// The outputs by name, with what they hold.
const NAMES: [(&str, Kind); OUTPUTS] = [
    ("observations", Kind::Int16),
    ("legal_masks", Kind::Int8),
    ("rewards", Kind::Float32),
    ("terminated", Kind::Bool),
    ("truncated", Kind::Bool),
    ("points", Kind::Int32),
    ("turns", Kind::Uint8),
    ("final_observations", Kind::Int16),
];
const FINAL: usize = OUTPUTS - 1;

/// The sizes of the rows.
#[derive(Clone, Copy)]
struct Shapes {
    games: usize,
    observation: usize,
    actions: usize,
    sides: usize,
}

impl Shapes {
    /// The shape of an output.
    fn of(self, output: usize) -> Vec<usize> {
        match NAMES[output].0 {
            "observations" | "final_observations" => vec![self.games, self.observation],
            "legal_masks" => vec![self.games, self.actions],
            "points" => vec![self.games, self.sides],
            _ => vec![self.games],
        }
    }
}

/// What is changed by a step.
struct Inner {
    batch: Batch,
    rows: Rows,
    targets: Targets,
    actions: PyBuffer<i64>,
}

/// Where the engine writes.
struct Rows {
    observations: Vec<i16>,
    legal_masks: Vec<u8>,
    rewards: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    points: Vec<i32>,
    turns: Vec<u8>,
    final_observations: Vec<i16>,
}

/// Where the rows go from there.
struct Targets {
    observations: Option<PyBuffer<i16>>,
    legal_masks: Option<PyBuffer<u8>>,
    rewards: Option<PyBuffer<f32>>,
    terminated: Option<PyBuffer<u8>>,
    truncated: Option<PyBuffer<u8>>,
    points: Option<PyBuffer<i32>>,
    turns: Option<PyBuffer<u8>>,
    final_observations: Option<PyBuffer<i16>>,
}

impl Targets {
    /// The buffers of these objects, each checked.
    fn of(shapes: Shapes, objects: &[Option<Bound<'_, PyAny>>; OUTPUTS]) -> PyResult<Self> {
        fn target<T: pyo3::buffer::Element>(
            shapes: Shapes,
            objects: &[Option<Bound<'_, PyAny>>; OUTPUTS],
            output: usize,
        ) -> PyResult<Option<PyBuffer<T>>> {
            let (name, kind) = NAMES[output];
            objects[output].as_ref().map(|object| writable(object, name, kind, &shapes.of(output))).transpose()
        }
        Ok(Self {
            observations: target(shapes, objects, 0)?,
            legal_masks: target(shapes, objects, 1)?,
            rewards: target(shapes, objects, 2)?,
            terminated: target(shapes, objects, 3)?,
            truncated: target(shapes, objects, 4)?,
            points: target(shapes, objects, 5)?,
            turns: target(shapes, objects, 6)?,
            final_observations: target(shapes, objects, FINAL)?,
        })
    }

    /// Copies the rows that were written.
    fn write(&self, py: Python<'_>, rows: &Rows) -> PyResult<()> {
        fn copy<T: pyo3::buffer::Element>(py: Python<'_>, to: Option<&PyBuffer<T>>, rows: &[T]) -> PyResult<()> {
            to.map_or(Ok(()), |buffer| buffer.copy_from_slice(py, rows))
        }
        copy(py, self.observations.as_ref(), &rows.observations)?;
        copy(py, self.legal_masks.as_ref(), &rows.legal_masks)?;
        copy(py, self.rewards.as_ref(), &rows.rewards)?;
        copy(py, self.terminated.as_ref(), &rows.terminated)?;
        copy(py, self.truncated.as_ref(), &rows.truncated)?;
        copy(py, self.points.as_ref(), &rows.points)?;
        copy(py, self.turns.as_ref(), &rows.turns)?;
        copy(py, self.final_observations.as_ref(), &rows.final_observations)
    }
}

impl Rows {
    fn new(shapes: Shapes) -> Self {
        let size = |output| shapes.of(output).iter().product();
        Self {
            observations: vec![0; size(0)],
            legal_masks: vec![0; size(1)],
            rewards: vec![0.0; size(2)],
            terminated: vec![0; size(3)],
            truncated: vec![0; size(4)],
            points: vec![0; size(5)],
            turns: vec![0; size(6)],
            final_observations: vec![0; size(FINAL)],
        }
    }

    /// The rows that somebody wants. Last observations are kept from step to step, so that they are always written.
    fn outputs(&mut self, targets: &Targets) -> Outputs<'_> {
        Outputs {
            observations: targets.observations.is_some().then_some(&mut self.observations),
            legal_masks: targets.legal_masks.is_some().then_some(&mut self.legal_masks),
            rewards: targets.rewards.is_some().then_some(&mut self.rewards),
            terminated: targets.terminated.is_some().then_some(&mut self.terminated),
            truncated: targets.truncated.is_some().then_some(&mut self.truncated),
            points: targets.points.is_some().then_some(&mut self.points),
            turns: targets.turns.is_some().then_some(&mut self.turns),
            final_observations: Some(&mut self.final_observations),
        }
    }
}

impl PyBatch {
    fn inner(&self, py: Python<'_>) -> MutexGuard<'_, Inner> {
        self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something that writes, the interpreter free for others, and copies what was written.
    fn write(
        &self,
        py: Python<'_>,
        out: Option<Vec<Option<Bound<'_, PyAny>>>>,
        work: impl FnOnce(&mut Batch, &mut Outputs<'_>) -> Result<(), BatchError> + Send,
    ) -> PyResult<()> {
        let given = out.map(|objects| self.targets(objects)).transpose()?;
        let mut guard = self.inner(py);
        let Inner { batch, rows, targets, .. } = &mut *guard;
        let targets = given.as_ref().unwrap_or(targets);
        py.detach(|| work(batch, &mut rows.outputs(targets))).map_err(errors::batch)?;
        targets.write(py, rows)
    }

    fn targets(&self, objects: Vec<Option<Bound<'_, PyAny>>>) -> PyResult<Targets> {
        let objects: [_; OUTPUTS] = objects.try_into().map_err(|objects: Vec<_>| {
            OanquanError::new_err(format!("out: expected {OUTPUTS}, got {}", objects.len()))
        })?;
        if objects[FINAL].is_some() && self.own[FINAL].is_none() {
            let message = "final_observations: expected only with autoreset=\"same_step\"";
            return Err(OanquanError::new_err(message));
        }
        Targets::of(self.shapes, &objects)
    }
}

/// The memory as a memoryview that the caller may release: ours stays.
pub(crate) fn view<'py>(object: &Py<PyAny>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    PyMemoryView::from(object.bind(py)).map(Bound::into_any)
}

pub(crate) fn named<T: Copy>(what: &str, name: &str, names: &[(&str, T)]) -> PyResult<T> {
    names.iter().find(|(known, _)| *known == name).map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        OanquanError::new_err(format!("{what}: expected one of {}, got {name:?}", names.join(", ")))
    })
}

#[pymethods]
impl PyBatch {
    #[new]
    #[pyo3(signature = (position, games, seed, max_plies, repetition, reward, autoreset, /))]
    fn new(
        position: &Bound<'_, PyPosition>,
        games: usize,
        seed: u64,
        max_plies: Option<u32>,
        repetition: Option<u32>,
        reward: Text,
        autoreset: Text,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let options = Options {
            seed,
            limits: Limits { max_plies, repetition },
            reward: named("reward", &reward.0, &Reward::NAMES)?,
            autoreset: named("autoreset", &autoreset.0, &Autoreset::NAMES)?,
        };
        let start = position.get().core;
        let batch = py.detach(|| Batch::new(start, games, options)).map_err(errors::batch)?;
        let (observation, actions, sides) = (batch.observation_size(), batch.actions(), batch.sides());
        let shapes = Shapes { games, observation, actions, sides };
        let mut objects = [const { None }; OUTPUTS];
        for (output, (_, kind)) in NAMES.into_iter().enumerate() {
            if output != FINAL || options.autoreset == Autoreset::SameStep {
                objects[output] = Some(own(py, kind, &shapes.of(output))?);
            }
        }
        let targets = Targets::of(shapes, &objects)?;
        let own_actions = own(py, Kind::Int64, &[games])?;
        let actions = writable(&own_actions, "actions", Kind::Int64, &[games])?;
        let inner = Mutex::new(Inner { batch, rows: Rows::new(shapes), targets, actions });
        let rules = position.get().rules.clone_ref(py);
        let new = Self {
            inner,
            shapes,
            own: objects.map(|object| object.map(Bound::unbind)),
            own_actions: own_actions.unbind(),
            rules,
        };
        new.observe(None, py)?;
        Ok(new)
    }

    /// The names of the outputs, in order.
    ///
    /// >>> from oanquan import _core
    /// >>> _core.Batch.outputs()[:3]
    /// ('observations', 'legal_masks', 'rewards')
    #[staticmethod]
    fn outputs() -> Tuple<&'static str> {
        NAMES.into_iter().map(|(name, _)| name).collect()
    }

    /// The memory of the batch for an output or for `"actions"`, as a memoryview of its own; `None` if it has none.
    fn own<'py>(&self, name: Text, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if name.0 == "actions" {
            return view(&self.own_actions, py).map(Some);
        }
        let output = NAMES.into_iter().position(|(known, _)| known == name.0);
        output.and_then(|output| self.own[output].as_ref()).map(|object| view(object, py)).transpose()
    }

    /// Make one move in every game, or where `mask` is true.
    #[pyo3(signature = (actions, mask, out, /))]
    fn step(
        &self,
        actions: &Bound<'_, PyAny>,
        mask: Option<Bound<'_, PyAny>>,
        out: Option<Vec<Option<Bound<'_, PyAny>>>>,
        py: Python<'_>,
    ) -> PyResult<()> {
        let actions = whole_numbers(actions, "actions", self.shapes.games)?;
        let mask = mask.map(|mask| flags(&mask, "mask", self.shapes.games)).transpose()?;
        self.write(py, out, |batch, out| match &mask {
            None => batch.step(&actions, out),
            Some(mask) => batch.step_where(&actions, mask, out),
        })
    }

    /// Make one random move in every game.
    #[pyo3(signature = (out, /))]
    fn step_random(&self, out: Option<Vec<Option<Bound<'_, PyAny>>>>, py: Python<'_>) -> PyResult<()> {
        self.write(py, out, Batch::step_random)
    }

    /// Write how every game stands.
    #[pyo3(signature = (out, /))]
    fn observe(&self, out: Option<Vec<Option<Bound<'_, PyAny>>>>, py: Python<'_>) -> PyResult<()> {
        self.write(py, out, |batch, out| batch.observe(out))
    }

    /// Begin new games, everywhere or where `mask` is true, and write how every game stands.
    #[pyo3(signature = (seed, mask, out, /))]
    fn reset(
        &self,
        seed: Option<u64>,
        mask: Option<Bound<'_, PyAny>>,
        out: Option<Vec<Option<Bound<'_, PyAny>>>>,
        py: Python<'_>,
    ) -> PyResult<()> {
        let mask = mask.map(|mask| flags(&mask, "mask", self.shapes.games)).transpose()?;
        self.write(py, out, |batch, out| {
            batch.reset(seed, mask.as_deref())?;
            batch.observe(out)
        })
    }

    /// Begin new games with a seed for each place, everywhere or where `mask` is true, and write how every game stands.
    #[pyo3(signature = (seeds, mask, out, /))]
    fn reset_each(
        &self,
        seeds: Vec<u64>,
        mask: Option<Bound<'_, PyAny>>,
        out: Option<Vec<Option<Bound<'_, PyAny>>>>,
        py: Python<'_>,
    ) -> PyResult<()> {
        let mask = mask.map(|mask| flags(&mask, "mask", self.shapes.games)).transpose()?;
        self.write(py, out, |batch, out| {
            batch.reset_each(&seeds, mask.as_deref())?;
            batch.observe(out)
        })
    }

    /// Write the actions of random play into the memory of the batch, or into `out`.
    #[pyo3(signature = (out, /))]
    fn sample_actions<'py>(&self, out: Option<Bound<'py, PyAny>>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let games = self.shapes.games;
        let given = out.as_ref().map(|out| writable::<i64>(out, "out", Kind::Int64, &[games])).transpose()?;
        let mut actions = vec![0; games];
        let guard = self.inner(py);
        py.detach(|| guard.batch.sample_actions(&mut actions)).map_err(errors::batch)?;
        given.as_ref().unwrap_or(&guard.actions).copy_from_slice(py, &actions)?;
        out.map_or_else(|| view(&self.own_actions, py), Ok)
    }

    /// Write the actions that the agent of that text chooses, where `mask` is true, into the memory of the batch, or into
    /// `out`.
    #[pyo3(signature = (agent, mask, threads, out, /))]
    fn agent_actions<'py>(
        &self,
        agent: Text,
        mask: Option<Bound<'py, PyAny>>,
        threads: usize,
        out: Option<Bound<'py, PyAny>>,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let games = self.shapes.games;
        let agent = agent_of(&agent.0).map_err(|error| OanquanError::new_err(format!("agent: {error}")))?;
        let mask = mask.map(|mask| flags(&mask, "mask", games)).transpose()?;
        let given = out.as_ref().map(|out| writable::<i64>(out, "out", Kind::Int64, &[games])).transpose()?;
        let mut actions = vec![0; games];
        let guard = self.inner(py);
        let batch = &guard.batch;
        let mut choose = |stop: &_, _: &_| batch.agent_actions(&*agent, mask.as_deref(), threads, stop, &mut actions);
        let chosen = if games <= AT_ONCE && AGENTS_OF_ONE_WORD.contains(&agent.name()) {
            py.detach(|| choose(&AtomicBool::new(false), &AtomicU64::new(0)))
        } else {
            let (chosen, error) = watched(py, games as u64, None, choose)?;
            if let Some(error) = error {
                return Err(error);
            }
            chosen
        };
        chosen.map_err(errors::batch)?;
        given.as_ref().unwrap_or(&guard.actions).copy_from_slice(py, &actions)?;
        out.map_or_else(|| view(&self.own_actions, py), Ok)
    }

    /// The positions of these games.
    #[pyo3(signature = (games, /))]
    fn positions(&self, games: Vec<Whole>, py: Python<'_>) -> PyResult<Tuple<PyPosition>> {
        let places = self.places(&games)?;
        let guard = self.inner(py);
        let position = |&place: &usize| guard.batch.position(place);
        Ok(places
            .iter()
            .filter_map(position)
            .map(|core| PyPosition { core, rules: self.rules.clone_ref(py) })
            .collect())
    }

    /// Begin games from these positions at these places, and write how every game stands.
    #[pyo3(signature = (games, positions, out, /))]
    fn set_positions(
        &self,
        games: Vec<Whole>,
        positions: Vec<Bound<'_, PyPosition>>,
        out: Option<Vec<Option<Bound<'_, PyAny>>>>,
        py: Python<'_>,
    ) -> PyResult<()> {
        if games.len() != positions.len() {
            let (games, positions) = (games.len(), positions.len());
            return Err(OanquanError::new_err(format!(
                "positions: expected {games}, one for each game, got {positions}"
            )));
        }
        let positions = positions.iter().map(|position| position.get().core);
        let both: Vec<(usize, Position)> = self.places(&games)?.into_iter().zip(positions).collect();
        self.write(py, out, |batch, out| {
            batch.set_positions(&both)?;
            batch.observe(out)
        })
    }

    /// The number and the plies of every game.
    fn games(&self, py: Python<'_>) -> Vec<(u64, u32)> {
        let guard = self.inner(py);
        (0..self.shapes.games).filter_map(|game| guard.batch.game(game)).collect()
    }

    fn __len__(&self) -> usize {
        self.shapes.games
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.rules)
    }
}

impl PyBatch {
    /// Places of games, each checked.
    fn places(&self, games: &[Whole]) -> PyResult<Vec<usize>> {
        let most = self.shapes.games as i64 - 1;
        games.iter().map(|game| Ok(game.within("game", 0, most)? as usize)).collect()
    }
}
