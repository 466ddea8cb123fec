//! Every path plays the games of the plain core, to the last number of each.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};

use common::{Draws, odd_position, odd_rules};
use oanquan_core::{Ending, Move, PRESETS, Position, Rules, Side};
use oanquan_engine::lanes::{Kernel, Path, plain};
use oanquan_engine::{Collect, Config, Finished, GameStream, Limits, Playout, Random, Summary, Worker, simulate};

/// Every game by its number, each once.
struct Games {
    first: u64,
    games: Vec<Option<Finished>>,
}

impl Games {
    fn new(first: u64, games: u64) -> Self {
        Self { first, games: vec![None; games as usize] }
    }
}

impl Collect for Games {
    fn add(&mut self, game: u64, finished: &Finished, moves: &[Move]) {
        let place = &mut self.games[game.wrapping_sub(self.first) as usize];
        assert_eq!((&*place, moves), (&None, &[][..]), "game {game} comes twice, or with moves");
        *place = Some(*finished);
    }
}

/// Compares the games of a start on every path that plays it; how many paths there are, and how the games end.
fn compare(start: Position, limits: Limits, seed: u64, games: u64) -> (usize, [u64; 5]) {
    let kernels: Vec<_> = Path::ALL
        .into_iter()
        .filter_map(|path| Kernel::new(start, limits, path).filter(|k| k.path() == path))
        .collect();
    let mut endings = [0; 5];
    if kernels.is_empty() {
        return (0, endings);
    }
    let mut playout = Playout::new(start, limits);
    let expected: Vec<_> = (0..games).map(|game| Some(playout.run(&Random, GameStream::new(seed, game)))).collect();
    for finished in expected.iter().flatten() {
        endings[finished.outcome.ending as usize] += 1;
    }
    let paths = kernels.len();
    for mut kernel in kernels {
        let mut played = Games::new(0, games);
        // In two parts: what a range leaves behind must not reach the next.
        for range in [0..games / 3, games / 3..games] {
            assert!(kernel.play(seed, range, &AtomicBool::new(false), &mut played));
        }
        for (game, (played, expected)) in played.games.iter().zip(&expected).enumerate() {
            let path = kernel.path().name();
            assert_eq!(played, expected, "game {game} of seed {seed} from {start:?} under {limits:?}, path {path}");
        }
    }
    (paths, endings)
}

fn available() -> usize {
    Path::ALL.into_iter().filter(|path| path.is_available()).count() - 1
}

#[test]
fn every_preset() {
    let mut by_core = Vec::new();
    for preset in PRESETS {
        let start = Position::start(preset.rules());
        match compare(start, Limits::default(), 7, 4000).0 {
            0 => by_core.push(preset.name),
            paths => assert_eq!(paths, available(), "{}", preset.name),
        }
    }
    assert_eq!(by_core, ["tonkin", "three-players", "four-players"]);
}

#[test]
#[ignore = "a minute; run by `make slow`"]
fn a_million_games_of_every_preset() {
    for preset in PRESETS {
        compare(Position::start(preset.rules()), Limits::default(), 11, 1_000_000);
    }
}

#[test]
fn other_limits() {
    let mut endings = [0; 5];
    for rules in [
        "mancala-world",
        "wikipedia-vi",
        "bankrupt",
        "no-first-mandarin",
        "squares=4,pebbles=1",
        "squares=4,pebbles=2,capture_chain=off",
    ] {
        let start = Position::start(Rules::parse(rules).unwrap());
        for repetition in [None, Some(2), Some(4), Some(50), Some(100_000)] {
            for max_plies in [Some(128), Some(150), None] {
                // Without a limit of repetition a game may go round for long, but not for ever by chance.
                let (paths, ended) = compare(start, Limits { max_plies, repetition }, 3, 1500);
                assert_eq!(paths, available());
                endings.iter_mut().zip(ended).for_each(|(sum, ended)| *sum += ended);
            }
        }
    }
    assert!(endings[Ending::Repetition as usize] > 0 && endings[Ending::MaxPlies as usize] > 0, "{endings:?}");
}

#[test]
fn odd_rules_and_positions() {
    let (mut starts, mut paths, mut endings) = (0, 0, [0; 5]);
    for game in 0..6000 {
        let mut draws = Draws::new(5, game);
        let rules = odd_rules(&mut draws);
        let start = match game % 2 {
            0 => Position::start_with(rules, Side::ALL[draws.below(rules.sides.into())]).unwrap(),
            _ => odd_position(rules, &mut draws),
        };
        let (by, ended) = compare(start, Limits::default(), game, 60);
        starts += usize::from(by > 0);
        paths += by;
        endings.iter_mut().zip(ended).for_each(|(sum, ended)| *sum += ended);
    }
    assert!(starts > 20 && paths >= starts, "{starts} starts, {paths} paths");
    assert!(endings[..3].iter().all(|&ended| ended > 0), "{endings:?}");
}

/// Rules near the default, so that the lanes play most of them.
#[test]
fn every_knob_of_the_lanes() {
    let knobs = [
        &["squares=1", "squares=2", "squares=3", "squares=4", "squares=5", "squares=6", "squares=7"][..],
        &["pebbles=1", "pebbles=3", "pebbles=5", "pebbles=7"],
        &["mandarin_value=1", "mandarin_value=5", "mandarin_value=20"],
        &["empty_mandarin_after_sowing=stop", "empty_mandarin_after_sowing=gap"],
        &["empty_mandarin_in_chain=stop", "empty_mandarin_in_chain=gap"],
        &["capture_chain=on", "capture_chain=off"],
        &["immature_below=0", "immature_below=1", "immature_below=5", "immature_below=20"],
        &["mandarin_ban=0", "mandarin_ban=1", "mandarin_ban=8"],
        &["shortfall=borrow", "shortfall=partial", "shortfall=loses", "shortfall=count"],
        &["ends_when=squares_empty", "ends_when=stones_taken"],
        &["mandarin_leftovers=nobody", "mandarin_leftovers=split", "mandarin_leftovers=adjacent"],
        &["row_leftovers=owner", "row_leftovers=split"],
    ];
    let (mut played, mut endings) = (0, [0; 5]);
    for game in 0..800 {
        let mut draws = Draws::new(9, game);
        let text: Vec<_> = knobs.iter().map(|values| values[draws.below(values.len())]).collect();
        let Ok(rules) = Rules::parse(&text.join(",")) else { continue };
        let start = Position::start_with(rules, Side::ALL[draws.below(2)]).unwrap();
        let (paths, ended) = compare(start, Limits::default(), game, 40);
        played += usize::from(paths > 0);
        endings.iter_mut().zip(ended).for_each(|(sum, ended)| *sum += ended);
    }
    assert!(played > 600, "{played} starts");
    assert!(endings[..4].iter().all(|&ended| ended > 0), "{endings:?}");
}

/// Games of more plies than a lane counts must be given to the core whatever they wait for when one looks for them.
#[test]
fn long_games_are_played_by_the_core() {
    for (rules, seed) in [
        (
            "squares=7,pebbles=3,mandarin_value=3,empty_mandarin_after_sowing=gap,immature_below=15,mandarin_ban=7,\
             ends_when=stones_taken,mandarin_leftovers=split,row_leftovers=split",
            18_426_549_238_301_973_912,
        ),
        (
            "squares=7,pebbles=3,mandarin_value=9,capture_chain=off,immature_below=20,mandarin_ban=2,\
             shortfall=partial,row_leftovers=split",
            1,
        ),
    ] {
        let start = Position::start(Rules::parse(rules).unwrap());
        let limits = Limits { max_plies: Some(1000), repetition: Some(4) };
        let mut playout = Playout::new(start, limits);
        let expected: Vec<_> = (0..3000).map(|game| Some(playout.run(&Random, GameStream::new(seed, game)))).collect();
        let long = expected.iter().flatten().filter(|finished| finished.plies > 256).count();
        assert!(long > 1, "{long} games of more than 256 plies");
        for path in Path::ALL {
            // How games meet in the lanes depends on where a range begins.
            for part in [3000, 187, 1500] {
                let Some(mut kernel) = Kernel::new(start, limits, path) else { continue };
                let mut played = Games::new(0, 3000);
                for first in (0..3000).step_by(part) {
                    let range = first..3000.min(first + part as u64);
                    assert!(kernel.play(seed, range, &AtomicBool::new(false), &mut played));
                }
                let differ = played.games.iter().zip(&expected).position(|(played, expected)| played != expected);
                assert_eq!(differ, None, "the first game that differs, {rules}, path {path:?}, ranges of {part}");
            }
        }
    }
}

#[test]
fn the_plain_loop_plays_the_same_games() {
    let start = Position::start(Rules::default());
    let mut playout = Playout::new(start, Limits { max_plies: Some(1000), repetition: None });
    for game in 0..3000 {
        let stream = GameStream::new(7, game);
        let (plain, core) = (plain::play(stream, 1000), playout.run(&Random, stream));
        assert_eq!((plain.plies, &plain.points[..]), (core.plies, core.outcome.points.as_slice()), "game {game}");
    }
}

#[test]
fn paths_and_threads_do_not_matter_to_a_simulation() {
    let config = Config { seed: 5, ..Config::new(Position::start(Rules::parse("quan-non").unwrap()), 20_000) };
    let never = AtomicBool::new(false);
    let summary = |config: &Config| simulate(config, &never, &0.into());
    let core = summary(&Config { path: Path::Core, ..config.clone() });
    assert_eq!(core.games, 20_000);
    for path in Path::ALL {
        for threads in [1, 3] {
            assert_eq!(summary(&Config { path, threads, ..config.clone() }), core, "{path:?}, {threads} threads");
        }
    }
}

#[test]
fn numbers_of_games_begin_again_after_the_last() {
    let first = u64::MAX - 30;
    let config = Config { first_game: first, ..Config::new(Position::start(Rules::default()), 100) };
    let mut played = Games::new(first, 100);
    assert!(Worker::new(&config).play(0..100, &AtomicBool::new(false), &mut played));
    let mut playout = Playout::new(config.start, Limits::default());
    for (game, finished) in (0..100).zip(played.games) {
        assert_eq!(finished, Some(playout.run(&Random, GameStream::new(0, first.wrapping_add(game)))));
    }
}

#[test]
fn a_stop_ends_a_range_early_and_leaves_nothing_behind() {
    /// Sets the flag after so many games.
    struct Stopper<'a>(u64, &'a AtomicBool, Summary);

    impl Collect for Stopper<'_> {
        fn add(&mut self, _: u64, finished: &Finished, _: &[Move]) {
            self.2.add(finished);
            if self.2.games == self.0 {
                self.1.store(true, Ordering::Relaxed);
            }
        }
    }

    let start = Position::start(Rules::default());
    for path in Path::ALL {
        let Some(mut kernel) = Kernel::new(start, Limits::default(), path) else { continue };
        let stop = AtomicBool::new(false);
        let mut stopper = Stopper(1000, &stop, Summary::default());
        assert!(!kernel.play(7, 0..1_000_000, &stop, &mut stopper), "{path:?}");
        assert!((1000..3000).contains(&stopper.2.games), "{path:?}: {} games", stopper.2.games);
        let mut after = Games::new(5000, 200);
        assert!(kernel.play(7, 5000..5200, &AtomicBool::new(false), &mut after));
        assert!(after.games.iter().all(Option::is_some));
    }
}
