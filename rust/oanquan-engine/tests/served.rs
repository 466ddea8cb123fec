//! One table for many rules: those that it serves have tables with the same bounds, and those that it does not, others.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::{Draws, odd_position, odd_rules};
use oanquan_core::knobs::{EndsWhen, KNOBS, Mandarin, ReseedWhen, Shortfall, Values};
use oanquan_core::{Game, Position, Rules, Setup, Side};
use oanquan_engine::search::{self, Limits, search};
use oanquan_engine::solver::{Interval, Options, Solver, Telling};
use oanquan_engine::tablebase::{Progress, Tablebase};
use oanquan_engine::{Agent, Bounds, GameStream, Probe, Turn, agent};

fn rules(text: &str) -> Rules {
    Rules::parse(text).unwrap()
}

fn build(rules: Rules, pebbles: u32) -> Tablebase {
    Tablebase::build(rules, pebbles, 1, &AtomicBool::new(false), &Progress::default()).unwrap()
}

/// Every ring of so many squares with at most so many pebbles, a byte a square.
fn boards(ring: usize, pebbles: u32) -> Vec<u128> {
    let mut boards = vec![(0, pebbles)];
    for square in 0..ring {
        let with = |(board, left): (u128, u32)| {
            (0..=left).map(move |count| (board | u128::from(count) << (8 * square), left - count))
        };
        boards = boards.into_iter().flat_map(with).collect();
    }
    boards.into_iter().map(|(board, _)| board).collect()
}

/// Whether a board is a position with a decision by the rules.
fn is_position(rules: &Rules, board: u128, mandarins: u8) -> bool {
    let half = 8 * (u32::from(rules.squares) + 1);
    let row = (1_u128 << (half - 8)) - 1;
    let mandarin_squares = 0xFF << (half - 8) | 0xFF << (2 * half - 8);
    board & row != 0
        && (rules.reseed_when == ReseedWhen::TurnStart || board >> half & row != 0)
        && (mandarins == 0 || rules.mandarin == Mandarin::Stone)
        && match rules.ends_when {
            EndsWhen::SquaresEmpty => mandarins != 0 || board & mandarin_squares != 0,
            EndsWhen::StonesTaken => mandarins != 0,
        }
}

/// What two tables of rings of one size say of each position that both rules have and that has few enough pebbles.
fn compared(one: &Tablebase, other: &Tablebase) -> Vec<(String, Bounds, Bounds)> {
    let tables = [one, other];
    let ring = one.rules().rules().ring();
    let mut found = Vec::new();
    for board in boards(ring, one.pebbles().min(other.pebbles())) {
        for mandarins in 0..4 {
            if tables.iter().all(|table| is_position(table.rules().rules(), board, mandarins)) {
                let [first, second] = tables.map(|table| table.probe(&table.rules().board(board, mandarins)));
                found.push((format!("{board:032x} {mandarins}"), first, second));
            }
        }
    }
    found
}

/// The values of a knob.
fn values(name: &str) -> Vec<String> {
    match KNOBS.iter().find(|knob| knob.name == name).unwrap().values {
        Values::Range { min, max } => (min..=max).map(|value| value.to_string()).collect(),
        Values::Words(words) => words.iter().map(ToString::to_string).collect(),
    }
}

/// The rules with a knob set, if they can be built.
fn with(rules: &Rules, name: &str, value: &str) -> Option<Rules> {
    let pairs: Vec<_> =
        rules.pairs().map(|(knob, old)| (knob, if knob == name { value.into() } else { old })).collect();
    let pairs: Vec<_> = pairs.iter().map(|(knob, value)| (*knob, value.as_str())).collect();
    Rules::from_pairs(&pairs).ok()
}

fn has_table(rules: &Rules) -> bool {
    rules.sides == 2 && matches!(rules.shortfall, Shortfall::Borrow | Shortfall::Owe)
}

/// Odd rules of a small board that has tables.
fn small_rules(draws: &mut Draws) -> Rules {
    loop {
        let odd = with(&odd_rules(draws), "squares", ["2", "3"][draws.below(2)]);
        if let Some(rules) = odd.filter(has_table) {
            return rules;
        }
    }
}

/// The knobs that do not matter, some of them only where others say so.
const FREE: [&str; 10] = [
    "pebbles",
    "mandarin",
    "mandarin_value",
    "empty_mandarin_in_chain",
    "immature_below",
    "mandarin_ban",
    "reseed_from",
    "shortfall",
    "end_check",
    "mandarin_leftovers",
];

#[test]
fn what_is_served_is_worth_the_same() {
    let mut draws = Draws::new(5, 0);
    let mut changed = [0; FREE.len()];
    let (mut known, mut without_stones) = (0, 0);
    for number in 0..40 {
        let mut first = small_rules(&mut draws);
        if number % 2 == 0 {
            first = with(&first, "capture_chain", "off").unwrap();
        }
        let table = build(first, 6);
        // Other rules that it serves, one knob after the other.
        let mut second = first;
        if number % 3 == 0 {
            // What speaks of stones must go with them.
            let bare = with(&first, "mandarin_ban", "0").and_then(|rules| with(&rules, "immature_below", "0"));
            let bare = bare.and_then(|rules| with(&rules, "mandarin", "pebbles"));
            second = bare.filter(|bare| table.serves(bare)).unwrap_or(first);
        }
        for knob in FREE {
            let values = values(knob);
            let changed = (draws.below(3) > 0).then(|| &values[draws.below(values.len())]);
            let Some(other) = changed.and_then(|value| with(&second, knob, value)).filter(has_table) else { continue };
            if table.serves(&other) {
                second = other;
            }
        }
        for (place, knob) in FREE.iter().enumerate() {
            let [one, other] = [first, second].map(|rules| rules.pairs().find(|(name, _)| name == knob));
            changed[place] += u32::from(one != other);
        }
        let own = build(second, table.pebbles());
        without_stones += u32::from(first.mandarin != second.mandarin);
        for (board, served, its) in compared(&table, &own) {
            assert_eq!(served, its, "{first} for {second}: {board}");
            known += u32::from(its != Bounds::NONE);
        }
        // What is really asked: duels of the other rules, with all that stores can hold.
        for _ in 0..60 {
            let position = odd_position(second, &mut draws);
            let duel = own.rules().duel(&position);
            let (served, its) = (table.probe(&duel), own.probe(&duel));
            let less = first.shortfall != second.shortfall || first.mandarin != second.mandarin;
            assert!(served == its || (less && served == Bounds::NONE), "{first} for {second}: {position}");
            known += u32::from(served != Bounds::NONE);
        }
    }
    assert!(changed.iter().all(|&changed| changed > 2), "{changed:?}");
    assert!(known > 20_000 && without_stones > 4, "{known} {without_stones}");
}

/// Rules, and others that differ in one knob that matters, some in others too that do not.
const REFUSED: [(&str, &str); 18] = [
    ("squares=3,directions=clockwise", "squares=3"),
    ("squares=3,directions=clockwise", "squares=3,directions=counterclockwise"),
    ("squares=3,mandarin_next=lift_one", "squares=3"),
    ("squares=3,mandarin_next=relay_when_bare", "squares=3"),
    ("squares=3,mandarin_next=relay_when_bare,mandarin=pebbles", "squares=3,mandarin=pebbles"),
    ("squares=3,empty_mandarin_after_sowing=gap", "squares=3"),
    ("squares=3,empty_mandarin_in_chain=stop,mandarin_next=relay_when_bare", "squares=3,mandarin_next=relay_when_bare"),
    ("squares=3,capture_chain=off", "squares=3"),
    ("squares=3,immature_below=2", "squares=3"),
    ("squares=3,mandarin_value=5", "squares=3"),
    ("squares=3,reseed_when=when_empty", "squares=3"),
    ("squares=3,ends_when=stones_taken", "squares=3"),
    ("squares=3,end_check=at_once,ends_when=stones_taken", "squares=3,ends_when=stones_taken"),
    ("squares=3,end_check=at_once,mandarin=pebbles", "squares=3"),
    ("squares=3,ends_when=stones_taken,mandarin_leftovers=split", "squares=3,ends_when=stones_taken"),
    ("squares=3,ends_when=stones_taken,mandarin_leftovers=adjacent", "squares=3,ends_when=stones_taken"),
    ("squares=3,row_leftovers=split", "squares=3"),
    ("squares=3,row_leftovers=split,mandarin=pebbles", "squares=3,mandarin_value=4"),
];

#[test]
fn what_is_not_served_has_a_position_worth_something_else() {
    for (one, other) in REFUSED {
        let [first, second] = [one, other].map(|text| build(rules(text), 7));
        assert!(!first.serves(second.rules().rules()) && !second.serves(first.rules().rules()), "{one} {other}");
        // Not only looser bounds: two that exclude each other.
        let witness = compared(&first, &second)
            .into_iter()
            .find(|(_, first, second)| first.lower > second.upper || second.lower > first.upper);
        assert!(witness.is_some(), "{one} for {other}: no position is worth something else");
    }
    // There is no position that both have, or no table.
    let table = build(rules("squares=2"), 3);
    for text in
        ["squares=3", "squares=1", "squares=2,sides=3", "squares=2,shortfall=loses", "squares=2,shortfall=count"]
    {
        assert!(!table.serves(&rules(text)), "{text}");
    }
    let bare = build(rules("squares=2,mandarin=pebbles"), 3);
    assert!(!bare.serves(&rules("squares=2,ends_when=stones_taken")));
    assert!(!build(rules("squares=2,ends_when=stones_taken"), 3).serves(bare.rules().rules()));
}

fn solved(position: &Position, tables: Option<&dyn Probe>) -> (Interval, Vec<Interval>, u64) {
    let options = Options { table_bytes: 1 << 20, nodes: 30_000, tables, ..Options::default() };
    let mut solver = Solver::new(position, options).unwrap();
    let solution = solver.run(&AtomicBool::new(false), &Telling::default()).unwrap();
    (solution.interval, solution.moves.into_iter().map(|(_, interval)| interval).collect(), solution.nodes)
}

/// A table by `owe` does not look at the stores, and answers where a game by `borrow` ends by a shortfall.
#[test]
fn a_table_that_owes_is_none_of_rules_that_lend() {
    let [owe, borrow] = ["squares=3,shortfall=owe", "squares=3"].map(rules);
    let table = build(owe, 7);
    assert!(!table.serves(&borrow) && build(borrow, 2).serves(&owe));
    let mut witnesses = 0;
    for board in boards(8, 2) {
        let mut setup = Setup::empty(borrow);
        for square in 0..8 {
            setup.pebbles[square] = (board >> (8 * square) & 0xFF) as i64;
        }
        setup.mandarins[3] = 1;
        setup.turn = Side::A;
        let Ok(position) = setup.position() else { continue };
        let duel = oanquan_core::duel::DuelRules::new(borrow).unwrap().duel(&position);
        let (told, margin) = (table.probe(&duel), duel.margin());
        let (interval, ..) = solved(&position, None);
        witnesses += u32::from(
            interval.lower.is_some_and(|lower| lower - margin > told.upper)
                || interval.upper.is_some_and(|upper| upper - margin < told.lower),
        );
    }
    assert!(witnesses > 0);
}

/// Rules of a table, and of the games in which it is asked.
const SERVED: [(&str, &str); 6] = [
    ("squares=3,pebbles=1", "squares=3,pebbles=3"),
    ("squares=3,empty_mandarin_after_sowing=gap", "squares=3,pebbles=2,empty_mandarin_after_sowing=gap,mandarin_ban=2"),
    ("squares=3,mandarin_value=7", "squares=3,pebbles=2,mandarin=pebbles,mandarin_value=3"),
    ("squares=3,immature_below=3", "squares=3,pebbles=2,mandarin=pebbles,mandarin_value=2"),
    ("squares=3,reseed_from=points", "squares=3,pebbles=3,shortfall=owe"),
    (
        "squares=2,capture_chain=off",
        "squares=2,pebbles=3,capture_chain=off,end_check=at_once,mandarin_leftovers=adjacent",
    ),
];

#[test]
fn who_is_helped_finds_what_an_own_table_finds() {
    let mut helped = 0;
    for (text, game) in SERVED {
        let tables = [text, game].map(|text| Arc::new(build(rules(text), 6)));
        assert!(tables[0].serves(&rules(game)), "{text} for {game}");
        let mut draws = Draws::new(3, 0);
        let mut position = Position::start(rules(game));
        while !position.is_over() && position.ply() < 12 {
            let alone = solved(&position, None);
            let both = tables.each_ref().map(|table| solved(&position, Some(&**table)));
            assert_eq!(both[0], both[1], "{text} for {game}: {position}");
            helped += u32::from(alone.2 > both[0].2);
            let [with_served, with_own] = tables.each_ref().map(|table| {
                let tables: Arc<dyn Probe> = table.clone();
                let limits = Limits { depth: Some(4), ..Limits::default() };
                let options = search::Options { limits, tables: Some(tables), ..search::Options::default() };
                let game = Game::with_limits(position, None, None);
                let found = search(&game, &options, &AtomicBool::new(false), &mut |_| ()).unwrap();
                (found.lines, found.lower, found.upper, found.nodes)
            });
            assert_eq!(with_served, with_own, "{text} for {game}: {position}");
            let moves = position.legal_moves();
            position = position.play(moves.clone().nth(draws.below(moves.len())).unwrap()).unwrap();
        }
    }
    assert!(helped > 10, "{helped}");
}

/// How it plays by rules that its table serves is how the table of those rules plays.
#[test]
fn an_agent_plays_by_a_table_that_serves() {
    let folder = std::env::temp_dir().join(format!("oanquan-served-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [served, own, alone] = ["wikipedia-vi", "no-first-mandarin", "quan-non"].map(|text| {
        let file = folder.join(text);
        build(rules(text), 3).write(&file).unwrap();
        agent::parse(&format!("table:{}", file.display())).unwrap()
    });
    let mut others = 0;
    for number in 0..400 {
        let stream = GameStream::new(9, number);
        let mut squares = [0; 12];
        for pebble in 0..3 {
            squares[stream.below(pebble, 12) as usize] += 1;
        }
        let row = |squares: &[u8]| squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(".");
        let text = format!("{}q1/{} 25/25 - a 60", row(&squares[..6]), row(&squares[6..]));
        let Ok(position) = Position::parse(&text, rules("no-first-mandarin")) else { continue };
        let turn = Turn::new(&position, stream, 0);
        let [first, second, third] = [&served, &own, &alone].map(|agent: &Arc<dyn Agent>| agent.choose(&turn));
        assert_eq!(first, second, "{position}");
        others += u32::from(first != third);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(others > 0, "without a table it chooses another move at times");
}
