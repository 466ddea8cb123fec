//! The pieces of a record as text: headers, comments, words. What they say is for others.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

use super::Fault;

/// A header as it stands in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header<'a> {
    pub(super) key: &'a str,
    /// With its backslashes.
    pub(super) value: &'a str,
    /// Where the value begins.
    pub(super) value_at: usize,
}

/// What movetext is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece<'a> {
    /// A comment, with its backslashes.
    Comment(&'a str),
    /// A move, a number or a result; empty at the end of the text and before what can be none of them.
    Word(&'a str),
}

/// Steps from piece to piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Where the next piece is looked for.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The byte that stands here.
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over white space. Whether something stands behind it.
    pub(super) fn blank(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match KINDS[usize::from(byte)] {
                Kind::Blank => self.at += 1,
                Kind::Wide => match self.text[self.at..].chars().next() {
                    Some(c) if c.is_whitespace() => self.at += c.len_utf8(),
                    _ => return true,
                },
                _ => return true,
            }
        }
        false
    }

    /// The header that stands here, if one does.
    pub(super) fn header(&mut self) -> Result<Option<Header<'a>>, Fault> {
        self.blank();
        if self.peek() != Some(b'[') {
            return Ok(None);
        }
        self.at += 1;
        let bytes = &self.text.as_bytes()[self.at..];
        let length = bytes.iter().position(|&byte| !is_key_byte(byte)).unwrap_or(bytes.len());
        let key = &self.text[self.at..self.at + length];
        self.at += length;
        if key.is_empty() {
            return Err(self.fault("expected the key of a header"));
        }
        self.expect(b' ', "expected a space after the key")?;
        self.expect(b'"', "expected the value in double quotes")?;
        let value_at = self.at;
        let value = self.quoted('"')?;
        self.expect(b']', "expected \"]\"")?;
        Ok(Some(Header { key, value, value_at }))
    }

    /// The piece that comes next, and where it begins.
    pub(super) fn piece(&mut self) -> Result<(Piece<'a>, usize), Fault> {
        self.blank();
        let begin = self.at;
        if self.peek() == Some(b'{') {
            self.at += 1;
            return Ok((Piece::Comment(self.quoted('}')?), begin));
        }
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match KINDS[usize::from(byte)] {
                Kind::Word => self.at += 1,
                Kind::Wide => match self.text[self.at..].chars().next() {
                    Some(c) if !c.is_whitespace() => self.at += c.len_utf8(),
                    _ => break,
                },
                Kind::Blank | Kind::Open => break,
            }
        }
        Ok((Piece::Word(&self.text[begin..self.at]), begin))
    }

    /// Steps behind a byte that must stand here.
    fn expect(&mut self, wanted: u8, message: &str) -> Result<(), Fault> {
        if self.peek() == Some(wanted) {
            self.at += 1;
            return Ok(());
        }
        Err(self.fault(message))
    }

    /// Text up to `end`, in which a backslash takes the next character as it is.
    fn quoted(&mut self, end: char) -> Result<&'a str, Fault> {
        let begin = self.at;
        let Range { start, end: found } = closing(self.text.as_bytes(), begin, end as u8);
        self.at = start;
        if found > start {
            self.at = found;
            return Ok(&self.text[begin..start]);
        }
        Err(unclosed(self.text, begin, end))
    }

    /// A fault that stands here.
    pub(super) fn fault(&self, message: &str) -> Fault {
        let got = self.text[self.at..].chars().next();
        let got = got.map_or_else(|| String::from("the end"), |c| format!("{:?}", String::from(c)));
        Fault::new(self.at, format!("{message}, got {got}"))
    }
}

/// The fault of quoted text that goes on at `begin` and does not close.
pub(super) fn unclosed(text: &str, begin: usize, end: char) -> Fault {
    let escaped = text[begin..].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
    let message = if escaped {
        String::from("expected a character after the backslash")
    } else {
        format!("expected a closing {end:?}")
    };
    Tokens::new(text, text.len()).fault(&message)
}

/// Where quoted text closes that goes on at `at`: the closing character; an empty range at the end if there is none.
pub(super) fn closing(bytes: &[u8], mut at: usize, end: u8) -> Range<usize> {
    loop {
        let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == end || byte == b'\\'))
        else {
            return bytes.len()..bytes.len();
        };
        at += found;
        if bytes[at] == end {
            return at..at + 1;
        }
        // What a backslash takes may be of several bytes; the others are neither of the two.
        at += 2;
    }
}

/// What quoted text says.
pub(super) fn unescaped(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        text.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    Cow::Owned(text)
}

/// Whether a byte can stand in the key of a header.
pub(super) const fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What a byte is to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Part of it.
    Word,
    /// White space.
    Blank,
    /// What opens a comment or a header.
    Open,
    /// The first byte of a character that is not ASCII.
    Wide,
}

static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Wide; 256];
    let mut byte = 0;
    while byte < 0x80 {
        kinds[byte] = match byte as u8 {
            b'\t'..=b'\r' | b' ' => Kind::Blank,
            b'{' | b'[' => Kind::Open,
            _ => Kind::Word,
        };
        byte += 1;
    }
    kinds
};
