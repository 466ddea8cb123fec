//! What a step needs of AVX-512: sixty-four games in a vector, masks in mask registers.

#![allow(unsafe_code, clippy::wildcard_imports)]
// What is not inlined where the instructions are enabled would be a call for each of them.
#![allow(clippy::inline_always)]

use core::arch::x86_64::*;

use super::pack::{Left, Log, Pack, Step, end_log, hashes_from};
use super::plan::Plan;
use super::simd::{Simd, Words};
use super::step::{Constants, step};

/// How many games a pack has here.
pub(super) const GAMES: usize = 64;

/// There is a value of this type only where the processor has AVX-512 F, BW, DQ and VL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zmm(());

impl Zmm {
    fn new() -> Option<Self> {
        is_available().then_some(Self(()))
    }
}

/// Whether this processor has what the steps need.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

/// Defines operations by expressions of intrinsics.
macro_rules! operations {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty = $value:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $kind),*) -> $result {
            // SAFETY: there is a `self` only where the processor has the instructions; no memory is touched.
            unsafe { $value }
        }
    )*};
}

impl Simd<GAMES> for Zmm {
    type Bytes = __m512i;
    type Mask = u64;

    #[inline(always)]
    fn load(self, from: &[u8; GAMES]) -> __m512i {
        // SAFETY: there is a `self` only where the processor has the instruction; the array is 64 bytes, and the load does
        // not ask for alignment.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [u8; GAMES], value: __m512i) {
        // SAFETY: as for `load`.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
    }

    #[inline(always)]
    fn load_words(self, from: &Words<GAMES>, part: usize) -> __m512i {
        let words: &[u64; 8] = from[8 * part..].first_chunk().unwrap();
        // SAFETY: as for `load`.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_pairs(self, to: &mut [u16; GAMES], low: __m512i, high: __m512i) {
        let [first, second]: &mut [[u16; 32]; 2] = to.as_chunks_mut().0.try_into().unwrap();
        // SAFETY: as for `load`.
        unsafe {
            _mm512_storeu_si512(first.as_mut_ptr().cast(), _mm512_unpacklo_epi8(low, high));
            _mm512_storeu_si512(second.as_mut_ptr().cast(), _mm512_unpackhi_epi8(low, high));
        }
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16], index: __m512i) -> __m512i {
        // SAFETY: there is a `self` only where the processor has the instructions; the table is 16 bytes.
        unsafe { _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast())), index) }
    }

    operations! {
        splat(byte: u8) -> __m512i = _mm512_set1_epi8(byte as i8);
        splat_word(word: u64) -> __m512i = _mm512_set1_epi64(word as i64);
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi8(a, b);
        sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi8(a, b);
        min(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epu8(a, b);
        max(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epu8(a, b);
        and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        add_words(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        mul_words(a: __m512i, factor: u64) -> __m512i = _mm512_mullo_epi64(a, _mm512_set1_epi64(factor as i64));
        mul_halves(a: __m512i, b: __m512i) -> __m512i = _mm512_mul_epu32(a, b);
        shl_words(a: __m512i, bits: u32) -> __m512i = _mm512_sll_epi64(a, _mm_cvtsi32_si128(bits as i32));
        shr_words(a: __m512i, bits: u32) -> __m512i = _mm512_srl_epi64(a, _mm_cvtsi32_si128(bits as i32));
        is_zero(a: __m512i) -> u64 = _mm512_testn_epi8_mask(a, a);
        equal(a: __m512i, b: __m512i) -> u64 = _mm512_cmpeq_epi8_mask(a, b);
        at_most(a: __m512i, b: __m512i) -> u64 = _mm512_cmple_epu8_mask(a, b);
        has_bit(a: __m512i, bit: u8) -> u64 = _mm512_test_epi8_mask(a, _mm512_set1_epi8(bit as i8));
        select(mask: u64, yes: __m512i, no: __m512i) -> __m512i = _mm512_mask_mov_epi8(no, mask, yes);
        keep(mask: u64, a: __m512i) -> __m512i = _mm512_maskz_mov_epi8(mask, a);
        add_where(mask: u64, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_add_epi8(a, mask, a, b);
        mask(bytes: __m512i) -> u64 = _mm512_movepi8_mask(bytes);
        bytes(mask: u64) -> __m512i = _mm512_movm_epi8(mask);
    }

    #[inline(always)]
    fn all(self, flag: bool) -> u64 {
        if flag { u64::MAX } else { 0 }
    }

    #[inline(always)]
    fn both(self, a: u64, b: u64) -> u64 {
        a & b
    }

    #[inline(always)]
    fn either(self, a: u64, b: u64) -> u64 {
        a | b
    }

    #[inline(always)]
    fn without(self, a: u64, b: u64) -> u64 {
        a & !b
    }

    #[inline(always)]
    fn any(self, mask: u64) -> bool {
        mask != 0
    }

    #[inline(always)]
    fn bits(self, mask: u64) -> u64 {
        mask
    }
}

/// One step of a pack on a ring of that many squares.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn step_of<const RING: usize>(zmm: Zmm, pack: &mut Pack<GAMES>, c: &Constants) -> Left {
    step::<_, GAMES, RING>(zmm, pack, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn hashes_at(log: &Log, ply: usize) -> __m512i {
    let hashes: &[u16; 32] = hashes_from(log, ply);
    // SAFETY: the array is 64 bytes, and the load does not ask for alignment.
    unsafe { _mm512_loadu_si512(hashes.as_ptr().cast()) }
}

/// Zero where a hash of the first is equal to one of the second, an even number of plies away: at one of the given
/// distances, counted in pairs of plies and around the corner.
macro_rules! differences {
    ($first:expr, $second:expr, $($pairs:literal)*) => {{
        let least = _mm512_set1_epi16(-1);
        $(let least = _mm512_min_epu16(
            least,
            _mm512_xor_si512($first, _mm512_alignr_epi32::<$pairs>($second, $second)),
        );)*
        least
    }};
}

/// Even numbers.
#[inline]
#[target_feature(enable = "avx512f")]
fn numbers() -> __m512i {
    const NUMBERS: [u16; 32] = {
        let mut numbers = [0; 32];
        let mut number = 0;
        while number < 32 {
            numbers[number] = 2 * number as u16;
            number += 1;
        }
        numbers
    };
    // SAFETY: the array is 64 bytes, and the load does not ask for alignment.
    unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) }
}

/// Whether any two of at most 64 hashes are equal, an even number of plies apart: in one random game of ten.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn has_equals(log: &Log, plies: usize) -> bool {
    // What is no hash is even, and each another number.
    let others = numbers();
    let hashes = |from: usize, others: __m512i| {
        let there = ((1_u64 << plies.saturating_sub(from).min(32)) - 1) as u32;
        _mm512_mask_mov_epi16(others, there, hashes_at(log, from))
    };
    let first = hashes(0, others);
    let mut least = differences!(first, first, 1 2 3 4 5 6 7 8);
    if plies > 32 {
        let second = hashes(32, _mm512_add_epi16(others, _mm512_set1_epi16(64)));
        let within = differences!(second, second, 1 2 3 4 5 6 7 8);
        let across = differences!(first, second, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        least = _mm512_min_epu16(least, _mm512_min_epu16(within, across));
    }
    _mm512_testn_epi16_mask(least, least) != 0
}

/// See `Step::repeats`.
#[target_feature(enable = "avx512f,avx512bw")]
fn repeats(log: &mut Log, plies: usize, times: u32) -> bool {
    (plies > 64 || has_equals(log, plies)) && has_repetition(log, plies, times)
}

#[cold]
#[target_feature(enable = "avx512f,avx512bw")]
fn has_repetition(log: &mut Log, plies: usize, times: u32) -> bool {
    end_log(log, plies);
    let mut found = 0;
    for from in (0..plies).step_by(32) {
        let hashes = hashes_at(log, from);
        // How many of the later hashes each is equal to.
        let mut count = _mm512_setzero_si512();
        for ply in (from + 2..plies).step_by(2) {
            let equal = _mm512_cmpeq_epi16_mask(hashes, hashes_at(log, ply));
            count = _mm512_mask_add_epi16(count, equal, count, _mm512_set1_epi16(1));
        }
        let enough = _mm512_cmpge_epu16_mask(count, _mm512_set1_epi16(times.min(255) as i16 - 1));
        found |= enough & _mm512_test_epi16_mask(hashes, hashes);
    }
    found != 0
}

/// The steps of packs on a processor that has what they need.
#[derive(Clone, Debug)]
pub(super) struct Avx512 {
    zmm: Zmm,
    constants: Constants,
    ring: usize,
}

impl Avx512 {
    /// `None` where the processor cannot, or there are no steps for the board.
    pub(super) fn new(plan: &Plan) -> Option<Self> {
        let zmm = Zmm::new()?;
        matches!(plan.ring, 10 | 12 | 14 | 16).then(|| Self { zmm, constants: Constants::new(plan), ring: plan.ring })
    }
}

impl Step<GAMES> for Avx512 {
    #[inline]
    fn step(&self, pack: &mut Pack<GAMES>) -> Left {
        // SAFETY: there is a value of this type only where `new` has found the features.
        unsafe {
            match self.ring {
                10 => step_of::<10>(self.zmm, pack, &self.constants),
                12 => step_of::<12>(self.zmm, pack, &self.constants),
                14 => step_of::<14>(self.zmm, pack, &self.constants),
                _ => step_of::<16>(self.zmm, pack, &self.constants),
            }
        }
    }

    #[inline]
    fn repeats(&self, log: &mut Log, plies: usize, times: u32) -> bool {
        // SAFETY: there is a value of this type only where `new` has found the features.
        unsafe { repeats(log, plies, times) }
    }
}
