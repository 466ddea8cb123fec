//! Ctrl-C during calls that take long.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often a long call looks for signals.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// Looks for signals about every [`TICK`], from the thread that called, detached from the interpreter in between.
pub(crate) struct Watch {
    next: Instant,
    error: Option<PyErr>,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self { next: Instant::now() + TICK, error: None }
    }

    /// Whether to go on; not after a signal handler raised, nor when there is no interpreter any more.
    pub(crate) fn go_on(&mut self) -> bool {
        if self.error.is_some() {
            return false;
        }
        let now = Instant::now();
        if now < self.next {
            return true;
        }
        self.next = now + TICK;
        #[allow(clippy::redundant_closure_for_method_calls, reason = "the method alone lives too short")]
        match Python::try_attach(|py| py.check_signals()) {
            Some(Ok(())) => true,
            Some(Err(error)) => {
                self.error = Some(error);
                false
            }
            None => false,
        }
    }

    /// What the work came to, or what a signal handler raised.
    pub(crate) fn finish<T>(self, value: Option<T>) -> PyResult<T> {
        match (self.error, value) {
            (Some(error), _) => Err(error),
            (None, Some(value)) => Ok(value),
            (None, None) => Err(pyo3::exceptions::PyKeyboardInterrupt::new_err(())),
        }
    }
}
