//! Sources whose compression is found out.

use std::io::{self, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

/// What every gzip file begins with.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// A source that is decompressed if it is compressed by gzip, which its first two bytes tell. They are read when the first
/// bytes are asked for.
///
/// ```
/// use oanquan_engine::records::Source;
/// use std::io::Read;
/// let mut text = String::new();
/// Source::new("1. a1+ *".as_bytes()).read_to_string(&mut text)?;
/// assert_eq!(text, "1. a1+ *");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Source<R: Read>(State<R>);

/// The bytes that were read to find out, and the rest.
type Whole<R> = io::Chain<Cursor<Vec<u8>>, R>;

enum State<R: Read> {
    /// The bytes read so far.
    Unknown(R, Vec<u8>),
    Plain(Whole<R>),
    Gzip(Box<MultiGzDecoder<BufReader<Whole<R>>>>),
    /// While one of the others becomes another.
    Taken,
}

impl<R: Read> Source<R> {
    /// What `inner` gives, decompressed.
    pub const fn new(inner: R) -> Self {
        Self(State::Unknown(inner, Vec::new()))
    }

    /// Reads the first bytes, however few come at a time.
    fn find_out(&mut self) -> io::Result<()> {
        while let State::Unknown(inner, read) = &mut self.0 {
            let mut byte = [0; 1];
            let enough = read.len() == GZIP.len() || !GZIP.starts_with(read);
            if !enough && inner.read(&mut byte)? == 1 {
                read.push(byte[0]);
                continue;
            }
            let State::Unknown(inner, read) = std::mem::replace(&mut self.0, State::Taken) else { return Ok(()) };
            let compressed = read == GZIP;
            let whole = Cursor::new(read).chain(inner);
            self.0 = if compressed {
                State::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(64 << 10, whole))))
            } else {
                State::Plain(whole)
            };
        }
        Ok(())
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.find_out()?;
        match &mut self.0 {
            State::Plain(inner) => inner.read(into),
            State::Gzip(inner) => inner.read(into),
            State::Unknown(..) | State::Taken => Ok(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    /// Gives one byte at a time.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = into.len().min(1);
            self.0.read(&mut into[..length])
        }
    }

    #[test]
    fn what_is_compressed_is_found_out() {
        let mut twice = Vec::new();
        for text in ["one, ", "two"] {
            let mut encoder = GzEncoder::new(&mut twice, Compression::fast());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap();
        }
        for (bytes, wanted) in [(&twice[..], "one, two"), (b"plain", "plain"), (b"", ""), (b"\x1F", "\x1F")] {
            let mut text = String::new();
            Source::new(Drops(bytes)).read_to_string(&mut text).unwrap();
            assert_eq!(text, wanted);
        }
    }
}
