//! The shared cases: set-up positions by rule set, the golden game, perft of every preset, single moves and whole games
//! on which independent programs agree.

use std::io::Read;
use std::path::PathBuf;

use oanquan_core::{Ending, Move, PRESETS, Position, Rules, Setup, Side, Step, perft};
use serde_json::Value;

fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    text
}

fn lines(name: &str) -> Vec<Value> {
    data(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn rules(value: &Value) -> Rules {
    let pairs: Vec<(String, String)> = value
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(on) => String::from(if *on { "on" } else { "off" }),
                other => other.to_string(),
            };
            (name.clone(), text)
        })
        .collect();
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Rules::from_pairs(&pairs).unwrap()
}

fn mv(value: &Value) -> Move {
    Move::parse(value.as_str().unwrap(), None).unwrap()
}

fn points(position: &Position) -> Vec<i64> {
    position.points().as_slice().iter().copied().map(i64::from).collect()
}

/// The squares captured, and the pebbles and mandarins in them.
fn captures(steps: &[Step]) -> (Vec<String>, u32, u32) {
    let mut all = (Vec::new(), 0, 0);
    for step in steps {
        if let Step::Capture { square, pebbles, mandarin } = step {
            all.0.push(square.to_string());
            all.1 += u32::from(*pebbles);
            all.2 += u32::from(*mandarin);
        }
    }
    all
}

#[test]
fn positions_under_every_rule_set() {
    let cases: Vec<Value> = serde_json::from_str(&data("positions.json")).unwrap();
    assert_eq!(cases.len(), 120);
    for case in &cases {
        let position = Position::parse(case["position"].as_str().unwrap(), rules(&case["rules"])).unwrap();
        let steps = position.trace(mv(&case["move"])).unwrap();
        let after = position.play(mv(&case["move"])).unwrap();
        let (squares, pebbles, mandarins) = captures(&steps);
        assert_eq!(serde_json::json!(squares), case["captured"], "{case}");
        assert_eq!(serde_json::json!({"pebbles": pebbles, "mandarins": mandarins}), case["gain"], "{case}");
        assert_eq!(after.to_string(), case["after"].as_str().unwrap(), "{case}");
        assert_eq!(after.ending().map(Ending::name), case["over"].as_str(), "{case}");
        assert_eq!(serde_json::json!(points(&after)), case["points"], "{case}");
    }
}

#[test]
fn golden_game() {
    let game: Value = serde_json::from_str(&data("golden_game.json")).unwrap();
    for (rules, wanted) in
        [("mancala-world", "points"), ("quan-five", "points_with_value_5"), ("wikipedia-vi", "points")]
    {
        let mut position = Position::parse(game["start"].as_str().unwrap(), Rules::parse(rules).unwrap()).unwrap();
        for step in game["moves"].as_array().unwrap() {
            position = position.play(mv(&step["move"])).unwrap();
            assert_eq!(position.to_string(), step["after"].as_str().unwrap());
        }
        assert_eq!(position.ending().map(Ending::name), game["over"].as_str());
        assert_eq!(serde_json::json!(points(&position)), game[wanted]);
    }
}

#[test]
fn perft_of_every_preset() {
    let counts: Value = serde_json::from_str(&data("perft.json")).unwrap();
    let mut checked = 0;
    for preset in PRESETS {
        let start = Position::start(preset.rules());
        for (depth, count) in counts[preset.name].as_array().unwrap().iter().enumerate() {
            assert_eq!(
                perft(&start, depth as u32 + 1),
                count.as_u64().unwrap(),
                "{} at depth {}",
                preset.name,
                depth + 1
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 9 * 6 + 7 + 4 + 4);
}

/// The rows of a position, without stores.
fn rows(position: &Position) -> String {
    position.to_string().split(' ').next().unwrap().to_string()
}

#[test]
fn single_moves_of_other_programs() {
    let cases = lines("external_moves.jsonl.gz");
    assert_eq!(cases.len(), 21_846);
    let (mut checked, mut refused) = (0, 0);
    for case in &cases {
        let text = format!("{} 0/0 - {} 0", case["rows"].as_str().unwrap(), case["side"].as_str().unwrap());
        let Ok(position) = Position::parse(&text, rules(&case["rules"])) else {
            assert_eq!(case["kind"], "both_q_empty", "{case}");
            refused += 1;
            continue;
        };
        let steps = position.trace(mv(&case["move"])).unwrap();
        let (_, pebbles, mandarins) = captures(&steps);
        assert_eq!(serde_json::json!([pebbles, mandarins]), case["gain"], "{case}");
        let mut after = Setup::from(position.play(mv(&case["move"])).unwrap());
        for step in &steps {
            // The records stand before any re-seeding.
            if let Step::Reseed { side, pebbles } = step {
                let first = side.index() * 6;
                after.pebbles[first..first + usize::from(*pebbles)].fill(0);
            }
        }
        let wanted = Setup::parse(&format!("{} 0/0 - a 0", case["rows_after"].as_str().unwrap()), after.rules).unwrap();
        assert_eq!((after.pebbles, after.mandarins), (wanted.pebbles, wanted.mandarins), "{case}");
        checked += 1;
    }
    assert_eq!((checked, refused), (21_846 - 570, 570));
}

#[test]
fn whole_games_of_other_programs() {
    let games = lines("external_games.jsonl.gz");
    assert_eq!(games.len(), 100);
    for game in &games {
        let mut position = Position::start(rules(&game["rules"]));
        let played = game["moves"].as_array().unwrap();
        for ((text, gain), after) in
            played.iter().zip(game["gains"].as_array().unwrap()).zip(game["rows"].as_array().unwrap())
        {
            let steps = position.trace(mv(text)).unwrap();
            let (_, pebbles, mandarins) = captures(&steps);
            assert_eq!(serde_json::json!([pebbles, mandarins]), *gain, "{game}");
            position = position.play(mv(text)).unwrap();
            if !steps.iter().any(|step| matches!(step, Step::Reseed { .. })) {
                assert_eq!(rows(&position), after.as_str().unwrap(), "{game}");
            }
        }
        assert!(position.is_over(), "{game}");
        let debts = [position.debt(Side::A, Side::B), position.debt(Side::B, Side::A)];
        assert_eq!(serde_json::json!(debts), game["debt"], "{game}");
        let stores = [Side::A, Side::B].map(|side| position.store(side));
        assert_eq!(serde_json::json!(stores.map(|store| store.pebbles)), game["store"], "{game}");
        assert_eq!(serde_json::json!(stores.map(|store| store.mandarins)), game["mandarins"], "{game}");
        assert_eq!(serde_json::json!(points(&position)), game["points"], "{game}");
    }
}
