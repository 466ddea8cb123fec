//! `Game`.

use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oanquan_core::game::{DEFAULT_MAX_PLIES, DEFAULT_REPETITION};
use oanquan_core::record::{Parts, can_say};
use oanquan_core::{Ending, Game, Position, Record};
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::type_hint_subscript;
use pyo3::types::{PyDict, PyType};

use crate::convert::{Text, Tuple, Whole};
use crate::errors::{self, OanquanError};
use crate::moves::{self, MoveArgument, PyMove};
use crate::position::PyPosition;
use crate::rules::PyRules;
use crate::shown::shown;
use crate::values::PyOutcome;

/// A game: the moves made from a position on, and the limits that no rule text has.
///
/// It begins at `position`, or at the start of `rules`, or at the start of the default rules. It is over when its
/// position is; or, by the count, when the same position stands for the `repetition`-th time, the first position
/// counted, or after `max_plies` moves of this game. `None` switches a limit off. `len(game)` is the number of moves.
///
/// Threads may share a game: each call is made as a whole. Two games are equal if they are the same object; compare
/// `record()` for more. Copies and pickles are games of their own.
///
/// Raises `TypeError` if both rules and a position are given, and `OanquanError` for a limit out of range: `max_plies`
/// is 0 to 4294967295, `repetition` 1 to 4294967295.
///
/// >>> import oanquan as oaq
/// >>> game = oaq.Game(oaq.Rules.preset("wikipedia-vi"))
/// >>> game.push("a1+")
/// >>> game.push("b5-")
/// >>> len(game), game.moves
/// (2, (Move('a1+'), Move('b5-')))
/// >>> game.pop()
/// Move('b5-')
#[pyclass(name = "Game", module = "oanquan", frozen)]
pub(crate) struct PyGame {
    core: Mutex<Game>,
    rules: Py<PyAny>,
    headers: Py<PyDict>,
    comments: Py<PyDict>,
}

impl PyGame {
    fn from_core(core: Game, rules: PyRules, py: Python<'_>) -> Self {
        Self {
            core: Mutex::new(core),
            rules: rules.object,
            headers: PyDict::new(py).unbind(),
            comments: PyDict::new(py).unbind(),
        }
    }

    pub(crate) fn from_record(record: Record, py: Python<'_>) -> PyResult<Self> {
        let rules = PyRules::from_core(*record.game.start().rules(), py)?;
        let game = Self::from_core(record.game, rules, py);
        for (key, value) in record.headers {
            game.headers.bind(py).set_item(key, value)?;
        }
        let comments = game.comments.bind(py);
        for (plies, text) in record.comments {
            let text = match comments.get_item(plies)? {
                Some(before) => format!("{} {text}", before.extract::<String>()?),
                None => text,
            };
            comments.set_item(plies, text)?;
        }
        Ok(game)
    }

    /// The game, for the length of one call. A lock that was poisoned guards a game as whole as any other: no call
    /// leaves one half changed.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Game> {
        self.core.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of the game as it stands.
    pub(crate) fn snapshot(&self, py: Python<'_>) -> Game {
        self.lock(py).clone()
    }

    /// What its record is written of. Raises `OanquanError` for a header that would not be read back.
    pub(crate) fn with_parts<T>(&self, py: Python<'_>, write: impl FnOnce(&Parts<'_>) -> T) -> PyResult<T> {
        let entries = self.headers.bind(py).items().extract::<Vec<(Text, Text)>>()?;
        let headers: Vec<_> = entries.into_iter().map(|(key, value)| (key.0, value.0)).collect();
        let entries = self.comments.bind(py).items().extract::<Vec<(Whole, Text)>>()?;
        let comments = entries.into_iter().filter_map(|(plies, text)| Some((usize::try_from(plies.0).ok()?, text.0)));
        let comments: Vec<_> = comments.collect();
        let game = self.lock(py);
        // A game that is over has a result of its own.
        let lost = headers.iter().filter(|(key, _)| key != "Result" || !game.is_over());
        if let Some((key, value)) = { lost }.find(|(key, value)| !can_say(&game, key, value)) {
            let message = format!("headers: expected what a record can say, got {key:?}: {value:?}");
            return Err(OanquanError::new_err(message));
        }
        Ok(write(&Parts { game: &game, headers: &headers, comments: &comments }))
    }

    fn wrap(&self, core: Position, py: Python<'_>) -> PyPosition {
        PyPosition { core, rules: self.rules.clone_ref(py) }
    }

    /// A game of its own with the same moves, headers and comments.
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        let core = self.lock(py).clone();
        Ok(Self {
            core: Mutex::new(core),
            rules: self.rules.clone_ref(py),
            headers: self.headers.bind(py).copy()?.unbind(),
            comments: self.comments.bind(py).copy()?.unbind(),
        })
    }
}

/// A limit of a game as callers give it.
fn limit(given: Option<Whole>, what: &str, least: i64) -> PyResult<Option<u32>> {
    let within = |limit: Whole| Ok(limit.within(what, least, u32::MAX.into())? as u32);
    given.map(within).transpose()
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(
        signature = (
            rules=None, *, position=None, max_plies=Some(Whole(i64::from(DEFAULT_MAX_PLIES))),
            repetition=Some(Whole(i64::from(DEFAULT_REPETITION)))
        ),
        text_signature = "(rules=None, *, position=None, max_plies=1000, repetition=3)"
    )]
    fn new(
        rules: Option<PyRules>,
        position: Option<&Bound<'_, PyPosition>>,
        max_plies: Option<Whole>,
        repetition: Option<Whole>,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let (start, rules) = match position {
            Some(_) if rules.is_some() => return Err(PyTypeError::new_err("expected rules or a position, got both")),
            Some(position) => (position.get().core, position.get().shared_rules(py)),
            None => {
                let rules = PyRules::or_standard(rules, py)?;
                (Position::start(rules.core), rules)
            }
        };
        let (max_plies, repetition) = (limit(max_plies, "max_plies", 0)?, limit(repetition, "repetition", 1)?);
        Ok(Self::from_core(Game::with_limits(start, max_plies, repetition), rules, py))
    }

    /// Read the record of one game, as `record` writes it.
    ///
    /// Raises `NotationError` for a text that is no record of one game: it is not of the form, a move is not legal, or
    /// a header contradicts the moves. Its message has line and column; its `column` counts from the text's beginning.
    ///
    /// >>> import oanquan as oaq
    /// >>> game = oaq.Game.parse('[Rules "quan-non"]\n\n1. a1+ {first} b2- *')
    /// >>> game.moves, game.comments
    /// ((Move('a1+'), Move('b2-')), {1: 'first'})
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse(_class: &Bound<'_, PyType>, text: Text, py: Python<'_>) -> PyResult<Self> {
        let record = py.detach(|| Record::parse(&text.0)).map_err(|error| errors::record(&error, text.0))?;
        Self::from_record(record, py)
    }

    /// Read the records of any number of games, one after the other.
    ///
    /// Raises what `parse` does.
    ///
    /// >>> import oanquan as oaq
    /// >>> [len(game) for game in oaq.Game.parse_all("1. a1+ *  1. a1+ b2- 2. a3+ *")]
    /// [1, 3]
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse_all(_class: &Bound<'_, PyType>, text: Text, py: Python<'_>) -> PyResult<Vec<Self>> {
        let records = py.detach(|| Record::parse_all(&text.0)).map_err(|error| errors::record(&error, text.0))?;
        records.into_iter().map(|record| Self::from_record(record, py)).collect()
    }

    /// Return the record of the game: headers, then numbered moves with comments in braces, then the result.
    ///
    /// `headers` and `comments` are what the dicts of those names hold. Comments on moves that are not made (any more)
    /// are left out, and `Result` once the game has one of its own. Raises `OanquanError` for a header that would not
    /// be read back: `Rules`, `Points` and others follow from the game.
    ///
    /// >>> import oanquan as oaq
    /// >>> game = oaq.Game()
    /// >>> game.headers["Players"] = "An / Binh"
    /// >>> game.push("a3+")
    /// >>> game.comments[1] = "a try"
    /// >>> print(game.record(), end="")
    /// [Rules "mancala-world"]
    /// [Players "An / Binh"]
    /// [Result "*"]
    /// <BLANKLINE>
    /// 1. a3+ {a try} *
    fn record(&self, py: Python<'_>) -> PyResult<String> {
        self.with_parts(py, |parts| {
            let mut text = String::new();
            parts.write(&mut text);
            text
        })
    }

    /// Headers of the record that do not follow from the game, such as `Players`: a dict of strings, free to change.
    ///
    /// >>> import oanquan as oaq
    /// >>> game = oaq.Game()
    /// >>> game.headers["Players"] = "An / Binh"
    /// >>> game.headers
    /// {'Players': 'An / Binh'}
    #[getter]
    fn headers(&self, py: Python<'_>) -> TextDict<String> {
        self.headers.clone_ref(py).into()
    }

    /// Comments of the record, by the number of moves made before them: a dict, free to change.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game.parse("1. a1+ {first} b2- *").comments
    /// {1: 'first'}
    #[getter]
    fn comments(&self, py: Python<'_>) -> TextDict<usize> {
        self.comments.clone_ref(py).into()
    }

    /// The position that the game began with.
    ///
    /// >>> import oanquan as oaq
    /// >>> game = oaq.Game()
    /// >>> game.push("a3+")
    /// >>> game.start == oaq.Position.start()
    /// True
    #[getter]
    fn start(&self, py: Python<'_>) -> PyPosition {
        let start = *self.lock(py).start();
        self.wrap(start, py)
    }

    /// The position now.
    ///
    /// >>> import oanquan as oaq
    /// >>> game = oaq.Game()
    /// >>> game.push("a3+")
    /// >>> print(game.position)
    /// 6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1
    #[getter]
    fn position(&self, py: Python<'_>) -> PyPosition {
        let position = *self.lock(py).position();
        self.wrap(position, py)
    }

    /// The moves made.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game.parse("1. a1+ b2- *").moves
    /// (Move('a1+'), Move('b2-'))
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Tuple<Py<PyMove>>> {
        let moves = self.lock(py).moves().to_vec();
        moves.into_iter().map(|mv| moves::shared(py, mv).map(|object| object.clone().unbind())).collect()
    }

    /// Moves after which the game is counted, or `None`.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game().max_plies, oaq.Game(max_plies=None).max_plies
    /// (1000, None)
    #[getter]
    fn max_plies(&self, py: Python<'_>) -> Option<u32> {
        self.lock(py).max_plies()
    }

    /// How often a position may stand before the game is counted, or `None`.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game().repetition, oaq.Game(repetition=None).repetition
    /// (3, None)
    #[getter]
    fn repetition(&self, py: Python<'_>) -> Option<u32> {
        self.lock(py).repetition()
    }

    /// Whether the game is over.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game().is_over, oaq.Game(max_plies=0).is_over
    /// (False, True)
    #[getter]
    fn is_over(&self, py: Python<'_>) -> bool {
        self.lock(py).is_over()
    }

    /// Why the game is over: what a position's `ending` can be, `"repetition"` or `"max_plies"`; `None` while it goes
    /// on.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game(max_plies=0).ending
    /// 'max_plies'
    #[getter]
    fn ending(&self, py: Python<'_>) -> Option<&'static str> {
        self.lock(py).ending().map(Ending::name)
    }

    /// How the game came out; `None` while it goes on.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game(max_plies=0).outcome
    /// Outcome(winner=None, ending='max_plies', points=(25, 25))
    #[getter]
    fn outcome(&self, py: Python<'_>) -> Option<PyOutcome> {
        self.lock(py).outcome().map(PyOutcome::from)
    }

    /// Make a move.
    ///
    /// Takes and raises what `Position.play` does; also `IllegalMoveError` when the game is over by one of its limits.
    /// What raises changes nothing.
    ///
    /// >>> import oanquan as oaq
    /// >>> game = oaq.Game(max_plies=1)
    /// >>> game.push("a3+")
    /// >>> game.outcome
    /// Outcome(winner=None, ending='max_plies', points=(24, 24))
    /// >>> game.push("b1+")  # doctest: +ELLIPSIS
    /// Traceback (most recent call last):
    /// oanquan.errors.IllegalMoveError: illegal move b1+: the game is over (max_plies) (position ...; legal moves: none)
    #[pyo3(signature = (r#move, /))]
    fn push(&self, r#move: MoveArgument, py: Python<'_>) -> PyResult<()> {
        let mut game = self.lock(py);
        let mv = r#move.resolve(game.position(), game.ending())?;
        game.push(mv).map_err(errors::illegal)
    }

    /// Take the last move back and return it; `None` if there is none.
    ///
    /// >>> import oanquan as oaq
    /// >>> game = oaq.Game.parse("1. a1+ *")
    /// >>> game.pop(), game.pop()
    /// (Move('a1+'), None)
    fn pop(&self, py: Python<'_>) -> PyResult<Option<Py<PyMove>>> {
        let popped = self.lock(py).pop();
        popped.map(|mv| moves::shared(py, mv).map(|object| object.clone().unbind())).transpose()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.lock(py).moves().len()
    }

    /// Return the picture of the game as it stands, with its last move, which notebooks show: `oanquan.svg.board`.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Game()._repr_svg_().startswith("<svg")
    /// True
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf.py(), "oanquan.notebook", "svg_of", (slf,))
    }

    /// Return the picture of the game as it stands and its moves in HTML, which notebooks show.
    ///
    /// >>> import oanquan as oaq
    /// >>> "a3+" in oaq.Game.parse("1. a3+ *")._repr_html_()
    /// True
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf.py(), "oanquan.notebook", "html_of", (slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let game = self.lock(py);
        let state = game.ending().map_or_else(|| String::from("in play"), |ending| format!("over ({ending})"));
        let (rules, plies) = (game.start().rules(), game.moves().len());
        format!("<Game of {rules}, {plies} plies, {state}, at '{}'>", game.position())
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.fork(py)
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__(&self, memo: &Bound<'_, PyAny>, py: Python<'_>) -> PyResult<Self> {
        let _ = memo;
        self.fork(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        let game = self.fork(py)?;
        let limits = (game.max_plies(py), game.repetition(py));
        let parts = (game.start(py), limits.0, limits.1, game.moves(py)?, game.headers(py), game.comments(py));
        Ok((restore, parts))
    }

    /// Make the game that was pickled.
    #[classmethod]
    #[pyo3(signature = (start, max_plies, repetition, moves, headers, comments, /))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        start: &Bound<'_, PyPosition>,
        max_plies: Option<u32>,
        repetition: Option<u32>,
        moves: Vec<Py<PyMove>>,
        headers: TextDict<String>,
        comments: TextDict<usize>,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let mut game = Game::with_limits(start.get().core, max_plies, repetition);
        for mv in moves {
            game.push(mv.get().0).map_err(errors::illegal)?;
        }
        let rules = start.get().rules.clone_ref(py);
        Ok(Self { core: Mutex::new(game), rules, headers: headers.0, comments: comments.0 })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.rules)?;
        visit.call(&self.headers)?;
        visit.call(&self.comments)
    }
}

/// What a game is pickled as.
type Pickled = (PyPosition, Option<u32>, Option<u32>, Tuple<Py<PyMove>>, TextDict<String>, TextDict<usize>);

/// A dict from `K` to texts.
pub(crate) struct TextDict<K>(Py<PyDict>, PhantomData<K>);

impl<K> From<Py<PyDict>> for TextDict<K> {
    fn from(dict: Py<PyDict>) -> Self {
        Self(dict, PhantomData)
    }
}

impl<'py, K: IntoPyObject<'py>> FromPyObject<'_, 'py> for TextDict<K> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_subscript!(PyDict::TYPE_HINT, K::OUTPUT_TYPE, String::OUTPUT_TYPE);

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(object.cast::<PyDict>()?.to_owned().unbind().into())
    }
}

impl<'py, K: IntoPyObject<'py>> IntoPyObject<'py> for TextDict<K> {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = std::convert::Infallible;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(PyDict::TYPE_HINT, K::OUTPUT_TYPE, String::OUTPUT_TYPE);

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(self.0.into_bound(py))
    }
}
