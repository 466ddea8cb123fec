//! Lines of any length and content, read in bounded memory.

use std::io::{self, BufRead, BufReader, Read};

/// The longest line that is read, in bytes.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// What stood between two line feeds.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// The line without its end. Bytes that are not UTF-8 have become U+FFFD.
    Text(String),
    /// A line of so many bytes, which is dropped.
    TooLong(u64),
}

impl Line {
    /// What to say of a line that was dropped.
    pub(crate) fn refused(bytes: u64) -> String {
        format!("expected a line of at most {MOST_BYTES} bytes, got one of {bytes}")
    }
}

/// Reads a stream line by line, as soon as the bytes are there; what stands before the end of the stream is a line too.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, input), line: Vec::new() }
    }

    /// The next line, `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        self.line.clear();
        let mut length = 0_u64;
        loop {
            let read = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read.is_empty() {
                return Ok((length > 0).then(|| self.finish(length)));
            }
            let end = read.iter().position(|&byte| byte == b'\n');
            let part = &read[..end.unwrap_or(read.len())];
            length += part.len() as u64;
            let room = MOST_BYTES - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some(self.finish(length)));
            }
        }
    }

    fn finish(&self, length: u64) -> Line {
        if length > self.line.len() as u64 {
            return Line::TooLong(length);
        }
        let text = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        Line::Text(String::from_utf8_lossy(text).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time, with interruptions.
    struct Slow<'a>(&'a [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let count = self.0.len().min(1);
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn all(input: impl Read) -> Vec<Line> {
        let mut lines = Lines::new(input);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    fn texts(texts: &[&str]) -> Vec<Line> {
        texts.iter().map(|&text| Line::Text(text.into())).collect()
    }

    #[test]
    fn lines_end_in_any_way() {
        for (input, expected) in [
            ("", &[][..]),
            ("\n", &[""]),
            ("a", &["a"]),
            ("a\nb\r\n\r\nc\rd\n", &["a", "b", "", "c\rd"]),
            ("ô ăn\0quan\nx", &["ô ăn\0quan", "x"]),
        ] {
            assert_eq!(all(input.as_bytes()), texts(expected), "{input:?}");
            assert_eq!(all(Slow(input.as_bytes(), false)), texts(expected), "{input:?}");
        }
        assert_eq!(all(&b"\xFFx\n"[..]), texts(&["\u{FFFD}x"]));
    }

    #[test]
    fn a_line_is_dropped_when_it_is_too_long_and_the_next_is_read() {
        let long = |length: usize| [&b"a\n"[..], &vec![b'x'; length], b"\nb"].concat();
        let [first, Line::Text(middle), last] = &all(&long(MOST_BYTES)[..])[..] else { panic!("three lines") };
        assert_eq!((first, middle.len(), last), (&Line::Text("a".into()), MOST_BYTES, &Line::Text("b".into())));
        let lines = all(&long(10 * MOST_BYTES)[..]);
        let expected = [Line::Text("a".into()), Line::TooLong(10 * MOST_BYTES as u64), Line::Text("b".into())];
        assert_eq!(lines, expected);
    }

    #[test]
    fn memory_is_bounded() {
        let mut lines = Lines::new(io::repeat(b'x').take(200 << 20));
        assert_eq!(lines.next().unwrap(), Some(Line::TooLong(200 << 20)));
        assert!(lines.line.capacity() <= 2 * MOST_BYTES);
        assert_eq!(lines.next().unwrap(), None);
    }
}
