//! `Step`: what a traced move tells.

use oanquan_core::{MAX_SQUARES, Side, Square, Step, StopReason};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::convert::{Letter, Text, Tuple};
use crate::errors::OanquanError;
use crate::values::ending_of;

/// One step of a move, as `Position.trace` tells it. Immutable; `str()` says it in words.
///
/// | `kind` | happens | `astuple()` |
/// |---|---|---|
/// | `lift` | pebbles are lifted from a square | `("lift", square, pebbles)` |
/// | `drop` | one pebble is dropped in a square | `("drop", square)` |
/// | `capture` | a square is captured | `("capture", square, pebbles, mandarins)` |
/// | `stop` | sowing and capturing end | `("stop", reason)` |
/// | `borrow` | pebbles are lent for a re-seeding | `("borrow", side, other, pebbles)` |
/// | `reseed` | a row is re-seeded | `("reseed", side, pebbles)` |
/// | `sweep` | at the count: pebbles from the rows | `("sweep", side, pebbles)` |
/// | `share` | at the count: points of the mandarin squares | `("share", side, pebbles)` |
/// | `repay` | at the count: a debt is repaid | `("repay", side, other, pebbles)` |
/// | `end` | the game is over | `("end", reason)` |
///
/// What a step does not have is `None`. `Step(*step.astuple()) == step`.
///
/// >>> import oanquan as oaq
/// >>> lift = oaq.Position.start().trace("a1+")[0]
/// >>> lift.kind, lift.square, lift.pebbles, lift.side
/// ('lift', 'a1', 5, None)
/// >>> print(lift)
/// lift 5 pebbles from a1
#[pyclass(name = "Step", module = "oanquan", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyStep(pub(crate) Step);

/// An item of `Step.astuple()`.
#[derive(IntoPyObject)]
enum Item {
    Word(String),
    Number(u32),
}

impl From<&str> for Item {
    fn from(word: &str) -> Self {
        Self::Word(word.to_string())
    }
}

impl From<Side> for Item {
    fn from(side: Side) -> Self {
        Self::Word(side.to_string())
    }
}

impl From<Square> for Item {
    fn from(square: Square) -> Self {
        Self::Word(square.to_string())
    }
}

impl From<u32> for Item {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

#[pymethods]
impl PyStep {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str,) = ("kind",);

    #[new]
    #[pyo3(signature = (kind, /, *args: "str | int"))]
    fn new(kind: Text, args: &Bound<'_, PyTuple>) -> PyResult<Self> {
        Ok(Self(match kind.0.as_str() {
            "lift" => {
                let (square, pebbles) = args.extract::<(SquareName, _)>()?;
                Step::Lift { square: square.0, pebbles }
            }
            "drop" => Step::Drop { square: args.extract::<(SquareName,)>()?.0.0 },
            "capture" => {
                let (square, pebbles, mandarins) = args.extract::<(SquareName, _, u8)>()?;
                Step::Capture { square: square.0, pebbles, mandarin: mandarins > 0 }
            }
            "stop" => Step::Stop { reason: stop_reason(&args.extract::<(Text,)>()?.0.0)? },
            "borrow" => {
                let (borrower, lender, pebbles) = args.extract::<(Letter, Letter, _)>()?;
                Step::Borrow { borrower: borrower.0, lender: lender.0, pebbles }
            }
            "reseed" => {
                let (side, pebbles) = args.extract::<(Letter, _)>()?;
                Step::Reseed { side: side.0, pebbles }
            }
            "sweep" => {
                let (side, pebbles) = args.extract::<(Letter, _)>()?;
                Step::Sweep { side: side.0, pebbles }
            }
            "share" => {
                let (side, points) = args.extract::<(Letter, _)>()?;
                Step::Share { side: side.0, points }
            }
            "repay" => {
                let (debtor, creditor, pebbles) = args.extract::<(Letter, Letter, _)>()?;
                Step::Repay { debtor: debtor.0, creditor: creditor.0, pebbles }
            }
            "end" => Step::End { ending: ending_of(&args.extract::<(Text,)>()?.0.0)? },
            kind => {
                return Err(OanquanError::new_err(format!("step: expected one of {}, got {kind:?}", KINDS.join(", "))));
            }
        }))
    }

    /// What happens: one of the words of the table above.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().trace("a1+")[0].kind
    /// 'lift'
    #[getter]
    const fn kind(&self) -> &'static str {
        match self.0 {
            Step::Lift { .. } => "lift",
            Step::Drop { .. } => "drop",
            Step::Capture { .. } => "capture",
            Step::Stop { .. } => "stop",
            Step::Borrow { .. } => "borrow",
            Step::Reseed { .. } => "reseed",
            Step::Sweep { .. } => "sweep",
            Step::Share { .. } => "share",
            Step::Repay { .. } => "repay",
            Step::End { .. } => "end",
        }
    }

    /// Who borrows, re-seeds, sweeps, shares or repays.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Step("reseed", "a", 5).side
    /// 'a'
    #[getter]
    const fn side(&self) -> Option<Letter> {
        match self.0 {
            Step::Borrow { borrower: side, .. }
            | Step::Repay { debtor: side, .. }
            | Step::Reseed { side, .. }
            | Step::Sweep { side, .. }
            | Step::Share { side, .. } => Some(Letter(side)),
            _ => None,
        }
    }

    /// Who lends, or is repaid.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Step("borrow", "a", "b", 2).other
    /// 'b'
    #[getter]
    const fn other(&self) -> Option<Letter> {
        match self.0 {
            Step::Borrow { lender: side, .. } | Step::Repay { creditor: side, .. } => Some(Letter(side)),
            _ => None,
        }
    }

    /// Where: `"a3"`, or `"am"` for the mandarin square after side a's row.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().trace("a1+")[0].square
    /// 'a1'
    #[getter]
    fn square(&self) -> Option<String> {
        match self.0 {
            Step::Lift { square, .. } | Step::Drop { square } | Step::Capture { square, .. } => {
                Some(square.to_string())
            }
            _ => None,
        }
    }

    /// How many pebbles; of a share, points.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().trace("a1+")[0].pebbles
    /// 5
    #[getter]
    fn pebbles(&self) -> Option<u32> {
        match self.0 {
            Step::Lift { pebbles, .. } | Step::Capture { pebbles, .. } | Step::Reseed { pebbles, .. } => {
                Some(pebbles.into())
            }
            Step::Borrow { pebbles, .. }
            | Step::Sweep { pebbles, .. }
            | Step::Share { points: pebbles, .. }
            | Step::Repay { pebbles, .. } => Some(pebbles),
            Step::Drop { .. } | Step::Stop { .. } | Step::End { .. } => None,
        }
    }

    /// How many mandarins are captured: 0 or 1.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Step("capture", "am", 3, 1).mandarins
    /// 1
    #[getter]
    fn mandarins(&self) -> Option<u32> {
        match self.0 {
            Step::Capture { mandarin, .. } => Some(mandarin.into()),
            _ => None,
        }
    }

    /// Why the move stops, or the game ends: a word such as `"no_gap"` or `"mandarins"`.
    ///
    /// >>> import oanquan as oaq
    /// >>> oaq.Position.start().trace("a1+")[-1].reason
    /// 'no_gap'
    #[getter]
    const fn reason(&self) -> Option<&'static str> {
        match self.0 {
            Step::Stop { reason } => Some(reason.name()),
            Step::End { ending } => Some(ending.name()),
            _ => None,
        }
    }

    /// Return the step as a tuple: its kind, then what the table above says.
    ///
    /// >>> import oanquan as oaq
    /// >>> [step.astuple() for step in oaq.Position.start().trace("a1+")][-2:]
    /// [('capture', 'a2', 6, 0), ('stop', 'no_gap')]
    fn astuple(&self) -> Tuple<Item> {
        let mut items = vec![Item::from(self.kind())];
        items.extend(match self.0 {
            Step::Lift { square, pebbles } => vec![square.into(), u32::from(pebbles).into()],
            Step::Drop { square } => vec![square.into()],
            Step::Capture { square, pebbles, mandarin } => {
                vec![square.into(), u32::from(pebbles).into(), u32::from(mandarin).into()]
            }
            Step::Stop { reason } => vec![reason.name().into()],
            Step::Borrow { borrower: side, lender: other, pebbles }
            | Step::Repay { debtor: side, creditor: other, pebbles } => {
                vec![side.into(), other.into(), pebbles.into()]
            }
            Step::Reseed { side, pebbles } => vec![side.into(), u32::from(pebbles).into()],
            Step::Sweep { side, pebbles: count } | Step::Share { side, points: count } => {
                vec![side.into(), count.into()]
            }
            Step::End { ending } => vec![ending.name().into()],
        });
        Tuple(items)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Step{}", self.astuple().into_pyobject(py)?.repr()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, Tuple<Item>) {
        (py.get_type::<Self>(), self.astuple())
    }
}

const KINDS: [&str; 10] = ["lift", "drop", "capture", "stop", "borrow", "reseed", "sweep", "share", "repay", "end"];

/// A square by its name.
struct SquareName(Square);

impl<'py> FromPyObject<'_, 'py> for SquareName {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = Text::extract(object)?.0;
        let squares = Side::ALL.into_iter().flat_map(|side| {
            let row = (1..=MAX_SQUARES).filter_map(move |number| Square::citizen(side, number as u8));
            row.chain([Square::mandarin(side)])
        });
        let square = { squares }.find(|square| square.to_string() == text);
        square
            .map(Self)
            .ok_or_else(|| OanquanError::new_err(format!("square: expected a name such as a3 or am, got {text:?}")))
    }
}

fn stop_reason(text: &str) -> PyResult<StopReason> {
    const REASONS: [StopReason; 8] = [
        StopReason::MandarinSquare,
        StopReason::EmptyMandarinSquare,
        StopReason::TwoEmptySquares,
        StopReason::ImmatureMandarin,
        StopReason::CaptureChainOff,
        StopReason::NoGap,
        StopReason::GameOver,
        StopReason::LapLimit,
    ];
    REASONS.into_iter().find(|reason| reason.name() == text).ok_or_else(|| {
        let names = REASONS.map(StopReason::name).join(", ");
        OanquanError::new_err(format!("reason: expected one of {names}, got {text:?}"))
    })
}
