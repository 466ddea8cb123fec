//! The newtypes of the border: sides, squares, directions and moves. No bare integer crosses it.

use core::fmt;

use crate::notation::NotationError;
use crate::scan::Scanner;
use crate::{MAX_SIDES, MAX_SQUARES};

/// A player's seat: a, b, c or d, counter-clockwise round the ring.
///
/// ```
/// use oanquan_core::Side;
/// assert_eq!(Side::B.letter(), 'b');
/// assert_eq!(Side::from_letter('b'), Some(Side::B));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side that moves first unless the caller says otherwise.
    A,
    /// The next side counter-clockwise.
    B,
    /// The third side of three or four.
    C,
    /// The fourth side of four.
    D,
}

impl Side {
    /// All sides, in order.
    pub const ALL: [Self; MAX_SIDES] = [Self::A, Self::B, Self::C, Self::D];

    /// 0 for a, up to 3 for d.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side of that index, if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::A),
            1 => Some(Self::B),
            2 => Some(Self::C),
            3 => Some(Self::D),
            _ => None,
        }
    }

    /// The letter used in every text form.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The side of that letter, in lower or upper case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.letter() == letter.to_ascii_lowercase())
    }

    /// The side `steps` seats on (fewer than `sides`), round a ring of `sides` sides.
    #[inline]
    pub(crate) const fn after(self, steps: usize, sides: usize) -> Self {
        let index = self as usize + steps;
        Self::ALL[(if index >= sides { index - sides } else { index }) & 3]
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.letter())
    }
}

/// A square by its name: `a3` is the third citizen square of side a, `am` the mandarin square after side a's row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Square {
    side: Side,
    /// 1 to 7, or 0 for the mandarin square.
    number: u8,
}

impl Square {
    /// The citizen square `number` (1 to 7) of `side`.
    pub const fn citizen(side: Side, number: u8) -> Option<Self> {
        if number >= 1 && number as usize <= MAX_SQUARES { Some(Self { side, number }) } else { None }
    }

    /// The mandarin square after the row of `side`.
    pub const fn mandarin(side: Side) -> Self {
        Self { side, number: 0 }
    }

    /// The side in whose row it stands, or after whose row it follows.
    pub const fn side(self) -> Side {
        self.side
    }

    /// 1 to 7 for a citizen square, `None` for a mandarin square.
    pub const fn number(self) -> Option<u8> {
        if self.number == 0 { None } else { Some(self.number) }
    }

    /// Whether it is a mandarin square.
    pub const fn is_mandarin(self) -> bool {
        self.number == 0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => write!(f, "{}{number}", self.side),
            None => write!(f, "{}m", self.side),
        }
    }
}

/// Which way round the ring a move goes, as seen from above.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Up the ring, "to the right" for the player of that row; sign `+`.
    Counterclockwise,
    /// Down the ring; sign `-`.
    Clockwise,
}

impl Direction {
    /// `+` or `-`, as in the text of a move.
    pub const fn sign(self) -> char {
        match self {
            Self::Counterclockwise => '+',
            Self::Clockwise => '-',
        }
    }

    /// The word of the rules: `counterclockwise` or `clockwise`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counterclockwise => "counterclockwise",
            Self::Clockwise => "clockwise",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A choice of a turn: whose, which of the own squares, which way (rules section 3.1).
///
/// As a number relative to the mover it is `2 * (square - 1) + (0 for +, 1 for -)` (rules section 9).
///
/// ```
/// use oanquan_core::{Move, Side};
/// let mv = Move::parse("b2-", None)?;
/// assert_eq!((mv.side(), mv.number(), mv.action()), (Side::B, 2, 3));
/// assert_eq!(Move::parse("2-", Some(Side::B))?, mv);
/// # Ok::<(), oanquan_core::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    side: Side,
    action: u8,
}

impl Move {
    /// The move of `side` from its citizen square `number` (1 to 7).
    pub const fn new(side: Side, number: u8, direction: Direction) -> Option<Self> {
        match Square::citizen(side, number) {
            Some(_) => Some(Self { side, action: 2 * (number - 1) + direction as u8 }),
            None => None,
        }
    }

    /// The move of `side` with that action number, 0 to 13.
    #[inline]
    pub const fn from_action(side: Side, action: u8) -> Option<Self> {
        if (action as usize) < 2 * MAX_SQUARES { Some(Self { side, action }) } else { None }
    }

    /// Who moves.
    #[inline]
    pub const fn side(self) -> Side {
        self.side
    }

    /// The number of the square lifted from, 1 to 7.
    #[inline]
    pub const fn number(self) -> u8 {
        self.action / 2 + 1
    }

    /// The square lifted from.
    pub const fn square(self) -> Square {
        Square { side: self.side, number: self.number() }
    }

    /// Which way the pebbles are sown.
    #[inline]
    pub const fn direction(self) -> Direction {
        if self.action & 1 == 0 { Direction::Counterclockwise } else { Direction::Clockwise }
    }

    /// `2 * (square - 1) + (0 for +, 1 for -)`: 0 to 9 on the standard board.
    #[inline]
    pub const fn action(self) -> u8 {
        self.action
    }

    /// Reads `a3+`, `A3+`, or, when the side to move is given, a bare `3+` (rules section 9).
    ///
    /// # Errors
    /// [`NotationError`] with the column where something else was expected.
    pub fn parse(text: &str, side_to_move: Option<Side>) -> Result<Self, NotationError> {
        let mut scanner = Scanner::new(text);
        let letter = scanner.peek().and_then(Side::from_letter);
        if letter.is_some() {
            scanner.next();
        }
        let Some(side) = letter.or(side_to_move) else { return Err(scanner.error("side a or b or c or d")) };
        let number = match scanner.next() {
            Some(digit @ '1'..='7') => digit as u8 - b'0',
            _ if letter.is_none() => return Err(scanner.error_at(1, "a square")),
            _ => return Err(scanner.error_at(2, "a square from 1 to 7")),
        };
        let direction = match scanner.peek() {
            Some('+') => Direction::Counterclockwise,
            Some('-') => Direction::Clockwise,
            _ => return Err(scanner.error("\"+\" or \"-\"")),
        };
        scanner.next();
        scanner.end()?;
        Ok(Self { side, action: 2 * (number - 1) + direction as u8 })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.side, self.number(), self.direction().sign())
    }
}
