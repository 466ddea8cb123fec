//! `Position`.

use oanquan_core::Position;
use oanquan_engine::batch;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::buffers_in::{Kind, writable};
use crate::convert::{Letter, Text, Tuple, letters};
use crate::errors::{self, OanquanError};
use crate::moves::{self, MoveArgument, MoveTuple};
use crate::rules::{PyRules, RulesObject};
use crate::shown::shown;
use crate::step::PyStep;
use crate::values::{PyDebt, PyOutcome, PyStore};

/// A position of a game: always one in which the side to move has a move, or the game is over. Immutable.
///
/// Positions come from `Position.start`, `Position.parse`, `Setup.position` and `play`; what is set up is checked, so
/// that a position is always one that can be played. Re-seeding and loans happen inside the move before.
///
/// Two positions are equal, and have equal keys and hashes, when nothing that can still matter differs: their rules,
/// boards, stores, debts, side to move and ending; the ply only while `mandarin_ban` is in force.
///
/// >>> import oanquan as oaq
/// >>> position = oaq.Position.start()
/// >>> len(position.legal_moves)
/// 10
/// >>> position = position.play("a3+")
/// >>> print(position)
/// 6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1
#[pyclass(name = "Position", module = "oanquan", frozen)]
pub(crate) struct PyPosition {
    pub(crate) core: Position,
    pub(crate) rules: Py<PyAny>,
}

impl PyPosition {
    /// Its rules, for another position or a game.
    pub(crate) fn shared_rules(&self, py: Python<'_>) -> PyRules {
        PyRules { core: *self.core.rules(), object: self.rules.clone_ref(py) }
    }
}

#[pymethods]
impl PyPosition {
    /// Return the start of a game by `rules`, the default ones if none are given; side `first` moves first.
    ///
    /// Raises `OanquanError` if the rules have no such side.
    ///
    /// >>> import oanquan as oaq
    /// >>> print(oaq.Position.start(oaq.Rules(squares=2, pebbles=3), first="b"))
    /// 3.3.0q1/3.3.0q1 0/0 - b 0
    #[staticmethod]
    #[pyo3(signature = (rules=None, first=Text(String::from("a"))), text_signature = "(rules=None, first='a')")]
    fn start(rules: Option<PyRules>, first: Text, py: Python<'_>) -> PyResult<Self> {
        let rules = PyRules::or_standard(rules, py)?;
        let side = crate::convert::side_of(&first.0);
        let core = side.and_then(|side| Position::start_with(rules.core, side)).ok_or_else(|| {
            let sides = letters(rules.core.sides.into());
            OanquanError::new_err(format!("first: expected one of {sides}, got {:?}", first.0))
        })?;
        Ok(Self { core, rules: rules.object })
    }

    /// Read the text of a position, played by `rules`, the default ones if none are given.
    ///
    /// Five fields with single spaces between them: rows, stores, debts, side to move, ply; a finished position has
    /// its ending as a sixth. `str(position)` writes it. Raises `NotationError` for a text that is not of the form,
    /// and `PositionError`, with every fault, for one that says what no position can be.
    ///
    /// >>> import oanquan as oaq
    /// >>> text = "6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1"
    /// >>> str(oaq.Position.parse(text)) == text
    /// True
    /// >>> oaq.Position.parse("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a x")
    /// Traceback (most recent call last):
    /// oanquan.errors.NotationError: expected a number at column 37, got "x" in "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a x"
    #[classmethod]
    #[pyo3(signature = (text, rules=None))]
    fn parse(_class: &Bound<'_, PyType>, text: Text, rules: Option<PyRules>, py: Python<'_>) -> PyResult<Self> {
        let rules = PyRules::or_standard(rules, py)?;
        let core = Position::parse(&text.0, rules.core).map_err(errors::parse)?;
        Ok(Self { core, rules: rules.object })
    }

    /// The rules it is played by.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start(oaq.Rules(squares=3)).rules
    /// Rules(squares=3)
    #[getter]
    fn rules(&self, py: Python<'_>) -> RulesObject {
        RulesObject(self.rules.clone_ref(py))
    }

    /// The side to move; in a finished position the one that would be next.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().play("a3+").turn
    /// 'b'
    #[getter]
    fn turn(&self) -> Letter {
        Letter(self.core.turn())
    }

    /// Plies since the start of the game.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().play("a3+").ply
    /// 1
    #[getter]
    fn ply(&self) -> u32 {
        self.core.ply()
    }

    /// The pebbles in every square, in the order of the ring: a1, a2, ..., am, b1, ... (`rules.square_names`).
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().play("a3+").pebbles
    /// (6, 6, 0, 0, 6, 1, 6, 6, 0, 6, 6, 1)
    #[getter]
    fn pebbles(&self) -> Tuple<u8> {
        self.core.pebbles().iter().copied().collect()
    }

    /// The mandarins in every square, 0 or 1, in the order of the ring.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().mandarins
    /// (0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1)
    #[getter]
    fn mandarins(&self) -> Tuple<u8> {
        self.core.squares().map(|(_, _, mandarin)| mandarin.into()).collect()
    }

    /// What each side has captured.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().play("a3+").stores
    /// (Store(pebbles=6, mandarins=0), Store(pebbles=0, mandarins=0))
    #[getter]
    fn stores(&self) -> Tuple<PyStore> {
        let stores = self.core.rules().all_sides().map(|side| self.core.store(side));
        stores.map(|store| PyStore { pebbles: store.pebbles.into(), mandarins: store.mandarins.into() }).collect()
    }

    /// What the sides owe each other, by debtor and then creditor; debts of nothing are left out.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.parse("0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2 a 9").debts
    /// (Debt(debtor='a', creditor='b', pebbles=2),)
    #[getter]
    fn debts(&self) -> Tuple<PyDebt> {
        let debts = self.core.debts();
        debts.map(|(debtor, creditor, pebbles)| PyDebt { debtor, creditor, pebbles: pebbles.into() }).collect()
    }

    /// The points of each side: of a finished position those of the count, of one in play what the store is worth with
    /// debts repaid.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().play("a3+").points
    /// (6, 0)
    #[getter]
    fn points(&self) -> Tuple<i32> {
        self.core.points().as_slice().iter().copied().collect()
    }

    /// The points of each side if the game were counted as the position stands.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().play("a3+").counted
    /// (24, 24)
    #[getter]
    fn counted(&self) -> Tuple<i32> {
        self.core.counted().as_slice().iter().copied().collect()
    }

    /// A 64-bit number that is the same for equal positions, on every machine and in every version of this package.
    ///
    /// >>> import oanquan as oaq
    /// >>> start = oaq.Position.start()
    /// >>> start.key == oaq.Position.parse(str(start)).key, start.key == start.play("a3+").key
    /// (True, False)
    #[getter]
    fn key(&self) -> u64 {
        self.core.key()
    }

    /// The legal moves, in the order of their action numbers; none when the game is over.
    ///
    /// Moves and tuples are shared objects: asking again costs next to nothing.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.parse("3.0.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12").legal_moves
    /// (Move('a1+'), Move('a1-'))
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<MoveTuple<'py>> {
        moves::legal(py, &self.core)
    }

    /// The legal moves as bits: bit n is set when the move with action number n is legal.
    ///
    /// >>> import oanquan as oaq
    /// >>> bin(oaq.Position.parse("0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12").legal_mask)
    /// '0b1100'
    #[getter]
    fn legal_mask(&self) -> u16 {
        self.core.legal_mask()
    }

    /// Return what a side sees of the position, the side to move if none is named: the numbers of `Batch.observations`,
    /// whose names are `rules.observation_names`.
    ///
    /// With `out`, a writable C-contiguous buffer of so many int16, they are written there and `None` is returned.
    /// Raises `OanquanError` if the rules have no such side or the buffer is not as it should be.
    ///
    /// >>> import oanquan as oaq
    /// >>> position = oaq.Position.start(oaq.Rules(squares=2, pebbles=3)).play("a2-")
    /// >>> print(position)
    /// 5.1.1q1/0.4.1q1 0/0 - b 1
    /// >>> position.observation()
    /// (0, 4, 1, 5, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    /// >>> position.observation("a")
    /// (5, 1, 1, 0, 4, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    #[pyo3(signature = (side=None, out=None))]
    fn observation(&self, side: Option<Letter>, out: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Tuple<i16>>> {
        let sides = self.core.rules().sides.into();
        let side = side.map_or(self.core.turn(), |Letter(side)| side);
        if side.index() >= sides {
            let letter = side.letter();
            return Err(OanquanError::new_err(format!("side: expected one of {}, got \"{letter}\"", letters(sides))));
        }
        let mut row = vec![0; batch::observation_size(self.core.rules())];
        batch::observe(&self.core, side, &mut row);
        let Some(out) = out else { return Ok(Some(Tuple(row))) };
        writable::<i16>(out, "out", Kind::Int16, &[row.len()])?.copy_from_slice(out.py(), &row)?;
        Ok(None)
    }

    /// Whether the game is over.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins").is_over
    /// True
    #[getter]
    fn is_over(&self) -> bool {
        self.core.is_over()
    }

    /// Why the game is over: `"mandarins"`, `"short"` or `"loses"`; `None` while it goes on.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins").ending
    /// 'mandarins'
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.core.ending().map(oanquan_core::Ending::name)
    }

    /// How the game came out; `None` while it goes on.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins").outcome
    /// Outcome(winner='a', ending='mandarins', points=(43, 27))
    #[getter]
    fn outcome(&self) -> Option<PyOutcome> {
        self.core.outcome().map(PyOutcome::from)
    }

    /// Return the position after a move.
    ///
    /// `move` is a `Move`, a text such as `"a3+"` or, for the side to move, `"3+"`, or an action number. Raises
    /// `IllegalMoveError` for a move that is not legal here, `NotationError` for a text that is no move, and
    /// `TypeError` for anything else.
    ///
    /// >>> import oanquan as oaq
    /// >>> start = oaq.Position.start()
    /// >>> start.play("a3+") == start.play("3+") == start.play(4) == start.play(oaq.Move("a3+"))
    /// True
    /// >>> start.play("b1+")  # doctest: +ELLIPSIS
    /// Traceback (most recent call last):
    /// oanquan.errors.IllegalMoveError: illegal move b1+: it is side a's turn (position ...; legal moves: a1+ a1- ...)
    #[pyo3(signature = (r#move, /))]
    fn play(&self, r#move: MoveArgument, py: Python<'_>) -> PyResult<Self> {
        let mv = r#move.resolve(&self.core, self.core.ending())?;
        match self.core.play(mv) {
            Ok(core) => Ok(Self { core, rules: self.rules.clone_ref(py) }),
            Err(error) => Err(errors::illegal(error)),
        }
    }

    /// Return every step of a move, in order, those of the count too if it ends the game.
    ///
    /// Takes and raises what `play` does.
    ///
    /// >>> import oanquan as oaq
    /// >>> for step in oaq.Position.start(oaq.Rules(squares=2, pebbles=1)).trace("a2-"):
    /// ...     print(step)
    /// lift 1 pebble from a2
    /// drop one in a1
    /// stop: the next square is a mandarin square that is not empty
    #[pyo3(signature = (r#move, /))]
    fn trace(&self, r#move: MoveArgument) -> PyResult<Vec<PyStep>> {
        let mv = r#move.resolve(&self.core, self.core.ending())?;
        let steps = self.core.trace(mv).map_err(errors::illegal)?;
        Ok(steps.into_iter().map(PyStep).collect())
    }

    /// Return whether a move is legal.
    ///
    /// Takes what `play` does; raises `NotationError` for a text that is no move, and `TypeError`.
    ///
    /// >>> import oanquan as oaq
    /// >>> start = oaq.Position.start()
    /// >>> start.is_legal("a3+"), start.is_legal("b3+"), start.is_legal(99)
    /// (True, False, False)
    #[pyo3(signature = (r#move, /))]
    fn is_legal(&self, r#move: MoveArgument) -> PyResult<bool> {
        match r#move {
            MoveArgument::Action(number, _) => Ok(self.core.action(number).is_ok_and(|mv| self.core.is_legal(mv))),
            named => Ok(self.core.is_legal(named.resolve(&self.core, None)?)),
        }
    }

    fn __str__(&self) -> String {
        self.core.to_string()
    }

    /// Return the position in a form: `""` as `str()` does, `"board"` or `"ascii"` as a board to read, either in another
    /// language, as in `"board:vi"`. See `oanquan.board_text`; raises `OanquanError` for other forms.
    ///
    /// >>> import oanquan as oaq
    /// >>> position = oaq.Position.start()
    /// >>> f"{position:board}" == oaq.board_text(position)
    /// True
    #[pyo3(signature = (spec, /))]
    fn __format__(slf: &Bound<'_, Self>, spec: &Bound<'_, PyString>) -> PyResult<String> {
        shown(slf.py(), "oanquan.text", "formatted", (slf, spec))
    }

    /// Return the picture of the position, which notebooks show: `oanquan.svg.board`.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start()._repr_svg_().startswith("<svg")
    /// True
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf.py(), "oanquan.notebook", "svg_of", (slf,))
    }

    /// Return the picture of the position in HTML, which notebooks show.
    ///
    /// >>> import oanquan as oaq
    /// >>> "<svg" in oaq.Position.start()._repr_html_()
    /// True
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf.py(), "oanquan.notebook", "html_of", (slf,))
    }

    fn __repr__(&self) -> String {
        let rules = self.core.rules();
        if *rules == oanquan_core::Rules::default() {
            return format!("Position.parse('{}')", self.core);
        }
        format!("Position.parse('{}', Rules.parse('{rules}'))", self.core)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.core == other.core
    }

    fn __hash__(&self) -> u64 {
        self.core.key()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, RulesObject))> {
        let parse = py.get_type::<Self>().getattr("parse")?;
        Ok((parse, (self.core.to_string(), self.rules(py))))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.rules)
    }
}
