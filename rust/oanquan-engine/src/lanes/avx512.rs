//! One step of eight games with AVX-512: see the [room's page](super) for what a step is.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::pack::{EACH, FACTORS, Left, Log, ONE_RESEEDING, Pack, Step, TOGETHER, end_log, hashes_from};
use super::plan::{MANDARIN, Plan, WIDTH};
use crate::rng::STEP;

/// How many games a pack has here.
pub(super) const GAMES: usize = 8;

type Bytes = [u8; 64];

/// The first byte of each board.
const FIRST: u64 = 0x0001_0001_0001_0001;

/// What the step needs, spread over vectors.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Constants {
    /// The place of each byte.
    places: Bytes,
    all_but_first: Bytes,
    /// How many pebbles must be in a hand for the byte to get one, and to get two.
    first_round: Bytes,
    second_round: Bytes,
    ring: Bytes,
    largest_hand: Bytes,
    half: Bytes,
    /// The places of a new frame, before the square is added: `Frame::new`.
    backwards: Bytes,
    other_side: Bytes,
    other_side_backwards: Bytes,
    immature_below: Bytes,
    /// One in each byte. That it is one must not be known to the compiler: it would replace masked additions by two
    /// instructions each.
    one: Bytes,
    /// As `Pack::plies` counts them.
    one_each_hash: [u16; 32],
    one_ply: [u64; GAMES],
    one_reseeding: [u64; GAMES],
    step: [u64; GAMES],
    squares_each: [u64; GAMES],
    /// In the low word of a board: the row, a pebble in each of its squares, and what may stand in its mandarin square;
    /// in the high word what may stand in the other.
    row: [u64; GAMES],
    row_of_ones: [u64; GAMES],
    standing_low: [u64; GAMES],
    standing_high: [u64; GAMES],
    /// The bytes of the ring.
    on_ring: u64,
    /// The bytes of the row, in words of eight bytes.
    in_row: u64,
    squares: u32,
    stop_after_sowing: u64,
    stop_in_chain: u64,
    stop_after_capture: u64,
}

fn spread(byte: impl Fn(usize) -> u8) -> Bytes {
    core::array::from_fn(|place| byte(place % WIDTH))
}

impl Constants {
    pub(super) fn new(plan: &Plan) -> Self {
        let (ring, half) = (plan.ring, plan.half);
        // Beyond the ring a place is one that no shuffle takes, whatever is added or subtracted.
        let on_ring = |place: usize, byte: usize, beyond: u8| if place < ring { byte as u8 } else { beyond };
        let opposite = |place: usize| (ring - (place + half) % ring) % ring;
        let all = |flag: bool| if flag { EACH } else { 0 };
        Self {
            all_but_first: spread(|place| if place == 0 { 0 } else { 0xFF }),
            places: spread(|place| on_ring(place, place, 0xC0)),
            first_round: spread(|place| on_ring(place, if place == 0 { ring } else { place }, 0xFF)),
            second_round: spread(|place| on_ring(place, if place == 0 { 2 * ring } else { ring + place }, 0xFF)),
            ring: [ring as u8; 64],
            largest_hand: [plan.largest_hand; 64],
            half: [half as u8; 64],
            // The square of a clockwise move comes with 0x80 added: these take it away again.
            backwards: spread(|place| on_ring(place, 0x80 + (ring - place % ring) % ring, 0x40)),
            other_side: spread(|place| ((place + half) % ring) as u8),
            other_side_backwards: spread(|place| (0x80 + opposite(place)).wrapping_sub(ring) as u8),
            immature_below: [plan.immature_below; 64],
            one: [1; 64],
            one_each_hash: [1; 32],
            one_ply: [1; GAMES],
            one_reseeding: [ONE_RESEEDING; GAMES],
            step: [STEP; GAMES],
            squares_each: [plan.squares as u64; GAMES],
            row: [(1 << (8 * plan.squares)) - 1; GAMES],
            row_of_ones: [EACH & ((1 << (8 * plan.squares)) - 1); GAMES],
            standing_low: [u64::from(plan.standing()) << (8 * plan.squares); GAMES],
            standing_high: [u64::from(plan.standing()) << (8 * (plan.half + plan.squares - 8)); GAMES],
            on_ring: FIRST.wrapping_mul((1 << ring) - 1),
            in_row: EACH * ((1 << plan.squares) - 1),
            squares: plan.squares as u32,
            stop_after_sowing: all(plan.stop_after_sowing),
            stop_in_chain: all(plan.stop_in_chain),
            stop_after_capture: all(!plan.capture_chain),
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load<T: Words>(from: &T) -> __m512i {
    // SAFETY: `T` is 64 bytes by the contract of `Words`; the load does not ask for alignment.
    unsafe { _mm512_loadu_si512(core::ptr::from_ref(from).cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store<T: Words>(to: &mut T, value: __m512i) {
    // SAFETY: `T` is 64 bytes, any of which may have any value, by the contract of `Words`.
    unsafe { _mm512_storeu_si512(core::ptr::from_mut(to).cast(), value) }
}

/// The same mask, in a general register: the compiler would compute with it among the masks of vectors, and move more to
/// and fro than that saves.
#[inline]
fn in_general_register(mut mask: u64) -> u64 {
    // SAFETY: there is no instruction.
    unsafe { core::arch::asm!("/* {0} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags)) }
    mask
}

/// The same value, of which the compiler knows nothing.
#[inline]
#[target_feature(enable = "avx512f")]
fn opaque(mut value: __m512i) -> __m512i {
    // SAFETY: there is no instruction.
    unsafe { core::arch::asm!("/* {0} */", inout(zmm_reg) value, options(pure, nomem, nostack, preserves_flags)) }
    value
}

/// 64 bytes of whole numbers.
///
/// # Safety
/// The type is 64 bytes long and every pattern of bits is a value.
unsafe trait Words {}
// SAFETY: 64 bytes of whole numbers.
unsafe impl Words for Bytes {}
// SAFETY: 64 bytes of whole numbers.
unsafe impl Words for [[u8; WIDTH]; 4] {}
// SAFETY: 64 bytes of whole numbers.
unsafe impl Words for [u64; GAMES] {}
// SAFETY: 64 bytes of whole numbers.
unsafe impl Words for [u16; 32] {}

/// The two halves of the boards.
#[inline]
fn halves(boards: &mut [[u8; WIDTH]; GAMES]) -> [&mut [[u8; WIDTH]; 4]; 2] {
    let (first, second) = boards.split_at_mut(4);
    [first.try_into().unwrap(), second.try_into().unwrap()]
}

/// For masks of games: the masks of the bytes of their boards, in either half.
#[inline]
const fn byte_masks(games: u64) -> [u64; 2] {
    [(games & FIRST).wrapping_mul(0xFFFF), (games >> 8 & FIRST).wrapping_mul(0xFFFF)]
}

/// A turned board: the board and where the squares are.
#[derive(Clone, Copy)]
struct Turned {
    board: __m512i,
    back: __m512i,
}

/// One lap or one capture of four games. Returns what was captured too, each in byte 1 of its board.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn advance(turned: Turned, c: &Constants) -> (Turned, __m512i) {
    let ring = load(&c.ring);
    let one = load(&c.one);
    let hand = _mm512_shuffle_epi8(turned.board, _mm512_setzero_si512());
    // Rules 3.4: at a gap, take what stands in the next square, and look at the one after it.
    let at_gap = _mm512_mask_testn_epi8_mask(FIRST << 1, hand, hand);
    let taken = _mm512_maskz_mov_epi8(at_gap, turned.board);
    // Rules 3.2: lift all pebbles, drop one in each following square.
    let mut board = _mm512_ternarylogic_epi64::<0x60>(turned.board, taken, load(&c.all_but_first)); // (board ^ taken) & all but first
    let first_round = _mm512_cmple_epu8_mask(load(&c.first_round), hand);
    let second_round = _mm512_cmple_epu8_mask(load(&c.second_round), hand);
    board = _mm512_mask_add_epi8(board, first_round, board, one);
    board = _mm512_mask_add_epi8(board, second_round, board, one);
    // The square to look at then: the next after the hand, or the next but one after the gap.
    let distance = _mm512_add_epi8(_mm512_max_epu8(hand, one), one);
    let distance = _mm512_min_epu8(distance, _mm512_sub_epi8(distance, ring));
    let from = _mm512_add_epi8(load(&c.places), distance);
    let from = _mm512_min_epu8(from, _mm512_sub_epi8(from, ring));
    let back = _mm512_sub_epi8(turned.back, distance);
    let back = _mm512_min_epu8(back, _mm512_add_epi8(back, ring));
    (Turned { board: _mm512_shuffle_epi8(board, from), back }, taken)
}

/// The turned boards of the moves `choice` on the boards `board`: for each game a byte, the square and, for a clockwise
/// move, 0x80.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn turn(board: __m512i, choice: __m512i, c: &Constants) -> Turned {
    let ring = load(&c.ring);
    let clockwise = _mm512_movepi8_mask(choice);
    let from = _mm512_add_epi8(choice, _mm512_mask_blend_epi8(clockwise, load(&c.places), load(&c.backwards)));
    let from = _mm512_min_epu8(from, _mm512_sub_epi8(from, ring));
    let back = _mm512_sub_epi8(load(&c.other_side), choice);
    let back = _mm512_mask_add_epi8(back, clockwise, choice, load(&c.other_side_backwards));
    let back = _mm512_min_epu8(back, _mm512_add_epi8(back, ring));
    Turned { board: _mm512_shuffle_epi8(board, from), back }
}

/// The core's `mix`, without the last of its steps in the lower half.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn upper_half_of_mix(counters: __m512i) -> __m512i {
    let z = _mm512_add_epi64(counters, _mm512_set1_epi64(0x9E37_79B9_7F4A_7C15_u64 as i64));
    let z = _mm512_xor_si512(z, _mm512_srli_epi64::<30>(z));
    let z = _mm512_mullo_epi64(z, _mm512_set1_epi64(FACTORS[0] as i64));
    let z = _mm512_xor_si512(z, _mm512_srli_epi64::<27>(z));
    let z = _mm512_mullo_epi64(z, _mm512_set1_epi64(FACTORS[1] as i64));
    // (z ^ z >> 31) >> 32
    _mm512_xor_si512(_mm512_srli_epi64::<32>(z), _mm512_srli_epi64::<63>(z))
}

/// Draws a move for each game from the bytes of its row: the square and, for a clockwise move, 0x80.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn choose(occupied: u64, draw: __m512i) -> __m512i {
    let one = _mm512_set1_epi8(1);
    // Byte i: how many of the squares up to i hold pebbles; byte 7: how many do.
    let count = _mm512_mullo_epi64(_mm512_maskz_mov_epi8(occupied, one), _mm512_set1_epi64(EACH as i64));
    let moves = _mm512_srli_epi64::<55>(count); // two for each square
    let choice = _mm512_mul_epu32(draw, moves); // the choice in the upper half
    let to_each_byte = _mm512_set4_epi32(0x0808_0808, 0x0808_0808, 0, 0);
    let nth = _mm512_shuffle_epi8(_mm512_srli_epi64::<33>(choice), to_each_byte);
    let before = _mm512_cmple_epu8_mask(count, nth);
    let square = _mm512_sad_epu8(_mm512_maskz_mov_epi8(before, one), _mm512_setzero_si512());
    // Odd choices are clockwise: bit 32 becomes bit 7.
    let clockwise = _mm512_srli_epi64::<25>(choice);
    _mm512_ternarylogic_epi64::<0xF8>(square, clockwise, _mm512_set1_epi64(0x80)) // square | clockwise & 0x80
}

/// The games that are at an end of the move, and those that stand before a gap, by the squares they look at.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn ends<const IMMATURE: bool>(a: Turned, b: Turned, captured: u64, c: &Constants) -> (u64, u64) {
    let boards = _mm512_unpacklo_epi64(a.board, b.board);
    let back = _mm512_unpacklo_epi64(a.back, b.back);
    let empty = in_general_register(_mm512_testn_epi8_mask(boards, boards));
    // The square is a mandarin square when one of the two mandarin squares is at byte 0. They are half a ring apart.
    let at_mandarin_square = _mm512_testn_epi8_mask(back, back) | _mm512_cmpeq_epi8_mask(back, load(&c.half));
    let at_mandarin_square = in_general_register(at_mandarin_square) >> c.squares;
    let mut not_to_take = empty;
    if IMMATURE {
        let pebbles = _mm512_xor_si512(boards, _mm512_set1_epi8(MANDARIN as i8));
        not_to_take |= _mm512_cmplt_epu8_mask(pebbles, load(&c.immature_below));
    }
    // Rules 3.3 and 3.4.
    let stops_there = captured & c.stop_in_chain | !captured & c.stop_after_sowing;
    let no_capture = at_mandarin_square & stops_there | not_to_take >> 1;
    let no_lap = at_mandarin_square | captured;
    let end = (empty & no_capture | !empty & no_lap | captured & c.stop_after_capture) & EACH;
    (end, empty & EACH & !end)
}

/// What is worked out for a pack in a step.
#[derive(Clone, Copy)]
struct Work {
    draws: __m512i,
    /// The turned boards after the lap or the capture.
    a: Turned,
    b: Turned,
    /// The stores after it.
    stores: __m512i,
    /// The boards as the next mover sees them, in two words each.
    low: __m512i,
    high: __m512i,
    /// Where the turn ends: the games that are over, those whose row is filled, and those whose row cannot be.
    over: u8,
    paid: u8,
    short: u8,
    choice: __m512i,
}

/// Draws the random numbers of the next ply.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn draw(pack: &Pack<GAMES>, work: &mut Work) {
    work.draws = upper_half_of_mix(load(&pack.counters));
}

/// Makes the laps and captures.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn play(pack: &mut Pack<GAMES>, work: &mut Work, c: &Constants) {
    let [boards_a, boards_b] = halves(&mut pack.boards);
    let [back_a, back_b] = halves(&mut pack.back);
    let (taken_a, taken_b);
    (work.a, taken_a) = advance(Turned { board: load(boards_a), back: load(back_a) }, c);
    (work.b, taken_b) = advance(Turned { board: load(boards_b), back: load(back_b) }, c);
    let taken = _mm512_sad_epu8(_mm512_unpacklo_epi64(taken_a, taken_b), _mm512_setzero_si512());
    work.stores = _mm512_add_epi64(load(&pack.stores), taken);
    let next_a = _mm512_maskz_shuffle_epi8(c.on_ring, work.a.board, work.a.back);
    let next_b = _mm512_maskz_shuffle_epi8(c.on_ring, work.b.board, work.b.back);
    work.low = _mm512_unpacklo_epi64(next_a, next_b);
    work.high = _mm512_unpackhi_epi64(next_a, next_b);
}

/// Changes the turn, as if it ended in every game.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn change_turn(work: &mut Work, c: &Constants) {
    // Rules 3.5: nothing stands in either mandarin square.
    work.over = _mm512_testn_epi64_mask(work.low, load(&c.standing_low))
        & _mm512_testn_epi64_mask(work.high, load(&c.standing_high));
    // Rules section 4: an empty row is filled from the store, if that is enough.
    let bare = _mm512_testn_epi64_mask(work.low, load(&c.row)) & !work.over;
    let pebbles = _mm512_and_si512(_mm512_srli_epi64::<32>(work.stores), _mm512_set1_epi64(0x7F));
    let enough = _mm512_cmpge_epu64_mask(pebbles, load(&c.squares_each));
    work.paid = bare & enough;
    work.short = bare & !enough;
    work.low = _mm512_mask_or_epi64(work.low, work.paid, work.low, load(&c.row_of_ones));
    let occupied = _mm512_mask_test_epi8_mask(c.in_row, work.low, work.low);
    work.choice = choose(occupied, work.draws);
}

/// Finds out where the turn ends, and keeps what that changes but the boards. Returns the games.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn end_turns<const IMMATURE: bool>(pack: &mut Pack<GAMES>, work: &mut Work, c: &Constants) -> u64 {
    let (end, gaps) = ends::<IMMATURE>(work.a, work.b, pack.gaps, c);
    let end = end & pack.active;
    let ended = _pext_u64(end, EACH) as u8;
    let (over, paid) = (work.over & ended, work.paid & ended);
    work.short &= ended;
    let stores = _mm512_mask_ror_epi64::<32>(work.stores, ended, work.stores);
    let stores = _mm512_mask_sub_epi64(stores, paid, stores, load(&c.squares_each));
    store(&mut pack.stores, stores);
    let (kept_low, kept_high) = (load(&pack.low), load(&pack.high));
    store(&mut pack.low, opaque(_mm512_mask_mov_epi64(kept_low, over | work.short, work.low)));
    store(&mut pack.high, opaque(_mm512_mask_mov_epi64(kept_high, over | work.short, work.high)));
    let hash = _mm512_mullo_epi64(work.low, _mm512_set1_epi64(FACTORS[0] as i64));
    let hash = _mm512_ternarylogic_epi64::<0x96>(hash, work.high, stores); // exclusive or
    let kept = load(&pack.hashes);
    store(&mut pack.hashes, _mm512_mask_mullo_epi64(kept, ended, hash, _mm512_set1_epi64(FACTORS[1] as i64)));
    let plies = load(&pack.plies);
    let plies = _mm512_mask_add_epi64(plies, ended, plies, load(&c.one_ply));
    store(&mut pack.plies, _mm512_mask_add_epi64(plies, paid, plies, load(&c.one_reseeding)));
    let counters = load(&pack.counters);
    store(&mut pack.counters, _mm512_mask_add_epi64(counters, ended, counters, load(&c.step)));
    let over = _pdep_u64(over.into(), EACH);
    pack.active &= !over;
    pack.gaps = gaps & pack.active;
    end
}

/// Begins the next move where the turn ends.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn begin_moves(pack: &mut Pack<GAMES>, work: &Work, end: u64, c: &Constants) -> Left {
    // The lane of a game that is over is left empty: nothing is captured there.
    let low = _mm512_maskz_mov_epi64(!work.over, work.low);
    let high = _mm512_maskz_mov_epi64(!work.over, work.high);
    let next_a = _mm512_unpacklo_epi64(low, high);
    let next_b = _mm512_unpackhi_epi64(low, high);
    let [bytes_a, bytes_b] = byte_masks(end);
    let new_a = turn(next_a, _mm512_shuffle_epi8(work.choice, _mm512_setzero_si512()), c);
    let new_b = turn(next_b, _mm512_shuffle_epi8(work.choice, _mm512_set1_epi8(8)), c);
    let board_a = _mm512_mask_mov_epi8(work.a.board, bytes_a, new_a.board);
    let board_b = _mm512_mask_mov_epi8(work.b.board, bytes_b, new_b.board);
    let [boards_a, boards_b] = halves(&mut pack.boards);
    store(boards_a, board_a);
    store(boards_b, board_b);
    let [back_a, back_b] = halves(&mut pack.back);
    store(back_a, _mm512_mask_mov_epi8(work.a.back, bytes_a, new_a.back));
    store(back_b, _mm512_mask_mov_epi8(work.b.back, bytes_b, new_b.back));
    // Mandarins count as negative.
    let most = load(&c.largest_hand);
    let large = if _mm512_cmpgt_epi8_mask(_mm512_max_epi8(board_a, board_b), most) == 0 {
        0
    } else {
        games_of(_mm512_cmpgt_epi8_mask(board_a, most)) | games_of(_mm512_cmpgt_epi8_mask(board_b, most)) << 8
    };
    Left { short: _pdep_u64(work.short.into(), EACH), large: large & pack.active }
}

/// One step of every game of the packs: a lap or a capture, and where the turn ends the choice of the next move.
///
/// What is done to one pack is a long chain of instructions that wait for each other. So two packs go through it side by
/// side. Nothing waits for the answer whether a turn ends: the next move is worked out for all games.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn step<const IMMATURE: bool>([p, q]: &mut [Pack<GAMES>; TOGETHER], c: &Constants) -> [Left; TOGETHER] {
    let zero = _mm512_setzero_si512();
    let none = Turned { board: zero, back: zero };
    let mut x = Work {
        draws: zero,
        a: none,
        b: none,
        stores: zero,
        low: zero,
        high: zero,
        over: 0,
        paid: 0,
        short: 0,
        choice: zero,
    };
    let mut y = x;
    draw(p, &mut x);
    draw(q, &mut y);
    play(p, &mut x, c);
    play(q, &mut y, c);
    change_turn(&mut x, c);
    change_turn(&mut y, c);
    let end_p = end_turns::<IMMATURE>(p, &mut x, c);
    let end_q = end_turns::<IMMATURE>(q, &mut y, c);
    [begin_moves(p, &x, end_p, c), begin_moves(q, &y, end_q, c)]
}

/// See `Step::repeats`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
fn repeats(log: &mut Log, plies: usize, times: u32, c: &Constants) -> bool {
    end_log(log, plies);
    let mut found = 0;
    for from in (0..plies).step_by(32) {
        let hashes = load(hashes_from::<32>(log, from));
        // How many of the later hashes each is equal to.
        let mut count = _mm512_setzero_si512();
        for ply in (from + 2..plies).step_by(2) {
            let equal = _mm512_cmpeq_epi16_mask(hashes, load(hashes_from::<32>(log, ply)));
            count = _mm512_mask_add_epi16(count, equal, count, load(&c.one_each_hash));
        }
        let enough = _mm512_cmpge_epu16_mask(count, _mm512_set1_epi16(times.min(255) as i16 - 1));
        found |= enough & _mm512_test_epi16_mask(hashes, hashes);
    }
    found != 0
}

/// The games of one half with any byte in the mask.
#[cold]
fn games_of(bytes: u64) -> u64 {
    (0..4).filter(|game| bytes >> (16 * game) & 0xFFFF != 0).fold(0, |games, game| games | 1 << (16 * game))
}

/// [`step`], for whoever has asked whether this processor can.
///
/// # Safety
/// The processor has AVX-512 F, BW, DQ and VL, and BMI 1 and 2.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
pub(super) fn step_mature(packs: &mut [Pack<GAMES>; TOGETHER], c: &Constants) -> [Left; TOGETHER] {
    step::<false>(packs, c)
}

/// [`step_mature`] where mandarins may be immature.
///
/// # Safety
/// That of [`step_mature`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
pub(super) fn step_immature(packs: &mut [Pack<GAMES>; TOGETHER], c: &Constants) -> [Left; TOGETHER] {
    step::<true>(packs, c)
}

/// Whether this processor has what the steps need.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// The steps of packs on a processor that has what they need.
#[derive(Clone, Debug)]
pub(super) struct Avx512 {
    constants: Constants,
    immature: bool,
}

impl Avx512 {
    /// `None` where the processor cannot, or the board does not fit.
    pub(super) fn new(plan: &Plan) -> Option<Self> {
        // With fewer than four squares the other mandarin square is among the first eight bytes.
        (is_available() && plan.squares >= 4)
            .then(|| Self { constants: Constants::new(plan), immature: plan.immature_below > 0 })
    }
}

impl Step<GAMES> for Avx512 {
    #[inline]
    fn step(&self, packs: &mut [Pack<GAMES>; TOGETHER]) -> [Left; TOGETHER] {
        // SAFETY: there is a value of this type only where `new` has found the features.
        unsafe {
            if self.immature { step_immature(packs, &self.constants) } else { step_mature(packs, &self.constants) }
        }
    }

    #[inline]
    fn repeats(&self, log: &mut Log, plies: usize, times: u32) -> bool {
        // SAFETY: there is a value of this type only where `new` has found the features.
        unsafe { repeats(log, plies, times, &self.constants) }
    }
}
