//! Games as text, in the shape of PGN, several in a file (rules section 9). The form is described in `docs/notation.md`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::game::{DEFAULT_MAX_PLIES, DEFAULT_REPETITION};
use crate::scan::{Number, Scanner};
use crate::{Game, Move, NotationError, ParseError, Position, Rules};

/// The width that movetext is wrapped at.
const WIDTH: usize = 80;
/// What can close a game of so many sides.
fn results(sides: usize) -> Vec<&'static str> {
    let mut results = Vec::from(["a", "b", "c", "d"]);
    results.truncate(sides);
    results.extend(["draw", "*"]);
    results
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
        let mut reader = Reader::new(text);
        let record = reader.record()?;
        reader.blank();
        if reader.scanner.peek().is_some() { Err(reader.error("expected the end after one game")) } else { Ok(record) }
    }

    /// Reads a text that holds any number of games.
    ///
    /// # Errors
    /// [`RecordError`] of the first game that cannot be read.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, RecordError> {
        let mut reader = Reader::new(text);
        let mut records = Vec::new();
        loop {
            reader.blank();
            if reader.scanner.peek().is_none() {
                return Ok(records);
            }
            records.push(reader.record()?);
        }
    }

    /// A header's value.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// `a` to `d`, `draw`, or `*`: how the game came out, or what the header `Result` says of one that is not over.
    pub fn result(&self) -> String {
        if let Some(outcome) = self.game.outcome() {
            return outcome.result();
        }
        let results = results(self.game.start().rules().sides.into());
        self.header("Result").filter(|result| results.contains(result)).unwrap_or("*").to_string()
    }

    /// The headers that stand before the record's own: how the game was set up.
    fn opening_headers(&self) -> Vec<(&'static str, String)> {
        let limit = |limit: Option<u32>| limit.map_or_else(|| String::from("off"), |n| n.to_string());
        let start = self.game.start();
        let mut headers = Vec::from([("Rules", start.rules().to_string())]);
        if start.to_string() != Position::start(*start.rules()).to_string() {
            headers.push(("Position", start.to_string()));
        }
        if self.game.max_plies() != Some(DEFAULT_MAX_PLIES) {
            headers.push(("MaxPlies", limit(self.game.max_plies())));
        }
        if self.game.repetition() != Some(DEFAULT_REPETITION) {
            headers.push(("Repetition", limit(self.game.repetition())));
        }
        headers
    }

    /// The headers that stand after the record's own: how the game came out.
    fn closing_headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = Vec::from([("Result", self.result())]);
        if let Some(outcome) = self.game.outcome() {
            headers.push(("Points", outcome.points.to_string()));
            headers.push(("Termination", outcome.ending.name().to_string()));
        }
        headers
    }

    /// Whether a header of that key is the record's own, not one that follows from the game.
    fn is_own(&self, key: &str) -> bool {
        match key {
            "Result" | "Points" | "Termination" => !self.game.is_over(),
            "Rules" | "Position" | "MaxPlies" | "Repetition" => false,
            _ => true,
        }
    }
}

/// Whether a key can stand in a header.
fn is_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn write_header(f: &mut fmt::Formatter<'_>, key: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{key} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in &self.opening_headers() {
            write_header(f, key, value)?;
        }
        for (key, value) in self.headers.iter().filter(|(key, _)| is_key(key) && key != "Result" && self.is_own(key)) {
            write_header(f, key, value)?;
        }
        for (key, value) in &self.closing_headers() {
            write_header(f, key, value)?;
        }
        writeln!(f)?;
        let sides = usize::from(self.game.start().rules().sides);
        let mut column = 0;
        let mut word = |f: &mut fmt::Formatter<'_>, word: &str| {
            let length = word.chars().count();
            let separator = match column {
                0 => "",
                _ if column + 1 + length > WIDTH => {
                    column = 0;
                    "\n"
                }
                _ => " ",
            };
            column += length + usize::from(separator == " ");
            write!(f, "{separator}{word}")
        };
        for plies in 0..=self.game.moves().len() {
            for (_, comment) in self.comments.iter().filter(|(before, _)| *before == plies) {
                word(f, &format!("{{{}}}", comment.replace('\\', "\\\\").replace('}', "\\}")))?;
            }
            let Some(mv) = self.game.moves().get(plies) else { break };
            if plies % sides == 0 {
                word(f, &format!("{}.", plies / sides + 1))?;
            }
            word(f, &mv.to_string())?;
        }
        word(f, &self.result())?;
        writeln!(f)
    }
}

/// Reads records, and knows the line.
struct Reader<'a> {
    scanner: Scanner<'a>,
    line: usize,
    /// The column of the whole text at which the line begins.
    line_start: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { scanner: Scanner::new(text), line: 1, line_start: 0 }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.scanner.next();
        if next == Some('\n') {
            self.line += 1;
            self.line_start = self.scanner.column() - 1;
        }
        next
    }

    /// Steps over white space.
    fn blank(&mut self) {
        while self.scanner.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn place(&self) -> (usize, usize) {
        (self.line, self.scanner.column() - self.line_start)
    }

    fn error(&self, message: &str) -> RecordError {
        let got = self.scanner.peek().map_or_else(|| String::from("the end"), |c| format!("{:?}", String::from(c)));
        Self::error_at(self.place(), format!("{message}, got {got}"))
    }

    fn error_at((line, column): (usize, usize), message: String) -> RecordError {
        RecordError { line, column, message }
    }

    /// An error in a word or a value that begins at that place, where it stands in the record.
    fn error_in((line, column): (usize, usize), error: &NotationError) -> RecordError {
        let message = format!("expected {}, got {}", error.expected, error.got());
        Self::error_at((line, column + error.column - 1), message)
    }

    fn expect(&mut self, wanted: char, what: &str) -> Result<(), RecordError> {
        if self.scanner.peek() == Some(wanted) {
            self.next();
            return Ok(());
        }
        Err(self.error(what))
    }

    /// Text up to `end`, in which a backslash takes the next character as it is.
    fn quoted(&mut self, end: char) -> Result<String, RecordError> {
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(self.error(&format!("expected a closing {end:?}"))),
                Some(c) if c == end => return Ok(text),
                Some('\\') => match self.next() {
                    None => return Err(self.error("expected a character after the backslash")),
                    Some(c) => text.push(c),
                },
                Some(c) => text.push(c),
            }
        }
    }

    /// `[Key "value"]`, and the place where the value begins.
    fn header(&mut self) -> Result<(String, String, (usize, usize)), RecordError> {
        self.expect('[', "expected \"[\"")?;
        let mut key = String::new();
        while let Some(c) = self.scanner.peek().filter(|c| c.is_ascii_alphanumeric() || *c == '_') {
            key.push(c);
            self.next();
        }
        if key.is_empty() {
            return Err(self.error("expected the key of a header"));
        }
        self.expect(' ', "expected a space after the key")?;
        self.expect('"', "expected the value in double quotes")?;
        let place = self.place();
        let value = self.quoted('"')?;
        self.expect(']', "expected \"]\"")?;
        Ok((key, value, place))
    }

    fn record(&mut self) -> Result<Record, RecordError> {
        self.blank();
        let mut headers: Vec<(String, String, (usize, usize))> = Vec::new();
        while self.scanner.peek() == Some('[') {
            let place = self.place();
            let header = self.header()?;
            if headers.iter().any(|(name, ..)| *name == header.0) {
                return Err(Self::error_at(place, format!("expected each header once, got {} again", header.0)));
            }
            headers.push(header);
            self.blank();
        }
        let mut record = Record::new(game_of(&headers)?);
        let (result, place) = self.movetext(&mut record)?;
        check(&record, &headers, &result, place)?;
        let own = headers.into_iter().map(|(key, value, _)| (key, value)).filter(|(key, _)| record.is_own(key));
        record.headers = own.filter(|(key, _)| key != "Result").collect();
        // What closes the game is the same as the header; `*` says nothing.
        if !record.game.is_over() && result != "*" {
            record.headers.push((String::from("Result"), result));
        }
        Ok(record)
    }

    /// Numbered moves and comments up to the result, which is returned with its place.
    fn movetext(&mut self, record: &mut Record) -> Result<(String, (usize, usize)), RecordError> {
        loop {
            self.blank();
            let place = self.place();
            if self.scanner.peek() == Some('{') {
                self.next();
                let comment = self.quoted('}')?;
                record.comments.push((record.game.moves().len(), comment));
                continue;
            }
            let mut word = String::new();
            while let Some(c) = self.scanner.peek().filter(|c| !c.is_whitespace() && !matches!(c, '{' | '[')) {
                word.push(c);
                self.next();
            }
            let sides = usize::from(record.game.start().rules().sides);
            let number = record.game.moves().len() / sides + 1;
            let results = results(sides);
            match word.as_str() {
                "" => return Err(self.error(&format!("expected a move or the result: {}", results.join(", ")))),
                result if results.contains(&result) => return Ok((word, place)),
                _ if word.ends_with('.') => {
                    if word != format!("{number}.") {
                        return Err(Self::error_at(place, format!("expected the number {number}., got {word:?}")));
                    }
                }
                _ => {
                    let turn = record.game.position().turn();
                    let mv = Move::parse(&word, Some(turn)).map_err(|error| Self::error_in(place, &error))?;
                    record.game.push(mv).map_err(|error| Self::error_at(place, error.to_string()))?;
                }
            }
        }
    }
}

type Headers = [(String, String, (usize, usize))];

fn value_of<'a>(headers: &'a Headers, key: &str) -> Option<(&'a str, (usize, usize))> {
    headers.iter().find(|(name, ..)| name == key).map(|(_, value, place)| (value.as_str(), *place))
}

/// The empty game that the headers say.
fn game_of(headers: &Headers) -> Result<Game, RecordError> {
    let rules = match value_of(headers, "Rules") {
        None => Rules::default(),
        Some((text, place)) => Rules::parse(text).map_err(|error| Reader::error_at(place, error.to_string()))?,
    };
    let start = match value_of(headers, "Position") {
        None => Position::start(rules),
        Some((text, place)) => Position::parse(text, rules).map_err(|error| match error {
            ParseError::Notation(error) => Reader::error_in(place, &error),
            ParseError::Position(error) => Reader::error_at(place, error.to_string()),
        })?,
    };
    let limit = |key: &str, kind, default| match value_of(headers, key) {
        None => Ok(Some(default)),
        Some(("off", _)) => Ok(None),
        Some((text, place)) => {
            let mut scanner = Scanner::new(text);
            let number = scanner.number(kind).and_then(|number| scanner.end().map(|()| number));
            let number = number.map_err(|error| Reader::error_in(place, &error))?;
            let most = u32::MAX;
            let limit = u32::try_from(number);
            limit
                .map(Some)
                .map_err(|_| Reader::error_at(place, format!("{key}: expected at most {most}, got {number}")))
        }
    };
    let max_plies = limit("MaxPlies", Number::Natural, DEFAULT_MAX_PLIES)?;
    let repetition = limit("Repetition", Number::Positive, DEFAULT_REPETITION)?;
    Ok(Game::with_limits(start, max_plies, repetition))
}

/// What the headers and the closing result say must follow from the moves.
fn check(record: &Record, headers: &Headers, result: &str, place: (usize, usize)) -> Result<(), RecordError> {
    let outcome = record.game.outcome();
    let wanted = match &outcome {
        Some(outcome) => outcome.result(),
        None => value_of(headers, "Result").map_or(result, |(value, _)| value).to_string(),
    };
    if result != wanted {
        return Err(Reader::error_at(place, format!("expected the result {wanted}, got {result}")));
    }
    let Some(outcome) = outcome else { return Ok(()) };
    let said = [
        ("Result", wanted),
        ("Points", outcome.points.to_string()),
        ("Termination", outcome.ending.name().to_string()),
    ];
    for (key, wanted) in said {
        if let Some((value, place)) = value_of(headers, key).filter(|(value, _)| *value != wanted) {
            return Err(Reader::error_at(place, format!("{key}: expected {wanted}, got {value:?}")));
        }
    }
    Ok(())
}
