//! Records as values of their texts.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::outline::{Placed, placed_headers};
use super::tokens::{Piece, Tokens, unescaped};
use super::{Fault, Record, results};
use crate::game::{DEFAULT_MAX_PLIES, DEFAULT_REPETITION};
use crate::scan::{Number, Scanner};
use crate::{Game, Move, NotationError, ParseError, Position, Rules, Side};

/// So many different rules are remembered.
const REMEMBERED: usize = 16;

/// Reads records, and remembers the rules that it read: those of many records are the same.
///
/// ```
/// use oanquan_core::record::Parser;
/// let mut parser = Parser::new();
/// let text = "[Rules \"quan-non\"]\n\n1. a1+ *\n\n[Rules \"quan-non\"]\n\n1. a2+ b1- *\n";
/// let (first, end) = parser.read(text)?;
/// let (second, _) = parser.read(&text[end..])?;
/// assert_eq!((first.game.moves().len(), second.game.moves().len()), (1, 2));
/// # Ok::<(), oanquan_core::record::Fault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    rules: Vec<(String, Rules)>,
    default: Option<Rules>,
}

impl Parser {
    /// One that has read nothing.
    pub const fn new() -> Self {
        Self { rules: Vec::new(), default: None }
    }

    /// Reads the record that a text begins with. Also returns where its end is.
    ///
    /// # Errors
    /// [`Fault`] where the text is not of the form, a move is not legal, or a header contradicts the moves.
    pub fn read(&mut self, text: &str) -> Result<(Record, usize), Fault> {
        let (headers, movetext) = placed_headers(text)?;
        let read = self.game(&headers).and_then(|game| movetext_of(Record::new(game), text, movetext, &headers));
        read.map_err(|fault| Fault { resume: movetext, ..fault })
    }

    fn rules(&mut self, headers: &[Placed<'_>]) -> Result<Rules, Fault> {
        let Some((text, at)) = value_of(headers, "Rules") else {
            return Ok(*self.default.get_or_insert_with(Rules::default));
        };
        if let Some((_, rules)) = self.rules.iter().find(|(known, _)| known == text) {
            return Ok(*rules);
        }
        let rules = Rules::parse(text).map_err(|error| Fault::new(at, error.to_string()))?;
        if self.rules.len() == REMEMBERED {
            self.rules.remove(0);
        }
        self.rules.push((text.to_string(), rules));
        Ok(rules)
    }

    /// The empty game that the headers say.
    fn game(&mut self, headers: &[Placed<'_>]) -> Result<Game, Fault> {
        let rules = self.rules(headers)?;
        let start = match value_of(headers, "Position") {
            None => Position::start(rules),
            Some((text, at)) => Position::parse(text, rules).map_err(|error| match error {
                ParseError::Notation(error) => fault_in(at, &error),
                ParseError::Position(error) => Fault::new(at, error.to_string()),
            })?,
        };
        let max_plies = limit(headers, "MaxPlies", Number::Natural, DEFAULT_MAX_PLIES)?;
        let repetition = limit(headers, "Repetition", Number::Positive, DEFAULT_REPETITION)?;
        Ok(Game::with_limits(start, max_plies, repetition))
    }
}

/// A limit of a game: what the header of that key says.
fn limit(headers: &[Placed<'_>], key: &str, kind: Number, default: u32) -> Result<Option<u32>, Fault> {
    let Some((text, at)) = value_of(headers, key) else { return Ok(Some(default)) };
    if text == "off" {
        return Ok(None);
    }
    let mut scanner = Scanner::new(text);
    let number = scanner.number(kind).and_then(|number| scanner.end().map(|()| number));
    let number = number.map_err(|error| fault_in(at, &error))?;
    let most = u32::MAX;
    let limit = u32::try_from(number).map(Some);
    limit.map_err(|_| Fault::new(at, format!("{key}: expected at most {most}, got {number}")))
}

fn value_of<'a>(headers: &'a [Placed<'_>], key: &str) -> Option<(&'a str, usize)> {
    headers.iter().find(|(name, ..)| *name == key).map(|(_, value, at)| (&**value, *at))
}

/// A fault in a word or a value that begins there.
fn fault_in(at: usize, error: &NotationError) -> Fault {
    let message = format!("expected {}, got {}", error.expected, error.got());
    Fault { further: error.column - 1, ..Fault::new(at, message) }
}

/// Numbered moves and comments up to the result. Returns the whole record, and where its end is.
fn movetext_of(
    mut record: Record,
    text: &str,
    movetext: usize,
    headers: &[Placed<'_>],
) -> Result<(Record, usize), Fault> {
    let mut tokens = Tokens::new(text, movetext);
    let sides = usize::from(record.game.start().rules().sides);
    loop {
        let (word, at) = match tokens.piece()? {
            (Piece::Comment(comment), _) => {
                record.comments.push((record.game.moves().len(), unescaped(comment).into_owned()));
                continue;
            }
            (Piece::Word(word), at) => (word, at),
        };
        let mv = match plain_move(word) {
            Some(mv) => mv,
            None if word.is_empty() => {
                let results = results(sides).join(", ");
                return Err(tokens.fault(&format!("expected a move or the result: {results}")));
            }
            None if results(sides).contains(&word) => {
                close(&mut record, headers, word, at)?;
                return Ok((record, tokens.at()));
            }
            None if word.ends_with('.') => {
                let number = record.game.moves().len() / sides + 1;
                if !says(word, number) {
                    return Err(Fault::new(at, format!("expected the number {number}., got {word:?}")));
                }
                continue;
            }
            None => {
                let turn = record.game.position().turn();
                Move::parse(word, Some(turn)).map_err(|error| fault_in(at, &error))?
            }
        };
        record.game.push(mv).map_err(|error| Fault::new(at, error.to_string()))?;
    }
}

/// The move of a word as it is written.
fn plain_move(word: &str) -> Option<Move> {
    let &[side, number, direction] = word.as_bytes() else { return None };
    let side = Side::from_index(usize::from(side.wrapping_sub(b'a')))?;
    let number = number.checked_sub(b'1')?;
    match direction {
        b'+' => Move::from_action(side, number.checked_mul(2)?),
        b'-' => Move::from_action(side, number.checked_mul(2)?.checked_add(1)?),
        _ => None,
    }
}

/// Whether a word is that number with a full stop.
fn says(word: &str, number: usize) -> bool {
    let mut left = number;
    let mut digits = word.bytes().rev().skip(1);
    while left > 0 {
        if digits.next() != Some(b'0' + (left % 10) as u8) {
            return false;
        }
        left /= 10;
    }
    digits.next().is_none()
}

/// Ends a record with its result. What that and the headers say must follow from the moves.
fn close(record: &mut Record, headers: &[Placed<'_>], result: &str, at: usize) -> Result<(), Fault> {
    let outcome = record.game.outcome();
    let wanted = match &outcome {
        Some(outcome) => outcome.result(),
        None => value_of(headers, "Result").map_or(result, |(value, _)| value).to_string(),
    };
    if result != wanted {
        return Err(Fault::new(at, format!("expected the result {wanted}, got {result}")));
    }
    if let Some(outcome) = outcome {
        let said = [
            ("Result", wanted),
            ("Points", outcome.points.to_string()),
            ("Termination", outcome.ending.name().to_string()),
        ];
        for (key, wanted) in said {
            if let Some((value, at)) = value_of(headers, key).filter(|(value, _)| *value != wanted) {
                return Err(Fault::new(at, format!("{key}: expected {wanted}, got {value:?}")));
            }
        }
    }
    let own = headers.iter().filter(|(key, ..)| *key != "Result" && record.is_own(key));
    record.headers = own.map(|(key, value, _)| (String::from(*key), String::from(&**value))).collect();
    // What closes the game is the same as the header; `*` says nothing.
    if !record.game.is_over() && result != "*" {
        record.headers.push((String::from("Result"), String::from(result)));
    }
    Ok(())
}
