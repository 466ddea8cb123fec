//! Bytes as text, as they come: a text that grows at its end and is cut at its front.

use std::io::{self, Read};
use std::str;

/// So many bytes are asked for at a time.
const CHUNK: usize = 256 << 10;

/// What is read of a source.
pub(super) struct Input<R> {
    source: R,
    /// Bytes that were read, from `decoded` on not yet text.
    bytes: Vec<u8>,
    decoded: usize,
    /// What is text.
    text: String,
    /// The source has no more.
    ended: bool,
    /// How many bytes stand behind the text that are no UTF-8; 0 if none are known.
    wrong: usize,
}

impl<R: Read> Input<R> {
    pub(super) const fn new(source: R) -> Self {
        Self { source, bytes: Vec::new(), decoded: 0, text: String::new(), ended: false, wrong: 0 }
    }

    /// What is there.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The first of the bytes behind the text, if they are no UTF-8.
    pub(super) fn wrong(&self) -> Option<u8> {
        (self.wrong > 0).then(|| self.bytes[self.decoded])
    }

    /// Whether more may come behind the text.
    pub(super) const fn more(&self) -> bool {
        !self.ended || self.wrong > 0
    }

    /// Whether more can come only from the source.
    pub(super) const fn needs_source(&self) -> bool {
        !self.ended && self.wrong == 0
    }

    /// Removes the front of the text.
    pub(super) fn remove(&mut self, bytes: usize) {
        self.text.drain(..bytes);
    }

    /// Steps over the bytes that are no UTF-8. Returns how many those were.
    pub(super) fn pass(&mut self) -> usize {
        let passed = std::mem::take(&mut self.wrong);
        self.decoded += passed;
        self.decode();
        passed
    }

    /// Reads on. Returns whether anything came; text need not have.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        if !self.needs_source() {
            return Ok(false);
        }
        // Left over is at most a part of a character.
        self.bytes.drain(..self.decoded);
        self.decoded = 0;
        let kept = self.bytes.len();
        self.bytes.resize(kept + CHUNK, 0);
        let read = loop {
            match self.source.read(&mut self.bytes[kept..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.bytes.truncate(kept + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        self.decode();
        Ok(!self.ended || self.wrong > 0)
    }

    /// Makes text of what is there.
    fn decode(&mut self) {
        let bytes = &self.bytes[self.decoded..];
        let (valid, wrong) = match str::from_utf8(bytes) {
            Ok(text) => (text, 0),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                // A character that is cut is wrong when nothing follows.
                let cut = if self.ended { rest.len() } else { 0 };
                (str::from_utf8(valid).unwrap_or_default(), error.error_len().unwrap_or(cut))
            }
        };
        self.text.push_str(valid);
        self.decoded += valid.len();
        self.wrong = wrong;
    }
}
