//! The solver against the whole state space of small games and against endgame tables, and certificates that are refused.

mod bankruptcy;
mod held;
mod refused;
mod retrograde;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use oanquan_core::{Position, Rules, Setup};
use oanquan_engine::certificate::{Certificate, CertificateError, Checked, verify};
use oanquan_engine::solver::{Options, Solution, SolveError, Solver, Telling};
use oanquan_engine::tablebase::{Progress, Tablebase};
use oanquan_engine::{Bounds, Probe};

fn rules(text: &str) -> Rules {
    Rules::parse(text).unwrap()
}

/// Solves with these options and, unless nothing is proved, verifies the certificate.
fn solve_with(position: &Position, options: Options<'_>) -> (Solution, Option<Certificate>) {
    let (stop, telling) = (AtomicBool::new(false), Telling::default());
    let mut solver = Solver::new(position, options).unwrap();
    let solution = solver.run(&stop, &telling).unwrap();
    let certificate = solver.certificate(&stop, &telling).unwrap();
    if certificate.claims.is_empty() {
        return (solution, None);
    }
    check(&certificate).unwrap_or_else(|error| panic!("{position:?}: {error}"));
    (solution, Some(certificate))
}

fn solve(position: &Position) -> Solution {
    solve_with(position, Options { table_bytes: 1 << 22, nodes: 2_000_000, ..Options::default() }).0
}

fn check(certificate: &Certificate) -> Result<Checked, CertificateError> {
    verify(certificate, 1, &AtomicBool::new(false), &AtomicU64::new(0))
}

/// Small boards with every knob that matters to a proof.
const SMALL: [&str; 23] = [
    "squares=1,pebbles=2",
    "squares=1,pebbles=5,mandarin_value=3",
    "squares=2,pebbles=1",
    "squares=2,pebbles=2",
    "squares=2,pebbles=3,ends_when=stones_taken,mandarin_leftovers=split",
    "squares=2,pebbles=3,ends_when=stones_taken,mandarin_leftovers=adjacent",
    "squares=2,pebbles=2,empty_mandarin_after_sowing=gap",
    "squares=2,pebbles=2,directions=clockwise",
    "squares=2,pebbles=2,mandarin=pebbles,mandarin_value=2",
    "squares=2,pebbles=2,mandarin=pebbles,mandarin_value=3,mandarin_next=lift_one,row_leftovers=split",
    "squares=2,pebbles=2,mandarin_ban=3",
    "squares=2,pebbles=2,shortfall=loses",
    "squares=2,pebbles=2,shortfall=loses,reseed_from=points",
    "squares=2,pebbles=2,shortfall=partial",
    "squares=2,pebbles=2,shortfall=count",
    "squares=2,pebbles=2,shortfall=count,reseed_from=points,mandarin_value=3",
    "squares=2,pebbles=2,reseed_from=points",
    "squares=2,pebbles=2,reseed_when=when_empty",
    "squares=2,pebbles=2,immature_below=2,end_check=at_once",
    "squares=3,pebbles=1",
    "squares=3,pebbles=1,capture_chain=off",
    "squares=3,pebbles=2,ends_when=stones_taken,mandarin_leftovers=split",
    "squares=3,pebbles=2,empty_mandarin_after_sowing=gap,shortfall=count,reseed_when=when_empty",
];

#[test]
fn small_games_are_worth_what_their_whole_state_space_says() {
    let (mut settled, mut open) = (0, 0);
    for text in SMALL {
        let start = Position::start(rules(text));
        let solution = solve(&start);
        let (lower, upper) = retrograde::bounds(&start);
        assert_eq!((solution.interval.lower, solution.interval.upper), (lower, upper), "{text}");
        for (mv, interval) in &solution.moves {
            let next = start.play(*mv).unwrap();
            if !next.is_over() && solution.interval.exact().is_some() {
                let (lower, upper) = retrograde::bounds(&next);
                let seen = (upper.map(|bound| -bound), lower.map(|bound| -bound));
                assert_eq!((interval.lower, interval.upper), seen, "{text}: {mv}");
            }
        }
        // Bounds that are known to be the best, and none that is not.
        assert_eq!(solution.interval.is_settled(), lower.is_some() && upper.is_some(), "{text}");
        settled += u32::from(solution.interval.exact().is_some());
        open += u32::from(solution.interval.exact().is_none());
    }
    assert!(settled >= 15 && open >= 1, "{settled} settled, {open} open");
}

/// Positions of a game with few pebbles on the board, drawn from a stream of numbers.
fn endgames(rules: Rules, pebbles: u64, count: usize) -> Vec<Position> {
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut setup = Setup::empty(rules);
        for _ in 0..=draw(pebbles) {
            setup.pebbles[draw(rules.ring() as u64) as usize] += 1;
        }
        let half = rules.ring() / 2;
        setup.mandarins[half - 1] = draw(2) as i64;
        setup.mandarins[2 * half - 1] = draw(2) as i64;
        let board: i64 = setup.pebbles.iter().sum();
        setup.store_pebbles[0] = draw(51 - board as u64) as i64;
        setup.store_pebbles[1] = 50 - board - setup.store_pebbles[0];
        positions.extend(setup.position().ok().filter(|position| !position.is_over()));
    }
    positions
}

#[test]
fn endgames_are_worth_what_a_table_says_with_it_and_without() {
    let mut exact = 0;
    for text in ["short-game", "mancala-world", "bankrupt"] {
        let rules = rules(text);
        let table = Tablebase::build(rules, 6, 1, &AtomicBool::new(false), &Progress::default()).unwrap();
        for position in endgames(rules, 6, 40) {
            let options = Options { table_bytes: 1 << 20, nodes: 60_000, moves: false, ..Options::default() };
            let (alone, _) = solve_with(&position, options);
            let (helped, _) = solve_with(&position, Options { tables: Some(&table), ..options });
            let duel = table.rules().duel(&position);
            let Bounds { lower, upper } = table.probe(&duel);
            for solution in [&alone, &helped] {
                let interval = solution.interval;
                // Each bound of the one is on its side of the other bound of the other.
                let least = interval.lower.map(|bound| bound - duel.margin());
                let most = interval.upper.map(|bound| bound - duel.margin());
                assert!(least.is_none_or(|least| least <= upper), "{text}: {position}");
                assert!(most.is_none_or(|most| most >= lower), "{text}: {position}");
                if let Some(value) = interval.exact().filter(|_| lower == upper) {
                    assert_eq!(value, duel.margin() + lower, "{text}: {position}");
                    exact += 1;
                }
            }
            let value = (lower == upper).then(|| lower + duel.margin());
            if value.is_some() {
                assert_eq!(helped.interval.exact(), value, "{text}: {position}");
            }
        }
    }
    assert!(exact > 30, "{exact}");
}

#[test]
fn it_proves_the_same_again_and_never_more_than_both_sides_allow() {
    let start = Position::start(rules("wikipedia-vi"));
    let options = Options { table_bytes: 1 << 18, nodes: 300_000, ..Options::default() };
    let (first, certificate) = solve_with(&start, options);
    assert_eq!(solve_with(&start, options), (first.clone(), certificate));
    assert!(first.nodes >= 300_000 && first.nodes < 310_000, "{}", first.nodes);
    // Two threads and a table of one bucket change how much is proved, not what is true.
    for options in [Options { threads: 2, ..options }, Options { table_bytes: 0, nodes: 30_000, ..options }] {
        let (other, _) = solve_with(&start, options);
        let crossed = |lower: Option<i32>, upper: Option<i32>| lower.zip(upper).is_some_and(|(l, u)| l > u);
        assert!(!crossed(first.interval.lower, other.interval.upper));
        assert!(!crossed(other.interval.lower, first.interval.upper));
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let told = |position: &Position| Solver::new(position, Options::default()).err().unwrap().to_string();
    assert_eq!(told(&Position::start(rules("three-players"))), "expected rules of 2 sides, got 3");
    let over = Position::parse("0.0.0.0.0.0/0.0.0.0.0.0 30/40 - a 20 mandarins", Rules::default()).unwrap();
    assert!(told(&over).starts_with("expected a position in play, got 0.0"));
    let rich = Position::parse("1.0.0.0.0.0q1/1.0.0.0.0.0q1 20000/0 - a 20", Rules::default()).unwrap();
    assert!(told(&rich).starts_with("expected stores and a margin below 10000 points"));
}

/// Great tables take seconds to lay out, which neither a deadline nor a stop has to wait for.
#[test]
fn a_table_is_not_waited_for() {
    let position = Position::start(rules("wikipedia-vi"));
    let begun = Instant::now();
    let options = Options { table_bytes: 1 << 33, deadline: Some(begun), ..Options::default() };
    let mut solver = Solver::new(&position, options).unwrap();
    solver.run(&AtomicBool::new(false), &Telling::default()).unwrap();
    let mut solver = Solver::new(&position, Options { deadline: None, ..options }).unwrap();
    solver.run(&AtomicBool::new(true), &Telling::default()).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    let much = Options { table_bytes: usize::MAX, ..options };
    assert!(matches!(Solver::new(&position, much), Err(SolveError::Memory(_))));
}
