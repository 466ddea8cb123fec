//! Search finds what plain minimax of the same depth finds: from every kind of position, by all rules of two sides, with
//! every table.

mod common;

use common::{Draws, odd_position, odd_rules};
use oanquan_core::duel::{Duel, DuelRules};
use oanquan_core::{Game, PRESETS, Position, Rules, Side};
use oanquan_engine::search::plain::{alpha_beta, minimax};
use oanquan_engine::search::{Analysis, Limits, Options, Table, search, search_with};
use oanquan_engine::{Bounds, Probe};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The presets for two sides, and rules that ask more of a key.
fn all_rules() -> Vec<Rules> {
    let more = [
        "shortfall=partial",
        "shortfall=count,ends_when=stones_taken,mandarin_leftovers=adjacent",
        "shortfall=owe,reseed_from=points,mandarin_leftovers=split",
        "mandarin_ban=3,end_check=at_once,directions=clockwise",
        "squares=2,pebbles=2,mandarin_value=1",
        "squares=7,pebbles=3,mandarin_next=relay_when_bare",
    ];
    let presets = PRESETS.iter().map(|preset| preset.rules()).filter(|rules| rules.sides == 2);
    presets.chain(more.iter().map(|text| Rules::parse(text).unwrap())).collect()
}

/// A position that random play leads to.
fn played(rules: Rules, draws: &mut Draws) -> Position {
    let mut position = Position::start_with(rules, [Side::A, Side::B][draws.below(2)]).unwrap();
    for _ in 0..draws.below(40) {
        let moves = position.legal_moves();
        let next = position.play(position.legal_moves().nth(draws.below(moves.len())).unwrap()).unwrap();
        if next.is_over() {
            break;
        }
        position = next;
    }
    position
}

fn to_depth(depth: u32) -> Options {
    Options { limits: Limits { depth: Some(depth), ..Limits::default() }, table_bytes: 1 << 16, ..Options::default() }
}

fn found(game: &Game, options: &Options) -> Analysis {
    search(game, options, &AtomicBool::new(false), &mut |_| ()).unwrap()
}

fn without_limits(position: Position) -> Game {
    Game::with_limits(position, None, None)
}

/// The line is legal, and what it comes to is what the score says.
fn check_line(rules: &DuelRules, position: &Position, analysis: &Analysis) {
    for line in &analysis.lines {
        let mut end = *position;
        for &mv in &line.moves {
            end = end.play(mv).unwrap();
        }
        let depth = analysis.depth - line.moves.len() as u32;
        assert!(end.is_over() || depth == 0, "{position:?}: {line:?}");
        let sign = if end.turn() == position.turn() { 1 } else { -1 };
        assert_eq!(sign * minimax(rules, &end, 0, None), line.score, "{position:?}: {line:?}");
    }
}

/// Searches with one table after the other, in which other positions leave their traces.
#[test]
fn as_minimax() {
    let mut draws = Draws::new(1, 0);
    let mut tables = [0, 1 << 10, 1 << 20].map(Table::new);
    let (mut compared, mut settled) = (0, 0);
    for rules in all_rules() {
        let duel_rules = DuelRules::new(rules).unwrap();
        for round in 0..90 {
            let position = if round % 3 == 0 { odd_position(rules, &mut draws) } else { played(rules, &mut draws) };
            if position.is_over() {
                continue;
            }
            let most = if round % 30 == 0 { 6 } else { 5 };
            let depth = 1 + draws.below(most) as u32;
            let score = minimax(&duel_rules, &position, depth, None);
            assert_eq!(alpha_beta(&duel_rules, &duel_rules.duel(&position), depth).0, score, "{position:?}");
            for table in &mut tables {
                let stop = AtomicBool::new(false);
                let game = without_limits(position);
                let analysis = search_with(table, &game, &to_depth(depth), &stop, &mut |_| ()).unwrap();
                assert_eq!(analysis.score(), score, "depth {depth} of {position:?}");
                assert!(analysis.depth == depth || analysis.is_settled());
                check_line(&duel_rules, &position, &analysis);
                let (lower, upper) = (analysis.lower.unwrap_or(-9999), analysis.upper.unwrap_or(9999));
                assert!(100 * lower <= score && score <= 100 * upper, "{position:?}: {analysis:?}");
                settled += u32::from(analysis.is_settled());
                compared += 1;
            }
        }
    }
    assert!(compared > 3000 && settled > 100, "{compared} compared, {settled} settled");
}
