//! Laps, captures and re-seeding: the only code that moves pebbles (rules sections 3 and 4).
//!
//! Everything that plays a move comes through here. A [`Sink`] hears each step; the null sink `()` compiles away.

use crate::board::{Board, LapOrder, Standing};
use crate::knobs::{EmptyMandarin, EndCheck, EndsWhen, MandarinNext, ReseedFrom, ReseedWhen, Shortfall};
use crate::laps::{self, Laps, NARROW};
use crate::{Direction, Ending, MAX_PEBBLES, MAX_RING, Move, Position, Rules, Side, Square, StopReason, Store};

/// The most lifts in one turn (rule book, decision 8). Only `mandarin_next` other than `stop` can come near it.
pub const MAX_LAPS: u32 = 1000;

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

/// A turn in the making: the board, the store of the mover, and who listens. `WIDTH` bytes hold the ring.
struct Sowing<'a, S, const WIDTH: usize> {
    rules: &'a Rules,
    pebbles: &'a mut [u8; WIDTH],
    standing: &'a mut Standing,
    store: &'a mut Store,
    sink: &'a mut S,
    direction: Direction,
    ring: usize,
    /// All ones when the move goes clockwise, and the size of the ring then: [`Self::on`] without a branch, since
    /// directions cannot be predicted.
    flip: usize,
    turn_round: usize,
    /// The laps in this direction, for a narrow ring.
    laps: &'static Laps,
}

impl<'a, S: Sink, const WIDTH: usize> Sowing<'a, S, WIDTH> {
    /// `ring` is that of the rules, given apart so that it can be a constant.
    #[inline]
    fn new(
        pebbles: &'a mut [u8; WIDTH],
        standing: &'a mut Standing,
        store: &'a mut Store,
        rules: &'a Rules,
        ring: usize,
        direction: Direction,
        sink: &'a mut S,
    ) -> Self {
        let flip = (direction as usize).wrapping_neg();
        let laps = laps::laps(ring, direction == Direction::Clockwise);
        Self { rules, pebbles, standing, store, sink, direction, ring, flip, turn_round: ring & flip, laps }
    }

    /// The ring index `distance` (0 to the ring's size) squares on in the direction of the move.
    #[inline]
    fn on(&self, square: usize, distance: usize) -> usize {
        // Clockwise, `distance` becomes `ring - distance`.
        let up = (distance ^ self.flip).wrapping_sub(self.flip).wrapping_add(self.turn_round);
        let index = square + up;
        if index >= self.ring { index - self.ring } else { index }
    }

    /// The following square in the direction of the move.
    #[inline]
    fn following(&self, square: usize) -> usize {
        if WIDTH == NARROW { self.laps[square & (NARROW - 1)][0].next as usize } else { self.on(square, 1) }
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
    #[allow(clippy::inline_always, reason = "what is constant in a turn is to be so in it")]
    #[inline(always)]
    fn run(&mut self, start: usize) {
        let mut lifts = 0;
        let mut square = start;
        loop {
            square = self.lap(square);
            lifts += 1;
            // Rules 3.3: look at the next square. An occupied citizen square, one bit to ask for, is lifted from next.
            let mut relay = (self.standing.occupied & !self.rules.mandarin_squares()) >> square & 1 != 0;
            if !relay && self.rules.mandarin_next != MandarinNext::Stop {
                (square, relay) = self.lift_from_mandarin_squares(square, &mut lifts);
            }
            if !relay {
                return self.capture(square);
            }
            if lifts == MAX_LAPS {
                return self.sink.stop(StopReason::LapLimit);
            }
        }
    }

    /// Rules 3.2: lift all pebbles of a square, drop one in each following square, mandarin squares and, after a full
    /// ring, the square lifted from included. Returns the square after the last drop.
    #[allow(clippy::inline_always, reason = "what is constant in a turn is to be so in it")]
    #[inline(always)]
    fn lap(&mut self, from: usize) -> usize {
        let hand = self.pebbles[from & (WIDTH - 1)];
        let from_name = self.name(from);
        self.sink.lift(from_name, hand);
        self.sink.lap(self.rules, from_name, hand, self.direction);
        if WIDTH == NARROW { self.narrow_lap(from, usize::from(hand)) } else { self.wide_lap(from, hand) }
    }

    /// A lap on a ring that the table of laps has.
    #[allow(clippy::inline_always, reason = "what is constant in a turn is to be so in it")]
    #[inline(always)]
    fn narrow_lap(&mut self, from: usize, hand: usize) -> usize {
        let Some(bytes) = self.pebbles.first_chunk_mut::<NARROW>() else { return from };
        let mut pebbles = u128::from_le_bytes(*bytes);
        let (mut rest, mut lifted) = (hand, 1 << from);
        if hand >= self.ring {
            let (left, change) = laps::full_rounds(self.ring, from, hand);
            pebbles = pebbles.wrapping_add(change);
            self.standing.occupied = u32::MAX >> (MAX_RING - self.ring);
            (rest, lifted) = (left, 0);
        }
        let lap = &self.laps[from & (NARROW - 1)][rest & (NARROW - 1)];
        *bytes = pebbles.wrapping_add(lap.change).to_le_bytes();
        self.standing.occupied = self.standing.occupied & !lifted | lap.reached;
        lap.next as usize
    }

    /// A lap on any ring.
    #[inline]
    fn wide_lap(&mut self, from: usize, hand: u8) -> usize {
        let order = LapOrder::of(self.ring, self.direction == Direction::Clockwise, from);
        drop_in_order(self.pebbles, order, self.ring as u8, hand);
        self.occupy(from, usize::from(hand));
        let mut distance = usize::from(hand) + 1;
        while distance > self.ring {
            distance -= self.ring;
        }
        self.on(from, distance)
    }

    /// After a lap, the squares that got pebbles are occupied; the one lifted from only after a full ring.
    #[inline]
    fn occupy(&mut self, from: usize, hand: usize) {
        let all = (1_u64 << self.ring) - 1;
        if hand < self.ring {
            let first = if self.direction == Direction::Clockwise { from + self.ring - hand } else { from + 1 };
            // `hand` squares up the ring from there; what goes beyond the ring begins it again.
            let arc = ((1_u64 << hand) - 1) << first;
            self.standing.occupied =
                self.standing.occupied & !(1 << from) | (arc | arc >> self.ring) as u32 & all as u32;
        } else {
            self.standing.occupied = all as u32;
        }
    }

    /// Rules 3.3 for `mandarin_next` other than `stop`: lifts single pebbles as long as mandarin squares come next.
    /// Returns the square that then comes next, and whether it is lifted from.
    #[allow(clippy::inline_always, reason = "what is constant in a turn is to be so in it")]
    #[inline(always)]
    fn lift_from_mandarin_squares(&mut self, mut square: usize, lifts: &mut u32) -> (usize, bool) {
        while self.is_mandarin_square(square) {
            let pebbles = self.pebbles[square & (WIDTH - 1)] > 0;
            let (lifts_all, lifts_one) = match self.rules.mandarin_next {
                MandarinNext::Stop => (false, false),
                MandarinNext::LiftOne => (false, pebbles),
                MandarinNext::RelayWhenBare => (pebbles && !self.standing.mandarin(square), false),
            };
            if !lifts_one || *lifts == MAX_LAPS {
                return (square, lifts_all || lifts_one);
            }
            square = self.lift_one(square);
            *lifts += 1;
        }
        (square, !self.standing.is_empty(square))
    }

    /// Takes one pebble from a mandarin square and drops it in the following square; returns the one after.
    fn lift_one(&mut self, square: usize) -> usize {
        let following = self.following(square);
        self.pebbles[square] -= 1;
        self.pebbles[following] += 1;
        self.standing.set_occupied(square, self.pebbles[square] > 0);
        self.standing.set_occupied(following, true);
        let name = self.name(square);
        self.sink.lift(name, 1);
        self.sink.lap(self.rules, name, 1, self.direction);
        self.following(following)
    }

    /// Rules 3.3 and 3.4 for a square that is not lifted from: if it is a gap, capture over it, and on while there is
    /// another.
    #[allow(clippy::inline_always, reason = "what is constant in a turn is to be so in it")]
    #[inline(always)]
    fn capture(&mut self, mut gap: usize) {
        let mut barred = self.barred(self.rules.empty_mandarin_after_sowing);
        let mut captured = false;
        let reason = loop {
            let prey = self.following(gap);
            let standing = self.standing.occupied | self.standing.mandarins;
            // One branch for all that stands in the way: what it is cannot be predicted.
            if !(standing | barred) >> gap & standing >> prey & 1 == 0 {
                break self.no_capture(gap, captured);
            }
            let pebbles = self.pebbles[prey & (WIDTH - 1)];
            let mandarin = self.standing.mandarin(prey);
            if mandarin && pebbles < self.rules.immature_below {
                break StopReason::ImmatureMandarin;
            }
            clear(self.pebbles, prey);
            self.standing.occupied &= !(1 << prey);
            self.standing.mandarins &= !(1 << prey);
            self.store.pebbles = self.store.pebbles.saturating_add(i32::from(pebbles));
            self.store.mandarins += u8::from(mandarin);
            let name = self.name(prey);
            self.sink.capture(name, pebbles, mandarin);
            if self.rules.end_check == EndCheck::AtOnce && is_end(*self.standing, self.rules) {
                break StopReason::GameOver; // rules 3.5: the end cuts the chain
            }
            if !self.rules.capture_chain {
                break StopReason::CaptureChainOff;
            }
            captured = true;
            barred = self.barred(self.rules.empty_mandarin_in_chain);
            gap = self.following(prey);
        };
        self.sink.stop(reason);
    }

    /// The squares that are no gap even when they are empty.
    #[inline]
    fn barred(&self, empty_mandarin: EmptyMandarin) -> u32 {
        match empty_mandarin {
            EmptyMandarin::Stop => self.rules.mandarin_squares(),
            EmptyMandarin::Gap => 0,
        }
    }

    /// Why nothing is captured over `gap`, after a lap or after a capture.
    #[inline]
    fn no_capture(&self, gap: usize, captured: bool) -> StopReason {
        let empty_mandarin =
            if captured { self.rules.empty_mandarin_in_chain } else { self.rules.empty_mandarin_after_sowing };
        match (self.standing.is_empty(gap), self.barred(empty_mandarin) >> gap & 1 != 0) {
            (false, _) if captured => StopReason::NoGap,
            (false, _) => StopReason::MandarinSquare,
            (true, true) => StopReason::EmptyMandarinSquare,
            (true, false) => StopReason::TwoEmptySquares,
        }
    }
}

/// Empties the square that comes last in `order`, then drops `hand` pebbles in that order, round and round. Written
/// as one pass over all bytes so that it compiles to a few vector instructions.
#[inline]
fn drop_in_order<const WIDTH: usize>(pebbles: &mut [u8; WIDTH], order: &[u8; MAX_RING], ring: u8, hand: u8) {
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

/// Empties a square. All bytes are written, as in a lap: a wide load right after a single-byte store would stall.
#[inline]
fn clear<const WIDTH: usize>(pebbles: &mut [u8; WIDTH], square: usize) {
    let keep = &ALL_BUT[square & (MAX_RING - 1)];
    for index in 0..WIDTH {
        pebbles[index] &= keep[index];
    }
}

/// For each square, all bits set but those of that square.
static ALL_BUT: [[u8; MAX_RING]; MAX_RING] = {
    let mut masks = [[u8::MAX; MAX_RING]; MAX_RING];
    let mut square = 0;
    while square < MAX_RING {
        masks[square][square] = 0;
        square += 1;
    }
    masks
};

/// Rules 3.5: whether the board ends the game.
#[inline]
pub(crate) fn is_end(standing: Standing, rules: &Rules) -> bool {
    let left = match rules.ends_when {
        EndsWhen::StonesTaken => standing.mandarins,
        EndsWhen::SquaresEmpty => standing.mandarins | standing.occupied & rules.mandarin_squares(),
    };
    left == 0
}

/// Sows from a square of the mover, captures included, and nothing else of the turn (rules 3.2 to 3.4).
#[inline]
pub(crate) fn sow<S: Sink>(board: &mut Board, store: &mut Store, rules: &Rules, mv: Move, sink: &mut S) {
    let (ring, start, direction) = (rules.ring(), first_square(rules, mv), mv.direction());
    let Board { pebbles, standing } = board;
    match pebbles.first_chunk_mut::<NARROW>() {
        Some(narrow) if ring <= NARROW => {
            Sowing::new(narrow, standing, store, rules, ring, direction, sink).run(start);
        }
        _ => Sowing::new(pebbles, standing, store, rules, ring, direction, sink).run(start),
    }
}

/// The same on a ring of up to 16 squares, from the square of that ring index.
#[allow(clippy::inline_always, reason = "the ring may be a constant in it")]
#[inline(always)]
pub(crate) fn sow_narrow<S: Sink>(
    board: &mut Board<NARROW>,
    store: &mut Store,
    rules: &Rules,
    ring: usize,
    start: usize,
    direction: Direction,
    sink: &mut S,
) {
    let Board { pebbles, standing } = board;
    Sowing::new(pebbles, standing, store, rules, ring, direction, sink).run(start);
}

/// The ring index of the square that the move lifts from.
#[inline]
fn first_square(rules: &Rules, mv: Move) -> usize {
    rules.first(mv.side()) + usize::from(mv.number()) - 1
}

/// The whole turn: sowing and capturing, the end test, the change of turn with its re-seeding (rules 3.2 to 3.6).
#[inline]
pub(crate) fn take_turn<S: Sink>(position: &mut Position, mv: Move, sink: &mut S) {
    let Position { board, stores, rules, .. } = position;
    sow(board, &mut stores[mv.side().index()], rules, mv, sink);
    position.ply = position.ply.saturating_add(1);
    let sides = usize::from(position.rules.sides);
    position.turn = mv.side().after(1, sides);
    if is_end(position.board.standing, &position.rules) {
        position.ending = Some(Ending::Mandarins);
        return;
    }
    match position.rules.reseed_when {
        ReseedWhen::TurnStart => {
            if position.row_is_empty(position.turn) {
                position.ending = reseed(position, position.turn, sink);
            }
        }
        ReseedWhen::WhenEmpty => {
            while position.ending.is_none() {
                let Some(side) = position.rows_to_reseed().next() else { break };
                position.ending = reseed(position, side, sink);
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
    let others = position.rules.all_sides().filter(|&other| other != side).map(|other| owned(position, other)).sum();
    payment_from(&position.rules, owned(position, side), others, position.board.total())
}

/// Rules section 4: how a side that has so much would pay for its empty row, when the others have so much and so many
/// pebbles are on the board.
pub(crate) fn payment_from(rules: &Rules, have: i64, others: i64, on_board: usize) -> Payment {
    let wanted = i64::from(rules.squares);
    let placed = match rules.shortfall {
        Shortfall::Partial => wanted.min(have),
        _ => wanted,
    };
    // Rule book, decision 3: a board never holds more pebbles than its squares can count.
    if placed == 0 || on_board as i64 + placed > MAX_PEBBLES as i64 {
        return Payment::Impossible(Ending::Short);
    }
    if have >= placed {
        return Payment::Own(placed as u8);
    }
    match rules.shortfall {
        Shortfall::Owe => Payment::Own(placed as u8),
        Shortfall::Borrow => {
            if others >= placed - have {
                Payment::Loan(placed - have)
            } else {
                Payment::Impossible(Ending::Short)
            }
        }
        Shortfall::Loses => Payment::Impossible(Ending::Loses),
        Shortfall::Partial | Shortfall::Count => Payment::Impossible(Ending::Short),
    }
}

/// What a side can pay or lend, never below zero.
fn owned(position: &Position, side: Side) -> i64 {
    funds(&position.rules, position.stores[side.index()]).max(0).into()
}

/// What a store is worth in a re-seeding (rules section 4): its pebbles, or its points.
#[inline]
pub(crate) fn funds(rules: &Rules, store: Store) -> i32 {
    match rules.reseed_from {
        ReseedFrom::Pebbles => store.pebbles,
        ReseedFrom::Points => {
            store.pebbles.saturating_add(i32::from(store.mandarins) * i32::from(rules.mandarin_value))
        }
    }
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
    for square in first..first + usize::from(placed) {
        position.board.set(square, 1);
    }
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
