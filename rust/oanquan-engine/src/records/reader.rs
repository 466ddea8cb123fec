//! Records one after the other.

use std::io::{self, Read};
use std::iter::successors;

use oanquan_core::Record;
use oanquan_core::record::{Fault, Outline, Parser, headers};

use super::input::Input;
use super::{BadRecord, DEFAULT_MOST_BYTES, Error, Place};

/// The most characters that are shown of the line of a fault.
const MOST_SHOWN: usize = 200;

/// So many bytes are gone through again to find other records in what seemed to be one.
const MOST_AGAIN: usize = 256 << 20;

/// What comes next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<T> {
    /// This, which begins there.
    Found(Place, T),
    /// The source would have to be waited for.
    Pending,
    /// Nothing more.
    End,
}

/// The headers of a record, in order.
pub type Headers = Vec<(String, String)>;

/// Reads records, or their headers only, one after the other.
///
/// What is no record is an [`Error::Bad`], after which reading goes on: behind it if its end is known, else at the next line
/// that begins with a `[` after an empty line.
///
/// ```
/// use oanquan_engine::records::{Error, Reader, Step};
/// let text = "[Players \"An\"]\n\n1. a1+ *\n\n[Players \"Bình\"]\n\n1. a1+ b7+ *\n\n[Players \"Chi\"]\n\n1. a2+ *\n";
/// let mut reader = Reader::new(text.as_bytes());
/// let mut players = Vec::new();
/// let mut faults = Vec::new();
/// loop {
///     match reader.record(true) {
///         Ok(Step::Found(place, record)) => players.push((place.line, record.headers[0].1.clone())),
///         Ok(_) => break,
///         Err(Error::Bad(bad)) => faults.push((bad.line, bad.column)),
///         Err(Error::Io(error)) => return Err(error),
///     }
/// }
/// assert_eq!(players, [(1, "An".to_string()), (9, "Chi".to_string())]);
/// assert_eq!(faults, [(7, 8)]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Reader<R> {
    input: Input<R>,
    outline: Outline,
    parser: Parser,
    most_bytes: usize,
    /// Where the next record is looked for in the text.
    at: usize,
    /// How many were found, those that were no records included.
    number: u64,
    mark: Mark,
    /// What has been seen of a text in which the next record is looked for, after a fault.
    lost: Option<Lines>,
    /// Where the last fault was: those of many records may be where the text ends.
    fault: Option<Mark>,
    /// The end of the last text that was no record, and the bytes of all that had that end.
    tried: (usize, usize),
}

/// A byte of the text, and where it is in all that was read.
#[derive(Clone, Copy)]
struct Mark {
    at: usize,
    offset: u64,
    line: u64,
    /// In characters, from 1.
    column: u64,
}

/// What of the lines that are passed over decides whether a record begins.
#[derive(Clone, Copy)]
struct Lines {
    /// At the beginning of a line.
    begins: bool,
    /// Nothing but white space has been seen of the line.
    blank: bool,
    /// The line before was empty.
    follows_blank: bool,
}

/// Where the text of a record is, and whether it is one.
enum Found {
    Text {
        begin: usize,
        end: usize,
    },
    /// Its end cannot be told.
    Bad(Fault),
    Pending,
    End,
}

impl<R: Read> Reader<R> {
    /// Reads from `source`.
    pub const fn new(source: R) -> Self {
        Self {
            input: Input::new(source),
            outline: Outline::new(),
            parser: Parser::new(),
            most_bytes: DEFAULT_MOST_BYTES,
            at: 0,
            number: 0,
            mark: Mark { at: 0, offset: 0, line: 1, column: 1 },
            lost: None,
            fault: None,
            tried: (0, 0),
        }
    }

    /// Takes a record of more bytes than this for none.
    #[must_use]
    pub fn with_most_bytes(mut self, most_bytes: usize) -> Self {
        self.most_bytes = most_bytes;
        self
    }

    /// Counts from this place on: for a source that begins in the midst of others.
    #[must_use]
    pub fn beginning_at(mut self, place: Place) -> Self {
        self.number = place.number.saturating_sub(1);
        self.mark.offset = place.offset;
        self.mark.line = place.line;
        self
    }

    /// The next record. If `wait` is not set, the source is not asked for more, so that this returns at once.
    ///
    /// # Errors
    /// [`Error::Bad`] for what is no record, and [`Error::Io`] for what the source says. Either way reading can go on.
    pub fn record(&mut self, wait: bool) -> Result<Step<Record>, Error> {
        self.next(wait, |parser, text| parser.read(text).map(|(record, _)| record))
    }

    /// The headers of the next record, whose moves are not looked at.
    ///
    /// # Errors
    /// As for [`record`](Self::record).
    ///
    /// ```
    /// use oanquan_engine::records::{Reader, Step};
    /// let mut reader = Reader::new("[Rules \"tonkin\"]\n\n1. a7+ *\n".as_bytes());
    /// let Step::Found(place, headers) = reader.headers(true)? else { panic!() };
    /// assert_eq!((place.offset, headers), (0, vec![("Rules".to_string(), "tonkin".to_string())]));
    /// # Ok::<(), oanquan_engine::records::Error>(())
    /// ```
    pub fn headers(&mut self, wait: bool) -> Result<Step<Headers>, Error> {
        self.next(wait, |_, text| {
            Ok(headers(text)?.into_iter().map(|(key, value)| (key.to_owned(), value.into_owned())).collect())
        })
    }

    /// The place of the next record, of which nothing is looked at but where it ends.
    ///
    /// # Errors
    /// As for [`record`](Self::record).
    pub fn skip(&mut self, wait: bool) -> Result<Step<()>, Error> {
        self.next(wait, |_, _| Ok(()))
    }

    fn next<T>(
        &mut self,
        wait: bool,
        read: impl FnOnce(&mut Parser, &str) -> Result<T, Fault>,
    ) -> Result<Step<T>, Error> {
        let (begin, end) = match self.find(wait)? {
            Found::Text { begin, end } => (begin, end),
            Found::Bad(fault) => {
                // Something may be wrong before, or told better. What is open up to the end is not gone through again, and
                // where bytes are no text the text only seems to end.
                let text = self.input.text();
                let cut = if fault.at == text.len() { self.outline.at() } else { text.len() };
                let ends = cut < text.len() || self.input.wrong().is_some();
                let told = |at| at < cut.min(fault.at) || at == fault.at && !(ends && at == text.len());
                let first = read(&mut self.parser, &text[self.at..cut]).err().map(|first| first.moved(self.at));
                let resume = fault.resume;
                return Err(self.lose(&first.filter(|first| told(first.at)).unwrap_or(fault), resume));
            }
            Found::Pending => return Ok(Step::Pending),
            Found::End => return Ok(Step::End),
        };
        let place = self.place(begin);
        self.number += 1;
        self.at = end;
        match read(&mut self.parser, &self.input.text()[begin..end]) {
            Ok(found) => Ok(Step::Found(place, found)),
            Err(fault) => {
                let bad = self.bad(place, begin, &fault);
                // What is wrong may be that it goes on into the next one: by a comment that does not close, or by
                // headers without moves.
                self.at = self.inside(begin, begin + fault.resume, end).unwrap_or(end);
                Err(Error::Bad(bad.into()))
            }
        }
    }

    /// Where in what was no record another one may begin: the first place, or the last if much was gone through in vain.
    fn inside(&mut self, begin: usize, resume: usize, end: usize) -> Option<usize> {
        let before = if self.tried.0 == end { self.tried.1 } else { 0 };
        self.tried = (end, before.saturating_add(end - begin));
        let text = &self.input.text().as_bytes()[resume..end];
        let after = |from: usize| Lines::INSIDE.find(&text[from..]).1.map(|found| from + found);
        let mut places = successors(after(0), |found| after(found + 1));
        let found = if self.tried.1 > MOST_AGAIN { places.last() } else { places.next() };
        found.map(|found| resume + found)
    }

    /// The text of the next record.
    fn find(&mut self, wait: bool) -> io::Result<Found> {
        loop {
            if self.lost.is_some() && !self.find_again(wait)? {
                return Ok(if self.input.needs_source() { Found::Pending } else { Found::End });
            }
            let text = &self.input.text()[self.at..];
            self.at += text.len() - text.trim_start().len();
            if self.at < self.input.text().len() || self.input.wrong().is_some() {
                break;
            }
            if !self.fill(wait)? {
                return Ok(if self.input.needs_source() { Found::Pending } else { Found::End });
            }
        }
        self.outline.begin(self.at);
        loop {
            let begin = self.at;
            match self.outline.follow(self.input.text(), self.input.more()) {
                Ok(Some(end)) if end - begin <= self.most_bytes => return Ok(Found::Text { begin, end }),
                Ok(Some(_)) => return Ok(Found::Bad(self.too_long())),
                Ok(None) if self.input.text().len() - begin > self.most_bytes => {
                    return Ok(Found::Bad(self.too_long()));
                }
                Ok(None) if self.input.needs_source() => {
                    if !self.fill(wait)? && self.input.needs_source() {
                        return Ok(Found::Pending);
                    }
                }
                Ok(None) => {
                    let byte = self.input.wrong().unwrap_or_default();
                    let message = format!("expected UTF-8, got the byte {byte:#04x}");
                    return Ok(Found::Bad(self.outline.fault(self.input.text().len(), message)));
                }
                Err(fault) => return Ok(Found::Bad(fault)),
            }
        }
    }

    fn too_long(&self) -> Fault {
        let message = format!("expected a record of at most {} bytes, got a longer one", self.most_bytes);
        self.outline.fault(self.at, message)
    }

    /// The error of a record whose end is not known. The next one is looked for from that byte on.
    fn lose(&mut self, fault: &Fault, resume: usize) -> Error {
        let (place, begin) = (self.place(self.at), self.at);
        self.number += 1;
        self.lost = Some(if resume > begin { Lines::AFTER_HEADERS } else { Lines::INSIDE });
        let bad = self.bad(place, begin, &Fault { at: fault.at - begin, ..fault.clone() });
        self.at = begin.max(resume);
        Error::Bad(bad.into())
    }

    /// Passes over what is no record. Whether the beginning of one was found.
    fn find_again(&mut self, wait: bool) -> io::Result<bool> {
        while let Some(lines) = self.lost {
            let (lines, found) = lines.find(&self.input.text().as_bytes()[self.at..]);
            if let Some(found) = found {
                self.at += found;
                self.lost = None;
                return Ok(true);
            }
            self.at = self.input.text().len();
            self.lost = Some(lines);
            if self.input.wrong().is_some() {
                self.drop_front();
                self.mark.offset += self.input.pass() as u64;
                self.lost = Some(Lines { begins: false, blank: false, ..lines });
            } else if !self.fill(wait)? {
                break;
            }
        }
        Ok(false)
    }

    /// Reads on, if the source may be waited for. Whether anything came.
    fn fill(&mut self, wait: bool) -> io::Result<bool> {
        if !wait {
            return Ok(false);
        }
        self.drop_front();
        self.input.fill()
    }

    /// Forgets what stands before the record that is read.
    fn drop_front(&mut self) {
        let _ = self.place(self.at);
        self.input.remove(self.at);
        self.outline.removed(self.at);
        (self.at, self.mark.at) = (0, 0);
        (self.fault, self.tried) = (None, (0, 0));
    }

    /// Where a byte of the text is, which lies at or behind the one asked for before.
    fn place(&mut self, at: usize) -> Place {
        let passed = &self.input.text()[self.mark.at..at];
        let lines = passed.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let last = passed.rsplit('\n').next().unwrap_or(passed).chars().count() as u64;
        self.mark.column = if lines == 0 { self.mark.column + last } else { last + 1 };
        self.mark.line += lines;
        self.mark.offset += passed.len() as u64;
        self.mark.at = at;
        Place { number: self.number + 1, offset: self.mark.offset, line: self.mark.line }
    }

    /// What is told of a fault in the record that begins at `begin`, which was the last place asked for.
    fn bad(&mut self, place: Place, begin: usize, fault: &Fault) -> BadRecord {
        let text = &self.input.text()[begin..];
        let at = begin + fault.at;
        let known = self.fault.filter(|known| known.at == at);
        let Mark { line, column, .. } = known.unwrap_or_else(|| {
            let (line, column) = Fault { further: 0, ..fault.clone() }.place(text);
            let before = if line == 1 { self.mark.column - 1 } else { 0 };
            Mark { at, offset: 0, line: place.line + line as u64 - 1, column: column as u64 + before }
        });
        self.fault = Some(Mark { at, offset: 0, line, column });
        let shown = text[..fault.at].rsplit('\n').next().unwrap_or_default();
        BadRecord {
            place,
            line,
            column: column + fault.further as u64,
            message: fault.message.clone(),
            text: shown.chars().take(MOST_SHOWN).collect(),
        }
    }
}

impl Lines {
    /// In the midst of a line that is not empty.
    const INSIDE: Self = Self { begins: false, blank: false, follows_blank: false };
    /// Where movetext begins: what is passed over may begin with a record.
    const AFTER_HEADERS: Self = Self { begins: true, blank: true, follows_blank: true };

    /// Where a line begins with a `[` after an empty one, and what has been seen if none does.
    fn find(mut self, text: &[u8]) -> (Self, Option<usize>) {
        for (at, &byte) in text.iter().enumerate() {
            if byte == b'[' && self.begins && self.follows_blank {
                return (self, Some(at));
            }
            if byte == b'\n' {
                self = Self { begins: true, blank: true, follows_blank: self.blank };
            } else {
                self.begins = false;
                self.blank &= byte.is_ascii_whitespace();
            }
        }
        (self, None)
    }
}
