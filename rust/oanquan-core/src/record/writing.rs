//! Records as texts.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use super::{is_key, is_own, result_of};
use crate::game::{DEFAULT_MAX_PLIES, DEFAULT_REPETITION};
use crate::{Game, Move, Position};

/// The width that movetext is wrapped at.
const WIDTH: usize = 80;

/// What a record is written of, where the parts are not in one [`Record`](super::Record).
///
/// ```
/// use oanquan_core::record::Parts;
/// use oanquan_core::{Game, Position, Rules};
/// let game = Game::new(Position::start(Rules::default()));
/// let players = [("Players", "An / Binh")];
/// let mut text = String::new();
/// Parts { game: &game, headers: &players, comments: &[(0, "at dawn")] }.write(&mut text);
/// assert_eq!(text, "[Rules \"mancala-world\"]\n[Players \"An / Binh\"]\n[Result \"*\"]\n\n{at dawn} *\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a, T = String> {
    /// The game.
    pub game: &'a Game,
    /// As in [`Record::headers`](super::Record::headers).
    pub headers: &'a [(T, T)],
    /// As in [`Record::comments`](super::Record::comments).
    pub comments: &'a [(usize, T)],
}

impl<T: AsRef<str>> Parts<'_, T> {
    /// Adds the record to a text.
    pub fn write(&self, text: &mut String) {
        self.write_opening_headers(text);
        for (key, value) in self.headers {
            let (key, value) = (key.as_ref(), value.as_ref());
            if key != "Result" && is_key(key) && is_own(key, self.game.is_over()) {
                write_header(text, key, value);
            }
        }
        let result = result_of(self.game, self.headers);
        self.write_closing_headers(text, result);
        text.push('\n');
        self.write_movetext(text, result);
        text.push('\n');
    }

    /// How the game was set up: the headers that stand before the record's own.
    fn write_opening_headers(&self, text: &mut String) {
        let start = self.game.start();
        write_header(text, "Rules", &start.rules().to_string());
        // The ply is part of the text, but not always of the position.
        if *start != Position::start(*start.rules()) || start.ply() != 0 {
            write_header(text, "Position", &start.to_string());
        }
        let limits = [
            ("MaxPlies", self.game.max_plies(), DEFAULT_MAX_PLIES),
            ("Repetition", self.game.repetition(), DEFAULT_REPETITION),
        ];
        for (key, limit, default) in limits {
            match limit {
                None => write_header(text, key, "off"),
                Some(limit) if limit != default => write_header(text, key, &limit.to_string()),
                Some(_) => {}
            }
        }
    }

    /// How the game came out: the headers that stand after the record's own.
    fn write_closing_headers(&self, text: &mut String, result: &str) {
        write_header(text, "Result", result);
        if let Some(outcome) = self.game.outcome() {
            write_header(text, "Points", &outcome.points.to_string());
            write_header(text, "Termination", outcome.ending.name());
        }
    }

    fn write_movetext(&self, text: &mut String, result: &str) {
        let sides = usize::from(self.game.start().rules().sides);
        let mut comments: Vec<_> = self.comments.iter().map(|(before, comment)| (*before, comment.as_ref())).collect();
        comments.sort_by_key(|(before, _)| *before);
        let mut comments = comments.into_iter().peekable();
        let mut lines = Lines { text, column: 0 };
        for plies in 0..=self.game.moves().len() {
            while let Some((_, comment)) = comments.next_if(|(before, _)| *before <= plies) {
                let comment = escaped(comment, '}');
                lines.begin_word(comment.chars().count() + 2);
                lines.text.push('{');
                lines.text.push_str(&comment);
                lines.text.push('}');
            }
            let Some(&mv) = self.game.moves().get(plies) else { break };
            if plies % sides == 0 {
                let number = plies / sides + 1;
                lines.begin_word(number.ilog10() as usize + 2);
                // Writing to a string never fails.
                _ = write!(lines.text, "{number}.");
            }
            lines.begin_word(3);
            write_move(lines.text, mv);
        }
        lines.begin_word(result.len());
        text.push_str(result);
    }
}

/// Words in lines.
struct Lines<'a> {
    text: &'a mut String,
    column: usize,
}

impl Lines<'_> {
    /// Puts what must stand before a word of so many characters.
    fn begin_word(&mut self, length: usize) {
        if self.column == 0 {
            self.column = length;
        } else if self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = length;
        } else {
            self.text.push(' ');
            self.column += length + 1;
        }
    }
}

fn write_move(text: &mut String, mv: Move) {
    text.push(mv.side().letter());
    text.push(char::from(b'0' + mv.number()));
    text.push(mv.direction().sign());
}

fn write_header(text: &mut String, key: &str, value: &str) {
    text.push('[');
    text.push_str(key);
    text.push_str(" \"");
    text.push_str(&escaped(value, '"'));
    text.push_str("\"]\n");
}

/// Text that `end` closes, with backslashes where it needs them.
fn escaped(text: &str, end: char) -> Cow<'_, str> {
    if text.contains(['\\', end]) {
        let mut with = String::with_capacity(text.len() + 2);
        for c in text.chars() {
            if c == '\\' || c == end {
                with.push('\\');
            }
            with.push(c);
        }
        return Cow::Owned(with);
    }
    Cow::Borrowed(text)
}
