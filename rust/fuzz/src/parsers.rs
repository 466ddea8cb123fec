//! Any text into every parser. What is accepted comes back from its own text; what is not is refused with a place that
//! lies in the text.

use oanquan_core::{Move, NotationError, PRESETS, ParseError, Position, Record, RecordError, Rules, Setup, Side};

/// Reads the bytes as text by every parser of the core. A text of two lines is also read as rules and a position.
pub fn parsers(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    rules(&text);
    for side in [None, Some(Side::A), Some(Side::D)] {
        parse_move(&text, side);
    }
    for preset in PRESETS {
        position(&text, preset.rules());
    }
    if let Some((first, rest)) = text.split_once('\n')
        && let Ok(rules) = Rules::parse(first)
    {
        position(rest, rules);
    }
    record(&text);
    records(&text);
}

fn rules(text: &str) {
    match Rules::parse(text) {
        Ok(rules) => {
            let written = rules.to_string();
            assert_eq!(Rules::parse(&written), Ok(rules), "{text:?} is written {written:?}");
            let pairs: Vec<_> = rules.pairs().collect();
            let pairs: Vec<_> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
            assert_eq!(Rules::from_pairs(&pairs), Ok(rules));
            assert_eq!(Rules::new(rules.knobs()), Ok(rules));
        }
        Err(error) => {
            assert!(!error.faults.is_empty());
            assert!(!error.to_string().is_empty());
        }
    }
}

fn parse_move(text: &str, side: Option<Side>) {
    match Move::parse(text, side) {
        Ok(mv) => {
            let written = mv.to_string();
            assert_eq!(Move::parse(&written, None).as_ref(), Ok(&mv));
            // Upper case and a bare square are read too, and nothing else.
            let lower = text.to_ascii_lowercase();
            assert!(lower == written || side.is_some() && lower == written[1..], "{text:?} is read as {written:?}");
            assert_eq!(Move::from_action(mv.side(), mv.action()), Some(mv));
            assert_eq!(Move::new(mv.side(), mv.number(), mv.direction()), Some(mv));
        }
        Err(error) => notation_error(&error, text),
    }
}

fn position(text: &str, rules: Rules) {
    match Position::parse(text, rules) {
        Ok(position) => {
            assert_eq!(position.to_string(), text, "under {rules}");
            assert_eq!(Setup::from(position).position().as_ref(), Ok(&position));
        }
        Err(ParseError::Notation(error)) => {
            notation_error(&error, text);
            assert_eq!(Setup::parse(text, rules), Err(error));
        }
        Err(ParseError::Position(error)) => {
            assert!(!error.faults.is_empty());
            assert!(!error.to_string().is_empty());
            let setup = Setup::parse(text, rules).expect("the form is right");
            assert_eq!(setup.position(), Err(error));
        }
    }
}

/// The place lies in the text or just after it, and what it is said to hold stands there.
fn notation_error(error: &NotationError, text: &str) {
    assert!(error.column >= 1, "{error:?}");
    assert!(error.column <= text.chars().count() + 1, "{error:?}");
    assert_eq!(error.got, text.chars().nth(error.column - 1), "{error:?}");
    assert_eq!(error.text, text);
    assert!(error.to_string().starts_with("expected "));
}

fn record(text: &str) {
    match Record::parse(text) {
        Ok(record) => {
            let written = record.to_string();
            let again = Record::parse(&written).unwrap_or_else(|error| panic!("{error}, in {written:?}"));
            same(&record, &again);
            assert_eq!(again.to_string(), written);
        }
        Err(error) => record_error(&error, text),
    }
}

fn records(text: &str) {
    match Record::parse_all(text) {
        Ok(records) => {
            let written: Vec<_> = records.iter().map(ToString::to_string).collect();
            let written = written.join("\n");
            let again = Record::parse_all(&written).unwrap_or_else(|error| panic!("{error}, in {written:?}"));
            assert_eq!(again.len(), records.len());
            records.iter().zip(&again).for_each(|(record, again)| same(record, again));
        }
        Err(error) => record_error(&error, text),
    }
}

fn same(one: &Record, other: &Record) {
    assert_eq!(one.headers, other.headers);
    assert_eq!(one.comments, other.comments);
    assert_eq!(one.game.start(), other.game.start());
    assert_eq!(one.game.start().ply(), other.game.start().ply());
    assert_eq!(one.game.moves(), other.game.moves());
    assert_eq!(one.game.max_plies(), other.game.max_plies());
    assert_eq!(one.game.repetition(), other.game.repetition());
    assert_eq!(one.game.outcome(), other.game.outcome());
}

/// The line is one of the text's, and the column lies in it or just after it.
fn record_error(error: &RecordError, text: &str) {
    assert!(error.line >= 1 && error.column >= 1, "{error:?}");
    let line = text.split('\n').nth(error.line - 1).unwrap_or_else(|| panic!("{error:?}: no such line"));
    assert!(error.column <= line.chars().count() + 1, "{error:?}");
    assert!(!error.to_string().is_empty());
}
