//! Memory brought near before it is read.
#![allow(unsafe_code, reason = "the instruction has no safe function")]

/// Has the processor bring the first cache line of a value near. It changes nothing but the time of later reads.
#[inline]
pub(crate) fn fetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching reads nothing that the program could see and cannot fault, and every processor of this kind
        // has it (SSE).
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
