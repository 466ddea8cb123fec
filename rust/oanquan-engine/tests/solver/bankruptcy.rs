//! Endgame tables where a shortfall loses, against the whole state space of small games with all that is in the stores.

use std::sync::atomic::AtomicBool;

use oanquan_core::{Position, Rules, Setup};
use oanquan_engine::solver::Options;
use oanquan_engine::tablebase::{Progress, Tablebase};
use oanquan_engine::{Bounds, Probe};

use super::retrograde::Space;
use super::{rules, solve_with};

/// Small boards with every knob that says who has to pay for a re-seeding, when, and what that is worth.
const SMALL: [&str; 12] = [
    "squares=2,pebbles=1,mandarin=pebbles,mandarin_value=3,mandarin_next=lift_one,row_leftovers=split",
    "squares=2,pebbles=2,mandarin=pebbles,mandarin_value=2,mandarin_next=relay_when_bare,reseed_when=when_empty",
    "squares=2,pebbles=2,mandarin_next=lift_one,reseed_from=points,mandarin_value=2",
    "squares=2,pebbles=2,mandarin_next=lift_one,ends_when=stones_taken,directions=clockwise",
    "squares=2,pebbles=2,mandarin_next=relay_when_bare,empty_mandarin_after_sowing=gap,directions=counterclockwise",
    "squares=2,pebbles=2,mandarin_next=lift_one,immature_below=2,end_check=at_once,mandarin_ban=2",
    "squares=3,pebbles=1",
    "squares=3,pebbles=1,empty_mandarin_after_sowing=gap,reseed_when=when_empty",
    "squares=3,pebbles=1,ends_when=stones_taken,mandarin_leftovers=adjacent,reseed_when=when_empty",
    "squares=3,pebbles=1,ends_when=stones_taken,mandarin_leftovers=split,reseed_from=points,mandarin_value=3",
    "squares=3,pebbles=1,mandarin=pebbles,mandarin_value=2,reseed_when=when_empty",
    "squares=3,pebbles=1,empty_mandarin_in_chain=stop,ends_when=stones_taken,mandarin_leftovers=split",
];

fn losing(text: &str) -> Rules {
    rules(&format!("{text},shortfall=loses"))
}

fn points(position: &Position) -> i32 {
    let value = i32::from(position.rules().mandarin_value);
    let board = position.squares().map(|(_, pebbles, mandarin)| i32::from(pebbles) + i32::from(mandarin) * value);
    board.sum::<i32>() + position.points().as_slice().iter().sum::<i32>()
}

fn build(rules: Rules, pebbles: u32) -> Tablebase {
    Tablebase::build(rules, pebbles, 1, &AtomicBool::new(false), &Progress::default()).unwrap()
}

/// Beginnings of games: the usual one, and late ones with nothing in one store and with a little in both.
fn beginnings(rules: Rules) -> Vec<Position> {
    let half = usize::from(rules.squares) + 1;
    let stones = i64::from(rules.mandarin.word() == "stone");
    let dealt = [([4, 0], 0), ([3, 3], half - 2)].into_iter().filter_map(|(stores, square)| {
        let mut setup = Setup::empty(rules);
        (setup.pebbles[square], setup.pebbles[half]) = (1, 1);
        (setup.mandarins[half - 1], setup.mandarins[2 * half - 1]) = (stones, stones);
        setup.store_pebbles[..2].copy_from_slice(&stores);
        setup.position().ok()
    });
    dealt.chain([Position::start(rules)]).collect()
}

#[test]
fn no_bound_is_tighter_than_what_the_whole_state_space_says() {
    let (mut positions, mut settled, mut lower_only, mut upper_only, mut by_funds) = (0, 0, 0, 0, 0);
    for text in SMALL {
        let rules = losing(text);
        let table = build(rules, 8);
        for begun in beginnings(rules) {
            let space = Space::of(&begun);
            for (state, position) in space.positions.iter().enumerate() {
                let duel = table.rules().duel(position);
                let probed = table.probe(&duel);
                let (lower, upper) = space.bounds(state);
                let (lower, upper) = (lower.unwrap_or(-Bounds::UNKNOWN), upper.unwrap_or(Bounds::UNKNOWN));
                assert!(
                    probed.lower <= lower && upper <= probed.upper,
                    "{rules}: {position}: {probed:?} is not around {lower} to {upper}"
                );
                // The board with stores that are never short.
                let rich = table.probe(&table.rules().board(duel.pebbles(), duel.mandarins()));
                positions += u32::from(rich != Bounds::NONE);
                settled += u32::from(probed.is_exact());
                lower_only += u32::from(probed.lower > -Bounds::UNKNOWN && probed.upper == Bounds::UNKNOWN);
                upper_only += u32::from(probed.lower == -Bounds::UNKNOWN && probed.upper < Bounds::UNKNOWN);
                by_funds += u32::from(rich.is_exact() && !probed.is_exact());
            }
        }
    }
    let counts = [positions, settled, lower_only, upper_only, by_funds];
    assert!(counts[0] > 80_000 && counts[1..].iter().all(|&count| count > 5000), "{counts:?}");
}

#[test]
fn positions_with_any_stores_are_worth_what_the_whole_state_space_says() {
    let (mut settled, mut lost) = (0, 0);
    for (number, text) in SMALL.into_iter().enumerate() {
        let rules = losing(text);
        let table = build(rules, 5);
        for begun in beginnings(rules) {
            let space = Space::of(&begun);
            for (state, position) in
                space.positions.iter().enumerate().skip(number).step_by(1 + space.positions.len() / 12)
            {
                let (lower, upper) = space.bounds(state);
                for tables in [None, Some(&table as &dyn Probe)] {
                    let options =
                        Options { table_bytes: 1 << 18, nodes: 2_000_000, moves: false, tables, ..Options::default() };
                    let (solution, _) = solve_with(position, options);
                    let interval = solution.interval;
                    let margin = table.rules().duel(position).margin();
                    let seen = (lower.map(|it| it + margin), upper.map(|it| it + margin));
                    let told = (interval.lower, interval.upper);
                    if points(position) <= rules.total_points() {
                        assert_eq!(told, seen, "{rules}: {position}");
                        assert_eq!(interval.is_settled(), lower.is_some() && upper.is_some(), "{rules}: {position}");
                    } else {
                        // A bankruptcy is not worth all points then.
                        let sound = told.0 <= seen.0 && seen.1.is_none_or(|it| told.1.is_none_or(|upper| upper >= it));
                        assert!(
                            sound && (told.1.is_none() || seen.1.is_some()),
                            "{rules}: {position}: {told:?}, {seen:?}"
                        );
                    }
                }
                settled += u32::from(lower.is_some() && lower == upper);
                lost += u32::from(
                    lower.is_some_and(|it| (it + table.rules().duel(position).margin()).abs() == rules.total_points()),
                );
            }
        }
    }
    assert!(settled > 250 && lost > 100, "{settled} settled, {lost} lost by a shortfall");
}
