//! Games with agents written in Python, which are asked for the moves of many games at once.

use std::sync::Arc;
use std::time::Instant;

use oanquan_columns::{Options, collect_from};
use oanquan_core::Move;
use oanquan_engine::agent::NAMES;
use oanquan_engine::lockstep::{BatchAgents, LockstepError, Seat, Waiting, lockstep};
use oanquan_engine::{Agent, Collect, Config, GameStream, Summary, Turn};
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use pyo3::{PyTypeInfo, type_hint_identifier, type_hint_subscript, type_hint_union};

use crate::columns::PyColumns;
use crate::convert::{ELLIPSIS, Text};
use crate::errors::{self, OanquanError};
use crate::interrupt::TICK;
use crate::moves::MoveArgument;
use crate::position::PyPosition;
use crate::rules::PyRules;
use crate::shards;
use crate::simulate::{Callback, by_names};
use crate::summary::PySummary;
use crate::thinker::Thinker;

/// [`simulate`](crate::simulate::simulate()) with agents of which some are callables.
///
/// Each is called with a tuple of positions, those of all games that wait for it, 4096 at most, and returns as many
/// moves. Callables are called from this thread; agents of the engine that take long think on another, so that it stays in
/// touch with signals and `progress`. Returns what `simulate` returns.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> def first(positions):
/// ...     return [position.legal_moves[0] for position in positions]
/// >>> start = oaq.Position.start()
/// >>> summary, columns, error = _core.simulate_with(
/// ...     start, 100, ["random", first], 7, 1000, 3, False, False, False, None
/// ... )
/// >>> summary.games, columns, error
/// (100, None, None)
#[pyfunction]
#[pyo3(signature = (position, games, agents, seed, max_plies, repetition, columns, moves, positions, progress, /))]
pub(crate) fn simulate_with<'py>(
    position: &Bound<'py, PyPosition>,
    games: u64,
    agents: Vec<AgentArgument>,
    seed: u64,
    max_plies: Option<u32>,
    repetition: Option<u32>,
    columns: bool,
    moves: bool,
    positions: bool,
    progress: Option<Callback>,
    py: Python<'py>,
) -> PyResult<(PySummary, Option<PyColumns>, Option<Bound<'py, PyBaseException>>)> {
    let rules = position.get().shared_rules(py);
    let config = Config { seed, max_plies, repetition, ..Config::new(position.get().core, games) };
    let (seats, agents) = seat(py, agents)?;
    let next_tick = Instant::now() + TICK;
    let mut callables = Callables { agents, rules, games, progress, done: 0, next_tick, thinker: None };
    let options = Options { moves, positions };
    let played = py.detach(|| {
        let mut play = |games: &mut dyn Collect| lockstep(&config, &seats, &mut callables, games);
        if columns {
            let (summary, columns, played) = collect_from(&config, options, play)?;
            return Ok((summary, Some(PyColumns(columns)), played));
        }
        let mut summary = Summary::default();
        let played = play(&mut summary);
        Ok((summary, None, played))
    });
    let (core, columns, played) = played.map_err(|error| shards::raise(error, None, py))?;
    let error = match played {
        Ok(()) => callables.report(py).err(),
        Err(error) => Some(callables.error(py, error)),
    };
    Ok((PySummary::new(core, config.start.rules()), columns, error.map(|error| error.into_value(py).into_bound(py))))
}

/// An agent as callers give it.
pub(crate) enum AgentArgument {
    /// The name of an agent of the engine.
    Name(Text),
    /// What is called with positions.
    Callable(Py<PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for AgentArgument {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        PyString::TYPE_HINT,
        type_hint_subscript!(
            type_hint_identifier!("collections.abc", "Callable"),
            PyStaticExpr::List { elts: &[type_hint_subscript!(PyTuple::TYPE_HINT, PyPosition::TYPE_HINT, ELLIPSIS)] },
            type_hint_subscript!(type_hint_identifier!("collections.abc", "Iterable"), MoveArgument::INPUT_TYPE)
        )
    );

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return object.extract().map(Self::Name);
        }
        if object.is_callable() {
            return Ok(Self::Callable(object.to_owned().unbind()));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("agents: expected names and callables, got {kind}")))
    }
}

/// Who sits where, and the callables, each once, with their seats.
fn seat(py: Python<'_>, agents: Vec<AgentArgument>) -> PyResult<(Vec<Seat>, Vec<Callable>)> {
    let mut callables: Vec<Callable> = Vec::new();
    let mut seats = Vec::new();
    for (place, agent) in agents.into_iter().enumerate() {
        seats.push(match agent {
            AgentArgument::Name(name) => {
                let agents = by_names(&[name])?;
                Seat::Alone(agents[0].clone())
            }
            AgentArgument::Callable(object) => {
                let same = |other: &Callable| other.object.bind(py).is(&object);
                let number = callables.iter().position(same).unwrap_or(callables.len());
                if number == callables.len() {
                    callables.push(Callable { object, seat: place });
                }
                Seat::Batch(number)
            }
        });
    }
    Ok((seats, callables))
}

/// A callable, and the first seat that it sits at.
struct Callable {
    object: Py<PyAny>,
    seat: usize,
}

/// The agents written in Python, and what else the run has to do with Python.
struct Callables {
    agents: Vec<Callable>,
    rules: PyRules,
    games: u64,
    progress: Option<Callback>,
    done: u64,
    /// When to look for signals and to call `progress` again.
    next_tick: Instant,
    /// Where agents of the engine think, once one that takes long was asked.
    thinker: Option<Thinker>,
}

impl BatchAgents for Callables {
    type Error = PyErr;

    fn choose(&mut self, agent: usize, games: &[Waiting], moves: &mut Vec<Move>) -> PyResult<()> {
        Python::attach(|py| self.ask(py, agent, games, moves))?;
        self.tick()
    }

    fn alone(&mut self, agent: &Arc<dyn Agent>, game: &Waiting, stream: GameStream) -> PyResult<usize> {
        self.tick()?;
        let here = || agent.choose(&Turn::new(&game.position, stream, game.plies));
        if NAMES.contains(&agent.name()) {
            return Ok(here());
        }
        let Some(thinker) = self.thinker.take().or_else(Thinker::new) else { return Ok(here()) };
        // If this is left by an error, the thinker goes, and with it what it thinks about.
        let place = thinker.place(agent, game, stream, || self.tick())?;
        self.thinker = Some(thinker);
        Ok(place)
    }

    fn finished(&mut self, done: u64) -> PyResult<()> {
        self.done = done;
        self.tick()
    }
}

impl Callables {
    fn ask(&self, py: Python<'_>, agent: usize, games: &[Waiting], moves: &mut Vec<Move>) -> PyResult<()> {
        let Callable { object, seat } = &self.agents[agent];
        let position = |game: &Waiting| {
            let rules = self.rules.object.clone_ref(py);
            Py::new(py, PyPosition { core: game.position, rules })
        };
        let positions = games.iter().map(position).collect::<PyResult<Vec<_>>>()?;
        let answer = object.bind(py).call1((PyTuple::new(py, positions)?,))?;
        let given = match answer.try_iter() {
            Ok(given) if !answer.is_instance_of::<PyString>() => given,
            Err(error) if !error.is_instance_of::<PyTypeError>(py) => return Err(error),
            _ => {
                let kind = answer.get_type().name()?;
                return Err(PyTypeError::new_err(format!("agents[{seat}]: expected a sequence of moves, got {kind}")));
            }
        };
        let mut waiting = games.iter();
        for given in given {
            // One too many is enough to be told: the rest is not looked at.
            let Some(game) = waiting.next() else {
                return Err(wrong_count(*seat, games.len(), "more"));
            };
            let mv = MoveArgument::extract(given?.as_borrowed())
                .and_then(|given| given.resolve(&game.position, None))
                .map_err(|error| errors::in_game(py, error, &place(*seat, game.game)))?;
            moves.push(mv);
        }
        Ok(())
    }

    /// Now and then looks for signals and says how far the run is.
    fn tick(&mut self) -> PyResult<()> {
        let now = Instant::now();
        if now < self.next_tick {
            return Ok(());
        }
        self.next_tick = now + TICK;
        Python::attach(|py| py.check_signals().and_then(|()| self.report(py)))
    }

    fn report(&self, py: Python<'_>) -> PyResult<()> {
        self.progress.as_ref().map_or(Ok(()), |progress| progress.call(py, self.done, self.games))
    }

    /// What ended the run, as it is raised.
    fn error(&self, py: Python<'_>, error: LockstepError<PyErr>) -> PyErr {
        match error {
            LockstepError::Agents(error) => error,
            LockstepError::Count { agent, expected, given } => {
                wrong_count(self.agents[agent].seat, expected, &given.to_string())
            }
            LockstepError::Illegal { agent, game, error } => {
                errors::in_game(py, errors::illegal(error), &place(self.agents[agent].seat, game))
            }
        }
    }
}

/// Whose move it is that is told of, and in which game.
fn place(seat: usize, game: u64) -> String {
    format!("agents[{seat}], game {game}")
}

fn wrong_count(seat: usize, expected: usize, given: &str) -> PyErr {
    let noun = if expected == 1 { "move" } else { "moves" };
    OanquanError::new_err(format!("agents[{seat}]: expected {expected} {noun}, one for each position, got {given}"))
}
