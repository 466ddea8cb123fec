//! One step of a pack: see the [room's page](super) for what a step is.

// What is not inlined where the instructions are enabled would be a call for each of them.
#![allow(clippy::inline_always)]

use super::game::State;
use super::pack::{FACTORS, Left, NOWHERE, Pack};
use super::plan::{MANDARIN, Plan, WIDTH};
use super::simd::{Simd, Words};
use crate::rng::STEP;

/// How many laps or captures a step makes in each game, if its turn goes on. To choose a move costs as much as some of
/// them.
pub(super) const LAPS: usize = 3;

/// What the step needs of the rules.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    /// How many pebbles a place gets from a hand of up to 15, and from a hand of 16 to 31.
    small_hands: [[u8; 16]; WIDTH],
    large_hands: [[u8; 16]; WIDTH],
    /// One. That it is one must not be known to the compiler: it would replace masked additions by two instructions each.
    one: u8,
    squares: u8,
    standing: u8,
    immature_below: u8,
    stop_after_sowing: bool,
    stop_in_chain: bool,
    stop_after_capture: bool,
}

impl Constants {
    pub(super) fn new(plan: &Plan) -> Self {
        let sown = |place: usize, hand: usize| ((hand + plan.ring - place) / plan.ring - usize::from(place == 0)) as u8;
        let table = |first: usize| {
            core::array::from_fn(|place| core::array::from_fn(|hand| sown(place % plan.ring, first + hand)))
        };
        Self {
            small_hands: table(0),
            large_hands: table(16),
            one: 1,
            squares: plan.squares as u8,
            standing: plan.standing(),
            immature_below: plan.immature_below,
            stop_after_sowing: plan.stop_after_sowing,
            stop_in_chain: plan.stop_in_chain,
            stop_after_capture: !plan.capture_chain,
        }
    }
}

/// The hash of a position at a decision: as in `change_turn`.
pub(super) fn hash(state: &State, ring: usize) -> u16 {
    let own = (state.stores & 0x7F) as u8;
    let sum = |sum: u8, &byte: &u8| sum.wrapping_mul(3).wrapping_add(byte);
    let (forth, back) = (state.board[..ring].iter().fold(own, sum), state.board[..ring].iter().rev().fold(own, sum));
    u16::from_le_bytes([forth | 1, back])
}

/// The moves of a pack while they go on.
struct Moves<S: Simd<GAMES>, const GAMES: usize, const RING: usize> {
    boards: [S::Bytes; RING],
    places: S::Bytes,
    pebbles: S::Bytes,
    mandarins: S::Bytes,
    /// The games whose turn goes on, those of them that stand before a gap, and those whose hand is too large.
    going: S::Mask,
    gaps: S::Mask,
    large: S::Mask,
}

/// `a` modulo the ring, where it is less than twice as much.
#[inline(always)]
fn reduce<S: Simd<GAMES>, const GAMES: usize>(s: S, a: S::Bytes, ring: usize) -> S::Bytes {
    s.min(a, s.sub(a, s.splat(ring as u8)))
}

/// Turns boards: byte `by`, less than `1 << bits`, comes to byte 0.
#[inline(always)]
fn rotate<S: Simd<GAMES>, const GAMES: usize, const RING: usize>(
    s: S,
    boards: &mut [S::Bytes; RING],
    by: S::Bytes,
    bits: u32,
) {
    for bit in 0..bits {
        let (mask, before) = (s.has_bit(by, 1 << bit), *boards);
        for place in 0..RING {
            boards[place] = s.select(mask, before[(place + (1 << bit)) % RING], before[place]);
        }
    }
}

/// Reverses boards: byte `sum - i` comes to byte i.
#[inline(always)]
fn reverse<S: Simd<GAMES>, const GAMES: usize, const RING: usize>(
    s: S,
    boards: &mut [S::Bytes; RING],
    mask: S::Mask,
    sum: usize,
) {
    let before = *boards;
    for place in 0..RING {
        let other = (RING + sum - place) % RING;
        if other != place {
            boards[place] = s.select(mask, before[other], before[place]);
        }
    }
}

/// One lap or one capture of every game whose turn goes on.
#[inline(always)]
fn lap<S: Simd<GAMES>, const GAMES: usize, const RING: usize>(s: S, moves: &mut Moves<S, GAMES, RING>, c: &Constants) {
    let (one, captured) = (s.splat(c.one), moves.gaps);
    let boards = &mut moves.boards;
    // Rules 3.4: at a gap, take what stands in the next square, and look at the one after it.
    let taken = s.keep(captured, boards[1]);
    boards[1] = s.sub(boards[1], taken);
    moves.pebbles = s.add(moves.pebbles, s.and(taken, s.splat(!MANDARIN)));
    moves.mandarins = s.add_where(s.has_bit(taken, MANDARIN), moves.mandarins, one);
    // Rules 3.2: lift all pebbles, drop one in each following square.
    let hand = s.keep(moves.going, boards[0]);
    boards[0] = s.sub(boards[0], hand);
    let index = s.add(hand, s.splat(0x80 - 16)); // the table has nothing for 16 and more
    for (board, table) in boards.iter_mut().zip(&c.small_hands) {
        *board = s.add(*board, s.look_up(table, index));
    }
    let sixteen_or_more = s.has_bit(index, 0x80);
    if s.any(sixteen_or_more) {
        let index = s.sub(hand, s.splat(16));
        for (board, table) in boards.iter_mut().zip(&c.large_hands) {
            *board = s.add(*board, s.look_up(table, index));
        }
        // So the distance is less than twice the ring.
        let small = s.at_most(hand, s.splat(2 * RING as u8 - 2));
        moves.large = s.either(moves.large, s.without(moves.going, small));
    }
    // The square to look at then: the next after the hand, or the next but one after the gap.
    let distance = s.keep(moves.going, s.add(s.max(hand, one), one));
    let distance = reduce(s, distance, RING);
    moves.places = reduce(s, s.add(moves.places, distance), RING);
    rotate(s, boards, distance, 4);
    end_turns(s, moves, c);
}

/// Finds out which turns are at their end, and which stand before a gap, by the squares they look at.
#[inline(always)]
fn end_turns<S: Simd<GAMES>, const GAMES: usize, const RING: usize>(
    s: S,
    moves: &mut Moves<S, GAMES, RING>,
    c: &Constants,
) {
    let captured = moves.gaps;
    let empty = s.is_zero(moves.boards[0]);
    let at_mandarin_square =
        s.either(s.equal(moves.places, s.splat(RING as u8 / 2 - 1)), s.equal(moves.places, s.splat(RING as u8 - 1)));
    let mut not_to_take = s.is_zero(moves.boards[1]);
    if c.immature_below > 0 {
        let pebbles = s.xor(moves.boards[1], s.splat(MANDARIN));
        not_to_take = s.either(not_to_take, s.at_most(pebbles, s.splat(c.immature_below - 1)));
    }
    // Rules 3.3 and 3.4.
    let after_capture = s.both(captured, s.all(c.stop_in_chain));
    let stops_there = s.either(after_capture, s.without(s.all(c.stop_after_sowing), captured));
    let no_capture = s.either(s.both(at_mandarin_square, stops_there), not_to_take);
    let no_lap = s.either(at_mandarin_square, captured);
    let end = s.either(s.both(empty, no_capture), s.without(no_lap, empty));
    let end = s.either(end, s.both(captured, s.all(c.stop_after_capture)));
    moves.going = s.without(moves.going, end);
    moves.gaps = s.both(moves.going, empty);
}

/// The choices that the draws of a ply make among so many, for the games whose words are in that part of the keys: each
/// in the byte of its game.
#[inline(always)]
fn draw_part<S: Simd<GAMES>, const GAMES: usize>(
    s: S,
    key: S::Bytes,
    (plies, among): (S::Bytes, S::Bytes),
    part: u32,
) -> S::Bytes {
    let byte = |bytes| s.and(s.shr_words(bytes, 8 * part), s.splat_word(0xFF));
    let z = s.add_words(key, s.mul_words(byte(plies), STEP));
    // The core's `mix`; then the upper half is drawn from.
    let z = s.mul_words(s.xor(z, s.shr_words(z, 30)), FACTORS[0]);
    let z = s.mul_words(s.xor(z, s.shr_words(z, 27)), FACTORS[1]);
    let upper = s.xor(s.shr_words(z, 32), s.shr_words(z, 63));
    let choice = s.mul_halves(upper, byte(among)); // in bits 32 to 35
    let choice = if part < 4 { s.shr_words(choice, 32 - 8 * part) } else { s.shl_words(choice, 8 * part - 32) };
    s.and(choice, s.splat_word(0xF << (8 * part)))
}

/// The choices that the draws of a ply make among so many.
#[inline(always)]
fn draw<S: Simd<GAMES>, const GAMES: usize>(s: S, keys: &Words<GAMES>, plies: S::Bytes, among: S::Bytes) -> S::Bytes {
    let mut choices = s.splat(0);
    // Written out: shifts by numbers that are not known cost more.
    macro_rules! parts {
        ($($part:literal)*) => {$(
            choices = s.or(choices, draw_part(s, s.load_words(keys, $part), (plies, among), $part));
        )*};
    }
    parts!(0 1 2 3 4 5 6 7);
    choices
}

/// The moves that are chosen on boards as the movers see them: their squares, and whether they go clockwise.
#[inline(always)]
fn choose<S: Simd<GAMES>, const GAMES: usize, const RING: usize>(
    s: S,
    boards: &[S::Bytes; RING],
    (keys, plies): (&Words<GAMES>, S::Bytes),
    c: &Constants,
) -> (S::Bytes, S::Mask) {
    let one = s.splat(c.one);
    // How many of the squares up to each hold pebbles.
    let mut counts = [s.splat(0); RING];
    let mut count = s.splat(0);
    for square in 0..RING / 2 - 1 {
        count = s.add(count, s.min(boards[square], one));
        counts[square] = count;
    }
    let choice = draw(s, keys, plies, s.add(count, count));
    let nth = s.and(s.shr_words(choice, 1), s.splat(7));
    let mut square = s.splat(0);
    for &count in &counts[..RING / 2 - 2] {
        square = s.add_where(s.at_most(count, nth), square, one);
    }
    (square, s.has_bit(choice, 1))
}

/// The hashes of positions: see [`hash`].
#[inline(always)]
fn hashes<S: Simd<GAMES>, const GAMES: usize, const RING: usize>(
    s: S,
    boards: &[S::Bytes; RING],
    own: S::Bytes,
) -> (S::Bytes, S::Bytes) {
    let (mut forth, mut back) = (own, own);
    for place in 0..RING {
        forth = s.add(s.add(forth, forth), s.add(forth, boards[place]));
        back = s.add(s.add(back, back), s.add(back, boards[RING - 1 - place]));
    }
    (s.or(forth, s.splat(1)), back)
}

/// One step of every game of a pack: laps and captures, and where the turn ends the choice of the next move.
///
/// Whatever is done to one game is done to all: the masks say for which it counts.
#[inline(always)]
pub(super) fn step<S: Simd<GAMES>, const GAMES: usize, const RING: usize>(
    s: S,
    pack: &mut Pack<GAMES>,
    c: &Constants,
) -> Left {
    let active = s.mask(s.load(&pack.active));
    let mut boards = [s.splat(0); RING];
    for (board, kept) in boards.iter_mut().zip(&pack.boards) {
        *board = s.load(kept);
    }
    let mut moves = Moves {
        boards,
        places: s.load(&pack.places),
        pebbles: s.load(&pack.pebbles[0]),
        mandarins: s.load(&pack.mandarins[0]),
        going: active,
        gaps: s.mask(s.load(&pack.gaps)),
        large: s.all(false),
    };
    for _ in 0..LAPS {
        lap(s, &mut moves, c);
    }
    let ended = s.without(s.without(active, moves.going), moves.large);
    s.store(&mut pack.gaps, s.bytes(moves.gaps));
    change_turns(s, pack, &moves, ended, c)
}

/// Where the turn has ended, lets the other side begin a move.
#[inline(always)]
fn change_turns<S: Simd<GAMES>, const GAMES: usize, const RING: usize>(
    s: S,
    pack: &mut Pack<GAMES>,
    moves: &Moves<S, GAMES, RING>,
    ended: S::Mask,
    c: &Constants,
) -> Left {
    let half = RING / 2;
    let Moves { mut boards, places, pebbles, mandarins, large, .. } = *moves;
    // The boards as the next movers see them.
    let clockwise = s.mask(s.load(&pack.clockwise));
    let from_other_side = s.sub(s.splat(half as u8), places);
    let from_other_side = s.min(from_other_side, s.add(from_other_side, s.splat(RING as u8)));
    reverse(s, &mut boards, s.both(clockwise, ended), RING - 2);
    rotate(s, &mut boards, s.keep(ended, s.select(clockwise, places, from_other_side)), 4);
    // Rules 3.5: nothing stands in either mandarin square.
    let standing = s.and(s.or(boards[half - 1], boards[RING - 1]), s.splat(c.standing));
    let over = s.both(s.is_zero(standing), ended);
    // Rules section 4: an empty row is filled from the store, if that is enough.
    let row = boards[1..half - 1].iter().fold(boards[0], |row, &square| s.or(row, square));
    let bare = s.without(s.both(s.is_zero(row), ended), over);
    let (own, other) = (s.load(&pack.pebbles[1]), pebbles);
    let paid = s.both(bare, s.at_most(s.splat(c.squares), own));
    let short = s.without(bare, paid);
    let seeds = s.keep(paid, s.splat(1));
    for square in &mut boards[..half - 1] {
        *square = s.or(*square, seeds);
    }
    let reseedings = s.load(&pack.reseedings);
    s.store(&mut pack.reseedings, s.add(reseedings, seeds));
    let after = s.sub(own, s.keep(paid, s.splat(c.squares)));
    s.store(&mut pack.pebbles[0], s.select(ended, after, other));
    s.store(&mut pack.pebbles[1], s.select(ended, other, own));
    let theirs = s.load(&pack.mandarins[1]);
    s.store(&mut pack.mandarins[0], s.select(ended, theirs, mandarins));
    s.store(&mut pack.mandarins[1], s.select(ended, mandarins, theirs));
    let plies = s.add_where(ended, s.load(&pack.plies), s.splat(c.one));
    s.store(&mut pack.plies, plies);
    let (forth, back) = hashes(s, &boards, after);
    s.store_pairs(&mut pack.hashes, forth, back);
    s.store(&mut pack.slots, s.select(ended, plies, s.splat(NOWHERE)));
    // The next moves; boards that wait for someone to attend to them stay as they are seen.
    let (square, goes_clockwise) = choose(s, &boards, (&pack.keys, plies), c);
    let stopped = s.either(over, short);
    let begins = s.without(ended, stopped);
    let goes_clockwise = s.both(goes_clockwise, begins);
    let place = s.keep(begins, s.select(goes_clockwise, s.sub(s.splat(half as u8 - 2), square), square));
    reverse(s, &mut boards, goes_clockwise, half - 2);
    rotate(s, &mut boards, place, 3);
    s.store(&mut pack.places, s.select(ended, place, places));
    s.store(&mut pack.clockwise, s.bytes(s.either(s.without(clockwise, ended), goes_clockwise)));
    for (board, kept) in boards.into_iter().zip(&mut pack.boards) {
        s.store(kept, board);
    }
    let active = s.mask(s.load(&pack.active));
    s.store(&mut pack.active, s.bytes(s.without(s.without(active, stopped), large)));
    Left { over: s.bits(over), short: s.bits(short), large: s.bits(large) }
}
