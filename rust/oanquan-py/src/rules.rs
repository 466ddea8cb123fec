//! Rules as names and texts, and as the Python class `oanquan.Rules`.

use std::sync::{Mutex, PoisonError};

use oanquan_core::{KNOBS, PRESETS, Rules};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::{MutexExt, PyOnceLock};
use pyo3::type_hint_identifier;
use pyo3::types::{PyBool, PyString, PyType};

use crate::convert::Text;
use crate::errors;

/// Every knob, in the order of the rule book's table, as its name, the text of its default and its values in words.
///
/// >>> from oanquan import _core
/// >>> _core.knobs()[0]
/// ('sides', '2', '2 to 4')
#[pyfunction]
pub(crate) fn knobs() -> Vec<(&'static str, &'static str, String)> {
    KNOBS.iter().map(|knob| (knob.name, knob.default, knob.values.to_string())).collect()
}

/// What every knob decides, in one sentence each, by its name.
///
/// >>> from oanquan import _core
/// >>> dict(_core.knob_summaries())["sides"]
/// 'How many sides play.'
#[pyfunction]
pub(crate) fn knob_summaries() -> Vec<(&'static str, &'static str)> {
    KNOBS.iter().map(|knob| (knob.name, knob.summary)).collect()
}

/// Every preset as its name, its title, its source and all its knobs as names and texts.
///
/// >>> from oanquan import _core
/// >>> name, title, source, pairs = _core.presets()[0]
/// >>> name, pairs[:2]
/// ('mancala-world', [('sides', '2'), ('squares', '5')])
#[pyfunction]
pub(crate) fn presets() -> Vec<(&'static str, &'static str, &'static str, Vec<(&'static str, String)>)> {
    PRESETS.iter().map(|preset| (preset.name, preset.title, preset.source, preset.rules().pairs().collect())).collect()
}

/// Check rules given as names and texts of knobs; those left out have their defaults.
///
/// Raises `RulesError` with every fault.
///
/// >>> from oanquan import _core
/// >>> _core.check_rules([("sides", "3")])
/// >>> _core.check_rules([("sides", "5"), ("squares", "0")])
/// Traceback (most recent call last):
/// oanquan.errors.RulesError: sides: expected 2 to 4, got "5"; squares: expected 1 to 7, got "0"
#[pyfunction]
#[pyo3(signature = (pairs, /))]
pub(crate) fn check_rules(pairs: Vec<(Text, Text)>) -> PyResult<()> {
    from_pairs(&pairs).map(drop)
}

/// Read the text of rules: a preset's name, or `key=value` pairs joined by `,`, or the first followed by the second.
///
/// Returns every knob as its name and its text. Raises `RulesError` with every fault.
///
/// >>> from oanquan import _core
/// >>> _core.parse_rules("quan-five,sides=3")[4]
/// ('mandarin_value', '5')
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn parse_rules(text: Text) -> PyResult<Vec<(&'static str, String)>> {
    let rules = Rules::parse(&text.0).map_err(|error| errors::rules(&error))?;
    Ok(rules.pairs().collect())
}

/// Write rules given as names and texts of knobs: the name of a preset if there is one for them, otherwise what
/// differs from the default.
///
/// Raises `RulesError` with every fault.
///
/// >>> from oanquan import _core
/// >>> _core.rules_text([("empty_mandarin_after_sowing", "gap")])
/// 'wikipedia-vi'
#[pyfunction]
#[pyo3(signature = (pairs, /))]
pub(crate) fn rules_text(pairs: Vec<(Text, Text)>) -> PyResult<String> {
    Ok(from_pairs(&pairs)?.to_string())
}

fn from_pairs(pairs: &[(Text, Text)]) -> PyResult<Rules> {
    let pairs: Vec<_> = pairs.iter().map(|(name, text)| (name.0.as_str(), text.0.as_str())).collect();
    Rules::from_pairs(&pairs).map_err(|error| errors::rules(&error))
}

/// The type hint of `oanquan.Rules`.
const HINT: PyStaticExpr = type_hint_identifier!("oanquan.rules", "Rules");

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "oanquan.rules", "Rules")
}

/// The core's rules and the Python object that says the same, which all positions of a game share.
pub(crate) struct PyRules {
    pub(crate) core: Rules,
    pub(crate) object: Py<PyAny>,
}

impl PyRules {
    /// The Python object of rules that the core read.
    pub(crate) fn from_core(core: Rules, py: Python<'_>) -> PyResult<Self> {
        /// The last that were made: those of many games are the same.
        static RECENT: Mutex<Option<(Rules, Py<PyAny>)>> = Mutex::new(None);
        if core == Rules::default() {
            return Self::standard(py);
        }
        let recent = || RECENT.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let known = recent().as_ref().filter(|(last, _)| *last == core).map(|(_, object)| object.clone_ref(py));
        if let Some(object) = known {
            return Ok(Self { core, object });
        }
        let object = class(py)?.call_method1("parse", (core.to_string(),))?.unbind();
        let before = recent().replace((core, object.clone_ref(py)));
        drop(before); // after the lock: dropping an object may run Python code
        Ok(Self { core, object })
    }

    /// `Rules()`, of which one object serves all.
    fn standard(py: Python<'_>) -> PyResult<Self> {
        static OBJECT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let object = OBJECT.get_or_try_init(py, || class(py)?.call0().map(Bound::unbind))?.clone_ref(py);
        Ok(Self { core: Rules::default(), object })
    }

    /// The rules an argument gives, the default ones if it is left out.
    pub(crate) fn or_standard(given: Option<Self>, py: Python<'_>) -> PyResult<Self> {
        given.map_or_else(|| Self::standard(py), Ok)
    }
}

impl<'py> FromPyObject<'_, 'py> for PyRules {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = HINT;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        /// The last object that was read: one `Rules` often serves many calls, and it cannot change.
        static RECENT: Mutex<Option<(Py<PyAny>, Rules)>> = Mutex::new(None);
        let py = object.py();
        let recent = || RECENT.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let known = recent().as_ref().filter(|(last, _)| last.is(&*object)).map(|(_, core)| *core);
        let core = known.map_or_else(|| read(object), Ok)?;
        let object = object.to_owned().unbind();
        if known.is_none() {
            let before = recent().replace((object.clone_ref(py), core));
            drop(before); // after the lock: dropping an object may run Python code
        }
        Ok(Self { core, object })
    }
}

/// The core's rules of an `oanquan.Rules`.
fn read(object: Borrowed<'_, '_, PyAny>) -> PyResult<Rules> {
    let py = object.py();
    if !object.is_instance(class(py)?)? {
        let kind = object.get_type().name()?;
        return Err(pyo3::exceptions::PyTypeError::new_err(format!("rules: expected oanquan.Rules, got {kind}")));
    }
    let mut pairs = Vec::with_capacity(KNOBS.len());
    for knob in KNOBS {
        let value = object.getattr(PyString::intern(py, knob.name))?;
        let text = match value.cast::<PyBool>() {
            Ok(on) => String::from(if on.is_true() { "on" } else { "off" }),
            Err(_) => value.str()?.to_string_lossy().into_owned(),
        };
        pairs.push((knob.name, text));
    }
    let pairs: Vec<_> = pairs.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Rules::from_pairs(&pairs).map_err(|error| errors::rules(&error))
}

/// A Python object that is an `oanquan.Rules`.
pub(crate) struct RulesObject(pub(crate) Py<PyAny>);

impl<'py> IntoPyObject<'py> for RulesObject {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = std::convert::Infallible;
    const OUTPUT_TYPE: PyStaticExpr = HINT;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(self.0.into_bound(py))
    }
}
