//! Search finds what plain minimax of the same depth finds: from every kind of position, by all rules of two sides, with
//! every table.

mod common;

use common::{Draws, odd_position, odd_rules};
use oanquan_core::duel::{Duel, DuelRules};
use oanquan_core::{Game, PRESETS, Position, Rules, Side};
use oanquan_engine::search::plain::{alpha_beta, minimax};
use oanquan_engine::search::{Analysis, Limits, Options, Table, agent, search, search_with};
use oanquan_engine::{Agent, Bounds, Config, GameStream, Greedy, Probe, Turn, simulate};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

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
    let presets = PRESETS.iter().map(oanquan_core::Preset::rules).filter(|rules| rules.sides == 2);
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
    let mut tables = [0, 1 << 10, 1 << 20].map(|bytes| Table::new(bytes).unwrap());
    let (mut compared, mut settled) = (0, 0);
    for rules in all_rules() {
        let duel_rules = DuelRules::new(rules).unwrap();
        for round in 0..150 {
            let position = if round % 3 == 0 { odd_position(rules, &mut draws) } else { played(rules, &mut draws) };
            if position.is_over() {
                continue;
            }
            let most = if round % 50 == 0 { 7 } else { 5 };
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
    assert!(compared > 6000 && settled > 300, "{compared} compared, {settled} settled");
}

/// One board with the same pebbles split otherwise between the stores: where the future depends on that, so do the scores,
/// and the table tells the positions apart.
#[test]
fn stores_are_told_apart_where_they_matter() {
    let mut draws = Draws::new(8, 0);
    let mut matters = 0;
    for shortfall in ["partial", "count", "loses", "borrow", "owe"] {
        let text = format!("squares=2,shortfall={shortfall},empty_mandarin_after_sowing=gap");
        let rules = Rules::parse(&text).unwrap();
        let duel_rules = DuelRules::new(rules).unwrap();
        let mut table = Table::new(1 << 20).unwrap();
        for _ in 0..8 {
            let thin: Vec<_> = (0..4).map(|_| draws.below(3)).collect();
            let mut further = Vec::new();
            for first in 0..=5 {
                let [a, b, c, d] = thin[..] else { unreachable!() };
                let text = format!("{a}.{b}.0q1/{c}.{d}.1q1 {first}/{} - a 9", 5 - first);
                let Ok(position) = Position::parse(&text, rules) else { continue };
                let score = minimax(&duel_rules, &position, 6, None);
                let stop = AtomicBool::new(false);
                let game = without_limits(position);
                let analysis = search_with(&mut table, &game, &to_depth(6), &stop, &mut |_| ()).unwrap();
                assert_eq!(analysis.score(), score, "{position:?}");
                further.push(score - 100 * (2 * first - 5));
            }
            let differs = further.iter().any(|&score| score != further[0]);
            assert!(!differs || !["borrow", "owe"].contains(&shortfall), "{further:?}");
            matters += u32::from(differs);
        }
    }
    assert!(matters > 5, "{matters}");
}

/// By rules of every kind.
#[test]
fn as_minimax_by_odd_rules() {
    let mut draws = Draws::new(2, 0);
    let mut compared = 0;
    while compared < 600 {
        let rules = odd_rules(&mut draws);
        let Some(duel_rules) = DuelRules::new(rules) else { continue };
        let position = odd_position(rules, &mut draws);
        if !position.is_over() {
            let depth = 1 + draws.below(4) as u32;
            let score = minimax(&duel_rules, &position, depth, None);
            assert_eq!(found(&without_limits(position), &to_depth(depth)).score(), score, "{depth} of {position:?}");
            compared += 1;
        }
    }
}

/// Every first move has the score that minimax finds after it, and the best come first.
#[test]
fn every_line() {
    let mut draws = Draws::new(3, 0);
    for rules in all_rules() {
        let duel_rules = DuelRules::new(rules).unwrap();
        for _ in 0..12 {
            let position = played(rules, &mut draws);
            let depth = 2 + draws.below(3) as u32;
            let analysis = found(&without_limits(position), &Options { lines: 14, ..to_depth(depth) });
            assert_eq!(analysis.lines.len(), position.legal_moves().len());
            assert!(analysis.lines.is_sorted_by_key(|line| -line.score));
            for line in &analysis.lines {
                let next = position.play(line.moves[0]).unwrap();
                let score = -minimax(&duel_rules, &next, analysis.depth - 1, None);
                assert_eq!(line.score, score, "depth {depth} of {position:?}: {line:?}");
            }
            check_line(&duel_rules, &position, &analysis);

            let wanted = analysis.lines[analysis.lines.len() / 2].clone();
            let options = Options { moves: vec![wanted.moves[0]], ..to_depth(analysis.depth) };
            assert_eq!(found(&without_limits(position), &options).score(), wanted.score);
        }
    }
}

/// Left and right exchanged, or the seats: the scores stay, and the moves go along.
#[test]
fn mirrored_and_seat_swapped() {
    let mut draws = Draws::new(4, 0);
    let mut mirrored = 0;
    for rules in all_rules() {
        let duel_rules = DuelRules::new(rules).unwrap();
        let scores = |duel: &Duel, turn: Side, mirror: bool| {
            let position = duel_rules.position(duel, turn);
            let analysis = found(&without_limits(position), &Options { lines: 14, ..to_depth(4) });
            let turned = |action| if mirror { duel_rules.mirror_action(action) } else { action };
            let mut scores: Vec<_> =
                analysis.lines.iter().map(|line| (turned(line.moves[0].action()), line.score)).collect();
            scores.sort_unstable();
            (analysis.lower, analysis.upper, scores)
        };
        for _ in 0..8 {
            let duel = duel_rules.duel(&played(rules, &mut draws));
            let expected = scores(&duel, Side::A, false);
            assert_eq!(scores(&duel, Side::B, false), expected, "{rules}: {duel:?}");
            if duel_rules.has_mirror() {
                assert_eq!(scores(&duel_rules.mirror(&duel), Side::A, true), expected, "{rules}: {duel:?}");
                mirrored += 1;
            }
        }
    }
    assert!(mirrored > 50);
}

/// Knows what two plies prove.
struct TwoPlies(DuelRules);

impl TwoPlies {
    fn within(&self, duel: &Duel, depth: u32) -> (i32, i32) {
        if duel.is_over() {
            let further = self.0.final_margin(duel) - duel.margin();
            return (further, further);
        }
        if depth == 0 {
            return (-9999, 9999);
        }
        let (mut lower, mut upper, mut mask) = (-9999, -9999, self.0.legal_mask(duel));
        while mask != 0 {
            let mut next = *duel;
            self.0.play(&mut next, mask.trailing_zeros() as u8);
            mask &= mask - 1;
            let gain = -next.margin() - duel.margin();
            let (low, high) = self.within(&next, depth - 1);
            lower = lower.max(if high == 9999 { -9999 } else { gain - high });
            upper = upper.max(if low == -9999 { 9999 } else { gain - low });
        }
        (lower, upper)
    }
}

impl Probe for TwoPlies {
    fn probe(&self, duel: &Duel) -> Bounds {
        let (lower, upper) = self.within(duel, 2);
        Bounds {
            lower: if lower == -9999 { -Bounds::UNKNOWN } else { lower },
            upper: if upper == 9999 { Bounds::UNKNOWN } else { upper },
        }
    }
}

/// What endgame tables know bounds every score, at the leaves and above them.
#[test]
fn as_minimax_with_endgame_tables() {
    let mut draws = Draws::new(5, 0);
    let (mut compared, mut told) = (0, 0);
    for rules in all_rules() {
        let duel_rules = DuelRules::new(rules).unwrap();
        let tables = Arc::new(TwoPlies(duel_rules));
        for _ in 0..40 {
            let position = if compared % 2 == 0 { odd_position(rules, &mut draws) } else { played(rules, &mut draws) };
            compared += 1;
            if position.is_over() {
                continue;
            }
            let depth = 1 + draws.below(4) as u32;
            let score = minimax(&duel_rules, &position, depth, Some(&*tables));
            let options = Options { tables: Some(tables.clone()), ..to_depth(depth) };
            let analysis = found(&without_limits(position), &options);
            assert_eq!(analysis.score(), score, "depth {depth} of {position:?}");
            told += u32::from(score != minimax(&duel_rules, &position, depth, None));
        }
    }
    assert!(told > 50, "tables mattered {told} times");
}

/// A move that ends the game by repetition or by its last ply is worth the count; no other move is.
#[test]
fn the_past_of_a_game_matters_to_the_first_move_only() {
    let rules = Rules::parse("wikipedia-vi").unwrap();
    let duel_rules = DuelRules::new(rules).unwrap();
    let start = Position::parse("1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30", rules).unwrap();
    let round = ["b4-", "a2+"].map(|text| oanquan_core::Move::parse(text, None).unwrap());
    let mut ended = 0;
    for (repetition, max_plies) in [(Some(2), None), (Some(3), None), (None, Some(4)), (None, None)] {
        let mut game = Game::with_limits(start, max_plies, repetition);
        for mv in round.iter().cycle() {
            if game.is_over() || game.moves().len() == 8 {
                break;
            }
            let position = game.position();
            let side = position.turn();
            let score = |mv| {
                let mut next = game.clone();
                next.push(mv).unwrap();
                match next.outcome() {
                    Some(outcome) => {
                        let points = [Side::A, Side::B].map(|side| outcome.points[side]);
                        100 * (points[side.index()] - points[1 - side.index()])
                    }
                    None => -minimax(&duel_rules, next.position(), 4, None),
                }
            };
            let best = position.legal_moves().map(score).max();
            let analysis = found(&game, &to_depth(5));
            assert_eq!(Some(analysis.score()), best, "{game:?}");
            ended += u32::from(score(*mv) != -minimax(&duel_rules, &position.play(*mv).unwrap(), 4, None));
            game.push(*mv).unwrap();
        }
    }
    assert!(ended >= 3);
    let over = Game::with_limits(start, Some(0), None);
    let error = search(&over, &to_depth(1), &AtomicBool::new(false), &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "expected a position in play, got one that is over (max_plies)");
}

/// Without the time.
fn timeless(analysis: Analysis) -> Analysis {
    Analysis { time: Duration::ZERO, ..analysis }
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    for rules in ["wikipedia-vi", "bankrupt", "three-players"] {
        let game = Game::new(Position::start(Rules::parse(rules).unwrap()));
        for nodes in [0, 1, 500, 3000, 40_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let options = Options { limits, lines: 2, table_bytes: 1 << 14, ..Options::default() };
            let analysis = found(&game, &options);
            assert_eq!(timeless(analysis.clone()), timeless(found(&game, &options)));
            assert!(analysis.nodes <= nodes.max(30) + 28 && analysis.depth >= 1, "{analysis:?}");
        }
    }
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let game = Game::new(Position::start(Rules::default()));
    let stopped = search(&game, &Options::default(), &AtomicBool::new(true), &mut |_| ()).unwrap();
    assert_eq!(stopped.depth, 1);
    let stop = AtomicBool::new(false);
    let options = Options { threads: 2, ..Options::default() };
    let stop_at_six = |found: &Analysis| stop.store(found.depth >= 6, Ordering::Relaxed);
    assert!(search(&game, &options, &stop, &mut { stop_at_six }).unwrap().depth >= 6);
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    assert!(found(&game, &Options { limits, ..Options::default() }).time >= Duration::from_millis(20));
}

#[test]
fn threads_find_the_same_score() {
    let mut draws = Draws::new(6, 0);
    for preset in ["wikipedia-vi", "bankrupt", "short-game"] {
        let rules = Rules::parse(preset).unwrap();
        let duel_rules = DuelRules::new(rules).unwrap();
        for _ in 0..6 {
            let position = played(rules, &mut draws);
            let (one, three) = (to_depth(8), Options { threads: 3, ..to_depth(8) });
            let alone = found(&without_limits(position), &one);
            let together = found(&without_limits(position), &three);
            assert_eq!(alone.score(), together.score(), "{position:?}");
            check_line(&duel_rules, &position, &together);
        }
    }
}

/// How many nodes it takes says whether a search is still the same one. Change the number when it is meant to differ.
#[test]
fn node_signature() {
    let mut draws = Draws::new(7, 0);
    let positions = all_rules().into_iter().flat_map(|rules| [Position::start(rules), played(rules, &mut draws)]);
    let nodes: u64 =
        positions.collect::<Vec<_>>().into_iter().map(|p| found(&without_limits(p), &to_depth(7)).nodes).sum();
    assert_eq!(nodes, 213_239);
}

#[test]
fn a_searching_agent_decides_by_the_turn() {
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let searcher = agent(limits).unwrap();
    for rules in all_rules().into_iter().chain([Rules::parse("three-players").unwrap()]) {
        let start = Position::start(rules);
        for ply in 0..20 {
            let turn = Turn::new(&start, GameStream::new(1, 2), ply);
            let place = searcher.choose(&turn);
            assert!(place < start.legal_moves().len());
            assert_eq!(place, agent(limits).unwrap().choose(&turn));
        }
    }
    let mut config = Config::new(Position::start(Rules::parse("wikipedia-vi").unwrap()), 40);
    config.agents = vec![Arc::new(searcher), Arc::new(Greedy)];
    let summary = simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0));
    assert!(summary.wins[0] > 25, "{:?}", summary.wins);
    config.threads = 2;
    assert_eq!(simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0)), summary);
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let rules = Rules::default();
    let refused = |position, options: &Options| {
        search(&Game::new(position), options, &AtomicBool::new(false), &mut |_| ()).unwrap_err().to_string()
    };
    let rich = Position::parse("5.5.5.5.5.0q1/5.5.5.5.5.0q1 2000000/0 - a 0", rules).unwrap();
    assert_eq!(refused(rich, &to_depth(1)), "expected stores of at most 1000000 points, got 2000000");
    let options = Options { moves: vec![oanquan_core::Move::parse("b1+", None).unwrap()], ..to_depth(1) };
    assert!(refused(Position::start(rules), &options).starts_with("illegal move b1+: it is side a's turn"));
}
