//! Games as text, in the shape of PGN, several in a file (rules section 9). The form is described in `docs/notation.md`.
//!
//! [`Record`] reads and writes texts that are there whole. For texts of any size, read piece by piece, there are
//! [`Outline`], which finds where a record ends, [`headers`], which reads nothing else, and [`Parser`].

mod outline;
mod reading;
mod tokens;
mod writing;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

pub use outline::{Outline, headers};
pub use reading::Parser;
pub use writing::Parts;

use crate::Game;

/// What can close a game of any number of sides.
const RESULTS: [&str; 6] = ["a", "b", "c", "d", "draw", "*"];

/// What can close a game of so many sides.
const fn results(sides: usize) -> &'static [&'static str] {
    match sides {
        2 => &["a", "b", "draw", "*"],
        3 => &["a", "b", "c", "draw", "*"],
        _ => &RESULTS,
    }
}

/// A game with what is told about it.
///
/// ```
/// use oanquan_core::Record;
/// let text = "[Rules \"quan-non\"]\n[Players \"An / Binh\"]\n[Result \"*\"]\n\n1. a1+ b2- {a comment} 2. a3- *\n";
/// let record = Record::parse(text)?;
/// assert_eq!(record.game.moves().len(), 3);
/// assert_eq!(record.comments, [(2, "a comment".to_string())]);
/// assert_eq!(record.to_string(), text);
/// # Ok::<(), oanquan_core::RecordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// Headers that do not follow from the game, in order: `Players`, `Result` of a game that was broken off, and any.
    pub headers: Vec<(String, String)>,
    /// Comments, each with the number of moves before it.
    pub comments: Vec<(usize, String)>,
    /// The game.
    pub game: Game,
}

/// A text that is no record of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What was expected and what stands there.
    pub message: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl core::error::Error for RecordError {}

/// Where and why a text is no record, by its bytes: [`RecordError`] says the same for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The byte at which it stands, from 0.
    pub at: usize,
    /// So many characters further on: what stands there is read from a word or a value that begins at the byte.
    pub further: usize,
    /// What was expected and what stands there.
    pub message: String,
    /// The first byte at which another record can begin: of headers that are in order none is another record's.
    pub resume: usize,
}

impl Fault {
    const fn new(at: usize, message: String) -> Self {
        Self { at, further: 0, message, resume: 0 }
    }

    /// Its line and its column in that text, both from 1; the column in characters.
    pub fn place(&self, text: &str) -> (usize, usize) {
        let before = &text.as_bytes()[..self.at.min(text.len())];
        let line = before.split(|&byte| byte == b'\n').count();
        let begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        // Of each character one byte is counted.
        let column = before[begin..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        (line, column + self.further)
    }

    /// The same fault in a text before which so many bytes stand.
    pub fn moved(self, bytes: usize) -> Self {
        Self { at: self.at + bytes, resume: self.resume + bytes, ..self }
    }

    fn error(self, text: &str) -> RecordError {
        let (line, column) = self.place(text);
        RecordError { line, column, message: self.message }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.message)
    }
}

impl core::error::Error for Fault {}

impl Record {
    /// A record of the game, without headers of its own and without comments.
    pub const fn new(game: Game) -> Self {
        Self { headers: Vec::new(), comments: Vec::new(), game }
    }

    /// Reads a text that holds one game.
    ///
    /// # Errors
    /// [`RecordError`] where the text is not of the form, a move is not legal, or a header contradicts the moves.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let (record, end) = Parser::new().read(text).map_err(|fault| fault.error(text))?;
        let mut tokens = tokens::Tokens::new(text, end);
        if tokens.blank() { Err(tokens.fault("expected the end after one game").error(text)) } else { Ok(record) }
    }

    /// Reads a text that holds any number of games.
    ///
    /// # Errors
    /// [`RecordError`] of the first game that cannot be read.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, RecordError> {
        let (mut parser, mut records) = (Parser::new(), Vec::new());
        let mut tokens = tokens::Tokens::new(text, 0);
        while tokens.blank() {
            let begin = tokens.at();
            let read = parser.read(&text[begin..]);
            let (record, end) = read.map_err(|fault| fault.moved(begin).error(text))?;
            records.push(record);
            tokens = tokens::Tokens::new(text, begin + end);
        }
        Ok(records)
    }

    /// A header's value.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// `a` to `d`, `draw`, or `*`: how the game came out, or what the header `Result` says of one that is not over.
    pub fn result(&self) -> String {
        result_of(&self.game, &self.headers).to_string()
    }

    /// Whether a header of that key is the record's own, not one that follows from the game.
    fn is_own(&self, key: &str) -> bool {
        is_own(key, self.game.is_over())
    }

    /// Its parts, to be written.
    fn parts(&self) -> Parts<'_> {
        Parts { game: &self.game, headers: &self.headers, comments: &self.comments }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.parts().write(&mut text);
        f.write_str(&text)
    }
}

/// How the game came out, or what the header `Result` says of one that is not over.
fn result_of<T: AsRef<str>>(game: &Game, headers: &[(T, T)]) -> &'static str {
    let results = results(game.start().rules().sides.into());
    if let Some(outcome) = game.outcome() {
        return outcome.winner.map_or("draw", |side| RESULTS[side.index()]);
    }
    let said = headers.iter().find(|(key, _)| key.as_ref() == "Result").map_or("*", |(_, value)| value.as_ref());
    results.iter().find(|result| **result == said).unwrap_or(&"*")
}

/// Whether a header of that key is a record's own, not one that follows from the game.
fn is_own(key: &str, is_over: bool) -> bool {
    match key {
        "Result" | "Points" | "Termination" => !is_over,
        "Rules" | "Position" | "MaxPlies" | "Repetition" => false,
        _ => true,
    }
}

/// Whether a key can stand in a header.
fn is_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(tokens::is_key_byte)
}

/// Whether a record of the game can have that header of its own, so that it is written and read back.
///
/// ```
/// use oanquan_core::record::can_say;
/// use oanquan_core::{Game, Position, Rules};
/// let game = Game::new(Position::start(Rules::default()));
/// assert!(can_say(&game, "Players", "An / \"Binh\""));
/// assert!(can_say(&game, "Result", "draw") && !can_say(&game, "Result", "won"));
/// assert!(!can_say(&game, "Rules", "quan-non") && !can_say(&game, "White Player", "An"));
/// ```
pub fn can_say(game: &Game, key: &str, value: &str) -> bool {
    let closes = || value != "*" && results(game.start().rules().sides.into()).contains(&value);
    is_key(key) && is_own(key, game.is_over()) && (key != "Result" || closes())
}
