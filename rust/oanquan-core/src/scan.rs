//! A left-to-right reader of short texts that knows its column.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Write};

use crate::notation::NotationError;

/// The longest number any text form holds, in digits.
const MAX_DIGITS: usize = 10;

/// Which numbers may stand in a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    /// 0 and up.
    Natural,
    /// 1 and up.
    Positive,
    /// Any; only one below zero has a sign.
    Signed,
}

/// A text in double quotes, escaped as in JSON: the same in every language that reads the message.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\u{8}' => f.write_str("\\b")?,
                '\u{c}' => f.write_str("\\f")?,
                c if c < ' ' => write!(f, "\\u{:04x}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Reads characters one by one; an error names the column (1-based, in characters) where it stands.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    rest: core::str::Chars<'a>,
    column: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, rest: text.chars(), column: 1 }
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.column += usize::from(next.is_some());
        next
    }

    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// Steps over `wanted` if it stands here.
    pub(crate) fn take(&mut self, wanted: char) -> bool {
        let here = self.peek() == Some(wanted);
        if here {
            self.next();
        }
        here
    }

    /// Steps over `wanted`, which must stand here.
    pub(crate) fn expect(&mut self, wanted: char) -> Result<(), NotationError> {
        if self.take(wanted) { Ok(()) } else { Err(self.error(&format!("\"{wanted}\""))) }
    }

    /// Steps over whichever of the words stands here.
    pub(crate) fn take_word<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        let (word, value) = words.iter().find(|(word, _)| self.rest.as_str().starts_with(word))?;
        for _ in word.chars() {
            self.next();
        }
        Some(*value)
    }

    /// The end of the text must stand here.
    pub(crate) fn end(&self) -> Result<(), NotationError> {
        if self.peek().is_none() { Ok(()) } else { Err(self.error("the end")) }
    }

    /// A number of that kind. A fault in it stands where it begins, sign included.
    pub(crate) fn number(&mut self, kind: Number) -> Result<i64, NotationError> {
        let rest = self.rest.as_str();
        let (digits, sign) = match rest.strip_prefix('-') {
            Some(digits) if kind == Number::Signed => (digits, -1),
            _ => (rest, 1),
        };
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        let word = &digits[..count];
        let zero_first = word.starts_with('0') && (count > 1 || sign < 0 || kind == Number::Positive);
        if count == 0 || count > MAX_DIGITS || zero_first {
            return Err(self.error(if kind == Number::Positive { "a number above 0" } else { "a number" }));
        }
        for _ in 0..rest.len() - digits.len() + count {
            self.next();
        }
        Ok(sign * word.bytes().fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
    }

    /// An error that stands here.
    pub(crate) fn error(&self, expected: &str) -> NotationError {
        self.error_at(self.column, expected)
    }

    /// An error that stands at an earlier column.
    pub(crate) fn error_at(&self, column: usize, expected: &str) -> NotationError {
        let got = self.text.chars().nth(column - 1);
        NotationError { expected: expected.to_string(), column, got, text: String::from(self.text) }
    }
}
