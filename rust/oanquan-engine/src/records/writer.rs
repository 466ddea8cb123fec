//! Records one after the other, with an empty line behind each.

use std::io::{self, Write};

use oanquan_core::record::Parts;

/// So many bytes are gathered before they are handed on.
const CHUNK: usize = 256 << 10;

/// Writes records; what is gathered is handed on by [`flush`](Self::flush), and lost without it.
///
/// ```
/// use oanquan_core::{Record, record::Parts};
/// use oanquan_engine::records::Writer;
/// let record = Record::parse("1. a1+ b2- *").unwrap();
/// let mut writer = Writer::new(Vec::new());
/// for _ in 0..2 {
///     writer.write(&Parts { game: &record.game, headers: &record.headers, comments: &record.comments })?;
/// }
/// let text = writer.flush()?.clone();
/// assert_eq!(text, format!("{record}\n{record}\n").into_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<W> {
    out: W,
    text: String,
}

impl<W: Write> Writer<W> {
    /// Writes to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, text: String::new() }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// What `out` says. Then part of what was written may be there.
    pub fn write<T: AsRef<str>>(&mut self, parts: &Parts<'_, T>) -> io::Result<()> {
        parts.write(&mut self.text);
        self.text.push('\n');
        if self.text.len() >= CHUNK { self.hand_on() } else { Ok(()) }
    }

    /// Hands on what is gathered, and returns where it is written to.
    ///
    /// # Errors
    /// What `out` says.
    pub fn flush(&mut self) -> io::Result<&mut W> {
        self.hand_on()?;
        self.out.flush()?;
        Ok(&mut self.out)
    }

    fn hand_on(&mut self) -> io::Result<()> {
        let written = self.out.write_all(self.text.as_bytes());
        self.text.clear();
        written
    }
}
