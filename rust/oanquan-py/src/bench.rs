//! What `oanquan bench` measures in Rust.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use oanquan_core::game::DEFAULT_MAX_PLIES;
use oanquan_core::{Position, Rules};
use oanquan_engine::batch::{Options, Outputs};
use oanquan_engine::lanes::{Path, plain};
use oanquan_engine::{Batch, Config, GameStream, bench, mcts};
use pyo3::prelude::*;

use crate::convert::{Text, Tuple};
use crate::errors::{self, OanquanError};
use crate::interrupt::Watch;
use crate::simulate::{run, watched};

/// How random games can be played on this processor, the slowest way first: `"plain"` is the loop that one writes first,
/// pebble by pebble; the others are the paths of `oanquan_engine::lanes`.
///
/// >>> from oanquan import _core
/// >>> _core.bench_paths()[:3]
/// ('plain', 'core', 'scalar')
#[pyfunction]
pub(crate) fn bench_paths() -> Tuple<&'static str> {
    let paths = Path::ALL.into_iter().filter(|path| path.is_available()).map(Path::name);
    std::iter::once(PLAIN).chain(paths).collect()
}

/// Play `games` uniform random games from the start of `mancala-world` on one core, on a path of `bench_paths`.
///
/// Returns the number of moves made and the seconds they took.
///
/// >>> from oanquan import _core
/// >>> moves, seconds = _core.bench_path("core", 100, 7)
/// >>> moves == _core.bench_path("scalar", 100, 7)[0]
/// True
#[pyfunction]
pub(crate) fn bench_path(path: Text, games: u64, seed: u64, py: Python<'_>) -> PyResult<(u64, f64)> {
    if path.0 == PLAIN {
        return plain_games(games, seed, py);
    }
    let known = Path::ALL.into_iter().find(|known| known.name() == path.0 && known.is_available());
    let Some(path) = known else {
        let paths = bench_paths().0.join(", ");
        return Err(OanquanError::new_err(format!("path: expected one of {paths}, got {:?}", path.0)));
    };
    let config = Config { seed, path, ..Config::new(Position::start(Rules::default()), games) };
    let begin = Instant::now();
    let (summary, error) = run(py, &config, None)?;
    let seconds = begin.elapsed().as_secs_f64();
    error.map_or_else(|| Ok((summary.moves(), seconds)), Err)
}

/// The name of the plain loop.
const PLAIN: &str = "plain";

fn plain_games(games: u64, seed: u64, py: Python<'_>) -> PyResult<(u64, f64)> {
    let mut watch = Watch::new();
    let begin = Instant::now();
    let moves = py.detach(|| {
        let mut moves = 0;
        for game in 0..games {
            if game % 1024 == 0 && !watch.go_on() {
                return None;
            }
            moves += u64::from(plain::play(GameStream::new(seed, game), DEFAULT_MAX_PLIES).plies);
        }
        Some(moves)
    });
    let seconds = begin.elapsed().as_secs_f64();
    Ok((watch.finish(moves)?, seconds))
}

/// Step `n` uniform random games of `mancala-world` together `steps` times on one core, without Python: every output
/// is written, and games that are over give their places to the next ones.
///
/// Returns the number of game-steps, `n * steps`, and the seconds they took.
///
/// >>> from oanquan import _core
/// >>> game_steps, seconds = _core.bench_batch(64, 10, 7)
/// >>> game_steps, seconds > 0
/// (640, True)
#[pyfunction]
pub(crate) fn bench_batch(n: usize, steps: u64, seed: u64, py: Python<'_>) -> PyResult<(u64, f64)> {
    let start = Position::start(Rules::default());
    let mut batch = Batch::new(start, n, Options { seed, ..Options::default() }).map_err(errors::batch)?;
    let (mut observations, mut legal_masks) = (vec![0; n * batch.observation_size()], vec![0; n * batch.actions()]);
    let (mut terminated, mut truncated, mut turns) = (vec![0; n], vec![0; n], vec![0; n]);
    let (mut rewards, mut points) = (vec![0.0; n], vec![0; n * batch.sides()]);
    let mut watch = Watch::new();
    let begin = Instant::now();
    let done = py.detach(|| {
        for _ in 0..steps {
            if !watch.go_on() {
                return None;
            }
            let mut out = Outputs {
                observations: Some(&mut observations),
                legal_masks: Some(&mut legal_masks),
                rewards: Some(&mut rewards),
                terminated: Some(&mut terminated),
                truncated: Some(&mut truncated),
                points: Some(&mut points),
                turns: Some(&mut turns),
                final_observations: None,
            };
            if let Err(error) = batch.step_random(&mut out) {
                return Some(Err(error));
            }
        }
        Some(Ok(()))
    });
    let seconds = begin.elapsed().as_secs_f64();
    watch.finish(done)?.map_err(errors::batch)?;
    Ok((n as u64 * steps, seconds))
}

/// Search the start of `wikipedia-vi` by Monte Carlo on one core, with random playouts, in trees of `simulations`
/// simulations each, `trees` of them one after the other.
///
/// Returns the number of simulations and the seconds they took.
///
/// >>> from oanquan import _core
/// >>> simulations, seconds = _core.bench_mcts(500, 2, 7)
/// >>> simulations, seconds > 0
/// (1000, True)
#[pyfunction]
pub(crate) fn bench_mcts(simulations: u32, trees: u64, seed: u64, py: Python<'_>) -> PyResult<(u64, f64)> {
    let rules = Rules::parse("wikipedia-vi").map_err(|error| errors::rules(&error))?;
    let start = Position::start(rules);
    let begin = Instant::now();
    let search = |stop: &AtomicBool, done: &AtomicU64| {
        let trees = (0..trees).take_while(|_| !stop.load(Ordering::Relaxed));
        let options = |tree: u64| mcts::Options { simulations, seed: seed ^ tree, ..mcts::Options::default() };
        trees.map(|tree| u64::from(mcts::search(&start, &options(tree), stop, done).simulations)).sum()
    };
    let (count, error) = watched(py, trees, None, search)?;
    error.map_or_else(|| Ok((count, begin.elapsed().as_secs_f64())), Err)
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
