//! The same numbers for any number of threads, any cut into parts, and honest sums when stopped.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use common::slow_game;
use oanquan_core::{PRESETS, Position, Rules, Side};
use oanquan_engine::{
    Agent, Config, Finished, GameStream, Limits, Opening, Random, Summary, Tally, Turn, agent, simulate,
};

fn run(config: &Config) -> Summary {
    let done = AtomicU64::new(0);
    let summary = simulate(config, &AtomicBool::new(false), &done);
    assert_eq!((summary.games, done.into_inner()), (config.games, config.games));
    summary
}

fn agents(names: &[&str]) -> Vec<Arc<dyn Agent>> {
    names.iter().map(|name| agent::by_name(name).unwrap()).collect()
}

#[test]
fn threads_do_not_matter() {
    for preset in PRESETS {
        for names in [&["random"] as &[_], &["greedy", "random"], &["random", "greedy", "greedy"]] {
            let mut config = Config::new(Position::start(preset.rules()), 301);
            (config.seed, config.agents) = (3, agents(names));
            let one = run(&config);
            for threads in [0, 2, 3, 16, 1000] {
                config.threads = threads;
                assert_eq!(run(&config), one, "{} by {names:?} on {threads} threads", preset.name);
            }
        }
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    let whole = Config { seed: 9, ..Config::new(Position::start(Rules::default()), 1000) };
    let mut sum = Summary::default();
    for (first_game, games) in [(600, 400), (0, 1), (1, 599), (77, 0)] {
        sum.merge(&run(&Config { first_game, games, ..whole.clone() }));
    }
    assert_eq!(sum, run(&whole));
    assert_ne!(run(&Config { seed: 10, ..whole.clone() }), sum);
    // Game numbers go round at 2^64.
    let last = Config { first_game: u64::MAX, games: 2, ..whole.clone() };
    let mut two = run(&Config { games: 1, ..last.clone() });
    two.merge(&run(&Config { first_game: 0, games: 1, ..whole }));
    assert_eq!(run(&last), two);
}

#[test]
fn the_summary_is_that_of_the_games() {
    for rules in ["mancala-world", "three-players"] {
        let start = Position::start(Rules::parse(rules).unwrap());
        let summary = run(&Config { seed: 4, first_game: 10, ..Config::new(start, 200) });
        let mut slow = Summary::default();
        for game in 10..210 {
            slow.add(&slow_game(start, Limits::default(), &Random, GameStream::new(4, game)));
        }
        assert_eq!(summary, slow);
        assert_eq!(summary.wins.iter().sum::<u64>() + summary.draws, 200);
        assert_eq!(summary.endings.iter().sum::<u64>(), 200);
        assert_eq!(summary.moves(), summary.plies.tally().sum as u64);
    }
}

/// The distributions and the openings against games counted one by one.
#[test]
fn every_game_is_in_each_distribution_and_in_its_opening() {
    for (rules, max_plies) in [("mancala-world", 40), ("four-players", 60), ("shortfall=owe", 1000), ("tonkin", 0)] {
        let start = Position::start(Rules::parse(rules).unwrap());
        let config = Config { max_plies: Some(max_plies), threads: 2, ..Config::new(start, 400) };
        let summary = run(&config);
        let limits = Limits { max_plies: config.max_plies, repetition: config.repetition };
        let games: Vec<_> = (0..400).map(|game| slow_game(start, limits, &Random, GameStream::new(0, game))).collect();
        let mut plies = BTreeMap::new();
        let mut points = BTreeMap::new();
        for game in &games {
            *plies.entry(i64::from(game.plies)).or_insert(0) += 1;
            *points.entry(i64::from(game.outcome.points.as_slice()[1])).or_insert(0) += 1;
        }
        assert!(summary.plies.counts().eq(plies), "{rules}");
        assert!(summary.points[1].counts().eq(points), "{rules}");
        let mut in_openings = 0;
        for (mv, opening) in summary.openings() {
            let mut expected = Opening::default();
            for Finished { outcome, .. } in games.iter().filter(|game| game.opening == Some(mv)) {
                let points = outcome.points.as_slice();
                let best = *points[1..].iter().max().unwrap();
                expected.margin.add(i64::from(points[0]) - i64::from(best));
                match outcome.winner {
                    Some(side) => expected.wins[side.index()] += 1,
                    None => expected.draws += 1,
                }
            }
            assert_eq!(*opening, expected, "{rules}, {mv}");
            in_openings += opening.margin.count;
        }
        assert_eq!(in_openings, if max_plies == 0 { 0 } else { 400 }, "{rules}");
    }
}

/// An opening is seen from the side that moves first, whichever it is.
#[test]
fn the_margin_is_that_of_the_mover() {
    for rules in ["wikipedia-vi", "three-players"] {
        let rules = Rules::parse(rules).unwrap();
        let mut margins = rules.all_sides().map(|first| {
            let start = Position::start_with(rules, first).unwrap();
            let summary = run(&Config::new(start, 2000));
            let mut all = Tally::default();
            for (mv, opening) in summary.openings() {
                assert_eq!(mv.side(), first);
                all.merge(&opening.margin);
            }
            if rules.sides == 2 {
                let sign = if first == Side::A { 1 } else { -1 };
                assert_eq!(all.sum, sign * summary.difference.tally().sum);
            }
            all
        });
        // The board is the same seen from every side, and so are the games.
        let first = margins.next().unwrap();
        assert!(margins.all(|other| other == first), "{first:?}");
    }
}

#[test]
fn who_sits_where_matters() {
    let start = Position::start(Rules::default());
    let play = |names: &[&str]| run(&Config { agents: agents(names), ..Config::new(start, 300) });
    let [first, second] = [play(&["greedy", "random"]), play(&["random", "greedy"])];
    assert!(first.wins[0] > first.wins[1] && second.wins[1] > second.wins[0]);
    assert_eq!(play(&[]), play(&["random"]));
    assert_eq!(play(&["greedy", "greedy"]), play(&["greedy"]));
}

#[test]
fn stopped_before_it_begins() {
    let config = Config { threads: 2, ..Config::new(Position::start(Rules::default()), u64::MAX) };
    let summary = simulate(&config, &AtomicBool::new(true), &AtomicU64::new(0));
    assert_eq!(summary, Summary::default());
}

#[test]
fn stopped_in_the_middle() {
    let config = Config { threads: 2, ..Config::new(Position::start(Rules::default()), u64::MAX) };
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let summary = std::thread::scope(|scope| {
        let running = scope.spawn(|| simulate(&config, &stop, &done));
        while done.load(Ordering::Relaxed) < 1000 {
            std::thread::yield_now();
        }
        stop.store(true, Ordering::Relaxed);
        running.join().unwrap()
    });
    assert!(summary.games >= 1000);
    assert_eq!(summary.games, done.into_inner());
    assert_eq!(summary.games, summary.wins.iter().sum::<u64>() + summary.draws);
}

/// A game without limits that never ends is stopped too.
#[test]
fn stopped_in_an_endless_game() {
    struct Round;

    impl Agent for Round {
        fn name(&self) -> &'static str {
            "round"
        }

        fn choose(&self, turn: &Turn<'_>) -> usize {
            turn.moves().position(|mv| ["b4-", "a2+"].contains(&mv.to_string().as_str())).unwrap_or(0)
        }
    }

    let rules = Rules::parse("wikipedia-vi").unwrap();
    let start = Position::parse("1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30", rules).unwrap();
    let config = Config { agents: vec![Arc::new(Round)], max_plies: None, repetition: None, ..Config::new(start, 1) };
    let stop = AtomicBool::new(false);
    let summary = std::thread::scope(|scope| {
        let running = scope.spawn(|| simulate(&config, &stop, &AtomicU64::new(0)));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(!running.is_finished());
        stop.store(true, Ordering::Relaxed);
        running.join().unwrap()
    });
    assert_eq!(summary.games, 0);
}

/// Promised numbers: a change here is a change of the stream, of the rules, or of the count. They are those of the plain
/// Python implementation of the rules, fed with the stream as the module `rng` describes it.
#[test]
fn golden_summaries() {
    struct Golden {
        rules: &'static str,
        games: u64,
        wins: [u64; 4],
        draws: u64,
        endings: [u64; 5],
        moves: u64,
        reseedings: u64,
        loans: u64,
        pebbles_lent: u64,
        points: [i128; 4],
    }

    for golden in [
        Golden {
            rules: "mancala-world",
            games: 10_000,
            wins: [5770, 4023, 0, 0],
            draws: 207,
            endings: [9917, 0, 0, 83, 0],
            moves: 280_731,
            reseedings: 16_954,
            loans: 1059,
            pebbles_lent: 3068,
            points: [385_739, 313_612, 0, 0],
        },
        Golden {
            rules: "tonkin",
            games: 1000,
            wins: [574, 396, 0, 0],
            draws: 30,
            endings: [1000, 0, 0, 0, 0],
            moves: 23_158,
            reseedings: 2048,
            loans: 39,
            pebbles_lent: 91,
            points: [37_372, 32_628, 0, 0],
        },
        Golden {
            rules: "three-players",
            games: 1000,
            wins: [408, 280, 295, 0],
            draws: 17,
            endings: [998, 0, 0, 2, 0],
            moves: 67_465,
            reseedings: 5897,
            loans: 562,
            pebbles_lent: 1689,
            points: [39_324, 32_737, 32_931, 0],
        },
    ] {
        let start = Position::start(Rules::parse(golden.rules).unwrap());
        let summary = run(&Config { seed: 7, ..Config::new(start, golden.games) });
        assert_eq!((summary.wins, summary.draws), (golden.wins, golden.draws), "{}", golden.rules);
        assert_eq!((summary.endings, summary.moves()), (golden.endings, golden.moves), "{}", golden.rules);
        assert_eq!(summary.points.each_ref().map(|points| points.tally().sum), golden.points, "{}", golden.rules);
        let seeds = (summary.reseedings, summary.loans, summary.pebbles_lent);
        assert_eq!(seeds, (golden.reseedings, golden.loans, golden.pebbles_lent), "{}", golden.rules);
    }
}
