//! What `oanquan bench` measures in Rust.

use std::time::{Duration, Instant};

use oanquan_core::{Position, Rules};
use oanquan_engine::{Config, bench};
use pyo3::prelude::*;

use crate::simulate::run;

/// Play `games` uniform random games from the start of `mancala-world` on one core.
///
/// Returns the number of moves made and the seconds they took.
///
/// >>> from oanquan import _core
/// >>> moves, seconds = _core.bench_playouts(100, 7)
/// >>> moves == _core.bench_playouts(100, 7)[0]
/// True
#[pyfunction]
pub(crate) fn bench_playouts(games: u64, seed: u64, py: Python<'_>) -> PyResult<(u64, f64)> {
    let config = Config { seed, ..Config::new(Position::start(Rules::default()), games) };
    let begin = Instant::now();
    let (summary, error) = run(py, &config, None)?;
    let seconds = begin.elapsed().as_secs_f64();
    error.map_or_else(|| Ok((summary.moves(), seconds)), Err)
}

/// Run the calibration loop, a chain of 64-bit multiplications each of which waits for the one before, for about half
/// a second.
///
/// Returns the number of steps and the seconds they took: the speed of one core, to set other figures against.
///
/// >>> from oanquan import _core
/// >>> steps, seconds = _core.bench_calibration()
/// >>> steps > 0, seconds > 0
/// (True, True)
#[pyfunction]
pub(crate) fn bench_calibration(py: Python<'_>) -> (u64, f64) {
    let rate = py.detach(|| bench::calibration(Duration::from_millis(500)));
    (rate.count, rate.time.as_secs_f64())
}
