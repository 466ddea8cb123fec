//! `cargo +nightly fuzz run --fuzz-dir . --features fuzzing -s none parsers`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| oanquan_fuzz::parsers(data));
