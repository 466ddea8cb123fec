//! Windows of every kind, tables of every size: what a search returns is a bound of what minimax finds, or just that; and
//! what it calls proven, deeper searches do not contradict.

use std::sync::atomic::AtomicBool;

use oanquan_core::duel::DuelRules;
use oanquan_core::{PRESETS, Position, Preset, Rules};

use super::evaluation::POINT;
use super::limits::{Clock, Limits, Shared};
use super::plain::minimax;
use super::principal::{WORST, Worker};
use super::table::Table;
use super::value::Value;
use crate::GameStream;

/// A position of a random game, in play.
fn drawn(rules: Rules, stream: GameStream) -> Position {
    let mut position = Position::start(rules);
    for ply in 0..stream.below(1000, 40) {
        let moves = position.legal_moves();
        let mut next = position;
        let Some(mv) = moves.clone().nth(stream.below(ply, moves.len() as u32) as usize) else { break };
        next.play_unchecked(mv);
        if next.is_over() {
            break;
        }
        position = next;
    }
    position
}

/// A window: empty, open, or without an end on either side.
fn window(score: i32, stream: GameStream) -> (i32, i32) {
    let near = |draw| score + stream.below(draw, 1200) as i32 - 600;
    match stream.below(2000, 7) {
        0 => (WORST, -WORST),
        1 => (WORST, WORST + 1),
        2 => (-WORST - 1, -WORST),
        3 => (WORST, near(2001)),
        4 => (near(2001), -WORST),
        5 => (near(2001), near(2001) + 1),
        _ => (near(2001).min(near(2002) - 1), near(2002)),
    }
}

fn check(value: Value, (alpha, beta): (i32, i32), score: i32) {
    match value.score {
        found if found <= alpha => assert!(score <= found),
        found if found >= beta => assert!(score >= found),
        found => assert_eq!(score, found),
    }
}

#[test]
fn windows_of_every_kind() {
    let (mut proven, mut bounded) = (0, 0);
    let stop = AtomicBool::new(false);
    let rules = PRESETS.iter().map(Preset::rules).filter_map(DuelRules::new);
    for (number, rules) in rules.enumerate() {
        let shared = Shared::new(Limits::default(), &stop);
        for bytes in [0, 1 << 8, 1 << 18] {
            let mut table = Table::new(bytes).unwrap();
            for game in 0..60 {
                let stream = GameStream::new(number as u64, game);
                let position = drawn(*rules.rules(), stream);
                let duel = rules.duel(&position);
                let depth = 1 + stream.below(3000, 5);
                table.begin(&rules, &duel, None);
                let mut worker = Worker::new(&rules, &table, None, Clock::new(&shared), &duel);
                let score = minimax(&rules, &position, depth, None);
                let deeper = minimax(&rules, &position, (depth + 1 + stream.below(3001, 2)).min(5), None);
                for round in 0..6 {
                    let window = window(score, GameStream::new(round, game));
                    let value = worker.value(&duel, depth, 1, window.0, window.1);
                    check(value, window, score);
                    for score in [score, deeper] {
                        assert!(POINT * value.lower.max(-1000) <= score && score <= POINT * value.upper.min(1000));
                    }
                    bounded += u32::from(value.lower > -1000 || value.upper < 1000);
                    proven += u32::from(value.lower == value.upper);
                }
            }
        }
    }
    assert!(bounded > 500 && proven > 100, "{bounded} bounded, {proven} proven");
}
