//! A left-to-right reader of short texts that knows its column.

use alloc::string::{String, ToString};

use crate::notation::NotationError;

/// The longest number any text form holds, in digits.
const MAX_DIGITS: usize = 10;

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

    /// The rest of the text, from here.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest.as_str()
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
    pub(crate) fn expect(&mut self, wanted: char, what: &str) -> Result<(), NotationError> {
        if self.take(wanted) { Ok(()) } else { Err(self.error(what)) }
    }

    /// The end of the text must stand here.
    pub(crate) fn end(&self) -> Result<(), NotationError> {
        if self.peek().is_none() { Ok(()) } else { Err(self.error("the end")) }
    }

    /// A number without leading zeros, of at most ten digits.
    pub(crate) fn number(&mut self, what: &str) -> Result<i64, NotationError> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.error(what));
        }
        let word = &self.rest()[..digits];
        if digits > MAX_DIGITS {
            return Err(self.error("a number of at most 10 digits"));
        }
        if digits > 1 && word.starts_with('0') {
            return Err(self.error("a number without leading zeros"));
        }
        for _ in 0..digits {
            self.next();
        }
        Ok(word.bytes().fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
    }

    /// The letters that stand here, without stepping over them.
    pub(crate) fn word(&self) -> &'a str {
        let letters = self.rest().bytes().take_while(|b| b.is_ascii_lowercase() || *b == b'_').count();
        &self.rest()[..letters]
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
