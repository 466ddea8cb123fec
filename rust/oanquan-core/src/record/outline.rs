//! Where records begin and end in a text that is still being read, without reading what they say.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::tokens::{Piece, Tokens, closing, unclosed, unescaped};
use super::{Fault, RESULTS};

/// Follows the records of a text that grows while it is read: finds where each of them ends, in one pass.
///
/// ```
/// use oanquan_core::record::Outline;
/// let mut outline = Outline::new();
/// let text = "[Players \"An / Binh\"]\n\n1. a1+ {* and so on} b2- * 1. a3";
/// assert_eq!(outline.follow(&text[..40], true)?, None);
/// let end = outline.follow(text, true)?.unwrap();
/// assert_eq!(&text[end..], " 1. a3");
/// outline.begin(end);
/// assert_eq!(outline.follow(text, true)?, None);
/// assert_eq!(outline.follow(text, false).unwrap_err().message, "expected a move or the result: a, b, c, d, draw, *, got the end");
/// # Ok::<(), oanquan_core::record::Fault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Where the record begins.
    begun: usize,
    /// Behind the last piece that was there whole.
    at: usize,
    /// Where the movetext begins, once it has been reached.
    movetext: Option<usize>,
    /// A comment that begins in here is known not to close in here. So texts in which comments are not closed are still
    /// gone through once, however often reading begins anew.
    unclosed: Range<usize>,
}

impl Outline {
    /// At the beginning of a text.
    pub const fn new() -> Self {
        Self { begun: 0, at: 0, movetext: None, unclosed: 0..0 }
    }

    /// Begins with another record, at that byte of the text.
    pub const fn begin(&mut self, at: usize) {
        self.begun = at;
        self.at = at;
        self.movetext = None;
    }

    /// Where the first piece begins that is not known to be whole and of the form.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Takes notice that so many bytes were removed from the front of the text.
    pub const fn removed(&mut self, bytes: usize) {
        self.begun = self.begun.saturating_sub(bytes);
        self.at = self.at.saturating_sub(bytes);
        self.unclosed.start = self.unclosed.start.saturating_sub(bytes);
        self.unclosed.end = self.unclosed.end.saturating_sub(bytes);
        if let Some(at) = self.movetext {
            self.movetext = Some(at.saturating_sub(bytes));
        }
    }

    /// A fault of the record that is not one of its text, at that byte.
    pub fn fault(&self, at: usize, message: String) -> Fault {
        self.resumed(Fault::new(at, message))
    }

    fn resumed(&self, fault: Fault) -> Fault {
        Fault { resume: self.movetext.unwrap_or(self.begun), ..fault }
    }

    /// Goes on with the record. Returns where it ends, or `None` if more of the text must be there to tell; nothing
    /// that was there may have changed since the last call. `more` says whether there is more to come.
    ///
    /// # Errors
    /// [`Fault`] where the text is not of the form.
    pub fn follow(&mut self, text: &str, more: bool) -> Result<Option<usize>, Fault> {
        // What touches the end of the text may go on there.
        let open = |at: usize| more && at == text.len();
        let mut tokens = Tokens::new(text, self.at);
        while self.movetext.is_none() {
            match tokens.header() {
                Ok(Some(_)) => self.at = tokens.at(),
                Ok(None) if open(tokens.at()) => return Ok(None),
                Ok(None) => self.movetext = Some(tokens.at()),
                Err(fault) if open(fault.at) => return Ok(None),
                Err(fault) => return Err(self.resumed(fault)),
            }
        }
        loop {
            let behind = tokens.blank();
            self.at = tokens.at();
            if behind && text.as_bytes()[self.at] == b'{' {
                match close(&mut self.unclosed, text.as_bytes(), self.at) {
                    Some(end) => tokens = Tokens::new(text, end),
                    None if more => return Ok(None),
                    None => return Err(self.resumed(unclosed(text, self.at + 1, '}'))),
                }
                continue;
            }
            match tokens.piece().map_err(|fault| self.resumed(fault))? {
                (Piece::Word(_), _) if open(tokens.at()) => return Ok(None),
                (Piece::Word(""), _) => {
                    let results = RESULTS.join(", ");
                    return Err(self.resumed(tokens.fault(&format!("expected a move or the result: {results}"))));
                }
                (Piece::Word(word), _) if RESULTS.contains(&word) => return Ok(Some(tokens.at())),
                _ => {}
            }
        }
    }
}

/// The end of the comment that begins at `begin`, as far as it is there. `unclosed` is kept up to date.
fn close(unclosed: &mut Range<usize>, bytes: &[u8], begin: usize) -> Option<usize> {
    let known = unclosed.contains(&begin);
    let found = closing(bytes, if known { unclosed.end } else { begin + 1 }, b'}');
    // A backslash at the very end takes a character that is not there yet.
    let escaped = bytes[begin..found.start].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2;
    let end = if found.is_empty() { found.start - escaped } else { found.start };
    *unclosed = if known { unclosed.start } else { begin }..end.max(begin + 1);
    (!found.is_empty()).then_some(found.end)
}

/// The headers of the record that a text begins with, in order.
///
/// ```
/// use oanquan_core::record::headers;
/// let read = headers("[Rules \"quan-non\"]\n[Result \"*\"]\n\n1. a1+ *")?;
/// assert_eq!(read, [("Rules", "quan-non".into()), ("Result", "*".into())]);
/// # Ok::<(), oanquan_core::record::Fault>(())
/// ```
///
/// # Errors
/// [`Fault`] where a header is not of the form or stands twice.
pub fn headers(text: &str) -> Result<Vec<(&str, Cow<'_, str>)>, Fault> {
    let (headers, _) = placed_headers(text)?;
    Ok(headers.into_iter().map(|(key, value, _)| (key, value)).collect())
}

/// A header and where its value begins.
pub(super) type Placed<'a> = (&'a str, Cow<'a, str>, usize);

/// So many headers are compared with each other one by one.
const FEW: usize = 16;

/// The headers, and where the movetext begins.
pub(super) fn placed_headers(text: &str) -> Result<(Vec<Placed<'_>>, usize), Fault> {
    let mut tokens = Tokens::new(text, 0);
    let mut headers: Vec<Placed<'_>> = Vec::with_capacity(8);
    let mut many = BTreeSet::new();
    tokens.blank();
    let mut begin = tokens.at();
    while let Some(header) = tokens.header()? {
        let key = header.key;
        if headers.len() == FEW {
            many.extend(headers.iter().map(|(key, ..)| *key));
        }
        let again = if headers.len() < FEW { headers.iter().any(|(name, ..)| *name == key) } else { !many.insert(key) };
        if again {
            return Err(Fault::new(begin, format!("expected each header once, got {key} again")));
        }
        headers.push((key, unescaped(header.value), header.value_at));
        tokens.blank();
        begin = tokens.at();
    }
    Ok((headers, tokens.at()))
}
