//! Endgame tables against slower ways to the same bounds, and as files.

mod attractors;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use oanquan_core::duel::{Duel, DuelRules};
use oanquan_core::{Position, Rules, Setup, Side};
use oanquan_engine::tablebase::{Progress, TableError, Tablebase};
use oanquan_engine::{Bounds, GameStream, Probe, Turn};

fn rules(text: &str) -> Rules {
    Rules::parse(text).unwrap()
}

fn build(text: &str, pebbles: u32) -> Tablebase {
    Tablebase::build(rules(text), pebbles, 2, &AtomicBool::new(false), &Progress::default()).unwrap()
}

/// Small boards with every knob that a table must know.
const SMALL: [(&str, u32); 16] = [
    ("squares=1,pebbles=4", 6),
    ("squares=2,pebbles=3", 6),
    ("squares=3,pebbles=2", 5),
    ("squares=2,shortfall=owe", 6),
    ("squares=2,empty_mandarin_after_sowing=gap", 6),
    ("squares=2,empty_mandarin_after_sowing=gap,ends_when=stones_taken,mandarin_leftovers=split", 6),
    ("squares=2,ends_when=stones_taken,mandarin_leftovers=adjacent", 5),
    ("squares=2,directions=clockwise", 5),
    ("squares=2,mandarin=pebbles,mandarin_value=3", 7),
    ("squares=2,mandarin_next=lift_one,row_leftovers=split", 5),
    ("squares=2,mandarin_next=relay_when_bare,mandarin_value=3", 5),
    ("squares=2,reseed_when=when_empty", 6),
    ("squares=2,reseed_from=points", 6),
    ("squares=2,immature_below=2,capture_chain=off", 5),
    ("squares=2,mandarin_ban=2,end_check=at_once", 5),
    ("mancala-world", 3),
];

#[test]
fn it_is_what_a_queue_of_thresholds_finds() {
    let (mut positions, mut settled, mut open) = (0, 0, 0);
    for (text, pebbles) in SMALL {
        let table = build(text, pebbles);
        let found = attractors::solve(rules(text), pebbles);
        assert_eq!(found.len() as u64, table.positions(), "{text}");
        for (position, bounds) in found {
            let probed = table.probe(&table.rules().duel(&position));
            assert_eq!(probed, bounds, "{text}: {position}");
            positions += 1;
            settled += u32::from(bounds.is_exact());
            open += u32::from(bounds == Bounds::NONE);
        }
    }
    assert!(settled > 1000 && open < positions, "{settled} of {positions} settled, {open} open");
}

/// The final margin of the side to move as far as so many plies settle it, without memory, on positions with all that is
/// in them: what is not over by then is worth `endless` to side a.
fn minimax(position: &Position, depth: u32, endless: i32) -> i32 {
    let sign = if position.turn() == Side::A { 1 } else { -1 };
    if position.is_over() {
        let points = position.points();
        return sign * (points[Side::A] - points[Side::B]);
    }
    if depth == 0 {
        return sign * endless;
    }
    position.legal_moves().map(|mv| -minimax(&position.play(mv).unwrap(), depth - 1, endless)).max().unwrap()
}

/// What the side to move can force within so many plies, and what it can be held to.
fn forced(position: &Position, depth: u32) -> Bounds {
    let sign = if position.turn() == Side::A { 1 } else { -1 };
    let worst = minimax(position, depth, -sign * Bounds::UNKNOWN);
    let best = minimax(position, depth, sign * Bounds::UNKNOWN);
    Bounds { lower: worst, upper: best }
}

/// Positions of random games with few pebbles left.
fn late_positions(rules: Rules, pebbles: u32, count: usize) -> Vec<Position> {
    let mut late = Vec::new();
    for game in 0.. {
        let mut position = Position::start(rules);
        let mut stream = GameStream::new(5, game);
        for _ in 0..300 {
            let total: u32 = position.pebbles().iter().map(|&pebbles| u32::from(pebbles)).sum();
            if total <= pebbles && !position.is_over() {
                late.push(position);
            }
            let Some(turn) = Turn::new(&position) else { break };
            position.play_unchecked(turn.draw(&mut stream));
        }
        if late.len() >= count {
            late.truncate(count);
            return late;
        }
    }
    late
}
