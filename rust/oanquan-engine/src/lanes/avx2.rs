//! One step of four games with AVX2: what `avx512` does, with masks that are vectors.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::pack::{EACH, Left, Log, ONE_RESEEDING, Pack, Step, TOGETHER, end_log, hashes_from};
use super::plan::{Board, MANDARIN, Plan, WIDTH};
use crate::rng::STEP;

/// How many games a pack has here.
pub(super) const GAMES: usize = 4;

type Bytes = [u8; 32];

/// What the step needs, spread over vectors: as in `avx512`.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
pub(super) struct Constants {
    places: Bytes,
    places_or_backwards: Bytes,
    all_but_first: Bytes,
    second: Bytes,
    first_round: Bytes,
    second_round: Bytes,
    ring: Bytes,
    largest_hand: Bytes,
    half: Bytes,
    other_side: Bytes,
    other_side_backwards: Bytes,
    on_ring: Bytes,
    most_immature: Bytes,
    squares_each: [u64; GAMES],
    too_few: [u64; GAMES],
    row: [u64; GAMES],
    row_of_ones: [u64; GAMES],
    standing_low: [u64; GAMES],
    standing_high: [u64; GAMES],
    squares: u32,
    stop_after_sowing: u64,
    stop_in_chain: u64,
    stop_after_capture: u64,
}

fn spread(byte: impl Fn(usize) -> u8) -> Bytes {
    core::array::from_fn(|place| byte(place % WIDTH))
}

impl Constants {
    fn new(plan: &Plan) -> Self {
        let (ring, half) = (plan.ring, plan.half);
        let on_ring = |place: usize, byte: usize, beyond: u8| if place < ring { byte as u8 } else { beyond };
        let places = |place| on_ring(place, place, 0xC0);
        let backwards = |place| on_ring(place, 0x80 + (ring - place % ring) % ring, 0x40);
        let opposite = |place: usize| (ring - (place + half) % ring) % ring;
        let all = |flag: bool| if flag { EACH } else { 0 };
        Self {
            places: spread(places),
            places_or_backwards: spread(|place| places(place) ^ backwards(place)),
            all_but_first: spread(|place| if place == 0 { 0 } else { 0xFF }),
            second: spread(|place| if place == 1 { 0xFF } else { 0 }),
            first_round: spread(|place| on_ring(place, if place == 0 { ring } else { place }, 0xFF)),
            second_round: spread(|place| on_ring(place, if place == 0 { 2 * ring } else { ring + place }, 0xFF)),
            ring: [ring as u8; 32],
            largest_hand: [plan.largest_hand; 32],
            half: [half as u8; 32],
            other_side: spread(|place| ((place + half) % ring) as u8),
            other_side_backwards: spread(|place| (0x80 + opposite(place)).wrapping_sub(ring) as u8),
            on_ring: spread(|place| on_ring(place, 0xFF, 0)),
            most_immature: [plan.immature_below.saturating_sub(1); 32],
            squares_each: [plan.squares as u64; GAMES],
            too_few: [plan.squares as u64 - 1; GAMES],
            row: [(1 << (8 * plan.squares)) - 1; GAMES],
            row_of_ones: [EACH & ((1 << (8 * plan.squares)) - 1); GAMES],
            standing_low: [u64::from(plan.standing()) << (8 * plan.squares); GAMES],
            standing_high: [u64::from(plan.standing()) << (8 * (plan.half + plan.squares - 8)); GAMES],
            squares: plan.squares as u32,
            stop_after_sowing: all(plan.stop_after_sowing),
            stop_in_chain: all(plan.stop_in_chain),
            stop_after_capture: all(!plan.capture_chain),
        }
    }
}

/// 32 bytes of whole numbers.
///
/// # Safety
/// The type is 32 bytes long and every pattern of bits is a value.
unsafe trait Words {}
// SAFETY: 32 bytes of whole numbers.
unsafe impl Words for Bytes {}
// SAFETY: 32 bytes of whole numbers.
unsafe impl Words for [Board; 2] {}
// SAFETY: 32 bytes of whole numbers.
unsafe impl Words for [u64; GAMES] {}
// SAFETY: 32 bytes of whole numbers.
unsafe impl Words for [u16; 16] {}

#[inline]
#[target_feature(enable = "avx2")]
fn load<T: Words>(from: &T) -> __m256i {
    // SAFETY: `T` is 32 bytes by the contract of `Words`; the load does not ask for alignment.
    unsafe { _mm256_loadu_si256(core::ptr::from_ref(from).cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store<T: Words>(to: &mut T, value: __m256i) {
    // SAFETY: `T` is 32 bytes, any of which may have any value, by the contract of `Words`.
    unsafe { _mm256_storeu_si256(core::ptr::from_mut(to).cast(), value) }
}

/// The two halves of the boards.
#[inline]
fn halves(boards: &mut [Board; GAMES]) -> [&mut [Board; 2]; 2] {
    let (first, second) = boards.split_at_mut(2);
    [first.try_into().unwrap(), second.try_into().unwrap()]
}

/// For each set of four games, all bits of their words.
static WORDS: [[u64; GAMES]; 16] = {
    let mut table = [[0; GAMES]; 16];
    let mut set = 0;
    while set < 16 {
        let mut game = 0;
        while game < GAMES {
            if set >> game & 1 != 0 {
                table[set][game] = u64::MAX;
            }
            game += 1;
        }
        set += 1;
    }
    table
};

/// The words of the games of a mask.
#[inline]
#[target_feature(enable = "avx2")]
fn words_of(games: u64) -> __m256i {
    // Bits 8q to bits q.
    load(&WORDS[(games.wrapping_mul(0x1020_4080) >> 28 & 0xF) as usize])
}

/// The games whose words have their upper bit set.
#[inline]
#[target_feature(enable = "avx2")]
fn games_of_words(words: __m256i) -> u64 {
    let set = _mm256_movemask_pd(_mm256_castsi256_pd(words)) as u64;
    (set * 0x0020_4081) & EACH & 0xFFFF_FFFF
}

/// A turned board: the board and where the squares are.
#[derive(Clone, Copy)]
struct Turned {
    board: __m256i,
    back: __m256i,
}

/// One where `a >= b`, in all bits.
#[inline]
#[target_feature(enable = "avx2")]
fn at_least(a: __m256i, b: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a)
}

/// One lap or one capture of two games. Returns what was captured too, each in byte 1 of its board.
#[inline]
#[target_feature(enable = "avx2")]
fn advance(turned: Turned, c: &Constants) -> (Turned, __m256i) {
    let (zero, minus_one, ring) = (_mm256_setzero_si256(), _mm256_set1_epi8(-1), load(&c.ring));
    let hand = _mm256_shuffle_epi8(turned.board, zero);
    // Rules 3.4: at a gap, take what stands in the next square, and look at the one after it.
    let at_gap = _mm256_and_si256(_mm256_cmpeq_epi8(hand, zero), load(&c.second));
    let taken = _mm256_and_si256(at_gap, turned.board);
    // Rules 3.2: lift all pebbles, drop one in each following square.
    let board = _mm256_and_si256(_mm256_xor_si256(turned.board, taken), load(&c.all_but_first));
    let board = _mm256_sub_epi8(board, at_least(hand, load(&c.first_round)));
    let board = _mm256_sub_epi8(board, at_least(hand, load(&c.second_round)));
    // The square to look at then: the next after the hand, or the next but one after the gap.
    let distance = _mm256_sub_epi8(_mm256_max_epu8(hand, _mm256_set1_epi8(1)), minus_one);
    let distance = _mm256_min_epu8(distance, _mm256_sub_epi8(distance, ring));
    let from = _mm256_add_epi8(load(&c.places), distance);
    let from = _mm256_min_epu8(from, _mm256_sub_epi8(from, ring));
    let back = _mm256_sub_epi8(turned.back, distance);
    let back = _mm256_min_epu8(back, _mm256_add_epi8(back, ring));
    (Turned { board: _mm256_shuffle_epi8(board, from), back }, taken)
}

/// The turned boards of the moves `choice` on the boards `board`: for each game a byte, the square and, for a clockwise
/// move, 0x80.
#[inline]
#[target_feature(enable = "avx2")]
fn turn(board: __m256i, choice: __m256i, c: &Constants) -> Turned {
    let ring = load(&c.ring);
    let clockwise = _mm256_cmpgt_epi8(_mm256_setzero_si256(), choice);
    let places = _mm256_xor_si256(load(&c.places), _mm256_and_si256(clockwise, load(&c.places_or_backwards)));
    let from = _mm256_add_epi8(choice, places);
    let from = _mm256_min_epu8(from, _mm256_sub_epi8(from, ring));
    let back = _mm256_sub_epi8(load(&c.other_side), choice);
    let backwards = _mm256_add_epi8(choice, load(&c.other_side_backwards));
    let back = _mm256_blendv_epi8(back, backwards, clockwise);
    let back = _mm256_min_epu8(back, _mm256_add_epi8(back, ring));
    Turned { board: _mm256_shuffle_epi8(board, from), back }
}

/// The low words of the products.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply(a: __m256i, factor: u64) -> __m256i {
    let (low, high) = (_mm256_set1_epi64x(factor as i64), _mm256_set1_epi64x((factor >> 32) as i64));
    let cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64::<32>(a), low), _mm256_mul_epu32(a, high));
    _mm256_add_epi64(_mm256_mul_epu32(a, low), _mm256_slli_epi64::<32>(cross))
}

/// The upper half of the core's `mix`.
#[inline]
#[target_feature(enable = "avx2")]
fn upper_half_of_mix(counters: __m256i) -> __m256i {
    let z = _mm256_add_epi64(counters, _mm256_set1_epi64x(0x9E37_79B9_7F4A_7C15_u64 as i64));
    let z = multiply(_mm256_xor_si256(z, _mm256_srli_epi64::<30>(z)), 0xBF58_476D_1CE4_E5B9);
    let z = multiply(_mm256_xor_si256(z, _mm256_srli_epi64::<27>(z)), 0x94D0_49BB_1331_11EB);
    // (z ^ z >> 31) >> 32
    _mm256_xor_si256(_mm256_srli_epi64::<32>(z), _mm256_srli_epi64::<63>(z))
}

/// Draws a move for each game from the bytes of its row: the square and, for a clockwise move, 0x80.
#[inline]
#[target_feature(enable = "avx2")]
fn choose(row: __m256i, draw: __m256i) -> __m256i {
    let one = _mm256_set1_epi8(1);
    // Byte i: how many of the squares up to i hold pebbles; byte 7: how many do.
    let count = _mm256_min_epu8(row, one);
    let count = _mm256_add_epi8(count, _mm256_slli_epi64::<8>(count));
    let count = _mm256_add_epi8(count, _mm256_slli_epi64::<16>(count));
    let count = _mm256_add_epi8(count, _mm256_slli_epi64::<32>(count));
    let moves = _mm256_srli_epi64::<55>(count); // two for each square
    let choice = _mm256_mul_epu32(draw, moves); // the choice in the upper half
    let to_each_byte = _mm256_set_epi64x(0x0808_0808_0808_0808, 0, 0x0808_0808_0808_0808, 0);
    let nth = _mm256_shuffle_epi8(_mm256_srli_epi64::<33>(choice), to_each_byte);
    let after = _mm256_cmpgt_epi8(count, nth);
    let square = _mm256_sad_epu8(_mm256_andnot_si256(after, one), _mm256_setzero_si256());
    // Odd choices are clockwise: bit 32 becomes bit 7.
    let clockwise = _mm256_and_si256(_mm256_srli_epi64::<25>(choice), _mm256_set1_epi64x(0x80));
    _mm256_or_si256(square, clockwise)
}

/// The games that are at an end of the move, and those that stand before a gap, by the squares they look at.
#[inline]
#[target_feature(enable = "avx2")]
fn ends<const IMMATURE: bool>(a: Turned, b: Turned, captured: u64, c: &Constants) -> (u64, u64) {
    let zero = _mm256_setzero_si256();
    let bits = |mask: __m256i| u64::from(_mm256_movemask_epi8(mask) as u32);
    let boards = _mm256_unpacklo_epi64(a.board, b.board);
    let back = _mm256_unpacklo_epi64(a.back, b.back);
    let empty = bits(_mm256_cmpeq_epi8(boards, zero));
    // The square is a mandarin square when one of the two mandarin squares is at byte 0. They are half a ring apart.
    let at_either = _mm256_or_si256(_mm256_cmpeq_epi8(back, zero), _mm256_cmpeq_epi8(back, load(&c.half)));
    let at_mandarin_square = bits(at_either) >> c.squares;
    let mut not_to_take = empty;
    if IMMATURE {
        let pebbles = _mm256_xor_si256(boards, _mm256_set1_epi8(MANDARIN as i8));
        not_to_take |= bits(at_least(load(&c.most_immature), pebbles));
    }
    // Rules 3.3 and 3.4.
    let stops_there = captured & c.stop_in_chain | !captured & c.stop_after_sowing;
    let no_capture = at_mandarin_square & stops_there | not_to_take >> 1;
    let no_lap = at_mandarin_square | captured;
    let end = (empty & no_capture | !empty & no_lap | captured & c.stop_after_capture) & EACH;
    (end, empty & EACH & !end)
}

/// A hash of a position: see `Step::hash`.
#[inline]
#[target_feature(enable = "avx2")]
fn hashes(low: __m256i, high: __m256i, stores: __m256i) -> __m256i {
    let [a, b, c, d] = HASH_FACTORS;
    let spread = |factor: u32| _mm256_set1_epi64x(factor.into());
    let factors = [spread(a), spread(b), spread(c), spread(d)];
    let sum =
        _mm256_add_epi64(_mm256_mul_epu32(low, factors[0]), _mm256_mul_epu32(_mm256_srli_epi64::<32>(low), factors[1]));
    let other = _mm256_xor_si256(high, _mm256_srli_epi64::<30>(high));
    let sum = _mm256_add_epi64(sum, _mm256_mul_epu32(other, factors[2]));
    let sum = _mm256_add_epi64(sum, _mm256_mul_epu32(stores, factors[3]));
    // The middle of the sum is the best of it.
    _mm256_slli_epi64::<24>(sum)
}

/// Odd, of 32 bits.
const HASH_FACTORS: [u32; 4] = [0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D, 0x27D4_EB2F];

/// What is worked out for a pack in a step.
#[derive(Clone, Copy)]
struct Work {
    a: Turned,
    b: Turned,
    stores: __m256i,
    /// The boards as the next mover sees them, in two words each.
    low: __m256i,
    high: __m256i,
    /// Where the turn ends: the games that are over, those whose row is filled, and those whose row cannot be.
    over: __m256i,
    paid: __m256i,
    short: __m256i,
    choice: __m256i,
}

/// Makes the laps and captures.
#[inline]
#[target_feature(enable = "avx2")]
fn play(pack: &mut Pack<GAMES>, c: &Constants) -> Work {
    let zero = _mm256_setzero_si256();
    let [boards_a, boards_b] = halves(&mut pack.boards);
    let [back_a, back_b] = halves(&mut pack.back);
    let (a, taken_a) = advance(Turned { board: load(boards_a), back: load(back_a) }, c);
    let (b, taken_b) = advance(Turned { board: load(boards_b), back: load(back_b) }, c);
    let taken = _mm256_sad_epu8(_mm256_unpacklo_epi64(taken_a, taken_b), zero);
    let stores = _mm256_add_epi64(load(&pack.stores), taken);
    let next_a = _mm256_and_si256(_mm256_shuffle_epi8(a.board, a.back), load(&c.on_ring));
    let next_b = _mm256_and_si256(_mm256_shuffle_epi8(b.board, b.back), load(&c.on_ring));
    let (low, high) = (_mm256_unpacklo_epi64(next_a, next_b), _mm256_unpackhi_epi64(next_a, next_b));
    Work { a, b, stores, low, high, over: zero, paid: zero, short: zero, choice: zero }
}

/// Changes the turn, as if it ended in every game.
#[inline]
#[target_feature(enable = "avx2")]
fn change_turn(pack: &Pack<GAMES>, work: &mut Work, c: &Constants) {
    // Rules 3.5: nothing stands in either mandarin square.
    let standing_low = _mm256_and_si256(work.low, load(&c.standing_low));
    let standing_high = _mm256_and_si256(work.high, load(&c.standing_high));
    let zero = _mm256_setzero_si256();
    // The two are in different places of their words, or only one byte each: both are zero when their union is.
    work.over = _mm256_cmpeq_epi64(_mm256_or_si256(standing_low, standing_high), zero);
    // Rules section 4: an empty row is filled from the store, if that is enough.
    let bare = _mm256_cmpeq_epi64(_mm256_and_si256(work.low, load(&c.row)), zero);
    let bare = _mm256_andnot_si256(work.over, bare);
    let pebbles = _mm256_and_si256(_mm256_srli_epi64::<32>(work.stores), _mm256_set1_epi64x(0x7F));
    let enough = _mm256_cmpgt_epi64(pebbles, load(&c.too_few));
    work.paid = _mm256_and_si256(bare, enough);
    work.short = _mm256_andnot_si256(enough, bare);
    work.low = _mm256_or_si256(work.low, _mm256_and_si256(work.paid, load(&c.row_of_ones)));
    let row = _mm256_and_si256(work.low, load(&c.row));
    work.choice = choose(row, upper_half_of_mix(load(&pack.counters)));
}

/// Finds out where the turn ends, and keeps what that changes but the boards. Returns the words of those games.
#[inline]
#[target_feature(enable = "avx2")]
fn end_turns<const IMMATURE: bool>(pack: &mut Pack<GAMES>, work: &mut Work, c: &Constants) -> __m256i {
    let (end, gaps) = ends::<IMMATURE>(work.a, work.b, pack.gaps, c);
    let end = end & pack.active;
    let ended = words_of(end);
    let over = _mm256_and_si256(work.over, ended);
    let paid = _mm256_and_si256(work.paid, ended);
    work.short = _mm256_and_si256(work.short, ended);
    let swapped = _mm256_shuffle_epi32::<0xB1>(work.stores);
    let stores = _mm256_blendv_epi8(work.stores, swapped, ended);
    let stores = _mm256_sub_epi64(stores, _mm256_and_si256(paid, load(&c.squares_each)));
    store(&mut pack.stores, stores);
    let kept = _mm256_or_si256(over, work.short);
    let (low, high) = (load(&pack.low), load(&pack.high));
    store(&mut pack.low, _mm256_blendv_epi8(low, work.low, kept));
    store(&mut pack.high, _mm256_blendv_epi8(high, work.high, kept));
    let hashes = hashes(work.low, work.high, stores);
    let (kept, plies, counters) = (load(&pack.hashes), load(&pack.plies), load(&pack.counters));
    store(&mut pack.hashes, _mm256_blendv_epi8(kept, hashes, ended));
    let ply = _mm256_and_si256(ended, _mm256_set1_epi64x(1));
    let reseeding = _mm256_and_si256(paid, _mm256_set1_epi64x(ONE_RESEEDING as i64));
    store(&mut pack.plies, _mm256_add_epi64(plies, _mm256_add_epi64(ply, reseeding)));
    let step = _mm256_and_si256(ended, _mm256_set1_epi64x(STEP as i64));
    store(&mut pack.counters, _mm256_add_epi64(counters, step));
    pack.active &= !games_of_words(over);
    pack.gaps = gaps & pack.active;
    ended
}

/// Begins the next move where the turn ends.
#[inline]
#[target_feature(enable = "avx2")]
fn begin_moves(pack: &mut Pack<GAMES>, work: &Work, ended: __m256i, c: &Constants) -> Left {
    // The lane of a game that is over is left empty: nothing is captured there.
    let low = _mm256_andnot_si256(work.over, work.low);
    let high = _mm256_andnot_si256(work.over, work.high);
    let (next_a, next_b) = (_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
    let new_a = turn(next_a, _mm256_shuffle_epi8(work.choice, _mm256_setzero_si256()), c);
    let new_b = turn(next_b, _mm256_shuffle_epi8(work.choice, _mm256_set1_epi8(8)), c);
    let (ended_a, ended_b) = (_mm256_unpacklo_epi64(ended, ended), _mm256_unpackhi_epi64(ended, ended));
    let board_a = _mm256_blendv_epi8(work.a.board, new_a.board, ended_a);
    let board_b = _mm256_blendv_epi8(work.b.board, new_b.board, ended_b);
    let [boards_a, boards_b] = halves(&mut pack.boards);
    store(boards_a, board_a);
    store(boards_b, board_b);
    let [back_a, back_b] = halves(&mut pack.back);
    store(back_a, _mm256_blendv_epi8(work.a.back, new_a.back, ended_a));
    store(back_b, _mm256_blendv_epi8(work.b.back, new_b.back, ended_b));
    // Mandarins count as negative.
    let most = load(&c.largest_hand);
    let large_a = _mm256_movemask_epi8(_mm256_cmpgt_epi8(board_a, most)) as u32;
    let large_b = _mm256_movemask_epi8(_mm256_cmpgt_epi8(board_b, most)) as u32;
    let large = if large_a | large_b == 0 { 0 } else { games_of(large_a) | games_of(large_b) << 8 };
    Left { short: games_of_words(work.short), large: large & pack.active }
}

/// The games of one half with any byte in the mask.
#[cold]
fn games_of(bytes: u32) -> u64 {
    u64::from(bytes & 0xFFFF != 0) | u64::from(bytes >> 16 != 0) << 16
}

/// One step of every game of a pack: a lap or a capture, and where the turn ends the choice of the next move.
#[inline]
#[target_feature(enable = "avx2")]
fn step<const IMMATURE: bool>(pack: &mut Pack<GAMES>, c: &Constants) -> Left {
    let mut work = play(pack, c);
    change_turn(pack, &mut work, c);
    let ended = end_turns::<IMMATURE>(pack, &mut work, c);
    begin_moves(pack, &work, ended, c)
}

/// See `Step::repeats`.
#[inline]
#[target_feature(enable = "avx2")]
fn repeats(log: &mut Log, plies: usize, times: u32) -> bool {
    end_log(log, plies);
    let zero = _mm256_setzero_si256();
    let mut found = zero;
    for from in (0..plies).step_by(16) {
        let hashes = load(hashes_from::<16>(log, from));
        // How many of the later hashes each is equal to.
        let mut count = zero;
        for ply in (from + 2..plies).step_by(2) {
            count = _mm256_sub_epi16(count, _mm256_cmpeq_epi16(hashes, load(hashes_from::<16>(log, ply))));
        }
        let enough = _mm256_cmpgt_epi16(count, _mm256_set1_epi16(times.min(255) as i16 - 2));
        found = _mm256_or_si256(found, _mm256_andnot_si256(_mm256_cmpeq_epi16(hashes, zero), enough));
    }
    _mm256_testz_si256(found, found) == 0
}

#[target_feature(enable = "avx2")]
fn step_mature([p, q]: &mut [Pack<GAMES>; TOGETHER], c: &Constants) -> [Left; TOGETHER] {
    [step::<false>(p, c), step::<false>(q, c)]
}

#[target_feature(enable = "avx2")]
fn step_immature([p, q]: &mut [Pack<GAMES>; TOGETHER], c: &Constants) -> [Left; TOGETHER] {
    [step::<true>(p, c), step::<true>(q, c)]
}

/// Whether this processor has what the steps need.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
}

/// The steps of packs on a processor that has what they need.
#[derive(Clone, Debug)]
pub(super) struct Avx2 {
    constants: Constants,
    immature: bool,
}

impl Avx2 {
    /// `None` where the processor cannot, or the board does not fit.
    pub(super) fn new(plan: &Plan) -> Option<Self> {
        // With fewer than four squares the other mandarin square is among the first eight bytes.
        (is_available() && plan.squares >= 4)
            .then(|| Self { constants: Constants::new(plan), immature: plan.immature_below > 0 })
    }
}

impl Step<GAMES> for Avx2 {
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
        unsafe { repeats(log, plies, times) }
    }

    #[inline]
    fn hash(low: u64, high: u64, stores: u64) -> u64 {
        let [a, b, c, d] = HASH_FACTORS.map(u64::from);
        let half = |word: u64| word & 0xFFFF_FFFF;
        (half(low) * a)
            .wrapping_add((low >> 32) * b)
            .wrapping_add(half(high ^ high >> 30) * c)
            .wrapping_add(half(stores) * d)
            << 24
    }
}
