//! From numbers that may be wrong to a position, and back: what `oanquan.Setup` is made of.

use oanquan_core::{Ending, Rules, Setup, Side, Square};
use pyo3::prelude::*;

use crate::convert::{Letter, Text, Whole, letters, side_of};
use crate::errors;
use crate::position::PyPosition;
use crate::rules::PyRules;

/// Numbers by the name of their square.
type Named = Vec<(String, i64)>;
/// Debtor, creditor, pebbles.
type Debts = Vec<(Letter, Letter, i64)>;
/// Side, pebbles, mandarins.
type Stores = Vec<(Letter, i64, i64)>;
/// A set-up as plain values: pebbles and mandarins by square, stores, debts, the side to move, the ply, the ending.
type Plain = (Named, Named, Stores, Debts, Letter, i64, Option<&'static str>);

/// Make the position that a set-up describes. What is not named is 0.
///
/// Raises `PositionError` with every fault. Numbers beyond 64 bits count as the nearest that fit.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> position = _core.build_position(
/// ...     oaq.Rules(), [("a1", 3), ("b2", 1)], [("am", 1), ("bm", 1)], [("b", 66, 0)], [], "a", 12, None)
/// >>> print(position)
/// 3.0.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12
#[pyfunction]
#[pyo3(signature = (rules, pebbles, mandarins, stores, debts, turn, ply, ending, /))]
pub(crate) fn build_position(
    rules: PyRules,
    pebbles: Vec<(Text, Whole)>,
    mandarins: Vec<(Text, Whole)>,
    stores: Vec<(Text, Whole, Whole)>,
    debts: Vec<(Text, Text, Whole)>,
    turn: Text,
    ply: Whole,
    ending: Option<Text>,
) -> PyResult<PyPosition> {
    let mut board = Builder { setup: Setup::empty(rules.core), faults: Vec::new() };
    board.squares(&pebbles, |setup| &mut setup.pebbles);
    board.squares(&mandarins, |setup| &mut setup.mandarins);
    board.stores(&stores);
    board.debts(&debts);
    board.turn(&turn.0);
    board.setup.ply = ply.0;
    board.ending(ending.as_ref().map(|text| text.0.as_str()));
    if !board.faults.is_empty() {
        return Err(errors::position_faults(board.faults));
    }
    let core = board.setup.position().map_err(|error| errors::position(&error))?;
    Ok(PyPosition { core, rules: rules.object })
}

/// Read the text of a position without asking whether there can be one like it: the arguments of `build_position`
/// from `pebbles` on.
///
/// Raises `NotationError`.
///
/// >>> import oanquan as oaq
/// >>> from oanquan import _core
/// >>> _core.read_setup("9.0q1/0.5q1 0/999 a>b:2 a 7", oaq.Rules(squares=1))[0]
/// [('a1', 9), ('am', 0), ('b1', 0), ('bm', 5)]
#[pyfunction]
#[pyo3(signature = (text, rules, /))]
pub(crate) fn read_setup(text: Text, rules: PyRules) -> PyResult<Plain> {
    let setup = Setup::parse(&text.0, rules.core).map_err(errors::notation)?;
    let squares = |numbers: &[i64]| -> Named {
        let names = (0..rules.core.ring()).filter_map(|index| rules.core.square(index));
        names.map(|square| square.to_string()).zip(numbers.iter().copied()).collect()
    };
    let store = |side: Side| (Letter(side), setup.store_pebbles[side.index()], setup.store_mandarins[side.index()]);
    let mut debts = Vec::new();
    for debtor in rules.core.all_sides() {
        for creditor in rules.core.all_sides() {
            match setup.debts[debtor.index()][creditor.index()] {
                0 => (),
                owed => debts.push((Letter(debtor), Letter(creditor), owed)),
            }
        }
    }
    Ok((
        squares(&setup.pebbles),
        squares(&setup.mandarins),
        rules.core.all_sides().map(store).collect(),
        debts,
        Letter(setup.turn),
        setup.ply,
        setup.ending.map(Ending::name),
    ))
}

/// A set-up in the making, with the names that these rules do not know.
struct Builder {
    setup: Setup,
    faults: Vec<String>,
}

impl Builder {
    fn rules(&self) -> &Rules {
        &self.setup.rules
    }

    fn side(&self, text: &str) -> Option<Side> {
        side_of(text).filter(|side| side.index() < usize::from(self.rules().sides))
    }

    fn squares<const N: usize>(&mut self, numbers: &[(Text, Whole)], field: fn(&mut Setup) -> &mut [i64; N]) {
        for (name, number) in numbers {
            let index = (0..self.rules().ring())
                .find(|&index| self.rules().square(index).is_some_and(|square: Square| square.to_string() == name.0));
            match index {
                Some(index) => field(&mut self.setup)[index] = number.0,
                None => self.faults.push(format!("square {}: these rules have no such square", name.0)),
            }
        }
    }

    fn stores(&mut self, stores: &[(Text, Whole, Whole)]) {
        for (name, pebbles, mandarins) in stores {
            if let Some(side) = self.side(&name.0) {
                self.setup.store_pebbles[side.index()] = pebbles.0;
                self.setup.store_mandarins[side.index()] = mandarins.0;
            } else {
                self.faults.push(format!("store of {}: these rules have no such side", name.0));
            }
        }
    }

    fn debts(&mut self, debts: &[(Text, Text, Whole)]) {
        for (debtor, creditor, owed) in debts {
            match (self.side(&debtor.0), self.side(&creditor.0)) {
                (Some(debtor), Some(creditor)) => self.setup.debts[debtor.index()][creditor.index()] = owed.0,
                _ => self.faults.push(format!("debt {}>{}: these rules have no such side", debtor.0, creditor.0)),
            }
        }
    }

    fn turn(&mut self, text: &str) {
        if let Some(side) = self.side(text) {
            self.setup.turn = side;
        } else {
            let sides = letters(self.rules().sides.into());
            self.faults.push(format!("turn: expected one of {sides}, got {text:?}"));
        }
    }

    fn ending(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        self.setup.ending = Ending::from_name(text);
        if self.setup.ending.is_none() {
            self.faults.push(format!("ending: expected mandarins, short, loses or none, got {text:?}"));
        }
    }
}
