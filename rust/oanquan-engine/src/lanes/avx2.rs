//! What a step needs of AVX2: thirty-two games in a vector, masks that are vectors.

#![allow(unsafe_code, clippy::wildcard_imports)]
// What is not inlined where the instructions are enabled would be a call for each of them.
#![allow(clippy::inline_always)]

use core::arch::x86_64::*;

use super::pack::{Left, Log, Pack, Step, end_log, hashes_from};
use super::plan::Plan;
use super::simd::{Simd, Words};
use super::step::{Constants, step};

/// How many games a pack has here.
pub(super) const GAMES: usize = 32;

/// There is a value of this type only where the processor has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ymm(());

impl Ymm {
    fn new() -> Option<Self> {
        is_available().then_some(Self(()))
    }
}

/// Whether this processor has what the steps need.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
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

impl Simd<GAMES> for Ymm {
    type Bytes = __m256i;
    type Mask = __m256i;

    #[inline(always)]
    fn load(self, from: &[u8; GAMES]) -> __m256i {
        // SAFETY: there is a `self` only where the processor has the instruction; the array is 32 bytes, and the load does
        // not ask for alignment.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [u8; GAMES], value: __m256i) {
        // SAFETY: as for `load`.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value) }
    }

    #[inline(always)]
    fn load_words(self, from: &Words<GAMES>, part: usize) -> __m256i {
        let words: &[u64; 4] = from[4 * part..].first_chunk().unwrap();
        // SAFETY: as for `load`.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_pairs(self, to: &mut [u16; GAMES], low: __m256i, high: __m256i) {
        let [first, second]: &mut [[u16; 16]; 2] = to.as_chunks_mut().0.try_into().unwrap();
        // SAFETY: as for `load`.
        unsafe {
            _mm256_storeu_si256(first.as_mut_ptr().cast(), _mm256_unpacklo_epi8(low, high));
            _mm256_storeu_si256(second.as_mut_ptr().cast(), _mm256_unpackhi_epi8(low, high));
        }
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16], index: __m256i) -> __m256i {
        // SAFETY: there is a `self` only where the processor has the instructions; the table is 16 bytes.
        unsafe { _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())), index) }
    }

    operations! {
        splat(byte: u8) -> __m256i = _mm256_set1_epi8(byte as i8);
        splat_word(word: u64) -> __m256i = _mm256_set1_epi64x(word as i64);
        add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi8(a, b);
        sub(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi8(a, b);
        min(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epu8(a, b);
        max(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epu8(a, b);
        and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        add_words(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi64(a, b);
        mul_words(a: __m256i, factor: u64) -> __m256i = {
            let (low, high) = (_mm256_set1_epi64x(factor as i64), _mm256_set1_epi64x((factor >> 32) as i64));
            let crossed = _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), low);
            let crossed = _mm256_add_epi64(crossed, _mm256_mul_epu32(a, high));
            _mm256_add_epi64(_mm256_mul_epu32(a, low), _mm256_slli_epi64::<32>(crossed))
        };
        mul_halves(a: __m256i, b: __m256i) -> __m256i = _mm256_mul_epu32(a, b);
        shl_words(a: __m256i, bits: u32) -> __m256i = _mm256_sll_epi64(a, _mm_cvtsi32_si128(bits as i32));
        shr_words(a: __m256i, bits: u32) -> __m256i = _mm256_srl_epi64(a, _mm_cvtsi32_si128(bits as i32));
        is_zero(a: __m256i) -> __m256i = _mm256_cmpeq_epi8(a, _mm256_setzero_si256());
        equal(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi8(a, b);
        at_most(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi8(_mm256_min_epu8(a, b), a);
        has_bit(a: __m256i, bit: u8) -> __m256i = {
            let bit = _mm256_set1_epi8(bit as i8);
            _mm256_cmpeq_epi8(_mm256_and_si256(a, bit), bit)
        };
        select(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i = _mm256_blendv_epi8(no, yes, mask);
        keep(mask: __m256i, a: __m256i) -> __m256i = _mm256_and_si256(a, mask);
        add_where(mask: __m256i, a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi8(a, _mm256_and_si256(mask, b));
        all(flag: bool) -> __m256i = _mm256_set1_epi8(-i8::from(flag));
        both(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        either(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        without(a: __m256i, b: __m256i) -> __m256i = _mm256_andnot_si256(b, a);
        any(mask: __m256i) -> bool = _mm256_testz_si256(mask, mask) == 0;
        bits(mask: __m256i) -> u64 = u64::from(_mm256_movemask_epi8(mask) as u32);
    }

    #[inline(always)]
    fn mask(self, bytes: __m256i) -> __m256i {
        bytes
    }

    #[inline(always)]
    fn bytes(self, mask: __m256i) -> __m256i {
        mask
    }
}

/// One step of a pack on a ring of that many squares.
#[target_feature(enable = "avx2")]
fn step_of<const RING: usize>(ymm: Ymm, pack: &mut Pack<GAMES>, c: &Constants) -> Left {
    step::<_, GAMES, RING>(ymm, pack, c)
}

/// See `Step::repeats`.
#[target_feature(enable = "avx2")]
fn repeats(log: &mut Log, plies: usize, times: u32) -> bool {
    let load = |hashes: &[u16; 16]| {
        // SAFETY: the array is 32 bytes, and the load does not ask for alignment.
        unsafe { _mm256_loadu_si256(hashes.as_ptr().cast()) }
    };
    end_log(log, plies);
    let zero = _mm256_setzero_si256();
    let mut found = zero;
    for from in (0..plies).step_by(16) {
        let hashes = load(hashes_from(log, from));
        // How many of the later hashes each is equal to.
        let mut count = zero;
        for ply in (from + 2..plies).step_by(2) {
            count = _mm256_sub_epi16(count, _mm256_cmpeq_epi16(hashes, load(hashes_from(log, ply))));
        }
        let enough = _mm256_cmpgt_epi16(count, _mm256_set1_epi16(times.min(255) as i16 - 2));
        found = _mm256_or_si256(found, _mm256_andnot_si256(_mm256_cmpeq_epi16(hashes, zero), enough));
    }
    _mm256_testz_si256(found, found) == 0
}

/// The steps of packs on a processor that has what they need.
#[derive(Clone, Debug)]
pub(super) struct Avx2 {
    ymm: Ymm,
    constants: Constants,
    ring: usize,
}

impl Avx2 {
    /// `None` where the processor cannot, or there are no steps for the board.
    pub(super) fn new(plan: &Plan) -> Option<Self> {
        let ymm = Ymm::new()?;
        matches!(plan.ring, 10 | 12 | 14 | 16).then(|| Self { ymm, constants: Constants::new(plan), ring: plan.ring })
    }
}

impl Step<GAMES> for Avx2 {
    #[inline]
    fn step(&self, pack: &mut Pack<GAMES>) -> Left {
        // SAFETY: there is a value of this type only where `new` has found the features.
        unsafe {
            match self.ring {
                10 => step_of::<10>(self.ymm, pack, &self.constants),
                12 => step_of::<12>(self.ymm, pack, &self.constants),
                14 => step_of::<14>(self.ymm, pack, &self.constants),
                _ => step_of::<16>(self.ymm, pack, &self.constants),
            }
        }
    }

    #[inline]
    fn repeats(&self, log: &mut Log, plies: usize, times: u32) -> bool {
        // SAFETY: there is a value of this type only where `new` has found the features.
        unsafe { repeats(log, plies, times) }
    }
}
