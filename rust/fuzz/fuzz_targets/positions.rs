//! `cargo +nightly fuzz run --fuzz-dir . --features fuzzing -s none positions`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| oanquan_fuzz::positions(data));
