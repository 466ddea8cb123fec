//! `Move`, and the shared objects that every list of legal moves is made of.

use oanquan_core::{Ending, IllegalMove, IllegalMoveReason, MAX_SIDES, MAX_SQUARES, Move, Position, Side};
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyString, PyTuple, PyType};
use pyo3::{PyTypeInfo, type_hint_identifier, type_hint_subscript, type_hint_union};

use crate::convert::{ELLIPSIS, Letter, Text, Whole, index};
use crate::errors;

/// Action numbers that a side can have.
const ACTIONS: usize = 2 * MAX_SQUARES;

/// A move: whose it is, from which of the own squares, in which direction. Immutable; equal by value.
///
/// `Move(text)` reads `a3+` (counter-clockwise) or `b2-` (clockwise), in lower or upper case, and raises
/// `NotationError` for anything else. A move knows no board: whether it is legal, a position says.
///
/// >>> import oanquan as oaq
/// >>> move = oaq.Move("b2-")
/// >>> move.side, move.square, move.direction, move.action
/// ('b', 2, 'clockwise', 3)
/// >>> print(move)
/// b2-
#[pyclass(name = "Move", module = "oanquan", frozen, eq)]
#[derive(PartialEq, Eq)]
pub(crate) struct PyMove(pub(crate) Move);

#[pymethods]
impl PyMove {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str) = ("side", "square", "direction");

    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: Text, py: Python<'_>) -> PyResult<Py<Self>> {
        let mv = Move::parse(&text.0, None).map_err(errors::notation)?;
        shared(py, mv).map(|object| object.clone().unbind())
    }

    /// Return the move of a side with an action number, 0 to 13: `2 * (square - 1)`, plus 1 for clockwise.
    ///
    /// Raises `OanquanError` for another number or an unknown side.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Move.from_action(5, "b")
    /// Move('b3-')
    #[staticmethod]
    #[pyo3(signature = (action, side=Letter(Side::A)), text_signature = "(action, side='a')")]
    fn from_action(action: Whole, side: Letter, py: Python<'_>) -> PyResult<Py<Self>> {
        let action = action.within("action", 0, ACTIONS as i64 - 1)?;
        // The bounds were checked: there is such a move.
        Ok(all(py)?[side.0.index() * ACTIONS + action as usize].clone_ref(py))
    }

    /// The side that moves: `"a"` to `"d"`.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Move("b2-").side
    /// 'b'
    #[getter]
    const fn side(&self) -> Letter {
        Letter(self.0.side())
    }

    /// The number of the square that is lifted from: 1 to 7, counted along the side's own row.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Move("b2-").square
    /// 2
    #[getter]
    const fn square(&self) -> u8 {
        self.0.number()
    }

    /// `"counterclockwise"` or `"clockwise"`, as seen from above.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Move("b2-").direction
    /// 'clockwise'
    #[getter]
    const fn direction(&self) -> &'static str {
        self.0.direction().name()
    }

    /// The action number, relative to the side: 0 to 13, on the standard board 0 to 9.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Move("b2-").action
    /// 3
    #[getter]
    const fn action(&self) -> u8 {
        self.0.action()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __hash__(&self) -> u64 {
        (self.0.side().index() * ACTIONS + usize::from(self.0.action())) as u64
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}

/// Every move there is, by side and action number.
fn all(py: Python<'_>) -> PyResult<&Vec<Py<PyMove>>> {
    static MOVES: PyOnceLock<Vec<Py<PyMove>>> = PyOnceLock::new();
    MOVES.get_or_try_init(py, || {
        let sides = Side::ALL.into_iter();
        let moves = sides.flat_map(|side| (0..ACTIONS).filter_map(move |action| Move::from_action(side, action as u8)));
        moves.map(|mv| Py::new(py, PyMove(mv))).collect()
    })
}

/// The one object of a move.
pub(crate) fn shared(py: Python<'_>, mv: Move) -> PyResult<&Bound<'_, PyMove>> {
    Ok(all(py)?[mv.side().index() * ACTIONS + usize::from(mv.action())].bind(py))
}

/// A tuple of moves.
pub(crate) struct MoveTuple<'py>(pub(crate) Bound<'py, PyTuple>);

impl<'py> IntoPyObject<'py> for MoveTuple<'py> {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = std::convert::Infallible;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(PyTuple::TYPE_HINT, PyMove::TYPE_HINT, ELLIPSIS);

    fn into_pyobject(self, _: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(self.0)
    }
}

/// The tuple of a position's legal moves, one object for each side and mask: they are few, and made when first asked
/// for.
pub(crate) fn legal<'py>(py: Python<'py>, position: &Position) -> PyResult<MoveTuple<'py>> {
    type Masks = Box<[PyOnceLock<Py<PyTuple>>]>;
    static TUPLES: [PyOnceLock<Masks>; MAX_SIDES] = [const { PyOnceLock::new() }; MAX_SIDES];
    let masks =
        TUPLES[position.turn().index()].get_or_init(py, || (0..1 << ACTIONS).map(|_| PyOnceLock::new()).collect());
    let tuple = masks[usize::from(position.legal_mask())].get_or_try_init(py, || {
        let moves = position.legal_moves().map(|mv| shared(py, mv)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, moves).map(Bound::unbind)
    })?;
    Ok(MoveTuple(tuple.bind(py).clone()))
}

/// A move as callers give it.
pub(crate) enum MoveArgument {
    /// A `Move`.
    Move(Move),
    /// A text; its side may be left out.
    Text(String),
    /// An action number of the side to move, and its digits if it does not fit.
    Action(i64, Option<String>),
}

impl<'py> FromPyObject<'_, 'py> for MoveArgument {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr =
        type_hint_union!(PyMove::TYPE_HINT, PyString::TYPE_HINT, type_hint_identifier!("typing", "SupportsIndex"));

    #[inline]
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast_exact::<PyMove>() {
            Ok(mv) => Ok(Self::Move(mv.get().0)),
            Err(_) => Self::extract_other(object),
        }
    }
}

impl MoveArgument {
    #[cold]
    fn extract_other(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Text(text.to_string_lossy().into_owned()));
        }
        if !object.is_instance_of::<PyInt>() && !object.hasattr(pyo3::intern!(object.py(), "__index__"))? {
            let kind = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected a Move, a text or an action number, got {kind}")));
        }
        let number = Whole::extract(object)?.0;
        let extreme = number == i64::MIN || number == i64::MAX;
        Ok(Self::Action(number, extreme.then(|| digits(object))))
    }

    /// The move meant in a position, legal or not. `ending` is that of the position or of its game: it is what is
    /// wrong with a number that no move has, once there is one.
    #[inline]
    pub(crate) fn resolve(self, position: &Position, ending: Option<Ending>) -> PyResult<Move> {
        match self {
            Self::Move(mv) => Ok(mv),
            other => other.resolve_other(position, ending),
        }
    }

    #[cold]
    fn resolve_other(self, position: &Position, ending: Option<Ending>) -> PyResult<Move> {
        let (number, digits) = match self {
            Self::Move(mv) => return Ok(mv),
            Self::Text(text) => return Move::parse(&text, Some(position.turn())).map_err(errors::notation),
            Self::Action(number, digits) => (number, digits),
        };
        let actions = 2 * position.rules().squares;
        let known = u8::try_from(number).ok().filter(|&action| action < actions);
        known.and_then(|action| Move::from_action(position.turn(), action)).ok_or_else(|| {
            let given = digits.unwrap_or_else(|| number.to_string());
            let reason = ending.map_or(IllegalMoveReason::NoSuchAction(actions - 1), IllegalMoveReason::Over);
            errors::illegal(IllegalMove { given, reason, position: Box::new(*position) })
        })
    }
}

/// The decimal digits of a whole number, unless Python refuses to write so many.
fn digits(object: Borrowed<'_, '_, PyAny>) -> String {
    let text = index(object).and_then(|number| Ok(number.str()?.to_string_lossy().into_owned()));
    text.unwrap_or_else(|_| String::from("(a number too long to print)"))
}
