//! Where answers go: whole lines from any thread, flushed at once, until they cannot be written any more.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The longest message of an error, in characters.
const MOST_CHARACTERS: usize = 600;

/// A writer that threads share.
pub(crate) struct Output<W> {
    inner: Mutex<Inner<W>>,
    closed: AtomicBool,
}

struct Inner<W> {
    writer: W,
    fault: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(crate) const fn new(writer: W) -> Self {
        Self { inner: Mutex::new(Inner { writer, fault: None }), closed: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<W>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the text, whole lines, and flushes. After a fault nothing is written any more.
    pub(crate) fn write(&self, text: &str) {
        let mut inner = self.lock();
        if inner.fault.is_none() {
            let written = inner.writer.write_all(text.as_bytes()).and_then(|()| inner.writer.flush());
            if let Err(error) = written {
                inner.fault = Some(error);
                self.closed.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Why nothing can be written any more, if so.
    pub(crate) fn fault(&self) -> io::Result<()> {
        match self.lock().fault.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// A message as one line of printable text, cut where it is too long to read.
pub(crate) fn one_line(message: &str) -> String {
    let mut line = String::new();
    for (place, char) in message.chars().enumerate() {
        if place == MOST_CHARACTERS {
            line.push('…');
            break;
        }
        match char {
            char if char.is_control() => line.extend(char.escape_debug()),
            char => line.push(char),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            if self.0 > 1 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nothing_is_written_after_a_fault() {
        let output = Output::new(Full(0));
        output.write("a\n");
        assert!(!output.is_closed() && output.fault().is_ok());
        output.write("b\n");
        output.write("c\n");
        assert!(output.is_closed());
        assert_eq!(output.lock().writer.0, 2);
        assert_eq!(output.fault().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn messages_are_one_line() {
        assert_eq!(one_line("a\nb\0c\u{85}d"), "a\\nb\\0c\\u{85}d");
        assert_eq!(one_line(&"ô".repeat(10_000)).chars().count(), MOST_CHARACTERS + 1);
    }
}
