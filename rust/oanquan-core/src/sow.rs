//! Laps, captures and re-seeding: the only code that moves pebbles (rules sections 3 and 4).
//!
//! Everything that plays a move comes through here. A [`Sink`] hears each step; the null sink `()` compiles away.

use crate::board::{Board, LapOrder};
use crate::knobs::{EmptyMandarin, EndCheck, EndsWhen, MandarinNext, ReseedFrom, ReseedWhen, Shortfall};
use crate::{Direction, Ending, MAX_PEBBLES, MAX_RING, Move, Position, Rules, Side, Square, StopReason, Store};

/// The most lifts in one turn. Only `mandarin_next` other than `stop` can come near it (rules section 3).
pub const MAX_LAPS: u32 = 10_000;

/// Hears each step of a turn as it is made. Every method does nothing unless it is replaced.
pub trait Sink {
    /// All pebbles (or, from a mandarin square under `lift_one`, one) are lifted from a square.
    #[inline]
    fn lift(&mut self, _square: Square, _pebbles: u8) {}
    /// What was lifted is dropped one by one in the squares that follow `from` in that direction.
    #[inline]
    fn lap(&mut self, _rules: &Rules, _from: Square, _pebbles: u8, _direction: Direction) {}
    /// A square is captured.
    #[inline]
    fn capture(&mut self, _square: Square, _pebbles: u8, _mandarin: bool) {}
    /// The sowing and capturing ends.
    #[inline]
    fn stop(&mut self, _reason: StopReason) {}
    /// `lender` lends pebbles to `borrower` for a re-seeding.
    #[inline]
    fn borrow(&mut self, _borrower: Side, _lender: Side, _pebbles: u32) {}
    /// A side puts one pebble in each of its first `pebbles` squares.
    #[inline]
    fn reseed(&mut self, _side: Side, _pebbles: u8) {}
}

impl Sink for () {}

/// A turn in the making: the board, the store of the mover, and who listens.
struct Sowing<'a, S> {
    rules: &'a Rules,
    board: &'a mut Board,
    store: &'a mut Store,
    sink: &'a mut S,
    direction: Direction,
    ring: usize,
}

impl<S: Sink> Sowing<'_, S> {
    /// The ring index `distance` (0 to the ring's size) squares on in the direction of the move.
    #[inline]
    fn on(&self, square: usize, distance: usize) -> usize {
        let index = match self.direction {
            Direction::Counterclockwise => square + distance,
            Direction::Clockwise => square + self.ring - distance,
        };
        if index >= self.ring { index - self.ring } else { index }
    }

    #[inline]
    fn name(&self, square: usize) -> Square {
        self.rules.square(square).unwrap_or(Square::mandarin(Side::A))
    }

    #[inline]
    fn is_mandarin_square(&self, square: usize) -> bool {
        self.rules.mandarin_squares() >> square & 1 != 0
    }

    /// Rules 3.2 and 3.3, until the move ends; then 3.4 if it ends at a gap.
    #[inline]
    fn run(&mut self, start: usize) {
        let mut lifts = 0;
        let mut square = start;
        loop {
            square = self.lap(square);
            lifts += 1;
            // Rules 3.3: look at the next square.
            while self.is_mandarin_square(square) {
                match self.mandarin_next(square, &mut lifts) {
                    Ok(next) => square = next,
                    Err(Look::Relay) => break,
                    Err(Look::Gap) => return self.capture(square),
                    Err(Look::Stop(reason)) => return self.sink.stop(reason),
                }
            }
            if self.board.is_empty(square) {
                return self.capture(square); // rules 3.3: an empty citizen square is a gap
            }
            if lifts == MAX_LAPS {
                return self.sink.stop(StopReason::LapLimit);
            }
        }
    }

    /// Rules 3.2: lift all pebbles of a square, drop one in each following square, mandarin squares and, after a full
    /// ring, the square lifted from included. Returns the square after the last drop.
    #[inline]
    fn lap(&mut self, from: usize) -> usize {
        let hand = self.board.pebbles[from & (MAX_RING - 1)];
        let from_name = self.name(from);
        self.sink.lift(from_name, hand);
        self.sink.lap(self.rules, from_name, hand, self.direction);
        let order = LapOrder::of(self.ring, self.direction == Direction::Clockwise, from);
        if self.ring <= MAX_RING / 2 {
            drop_in_order::<{ MAX_RING / 2 }>(&mut self.board.pebbles, order, self.ring as u8, hand);
        } else {
            drop_in_order::<MAX_RING>(&mut self.board.pebbles, order, self.ring as u8, hand);
        }
        let mut distance = usize::from(hand) + 1;
        while distance > self.ring {
            distance -= self.ring;
        }
        self.on(from, distance)
    }

    /// Rules 3.3 for a mandarin square: the square to look at after one pebble was lifted from it, or what else it is.
    #[inline]
    fn mandarin_next(&mut self, square: usize, lifts: &mut u32) -> Result<usize, Look> {
        if self.board.is_empty(square) {
            return Err(match self.rules.empty_mandarin_after_sowing {
                EmptyMandarin::Stop => Look::Stop(StopReason::EmptyMandarinSquare),
                EmptyMandarin::Gap => Look::Gap,
            });
        }
        match self.rules.mandarin_next {
            MandarinNext::LiftOne if self.board.pebbles[square] > 0 => {
                if *lifts == MAX_LAPS {
                    return Err(Look::Stop(StopReason::LapLimit));
                }
                *lifts += 1;
                let following = self.on(square, 1);
                self.board.pebbles[square] -= 1;
                self.board.pebbles[following] += 1;
                let name = self.name(square);
                self.sink.lift(name, 1);
                self.sink.lap(self.rules, name, 1, self.direction);
                Ok(self.on(following, 1))
            }
            MandarinNext::RelayWhenBare if !self.board.mandarin(square) => Err(Look::Relay),
            _ => Err(Look::Stop(StopReason::MandarinSquare)),
        }
    }

    /// Rules 3.4: capture over the gap, and on while there is another.
    #[inline]
    fn capture(&mut self, mut gap: usize) {
        let reason = loop {
            let prey = self.on(gap, 1);
            if self.board.is_empty(prey) {
                break StopReason::TwoEmptySquares;
            }
            let pebbles = self.board.pebbles[prey];
            let mandarin = self.board.mandarin(prey);
            if mandarin && pebbles < self.rules.immature_below {
                break StopReason::ImmatureMandarin;
            }
            self.board.pebbles[prey] = 0;
            self.board.mandarins &= !(1 << prey);
            self.store.pebbles = self.store.pebbles.saturating_add(i32::from(pebbles));
            self.store.mandarins += u8::from(mandarin);
            let name = self.name(prey);
            self.sink.capture(name, pebbles, mandarin);
            if self.rules.end_check == EndCheck::AtOnce && is_end(self.board, self.rules) {
                break StopReason::GameOver; // rules 3.5: the end cuts the chain
            }
            if !self.rules.capture_chain {
                break StopReason::CaptureChainOff;
            }
            gap = self.on(prey, 1);
            if !self.board.is_empty(gap) {
                break StopReason::NoGap;
            }
            if self.is_mandarin_square(gap) && self.rules.empty_mandarin_in_chain == EmptyMandarin::Stop {
                break StopReason::EmptyMandarinSquare;
            }
        };
        self.sink.stop(reason);
    }
}

/// What the square after a lap is, when it is a mandarin square.
enum Look {
    Relay,
    Gap,
    Stop(StopReason),
}

/// Empties the square that comes last in `order`, then drops `hand` pebbles in that order, round and round. Written
/// as one pass over all bytes so that it compiles to a few vector instructions.
#[inline]
fn drop_in_order<const WIDTH: usize>(pebbles: &mut [u8; MAX_RING], order: &[u8; MAX_RING], ring: u8, hand: u8) {
    if hand < ring {
        for square in 0..WIDTH {
            let kept = if order[square] == ring - 1 { 0 } else { pebbles[square] };
            pebbles[square] = kept.wrapping_add(u8::from(order[square] < hand));
        }
    } else {
        let (rounds, rest) = (hand / ring, hand % ring);
        for square in 0..usize::from(ring) {
            let kept = if order[square] == ring - 1 { 0 } else { pebbles[square] };
            pebbles[square] = kept + rounds + u8::from(order[square] < rest);
        }
    }
}

/// Rules 3.5: whether the board ends the game.
#[inline]
pub(crate) fn is_end(board: &Board, rules: &Rules) -> bool {
    board.mandarins == 0
        && match rules.ends_when {
            EndsWhen::StonesTaken => true,
            EndsWhen::SquaresEmpty => (0..usize::from(rules.sides))
                .all(|side| board.pebbles[rules.mandarin_index(side) & (MAX_RING - 1)] == 0),
        }
}

/// Sows from a square of the mover, captures included, and nothing else of the turn (rules 3.2 to 3.4).
#[inline]
pub(crate) fn sow<S: Sink>(board: &mut Board, store: &mut Store, rules: &Rules, mv: Move, sink: &mut S) {
    let start = mv.side().index() * (usize::from(rules.squares) + 1) + usize::from(mv.number()) - 1;
    let ring = rules.ring();
    Sowing { rules, board, store, sink, direction: mv.direction(), ring }.run(start);
}

/// The whole turn: sowing and capturing, the end test, the change of turn with its re-seeding (rules 3.2 to 3.6).
#[inline]
pub(crate) fn take_turn<S: Sink>(position: &mut Position, mv: Move, sink: &mut S) {
    let rules = position.rules;
    let mover = mv.side().index();
    sow(&mut position.board, &mut position.stores[mover], &rules, mv, sink);
    position.ply = position.ply.saturating_add(1);
    position.turn = mv.side().after(1, usize::from(rules.sides));
    if is_end(&position.board, &rules) {
        position.ending = Some(Ending::Mandarins);
        return;
    }
    match rules.reseed_when {
        ReseedWhen::TurnStart => {
            if position.row_is_empty(position.turn) {
                position.ending = reseed(position, position.turn, sink);
            }
        }
        ReseedWhen::WhenEmpty => {
            for seat in 0..usize::from(rules.sides) {
                let side = position.turn.after(seat, usize::from(rules.sides));
                if position.row_is_empty(side) && position.ending.is_none() {
                    position.ending = reseed(position, side, sink);
                }
            }
        }
    }
}

/// How a side can re-seed its empty row.
pub(crate) enum Payment {
    /// From what it has, or under `owe` from nothing: so many pebbles.
    Own(u8),
    /// What it has, and that many pebbles lent by the others.
    Loan(i64),
    /// Not at all: the game ends.
    Impossible(Ending),
}

/// Rules section 4: how `side` would pay for its empty row.
pub(crate) fn payment(position: &Position, side: Side) -> Payment {
    let rules = &position.rules;
    let wanted = i64::from(rules.squares);
    let have = owned(position, side);
    let placed = match rules.shortfall {
        Shortfall::Partial => wanted.min(have),
        _ => wanted,
    };
    // Rule book, decision 3: a board never holds more pebbles than its squares can count.
    if placed == 0 || position.board.total() as i64 + placed > MAX_PEBBLES as i64 {
        return Payment::Impossible(Ending::Short);
    }
    if have >= placed {
        return Payment::Own(placed as u8);
    }
    match rules.shortfall {
        Shortfall::Owe => Payment::Own(placed as u8),
        Shortfall::Borrow => {
            let others: i64 =
                rules.all_sides().filter(|&other| other != side).map(|other| owned(position, other)).sum();
            if others >= placed - have { Payment::Loan(placed - have) } else { Payment::Impossible(Ending::Short) }
        }
        Shortfall::Loses => Payment::Impossible(Ending::Loses),
        Shortfall::Partial | Shortfall::Count => Payment::Impossible(Ending::Short),
    }
}

/// What a side can pay or lend (rules section 4: its store of pebbles, or its points), never below zero.
fn owned(position: &Position, side: Side) -> i64 {
    let store = position.stores[side.index()];
    let mandarins = match position.rules.reseed_from {
        ReseedFrom::Pebbles => 0,
        ReseedFrom::Points => i64::from(store.mandarins) * i64::from(position.rules.mandarin_value),
    };
    (i64::from(store.pebbles) + mandarins).max(0)
}

/// Re-seeds the empty row of `side` (rules section 4), or says how the game ends because it cannot be.
#[cold]
#[inline(never)]
fn reseed<S: Sink>(position: &mut Position, side: Side, sink: &mut S) -> Option<Ending> {
    let placed = match payment(position, side) {
        Payment::Own(placed) => placed,
        Payment::Loan(missing) => {
            borrow(position, side, missing, sink);
            position.rules.squares
        }
        Payment::Impossible(ending) => return Some(ending),
    };
    let store = &mut position.stores[side.index()];
    store.pebbles = store.pebbles.saturating_sub(i32::from(placed));
    let first = position.first(side);
    position.board.pebbles[first..first + usize::from(placed)].fill(1);
    sink.reseed(side, placed);
    None
}

/// The others lend what is missing, the next side round the ring first, each as many as it has (rules section 4).
fn borrow<S: Sink>(position: &mut Position, borrower: Side, mut missing: i64, sink: &mut S) {
    let sides = usize::from(position.rules.sides);
    for seat in 1..sides {
        let lender = borrower.after(seat, sides);
        let lent = owned(position, lender).min(missing);
        if lent > 0 {
            // At most seven pebbles: every loan fits.
            position.stores[lender.index()].pebbles -= lent as i32;
            position.stores[borrower.index()].pebbles += lent as i32;
            let debt = &mut position.debts[borrower.index()][lender.index()];
            *debt = debt.saturating_add(lent as u32);
            sink.borrow(borrower, lender, lent as u32);
            missing -= lent;
        }
    }
}
