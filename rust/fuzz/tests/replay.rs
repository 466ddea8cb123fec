//! Replays the corpus of every fuzz target, so that what was found once stays found.

use std::fs;
use std::path::Path;

/// Runs the target on each file of its corpus, in the order of their names.
fn replay(name: &str, target: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut files: Vec<_> = fs::read_dir(&corpus)
        .unwrap_or_else(|error| panic!("{}: {error}", corpus.display()))
        .map(|entry| entry.expect("an entry of the corpus").path())
        .collect();
    files.sort();
    assert!(files.len() >= 10, "{} has only {} files", corpus.display(), files.len());
    for file in files {
        println!("{}", file.display());
        target(&fs::read(&file).expect("a file of the corpus"));
    }
}

#[test]
fn parsers() {
    replay("parsers", oanquan_fuzz::parsers);
}

#[test]
fn positions() {
    replay("positions", oanquan_fuzz::positions);
}
