//! The text of a position (rules section 9): read strictly, written in exactly one way.

use alloc::string::String;
use core::fmt;

use crate::scan::Scanner;
use crate::{Ending, Position, Rules, Setup, Side};

/// A text that is not of the form: what was expected, where, and what stands there.
///
/// ```
/// use oanquan_core::Move;
/// let error = Move::parse("a3*", None).unwrap_err();
/// assert_eq!(error.column, 3);
/// assert_eq!(error.to_string(), r#"expected a direction + or - at column 3, got "*" in "a3*""#);
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

/// The most characters of a text that an error message shows.
const SHOWN: usize = 160;

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at column {}, got ", self.expected, self.column)?;
        match self.got {
            Some(got) => write!(f, "{:?}", String::from(got))?,
            None => f.write_str("the end")?,
        }
        // A long text is shown around the column.
        let skipped = if self.text.chars().nth(SHOWN).is_some() { self.column.saturating_sub(SHOWN / 2) } else { 0 };
        let mut rest = self.text.chars().skip(skipped);
        let shown: String = rest.by_ref().take(SHOWN).collect();
        let before = if skipped > 0 { "..." } else { "" };
        let after = if rest.next().is_some() { "..." } else { "" };
        write!(f, " in {before}{shown:?}{after}")
    }
}

impl core::error::Error for NotationError {}

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
                (_, 0) => scanner.expect('/', "\"/\" and the next row")?,
                _ => scanner.expect('.', "\".\" and the next square")?,
            }
            (setup.pebbles[index], setup.mandarins[index]) = read_count(&mut scanner, false)?;
        }
        scanner.expect(' ', "a space and the stores")?;
        for side in 0..usize::from(rules.sides) {
            if side > 0 {
                scanner.expect('/', "\"/\" and the next store")?;
            }
            (setup.store_pebbles[side], setup.store_mandarins[side]) = read_count(&mut scanner, true)?;
        }
        scanner.expect(' ', "a space and the debts")?;
        if !scanner.take('-') {
            read_debts(&mut scanner, &mut setup)?;
        }
        scanner.expect(' ', "a space and the side to move")?;
        setup.turn = read_side(&mut scanner, rules)?;
        scanner.expect(' ', "a space and the ply")?;
        setup.ply = scanner.number("a ply")?;
        if scanner.take(' ') {
            let word = scanner.word();
            let ending =
                [Ending::Mandarins, Ending::Short, Ending::Loses].into_iter().find(|ending| ending.name() == word);
            setup.ending = Some(ending.ok_or_else(|| scanner.error("mandarins, short or loses"))?);
            for _ in word.chars() {
                scanner.next();
            }
        }
        scanner.end()?;
        Ok(setup)
    }
}

/// A count; only a store's pebbles may be negative.
fn read_count(scanner: &mut Scanner<'_>, signed: bool) -> Result<(i64, i64), NotationError> {
    let start = scanner.column();
    let negative = signed && scanner.take('-');
    let mut pebbles = scanner
        .number("a number of pebbles")
        .map_err(|error| if negative { starting(scanner, start, error) } else { error })?;
    if negative {
        if pebbles == 0 {
            return Err(scanner.error_at(start, "a number without sign"));
        }
        pebbles = -pebbles;
    }
    if !scanner.take('q') {
        return Ok((pebbles, 0));
    }
    let start = scanner.column();
    match scanner.number("a number of mandarins")? {
        0 => Err(scanner.error_at(start, "at least 1 mandarin")),
        mandarins => Ok((pebbles, mandarins)),
    }
}

/// A fault in the digits of a negative number stands where its sign does; a missing digit where it is missing.
fn starting(scanner: &Scanner<'_>, start: usize, error: NotationError) -> NotationError {
    if scanner.peek().is_some_and(|c| c.is_ascii_digit()) { scanner.error_at(start, &error.expected) } else { error }
}

fn read_side(scanner: &mut Scanner<'_>, rules: Rules) -> Result<Side, NotationError> {
    let side = scanner.peek().and_then(|letter| rules.all_sides().find(|side| side.letter() == letter));
    let side = side.ok_or_else(|| {
        scanner.error(match rules.sides {
            2 => "a side a or b",
            3 => "a side a to c",
            _ => "a side a to d",
        })
    })?;
    scanner.next();
    Ok(side)
}

/// `a>b:3,b>a:1`, by debtor and then by creditor.
fn read_debts(scanner: &mut Scanner<'_>, setup: &mut Setup) -> Result<(), NotationError> {
    let mut last = None;
    loop {
        let start = scanner.column();
        let debtor = read_side(scanner, setup.rules)?;
        scanner.expect('>', "\">\" and the creditor")?;
        let column = scanner.column();
        let creditor = read_side(scanner, setup.rules)?;
        if debtor == creditor {
            return Err(scanner.error_at(column, "another side as creditor"));
        }
        scanner.expect(':', "\":\" and the pebbles owed")?;
        let column = scanner.column();
        let pebbles = scanner.number("the pebbles owed")?;
        if pebbles == 0 {
            return Err(scanner.error_at(column, "at least 1 pebble"));
        }
        if last >= Some((debtor, creditor)) {
            return Err(scanner.error_at(start, "debts in the order of debtor and creditor, each once"));
        }
        last = Some((debtor, creditor));
        setup.debts[debtor.index()][creditor.index()] = pebbles;
        if !scanner.take(',') {
            return Ok(());
        }
    }
}
