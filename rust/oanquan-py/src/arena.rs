//! Matches between two agents, some of which may be written in Python.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use oanquan_core::{Position, Side};
use oanquan_engine::arena::{self, Match, MatchGame, Pentanomial, Sprt, play_match as play};
use oanquan_engine::{Agent, GameStream, Limits, Random, Turn};
use pyo3::exceptions::{PyBaseException, PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::callable::AgentArgument;
use crate::convert::Text;
use crate::errors::{self, OanquanError};
use crate::mcts::move_tuple;
use crate::moves::{self, MoveArgument, MoveTuple, PyMove};
use crate::position::PyPosition;
use crate::simulate::{Callback, by_names, watched};
use crate::values::PyOutcome;

/// The moves of a game and how it came out.
type Game<'py> = (MoveTuple<'py>, PyOutcome);
/// How many moves a pair begins with, and its two games.
type Pair<'py> = (u32, Game<'py>, Game<'py>);

/// Play a match between two agents: what `oanquan.play_match` is made of.
///
/// `sprt` are `elo0`, `elo1`, `alpha` and `beta` of the test that ends the match, if there is one. A callable among the
/// agents is given a tuple of one position and returns one move; it must be safe to be called from other threads, one at a
/// time. `progress` is called with the pairs done and the pairs in all. The pairs are numbered from `first_pair` on.
///
/// Returns the pairs; how often a pair came to 0, 1, 2, 3 and 4 half points of the first agent; what the test came to; and
/// what was raised by an agent, `progress` or a signal handler and stopped the match, if anything was.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start = oaq.Position.start()
/// >>> pairs, counts, verdict, error = _core.play_match(start, ["greedy", "random"], 10, 4, 0, 1, 1000, 3, None, None)
/// >>> len(pairs), sum(counts), verdict, error
/// (10, 10, None, None)
#[pyfunction]
#[pyo3(signature = (position, agents, pairs, opening_plies, seed, threads, max_plies, repetition, sprt, progress, first_pair = 0, /))]
pub(crate) fn play_match<'py>(
    position: &Bound<'py, PyPosition>,
    agents: [AgentArgument; 2],
    pairs: u64,
    opening_plies: u32,
    seed: u64,
    threads: usize,
    max_plies: Option<u32>,
    repetition: Option<u32>,
    sprt: Option<(f64, f64, f64, f64)>,
    progress: Option<Callback>,
    first_pair: u64,
    py: Python<'py>,
) -> PyResult<(PyMatchPairs, [u64; 5], Option<&'static str>, Option<Bound<'py, PyBaseException>>)> {
    let start = position.get().core;
    if start.rules().sides != 2 {
        let sides = start.rules().sides;
        return Err(OanquanError::new_err(format!("rules: expected two sides, got {sides}")));
    }
    let raised = Arc::new(Mutex::new(None));
    let [first, second] = agents;
    let seat = |agent, place| seat(py, agent, place, &position.get().rules, &raised);
    let agents = [seat(first, 0)?, seat(second, 1)?];
    let limits = Limits { max_plies, repetition };
    let sprt = sprt.map(test).transpose()?;
    let wanted = Match { first_pair, opening_plies, seed, limits, threads, sprt, ..Match::new(start, agents, pairs) };
    let (result, error) = watched(py, pairs, progress.as_ref(), |stop, done| play(&wanted, stop, done))?;
    let error = raised.lock().unwrap_or_else(PoisonError::into_inner).take().or(error);
    let error = error.map(|error| error.into_value(py).into_bound(py));
    let verdict = result.verdict.map(oanquan_engine::arena::Verdict::name);
    Ok((PyMatchPairs(result.pairs), result.pentanomial.counts, verdict, error))
}

/// The pairs of games of a match. What is in them becomes objects of Python when it is asked for: a match may have millions
/// of games, and whoever stops it would wait for all of them.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start = oaq.Position.start()
/// >>> pairs, *_ = _core.play_match(start, ["greedy", "random"], 10, 4, 0, 1, 1000, 3, None, None)
/// >>> opening, (moves, outcome), _ = pairs.pair(9)
/// >>> len(pairs), opening, len(moves) > 4, sum(pairs.results())
/// (10, 4, True, 20)
#[pyclass(name = "MatchPairs", module = "oanquan._core", frozen, eq)]
#[derive(PartialEq, Eq)]
pub(crate) struct PyMatchPairs(Vec<arena::Pair>);

#[pymethods]
impl PyMatchPairs {
    const fn __len__(&self) -> usize {
        self.0.len()
    }

    /// A pair by its number: how many of the moves are the opening's, and the two games, each with its moves and its
    /// outcome, the first with the first agent as side a. Raises `IndexError` past the end.
    #[pyo3(signature = (number, /))]
    fn pair<'py>(&self, number: usize, py: Python<'py>) -> PyResult<Pair<'py>> {
        let pair = self.0.get(number).ok_or_else(|| PyIndexError::new_err(number))?;
        let [first, second] = &pair.games;
        Ok((pair.opening_plies, game(py, first)?, game(py, second)?))
    }

    /// The half points that each pair brought the first agent: a byte of 0 to 4 for each.
    fn half_points<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let points: Vec<u8> = self.0.iter().map(|pair| pair.half_points() as u8).collect();
        PyBytes::new(py, &points)
    }

    /// How many games ended for which reason, by name; reasons for which none did are left out.
    fn endings(&self) -> BTreeMap<&'static str, u64> {
        let mut endings = BTreeMap::new();
        for game in self.0.iter().flat_map(|pair| &pair.games) {
            *endings.entry(game.finished.outcome.ending.name()).or_default() += 1;
        }
        endings
    }

    /// How many games the first agent won, drew and lost.
    fn results(&self) -> (u64, u64, u64) {
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        for (game, own) in self.0.iter().flat_map(|pair| pair.games.iter().zip([Side::A, Side::B])) {
            match game.finished.outcome.winner {
                None => drawn += 1,
                Some(side) if side == own => won += 1,
                Some(_) => lost += 1,
            }
        }
        (won, drawn, lost)
    }
}

fn game<'py>(py: Python<'py>, game: &MatchGame) -> PyResult<Game<'py>> {
    Ok((move_tuple(py, &game.moves)?, game.finished.outcome.into()))
}

fn test((elo0, elo1, alpha, beta): (f64, f64, f64, f64)) -> PyResult<Sprt> {
    let test = Sprt { elo0, elo1, alpha, beta };
    test.fault().map_or(Ok(test), |fault| Err(OanquanError::new_err(fault)))
}

/// The random moves that a pair of a match begins with, by its number.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start = oaq.Position.start()
/// >>> pairs, *_ = _core.play_match(start, ["greedy", "random"], 1, 4, 7, 1, 1000, 3, None, None)
/// >>> _core.match_opening(start, 4, 7, 0) == pairs.pair(0)[1][0][:4]
/// True
#[pyfunction]
#[pyo3(signature = (position, opening_plies, seed, pair, /))]
pub(crate) fn match_opening<'py>(
    position: &Bound<'py, PyPosition>,
    opening_plies: u32,
    seed: u64,
    pair: u64,
    py: Python<'py>,
) -> PyResult<MoveTuple<'py>> {
    let nobody: Arc<dyn Agent> = Arc::new(Random);
    let agents = [nobody.clone(), nobody];
    let wanted = Match { opening_plies, seed, ..Match::new(position.get().core, agents, 1) };
    move_tuple(py, &wanted.opening(pair))
}

/// An agent, asked for one move at a time: for games that are played outside of the core.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> start = oaq.Position.start()
/// >>> pairs, *_ = _core.play_match(start, ["random", "random"], 1, 0, 7, 1, 1000, 3, None, None)
/// >>> player = _core.Player("random")
/// >>> player.choose(start, 7, 0, 0) == pairs.pair(0)[1][0][0]
/// True
#[pyclass(name = "Player", module = "oanquan._core", frozen)]
pub(crate) struct PyPlayer {
    agent: Arc<dyn Agent>,
    stopped: AtomicBool,
}

#[pymethods]
impl PyPlayer {
    /// The agent of a text. Raises `OanquanError` for what is none.
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: Text) -> PyResult<Self> {
        Ok(Self { agent: by_names(&[text])?.swap_remove(0), stopped: AtomicBool::new(false) })
    }

    /// The move that it chooses in a position so many plies after the start of the game of that number, drawing from the
    /// stream of it; `None` where there is no move, and soon after `stop`. Other threads run meanwhile.
    #[pyo3(signature = (position, seed, game, ply, /))]
    fn choose<'py>(
        &self,
        position: &Bound<'py, PyPosition>,
        seed: u64,
        game: u64,
        ply: u32,
        py: Python<'py>,
    ) -> PyResult<Option<Bound<'py, PyMove>>> {
        let core = position.get().core;
        let chosen = py.detach(|| {
            let turn = Turn::new(&core, GameStream::new(seed, game), ply);
            let last = (turn.count() as usize).checked_sub(1)?;
            let place = self.agent.choose_unless(&turn, &self.stopped)?;
            core.legal_moves().nth(place.min(last))
        });
        chosen.map(|mv| moves::shared(py, mv).cloned()).transpose()
    }

    /// Give up what it is thinking about, and all that it is asked later.
    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

/// What the pairs of a match say: the score, its 95 % interval, the Elo and its 95 % interval.
///
/// >>> from oanquan import _core
/// >>> score, interval, elo, elo_interval = _core.pentanomial([0, 2, 10, 2, 0])
/// >>> score, elo, interval[0] < score < interval[1], elo_interval[0] < elo < elo_interval[1]
/// (0.5, 0.0, True, True)
#[pyfunction]
#[pyo3(signature = (counts, /))]
pub(crate) fn pentanomial(counts: [u64; 5]) -> (f64, (f64, f64), f64, (f64, f64)) {
    let pairs = Pentanomial { counts };
    (pairs.score(), pairs.score_interval(), pairs.elo(), pairs.elo_interval())
}

/// What a sequential test says of the pairs of a match: the logarithm of the likelihood ratio, between which two numbers
/// it goes on, and what it came to, if it settled. Raises `OanquanError` for what is no test.
///
/// >>> from oanquan import _core
/// >>> llr, bounds, verdict = _core.sprt([0, 0, 10, 40, 50], 0.0, 100.0, 0.05, 0.05)
/// >>> llr > bounds[1], verdict
/// (True, 'stronger')
#[pyfunction]
#[pyo3(signature = (counts, elo0, elo1, alpha, beta, /))]
pub(crate) fn sprt(
    counts: [u64; 5],
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
) -> PyResult<(f64, (f64, f64), Option<&'static str>)> {
    let (test, pairs) = (test((elo0, elo1, alpha, beta))?, Pentanomial { counts });
    Ok((test.llr(&pairs), test.bounds(), test.verdict(&pairs).map(oanquan_engine::arena::Verdict::name)))
}

/// What an agent raised first.
type Raised = Arc<Mutex<Option<PyErr>>>;

fn seat(
    py: Python<'_>,
    agent: AgentArgument,
    place: usize,
    rules: &Py<PyAny>,
    raised: &Raised,
) -> PyResult<Arc<dyn Agent>> {
    match agent {
        AgentArgument::Name(name) => Ok(by_names(&[name])?.swap_remove(0)),
        AgentArgument::Callable(object) => {
            Ok(Arc::new(Callable { object, place, rules: rules.clone_ref(py), raised: raised.clone() }))
        }
    }
}

/// An agent written in Python, which is asked for one move at a time.
struct Callable {
    object: Py<PyAny>,
    place: usize,
    rules: Py<PyAny>,
    raised: Raised,
}

impl Callable {
    /// The place of its move among the legal ones.
    fn ask(&self, py: Python<'_>, position: &Position) -> PyResult<usize> {
        let position_of_it = PyPosition { core: *position, rules: self.rules.clone_ref(py) };
        let positions = PyTuple::new(py, [Py::new(py, position_of_it)?])?;
        let answer = self.object.bind(py).call1((positions,))?;
        let wrong = |got: &str| format!("agents[{}]: expected a sequence of one move, got {got}", self.place);
        if answer.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(wrong("str")));
        }
        let given = match answer.try_iter() {
            Ok(given) => given.take(2).collect::<PyResult<Vec<_>>>()?,
            Err(error) if !error.is_instance_of::<PyTypeError>(py) => return Err(error),
            Err(_) => return Err(PyTypeError::new_err(wrong(&answer.get_type().name()?.to_string_lossy()))),
        };
        let [given] = given.as_slice() else {
            let count = if given.is_empty() { "0 moves" } else { "more" };
            return Err(OanquanError::new_err(wrong(count)));
        };
        let here = |error: PyErr| errors::in_game(py, error, &format!("agents[{}]", self.place));
        let mv =
            MoveArgument::extract(given.as_borrowed()).and_then(|given| given.resolve(position, None)).map_err(here)?;
        position.play(mv).map_err(|error| here(errors::illegal(error)))?;
        Ok(position.legal_moves().position(|legal| legal == mv).unwrap_or_default())
    }
}

impl Agent for Callable {
    fn name(&self) -> &'static str {
        "callable"
    }

    fn choose(&self, turn: &Turn<'_>) -> usize {
        self.choose_unless(turn, &AtomicBool::new(false)).unwrap_or_default()
    }

    fn choose_unless(&self, turn: &Turn<'_>, stop: &AtomicBool) -> Option<usize> {
        // There may be no interpreter any more.
        let answer = Python::try_attach(|py| self.ask(py, turn.position()))?;
        match answer {
            Ok(place) => Some(place),
            Err(error) => {
                self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
                None
            }
        }
    }
}
