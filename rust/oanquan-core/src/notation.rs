//! The text of a position (rules section 9): read strictly, written in exactly one way.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::scan::{Number, Quoted, Scanner};
use crate::{Ending, Position, Rules, Setup, Side};

/// A text that is not of the form: what was expected, where, and what stands there.
///
/// ```
/// use oanquan_core::Move;
/// let error = Move::parse("a3*", None).unwrap_err();
/// assert_eq!(error.column, 3);
/// assert_eq!(error.to_string(), r#"expected "+" or "-" at column 3, got "*" in "a3*""#);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// What was expected.
    pub expected: String,
    /// Where, in characters from 1.
    pub column: usize,
    /// The character that stands there, or `None` at the end of the text.
    pub got: Option<char>,
    /// The whole text.
    pub text: String,
}

/// The most characters of a text that an error message shows: more than any position needs.
const SHOWN: usize = 500;

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at column {}, got {}", self.expected, self.column, self.got())?;
        // A long text is shown around the column.
        let skipped = if self.text.chars().nth(SHOWN).is_some() { self.column.saturating_sub(SHOWN / 2) } else { 0 };
        let mut rest = self.text.chars().skip(skipped);
        let shown: String = rest.by_ref().take(SHOWN).collect();
        let before = if skipped > 0 { "..." } else { "" };
        let after = if rest.next().is_some() { "..." } else { "" };
        write!(f, " in {before}{}{after}", Quoted(&shown))
    }
}

impl core::error::Error for NotationError {}

impl NotationError {
    /// What stands there, in words.
    pub(crate) fn got(&self) -> String {
        self.got.map_or_else(|| String::from("the end"), |c| Quoted(c.encode_utf8(&mut [0; 4])).to_string())
    }
}

/// `<pebbles>` or `<pebbles>q<mandarins>`.
struct Count<P>(P, u8);

impl<P: fmt::Display> fmt::Display for Count<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            0 => write!(f, "{}", self.0),
            mandarins => write!(f, "{}q{mandarins}", self.0),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (square, pebbles, mandarin)) in self.squares().enumerate() {
            let separator = match square.number() {
                _ if place == 0 => "",
                Some(1) => "/",
                _ => ".",
            };
            write!(f, "{separator}{}", Count(pebbles, mandarin.into()))?;
        }
        for (place, side) in self.rules.all_sides().enumerate() {
            let store = self.store(side);
            write!(f, "{}{}", if place == 0 { " " } else { "/" }, Count(store.pebbles, store.mandarins))?;
        }
        let mut separator = " ";
        for (debtor, creditor, pebbles) in self.debts() {
            write!(f, "{separator}{debtor}>{creditor}:{pebbles}")?;
            separator = ",";
        }
        let none = if separator == " " { " -" } else { "" };
        write!(f, "{none} {} {}", self.turn, self.ply)?;
        self.ending.map_or(Ok(()), |ending| write!(f, " {ending}"))
    }
}

impl Setup {
    /// Reads the text of a position into a set-up (rules section 9). Only the form is checked.
    ///
    /// # Errors
    /// [`NotationError`] with the column where something else was expected.
    pub fn parse(text: &str, rules: Rules) -> Result<Self, NotationError> {
        let mut setup = Self::empty(rules);
        let mut scanner = Scanner::new(text);
        for index in 0..rules.ring() {
            let place = index % (usize::from(rules.squares) + 1);
            match (index, place) {
                (0, _) => (),
                (_, 0) => scanner.expect('/')?,
                _ => scanner.expect('.')?,
            }
            (setup.pebbles[index], setup.mandarins[index]) = read_count(&mut scanner, Number::Natural)?;
        }
        scanner.expect(' ')?;
        for side in 0..usize::from(rules.sides) {
            if side > 0 {
                scanner.expect('/')?;
            }
            (setup.store_pebbles[side], setup.store_mandarins[side]) = read_count(&mut scanner, Number::Signed)?;
        }
        scanner.expect(' ')?;
        if !scanner.take('-') {
            read_debts(&mut scanner, &mut setup)?;
        }
        scanner.expect(' ')?;
        setup.turn = read_side(&mut scanner, rules, None)?;
        scanner.expect(' ')?;
        setup.ply = scanner.number(Number::Natural)?;
        if scanner.take(' ') {
            let endings = [Ending::Mandarins, Ending::Short, Ending::Loses].map(|ending| (ending.name(), ending));
            let ending = scanner.take_word(&endings);
            setup.ending = Some(ending.ok_or_else(|| scanner.error("mandarins, short or loses"))?);
        }
        scanner.end()?;
        Ok(setup)
    }
}

/// A count: pebbles and, after a q, mandarins.
fn read_count(scanner: &mut Scanner<'_>, pebbles: Number) -> Result<(i64, i64), NotationError> {
    let pebbles = scanner.number(pebbles)?;
    let mandarins = if scanner.take('q') { scanner.number(Number::Positive)? } else { 0 };
    Ok((pebbles, mandarins))
}

/// The letter of a side of these rules, other than `but`.
fn read_side(scanner: &mut Scanner<'_>, rules: Rules, but: Option<Side>) -> Result<Side, NotationError> {
    let sides = || rules.all_sides().filter(|&side| Some(side) != but);
    let Some(side) = sides().find(|side| scanner.take(side.letter())) else {
        let letters: Vec<_> = sides().map(|side| String::from(side.letter())).collect();
        return Err(scanner.error(&format!("side {}", letters.join(" or "))));
    };
    Ok(side)
}

/// `a>b:3,b>a:1`, by debtor and then by creditor.
fn read_debts(scanner: &mut Scanner<'_>, setup: &mut Setup) -> Result<(), NotationError> {
    let mut last = None;
    loop {
        let start = scanner.column();
        let debtor = read_side(scanner, setup.rules, None)?;
        scanner.expect('>')?;
        let creditor = read_side(scanner, setup.rules, Some(debtor))?;
        if last >= Some((debtor, creditor)) {
            return Err(scanner.error_at(start, "a debt that comes after the one before it"));
        }
        last = Some((debtor, creditor));
        scanner.expect(':')?;
        setup.debts[debtor.index()][creditor.index()] = scanner.number(Number::Positive)?;
        if !scanner.take(',') {
            return Ok(());
        }
    }
}
