//! Positions that are legal by construction, and the verbs that play on them.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::board::Board;
use crate::ending::{self, Ending, Outcome, Points};
use crate::knobs::{Directions, Mandarin, ReseedWhen};
use crate::moves::{self, Moves};
use crate::sow::{self, Sink};
use crate::step::Teller;
use crate::{Direction, MAX_RING, MAX_SIDES, Move, NotationError, PositionError, Rules, Setup, Side, Square, Step};

/// What a side has captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Store {
    /// Pebbles; below zero only where the rules let a side owe.
    pub pebbles: i32,
    /// Mandarins.
    pub mandarins: u8,
}

/// A position of a game: always at a decision, or over. Re-seeding and loans happen inside the move before.
///
/// Two positions are equal when nothing that can still matter differs: the ply counts only while `mandarin_ban` is in
/// force (rules section 9).
///
/// ```
/// use oanquan_core::{Move, Position, Rules, Side};
///
/// let start = Position::start(Rules::default());
/// let mv = start.legal_moves().next().unwrap();
/// assert_eq!(mv.to_string(), "a1+");
/// let position = start.play(mv)?;
/// assert_eq!((position.turn(), position.store(Side::A).pebbles), (Side::B, 6));
/// assert!(position.play(mv).is_err());
/// # Ok::<(), oanquan_core::IllegalMove>(())
/// ```
#[derive(Clone, Copy)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) stores: [Store; MAX_SIDES],
    /// `debts[i][j]`: what side i owes side j.
    pub(crate) debts: [[u32; MAX_SIDES]; MAX_SIDES],
    pub(crate) rules: Rules,
    pub(crate) ply: u32,
    pub(crate) turn: Side,
    pub(crate) ending: Option<Ending>,
}

impl Position {
    /// The start of a game, side a to move (rules section 2).
    pub fn start(rules: Rules) -> Self {
        let mut board = Board::EMPTY;
        for square in 0..rules.ring() {
            board.set(square, rules.pebbles);
        }
        for side in 0..usize::from(rules.sides) {
            let square = rules.mandarin_index(side);
            match rules.mandarin {
                Mandarin::Stone => {
                    board.set(square, 0);
                    board.standing.mandarins |= 1 << square;
                }
                Mandarin::Pebbles => board.set(square, rules.mandarin_value),
            }
        }
        Self {
            board,
            stores: [Store::default(); MAX_SIDES],
            debts: [[0; MAX_SIDES]; MAX_SIDES],
            rules,
            ply: 0,
            turn: Side::A,
            ending: None,
        }
    }

    /// The start of a game with another side to move; `None` if these rules have no such side.
    pub fn start_with(rules: Rules, first: Side) -> Option<Self> {
        rules.all_sides().any(|side| side == first).then(|| Self { turn: first, ..Self::start(rules) })
    }

    /// Reads the text of a position (rules section 9).
    ///
    /// # Errors
    /// [`ParseError::Notation`] when the text is not of the form, [`ParseError::Position`] when it says a position
    /// that cannot be.
    pub fn parse(text: &str, rules: Rules) -> Result<Self, ParseError> {
        Ok(Setup::parse(text, rules)?.position()?)
    }

    /// The rules it is played by.
    #[inline]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The side to move; in a finished position the one that would be next.
    #[inline]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// Plies since the start of the game.
    #[inline]
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The pebbles of every square, in ring order (a1, a2, ..., am, b1, ...).
    #[inline]
    pub fn pebbles(&self) -> &[u8] {
        &self.board.pebbles[..self.rules.ring()]
    }

    /// Whether a mandarin stands in the square.
    pub fn mandarin(&self, square: Square) -> bool {
        self.rules.index(square).is_some_and(|index| self.board.mandarin(index))
    }

    /// Every square in ring order, with its pebbles and whether a mandarin stands in it.
    pub fn squares(&self) -> impl Iterator<Item = (Square, u8, bool)> {
        (0..self.rules.ring()).filter_map(|index| {
            self.rules.square(index).map(|square| (square, self.board.pebbles[index], self.board.mandarin(index)))
        })
    }

    /// What `side` has captured; nothing for a side that these rules do not have.
    #[inline]
    pub const fn store(&self, side: Side) -> Store {
        self.stores[side.index()]
    }

    /// The pebbles that `debtor` owes `creditor`.
    #[inline]
    pub const fn debt(&self, debtor: Side, creditor: Side) -> u32 {
        self.debts[debtor.index()][creditor.index()]
    }

    /// Every debt as (debtor, creditor, pebbles), in the order of the text form.
    pub fn debts(&self) -> impl Iterator<Item = (Side, Side, u32)> {
        Side::ALL
            .into_iter()
            .flat_map(move |debtor| {
                Side::ALL.into_iter().map(move |creditor| (debtor, creditor, self.debt(debtor, creditor)))
            })
            .filter(|&(_, _, pebbles)| pebbles > 0)
    }

    /// The points: of a finished position the count; of one in play what the stores are worth with debts repaid.
    pub fn points(&self) -> Points {
        if self.is_over() { self.counted() } else { ending::standing(self) }
    }

    /// The points if the game were counted as the position stands (rules section 5).
    pub fn counted(&self) -> Points {
        ending::count(self, &mut |_| ())
    }

    /// Whether the game is over.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Why the game is over.
    #[inline]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// How the game came out, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| self.outcome_by(ending))
    }

    /// How a game comes out that ends in this position for that reason: the count as the position stands.
    pub fn outcome_by(&self, ending: Ending) -> Outcome {
        ending::outcome(self, ending)
    }

    /// The legal moves as bits: bit i is set when the move with action number i is legal. Zero when the game is over.
    #[inline]
    pub fn legal_mask(&self) -> u16 {
        let mask = self.playable_mask();
        if self.ban_in_force() { self.without_banned(mask) } else { mask }
    }

    /// The legal moves in the order of their action numbers.
    #[inline]
    pub fn legal_moves(&self) -> Moves {
        Moves::new(self.turn, self.legal_mask())
    }

    /// Whether the move is legal.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        mv.side() == self.turn && self.legal_mask() >> mv.action() & 1 != 0
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// [`IllegalMove`] with the reason.
    #[inline]
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(mv) {
            return Err(self.illegal(mv));
        }
        let mut next = *self;
        next.play_unchecked(mv);
        Ok(next)
    }

    /// Plays a move in place without asking whether it is legal, for search and playouts.
    ///
    /// Never panics, but what an illegal move leaves behind is no position of any game.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.play_with(mv, &mut ());
    }

    /// [`play_unchecked`](Self::play_unchecked), each step told to `sink`.
    #[inline]
    pub fn play_with<S: Sink>(&mut self, mv: Move, sink: &mut S) {
        sow::take_turn(self, mv, sink);
    }

    /// Plays a legal move and tells every step, at the end of the game those of the count too.
    ///
    /// # Errors
    /// [`IllegalMove`] with the reason; then nothing is told.
    pub fn play_traced(&self, mv: Move, tell: &mut dyn FnMut(Step)) -> Result<Self, IllegalMove> {
        if !self.is_legal(mv) {
            return Err(self.illegal(mv));
        }
        let mut next = *self;
        next.play_with(mv, &mut Teller(tell));
        if let Some(ending) = next.ending {
            ending::count(&next, tell);
            tell(Step::End { ending });
        }
        Ok(next)
    }

    /// The steps of a legal move.
    ///
    /// # Errors
    /// [`IllegalMove`] with the reason.
    pub fn trace(&self, mv: Move) -> Result<Vec<Step>, IllegalMove> {
        let mut steps = Vec::new();
        self.play_traced(mv, &mut |step| steps.push(step))?;
        Ok(steps)
    }

    /// The move of the side to move with that action number, whether or not it is legal.
    ///
    /// # Errors
    /// [`IllegalMove`] when no square has that number, or the game is over.
    pub fn action(&self, action: i64) -> Result<Move, IllegalMove> {
        let actions = 2 * self.rules.squares;
        let mv = u8::try_from(action).ok().filter(|&n| n < actions).and_then(|n| Move::from_action(self.turn, n));
        let reason = match (self.ending, mv) {
            (None, Some(mv)) => return Ok(mv),
            (None, None) => IllegalMoveReason::NoSuchAction(actions - 1),
            (Some(ending), _) => IllegalMoveReason::Over(ending),
        };
        let given = mv.map_or_else(|| action.to_string(), |mv| mv.to_string());
        Err(IllegalMove { given, reason, position: Box::new(*self) })
    }

    /// The ring index of the first square of a row.
    #[inline]
    pub(crate) const fn first(&self, side: Side) -> usize {
        self.rules.first(side)
    }

    /// Bit i is set when citizen square i + 1 of that side holds pebbles.
    #[inline]
    fn occupied(&self, side: Side) -> u8 {
        // A row begins at 24 at most.
        (self.board.standing.occupied >> (self.first(side) & (MAX_RING - 1))) as u8 & self.rules.row()
    }

    #[inline]
    pub(crate) fn row_is_empty(&self, side: Side) -> bool {
        self.occupied(side) == 0
    }

    /// The sides whose row is empty and must be re-seeded, in order: the side to move, or with `when_empty` all from
    /// there on (rules 3.6).
    pub(crate) fn rows_to_reseed(&self) -> impl Iterator<Item = Side> {
        let sides = usize::from(self.rules.sides);
        let seats = match self.rules.reseed_when {
            ReseedWhen::TurnStart => 1,
            ReseedWhen::WhenEmpty => sides,
        };
        (0..seats).map(move |seat| self.turn.after(seat, sides)).filter(|&side| self.row_is_empty(side))
    }

    /// Whether some moves may be banned for taking a mandarin; only then the ply is part of the position.
    #[inline]
    pub(crate) fn ban_in_force(&self) -> bool {
        self.ply < u32::from(self.rules.mandarin_ban) && !self.is_over()
    }

    /// Rules 3.1: own citizen squares that hold pebbles, in the allowed directions.
    #[inline]
    fn playable_mask(&self) -> u16 {
        if self.is_over() {
            return 0;
        }
        moves::playable(&self.rules, self.occupied(self.turn))
    }

    /// Rules section 3, `mandarin_ban`: moves that take no mandarin, unless all would.
    #[cold]
    fn without_banned(&self, mask: u16) -> u16 {
        let allowed = Moves::new(self.turn, mask).filter(|&mv| !self.takes_mandarin(mv));
        match allowed.fold(0, |left, mv| left | 1 << mv.action()) {
            0 => mask,
            left => left,
        }
    }

    fn takes_mandarin(&self, mv: Move) -> bool {
        let mut store = Store::default();
        sow::sow(&mut self.board.clone(), &mut store, &self.rules, mv, &mut ());
        store.mandarins > 0
    }

    /// Why a move is not legal.
    #[cold]
    #[inline(never)]
    fn illegal(&self, mv: Move) -> IllegalMove {
        let squares = self.rules.squares;
        let occupied = self.occupied(self.turn);
        let reason = match (self.ending, self.rules.directions) {
            (Some(ending), _) => IllegalMoveReason::Over(ending),
            _ if mv.side() != self.turn => IllegalMoveReason::NotYourTurn(self.turn),
            _ if mv.number() > squares => IllegalMoveReason::NoSuchSquare(mv.side(), squares),
            _ if occupied >> (mv.number() - 1) & 1 == 0 => IllegalMoveReason::Empty(mv.square()),
            (_, Directions::Counterclockwise) if mv.direction() == Direction::Clockwise => {
                IllegalMoveReason::Direction(Direction::Counterclockwise)
            }
            (_, Directions::Clockwise) if mv.direction() == Direction::Counterclockwise => {
                IllegalMoveReason::Direction(Direction::Clockwise)
            }
            _ => IllegalMoveReason::TakesMandarin(self.rules.mandarin_ban),
        };
        IllegalMove { given: mv.to_string(), reason, position: Box::new(*self) }
    }

    /// An error that says the game, not the position, is over.
    pub(crate) fn game_over(&self, mv: Move, ending: Ending) -> IllegalMove {
        IllegalMove { given: mv.to_string(), reason: IllegalMoveReason::Over(ending), position: Box::new(*self) }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.stores == other.stores
            && self.turn == other.turn
            && self.debts == other.debts
            && self.ending == other.ending
            && self.rules == other.rules
            && (self.ply == other.ply || !self.ban_in_force() && !other.ban_in_force())
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({:?}, {:?})", self.to_string(), self.rules.to_string())
    }
}

/// Why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMoveReason {
    /// The game is over.
    Over(Ending),
    /// It is another side's turn.
    NotYourTurn(Side),
    /// The side has only so many squares.
    NoSuchSquare(Side, u8),
    /// No move has that number; this is the last one.
    NoSuchAction(u8),
    /// The square holds no pebbles.
    Empty(Square),
    /// Only this direction is allowed.
    Direction(Direction),
    /// It takes a mandarin in the first so many plies.
    TakesMandarin(u8),
}

impl fmt::Display for IllegalMoveReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(ending) => write!(f, "the game is over ({ending})"),
            Self::NotYourTurn(side) => write!(f, "it is side {side}'s turn"),
            Self::NoSuchSquare(side, squares) => write!(f, "side {side} has squares 1 to {squares}"),
            Self::NoSuchAction(last) => write!(f, "action numbers go from 0 to {last}"),
            Self::Empty(square) => write!(f, "square {square} is empty"),
            Self::Direction(direction) => write!(f, "only {direction} moves are allowed"),
            Self::TakesMandarin(plies) => write!(f, "it takes a mandarin in the first {plies} plies"),
        }
    }
}

/// A move that is not legal, and where.
#[derive(Clone, Debug)]
pub struct IllegalMove {
    /// The move as given: its text or its number.
    pub given: String,
    /// Why it is not legal.
    pub reason: IllegalMoveReason,
    /// The position it was tried in.
    pub position: Box<Position>,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<_> = match self.reason {
            IllegalMoveReason::Over(_) => Vec::new(),
            _ => self.position.legal_moves().map(|mv| mv.to_string()).collect(),
        };
        let moves = if moves.is_empty() { String::from("none") } else { moves.join(" ") };
        write!(f, "illegal move {}: {} (position {}; legal moves: {moves})", self.given, self.reason, self.position)
    }
}

impl core::error::Error for IllegalMove {}

/// A text that is no position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseError {
    /// It is not of the form.
    Notation(NotationError),
    /// It is of the form, and says a position that cannot be.
    Position(PositionError),
}

impl From<NotationError> for ParseError {
    fn from(error: NotationError) -> Self {
        Self::Notation(error)
    }
}

impl From<PositionError> for ParseError {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notation(error) => error.fmt(f),
            Self::Position(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseError {}
