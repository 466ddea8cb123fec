//! Endgame tables against slower ways to the same bounds, and as files.

mod attractors;
mod common;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use oanquan_core::duel::Duel;
use oanquan_core::{Position, Rules, Setup, Side};
use oanquan_engine::tablebase::{Progress, TableError, Tablebase};
use oanquan_engine::{Bounds, Probe};

fn rules(text: &str) -> Rules {
    Rules::parse(text).unwrap()
}

fn build(text: &str, pebbles: u32) -> Tablebase {
    Tablebase::build(rules(text), pebbles, 2, &AtomicBool::new(false), &Progress::default()).unwrap()
}

/// Rules by which few moves settle a game.
const SHORT: &str = "squares=3,empty_mandarin_after_sowing=gap,ends_when=stones_taken,mandarin_leftovers=split";

/// Small boards with every knob that a table must know.
const SMALL: [(&str, u32); 16] = [
    ("squares=1,pebbles=4", 6),
    ("squares=2,pebbles=3", 6),
    ("squares=3,pebbles=2", 5),
    ("squares=2,shortfall=owe", 6),
    ("squares=2,empty_mandarin_after_sowing=gap", 6),
    ("squares=2,empty_mandarin_after_sowing=gap,ends_when=stones_taken,mandarin_leftovers=split", 6),
    ("squares=2,ends_when=stones_taken,mandarin_leftovers=adjacent", 5),
    ("squares=2,directions=clockwise", 5),
    ("squares=2,mandarin=pebbles,mandarin_value=3", 7),
    ("squares=2,mandarin_next=lift_one,row_leftovers=split", 5),
    ("squares=2,mandarin_next=relay_when_bare,mandarin_value=3", 5),
    ("squares=2,reseed_when=when_empty", 6),
    ("squares=2,reseed_from=points", 6),
    ("squares=2,immature_below=2,capture_chain=off", 5),
    ("squares=2,mandarin_ban=2,end_check=at_once", 5),
    ("mancala-world", 3),
];

#[test]
fn it_is_what_a_queue_of_thresholds_finds() {
    let (mut positions, mut settled, mut open) = (0, 0, 0);
    for (text, pebbles) in SMALL {
        let table = build(text, pebbles);
        let found = attractors::solve(rules(text), pebbles);
        assert_eq!(found.len() as u64, table.positions(), "{text}");
        for (position, bounds) in found {
            let probed = table.probe(&table.rules().duel(&position));
            assert_eq!(probed, bounds, "{text}: {position}");
            positions += 1;
            settled += u32::from(bounds.is_exact());
            open += u32::from(bounds == Bounds::NONE);
        }
    }
    assert!(settled > 1000 && open < positions, "{settled} of {positions} settled, {open} open");
}

/// The final margin of the side to move within so many plies, without memory, on positions with all that is in them; an
/// endless line is worth `endless` to it.
fn minimax(position: &Position, depth: u32, endless: i32) -> i32 {
    if position.is_over() {
        return margin(position);
    }
    if depth == 0 {
        return endless;
    }
    position.legal_moves().map(|mv| -minimax(&position.play(mv).unwrap(), depth - 1, -endless)).max().unwrap()
}

/// The points of the side to move minus the other's.
fn margin(position: &Position) -> i32 {
    let points = position.points();
    let difference = points[Side::A] - points[Side::B];
    if position.turn() == Side::A { difference } else { -difference }
}

/// What the side to move can force within so many plies, and what it can be held to: the further difference.
fn within(position: &Position, depth: u32) -> Bounds {
    let [lower, upper] = [-Bounds::UNKNOWN, Bounds::UNKNOWN].map(|endless| match minimax(position, depth, endless) {
        known if known.abs() < Bounds::UNKNOWN => known - margin(position),
        unknown => unknown,
    });
    Bounds { lower, upper }
}

#[test]
fn it_holds_what_play_without_memory_finds() {
    let (mut lower, mut upper, mut beyond) = (0, 0, 0);
    let mut draws = common::Draws::new(11, 0);
    for _ in 0..12 {
        let rules = loop {
            let rules = common::odd_rules(&mut draws);
            if rules.sides == 2 && rules.squares <= 4 && matches!(rules.shortfall.word(), "borrow" | "owe") {
                break rules;
            }
        };
        let table = Tablebase::build(rules, 7, 2, &AtomicBool::new(false), &Progress::default()).unwrap();
        for _ in 0..60 {
            let position = common::odd_position(rules, &mut draws);
            let probed = table.probe(&table.rules().duel(&position));
            if probed == Bounds::NONE || position.is_over() {
                beyond += 1;
                continue;
            }
            let found = within(&position, 5);
            assert!(
                found.lower <= probed.upper && probed.lower <= found.upper,
                "{rules}: {position} {probed:?} {found:?}"
            );
            lower += u32::from(found.lower > -Bounds::UNKNOWN);
            upper += u32::from(found.upper < Bounds::UNKNOWN);
        }
    }
    assert!(
        lower > 50 && upper > 50 && beyond < 600,
        "{lower} lower bounds, {upper} upper ones, {beyond} not in the table"
    );
}

#[test]
fn what_stands_in_stores_does_not_matter_while_they_last() {
    let deal = |rules: Rules, board: &str, store: [i64; 2], debts: [i64; 2]| {
        let mut setup = Setup::parse(&format!("{board} 0/0 - a 50"), rules).unwrap();
        (setup.store_pebbles[0], setup.store_pebbles[1]) = (store[0], store[1]);
        (setup.debts[0][1], setup.debts[1][0]) = (debts[0], debts[1]);
        setup.position().unwrap()
    };
    let table = build(SHORT, 9);
    let (mut known, mut other) = (0, 0);
    for position in attractors::positions(rules(SHORT), 4).iter().step_by(19) {
        let text = position.to_string();
        let board = text.split(' ').next().unwrap();
        let first = deal(rules(SHORT), board, [20, 20], [0, 0]);
        let (probed, found) = (table.probe(&table.rules().duel(&first)), within(&first, 5));
        known += u32::from(probed != Bounds::NONE);
        for (store, debts) in [([40, 0], [0, 0]), ([0, 40], [3, 0]), ([39, 1], [0, 9]), ([1, 39], [5, 4])] {
            let position = deal(rules(SHORT), board, store, debts);
            assert_eq!(table.probe(&table.rules().duel(&position)), probed, "{position}");
            assert_eq!(within(&position, 5), found, "{position}");
        }
        for shortfall in ["partial", "loses", "count"] {
            let rules = rules(&format!("{SHORT},shortfall={shortfall}"));
            let [rich, poor] = [[20, 20], [0, 20]].map(|store| within(&deal(rules, board, store, [0, 0]), 5));
            other += u32::from(rich != poor);
        }
    }
    assert!(known > 50 && other > 50, "{known} known, {other} differ by stores where they may");
}

#[test]
fn it_answers_only_for_stores_that_last() {
    // A board of two pebbles that each table has settled, with other stores.
    let probe = |knobs: &str, stores: &str| {
        let text = &format!("{SHORT}{knobs}");
        let table = build(text, 6);
        let is_known = |position: &&Position| {
            let pebbles: u8 = position.pebbles().iter().sum();
            let mandarins = position.squares().filter(|&(_, _, mandarin)| mandarin).count();
            pebbles == 2 && mandarins == 1 && table.probe(&table.rules().duel(position)).is_exact()
        };
        let positions = attractors::positions(rules(text), 2);
        let known = positions.iter().find(is_known).unwrap().to_string();
        let board = known.split(' ').next().unwrap();
        let position = Position::parse(&format!("{board} {stores} - a 9"), rules(text)).unwrap();
        let probed = table.probe(&table.rules().duel(&position));
        assert!(probed.is_exact() || probed == Bounds::NONE);
        probed.is_exact()
    };
    assert!(probe("", "2/2") && probe("", "4/0") && probe("", "0/4"));
    assert!(!probe("", "3/0") && !probe("", "1/2"));
    assert!(probe(",shortfall=owe", "-9/0"));
    // A taken mandarin pays too.
    assert!(probe(",reseed_from=points,mandarin_value=4", "0q1/0"));
    assert!(!probe(",reseed_from=points,mandarin_value=3", "0/0q1"));
    assert!(!probe(",reseed_from=pebbles", "0q1/0"));
    // Too many pebbles, over, or a mandarin still barred.
    let table = build("squares=2", 6);
    let full = Position::parse("3.3.0q1/0.1.0q1 9/9 - b 9", rules("squares=2")).unwrap();
    assert_eq!(table.probe(&table.rules().duel(&full)), Bounds::NONE);
    let over = Position::parse("1.0.0/0.1.0 9/9q2 - b 9 mandarins", rules("squares=2")).unwrap();
    assert_eq!(table.probe(&table.rules().duel(&over)), Bounds::NONE);
    let banned = build(&format!("{SHORT},mandarin_ban=3"), 6);
    let settled = attractors::positions(*banned.rules().rules(), 3);
    let settled = settled.iter().find(|position| banned.probe(&banned.rules().duel(position)).is_exact()).unwrap();
    let early = settled.to_string().replace(" 100", " 2");
    let early = Position::parse(&early, *banned.rules().rules()).unwrap();
    assert_eq!((early.ply(), banned.probe(&banned.rules().duel(&early))), (2, Bounds::NONE));
}

/// Where a shortfall loses, funds must last; whoever proves a bound needs no more than with stores that never end.
#[test]
fn more_funds_prove_more_and_at_last_what_borrowing_does() {
    let (mut known, mut grown, mut same) = (0, 0, 0);
    let when_empty = format!("{SHORT},reseed_from=points,reseed_when=when_empty");
    for (text, pebbles) in [(SHORT, 7), (when_empty.as_str(), 6)] {
        let (borrow, loses) = (build(text, pebbles), build(&format!("{text},shortfall=loses"), pebbles));
        for position in attractors::positions(*loses.rules().rules(), pebbles) {
            let duel = loses.rules().duel(&position);
            let most = borrow.probe(&borrow.rules().board(duel.pebbles(), duel.mandarins()));
            let mut before = Bounds::NONE;
            for store in 0..=14 {
                let mut setup = Setup::from(position);
                setup.store_pebbles[..2].fill(store);
                let bounds = loses.probe(&loses.rules().duel(&setup.position().unwrap()));
                assert!(before.lower <= bounds.lower && bounds.upper <= before.upper, "{position}: {store}");
                grown += u32::from(store > 0 && bounds != before);
                before = bounds;
            }
            assert!(most.lower >= before.lower && before.upper >= most.upper, "{position}: {before:?} {most:?}");
            known += u32::from(most != Bounds::NONE);
            same += u32::from(most != Bounds::NONE && before == most);
        }
    }
    let counts = format!("{known} known, {grown} times more with more funds, {same} the same as with loans");
    assert!(grown > 1000 && 10 * same > 9 * known, "{counts}");
}

/// Every position of the ring with at most so many pebbles, as duels.
fn duels(table: &Tablebase) -> Vec<Duel> {
    attractors::positions(*table.rules().rules(), table.pebbles())
        .iter()
        .map(|position| table.rules().duel(position))
        .collect()
}

#[test]
fn more_pebbles_are_never_looser() {
    let mut tighter = 0;
    for text in ["squares=2", "squares=2,ends_when=stones_taken,mandarin_leftovers=split", "squares=1,pebbles=5"] {
        let (small, large) = (build(text, 5), build(text, 6));
        for duel in duels(&small) {
            let (less, more) = (small.probe(&duel), large.probe(&duel));
            assert!(less.lower <= more.lower && more.lower <= more.upper && more.upper <= less.upper, "{duel:?}");
            tighter += u32::from(less != more);
        }
    }
    assert!(tighter > 0);
}

#[test]
fn the_mirror_is_worth_the_same() {
    let table = build("squares=3,empty_mandarin_after_sowing=gap", 5);
    for duel in duels(&table) {
        assert_eq!(table.probe(&duel), table.probe(&table.rules().mirror(&duel)), "{duel:?}");
    }
    // Without a mirror in the rules themselves, it is that of the rules which go the other way.
    let [there, back] = ["clockwise", "counterclockwise"].map(|way| build(&format!("squares=2,directions={way}"), 5));
    for duel in duels(&there) {
        assert_eq!(there.probe(&duel), back.probe(&back.rules().mirror(&duel)), "{duel:?}");
    }
}

#[test]
fn any_number_of_threads_builds_the_same() {
    let folder = Folder::new("threads");
    for text in ["wikipedia-vi", "bankrupt"] {
        let files = [1, 2, 7].map(|threads| {
            let table =
                Tablebase::build(rules(text), 6, threads, &AtomicBool::new(false), &Progress::default()).unwrap();
            let path = folder.path(&format!("{threads}.table"));
            table.write(&path).unwrap();
            std::fs::read(path).unwrap()
        });
        assert!(files[0] == files[1] && files[0] == files[2], "{text}");
    }
}

#[test]
fn what_no_table_can_be_of_is_refused() {
    let build = |text: &str, pebbles| {
        Tablebase::build(rules(text), pebbles, 1, &AtomicBool::new(false), &Progress::default()).map(drop)
    };
    for text in ["three-players", "shortfall=partial", "shortfall=count"] {
        let error = build(text, 2).unwrap_err();
        assert!(matches!(error, TableError::Rules(_)), "{error}");
        assert_eq!(
            error.to_string(),
            format!("rules: expected two sides and shortfall=borrow, owe or loses, got {text}")
        );
    }
    assert!(matches!(build("mancala-world", 41), Err(TableError::Pebbles { given: 41 })));
    assert!(matches!(build("mancala-world", 40), Err(TableError::Memory { .. })));
    let stopped = Tablebase::build(Rules::default(), 8, 1, &AtomicBool::new(true), &Progress::default());
    assert!(matches!(stopped, Err(TableError::Stopped)));
}

// ---- files -----------------------------------------------------------------------------------------------------------

/// A directory that goes away with its value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("oanquan-tables-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let names = std::fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_says_what_the_memory_said() {
    let folder = Folder::new("file");
    let path = folder.path("a.table");
    for text in ["squares=2", "squares=2,directions=clockwise", "mancala-world", "ten-pebbles", "bankrupt"] {
        let built = build(text, 5);
        built.write(&path).unwrap();
        let opened = Tablebase::open(&path).unwrap();
        assert_eq!((opened.rules(), opened.pebbles(), opened.positions()), (built.rules(), 5, built.positions()));
        for duel in duels(&built) {
            assert_eq!(opened.probe(&duel), built.probe(&duel));
        }
        let verified = opened.verify(2, &AtomicBool::new(false), &Progress::default()).unwrap();
        assert_eq!(verified.faults, []);
        assert_eq!(folder.names(), ["a.table"]);
    }
}

#[test]
fn a_changed_byte_is_found() {
    let folder = Folder::new("bytes");
    let (path, changed) = (folder.path("a.table"), folder.path("changed.table"));
    let table = build("squares=1,pebbles=2", 5);
    table.write(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let mut seen = [0, 0];
    for place in (0..120).chain((120..bytes.len()).step_by(7)) {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1 << (place % 8);
        std::fs::write(&changed, bytes).unwrap();
        match Tablebase::open(&changed) {
            Err(TableError::File { .. }) => seen[0] += 1,
            Err(error) => panic!("byte {place}: {error}"),
            Ok(opened) => {
                seen[1] += 1;
                assert!(duels(&table).iter().all(|duel| opened.probe(duel) == Bounds::NONE));
                let error = opened.look_up(&duels(&table)[0]).unwrap_err();
                assert_eq!(error.to_string(), "expected the right checksum of each block, got another of block 0");
                let verified = opened.verify(1, &AtomicBool::new(false), &Progress::default());
                assert!(matches!(verified, Err(TableError::File { .. })));
                assert!(matches!(opened.write(&folder.path("copy.table")), Err(TableError::File { .. })));
            }
        }
    }
    assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
    for length in [0, 5, 30, bytes.len() - 1] {
        std::fs::write(&changed, &bytes[..length]).unwrap();
        assert!(matches!(Tablebase::open(&changed), Err(TableError::File { .. })), "{length} bytes");
    }
    assert!(matches!(Tablebase::open(&folder.path("nothing")), Err(TableError::Io(_))));
}

#[test]
fn what_is_not_damaged_still_answers() {
    let folder = Folder::new("blocks");
    let path = folder.path("a.table");
    let table = build("short-game", 7);
    table.write(&path).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() > 3 * (1 << 16), "several blocks");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let opened = Tablebase::open(&path).unwrap();
    let (mut same, mut nothing) = (0, 0);
    for duel in duels(&table).into_iter().step_by(4) {
        let probed = opened.probe(&duel);
        assert!(probed == table.probe(&duel) || probed == Bounds::NONE);
        same += u32::from(probed != Bounds::NONE);
        nothing += u32::from(opened.look_up(&duel).is_err());
    }
    assert!(same > 1000 && nothing > 100, "{same} {nothing}");
}

#[test]
fn a_build_that_was_stopped_goes_on() {
    for text in ["wikipedia-vi", "bankrupt"] {
        goes_on(text);
    }
}

fn goes_on(text: &str) {
    let folder = Folder::new(text);
    let path = folder.path("a.table");
    let whole = folder.path("whole.table");
    build(text, 7).write(&whole).unwrap();
    let run = |pebbles, sweeps: u64| {
        let (stop, progress) = (AtomicBool::new(false), Progress::default());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while progress.sweeps.load(Ordering::Relaxed) < sweeps && !stop.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                stop.store(true, Ordering::Relaxed);
            });
            let built = Tablebase::build_file(&path, rules(text), pebbles, 1, Duration::ZERO, &stop, &progress);
            stop.store(true, Ordering::Relaxed);
            built.map(|_| progress.settled.load(Ordering::Relaxed))
        })
    };
    assert!(matches!(run(7, 2), Err(TableError::Stopped)));
    assert_eq!(folder.names(), ["a.table.checkpoint", "whole.table"]);
    let error = Tablebase::open(&folder.path("a.table.checkpoint")).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "expected a finished table, got the checkpoint of a build");
    let error = run(6, u64::MAX).unwrap_err().to_string();
    let expected = format!("expected a table by {text} up to 6 pebbles, got a table by {text} up to 7 pebbles");
    assert_eq!(error, format!("{expected} in {}", folder.path("a.table.checkpoint").display()));
    let settled = run(7, u64::MAX).unwrap();
    assert_eq!(folder.names(), ["a.table", "whole.table"]);
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&whole).unwrap());
    let table = Tablebase::open(&path).unwrap();
    let verified = table.verify(0, &AtomicBool::new(false), &Progress::default()).unwrap();
    assert_eq!((verified.faults, verified.settled), (Vec::new(), settled));
    // What is there already is not built again, and nothing else is replaced.
    assert_eq!(run(7, u64::MAX).unwrap(), 0);
    assert_eq!(run(6, u64::MAX).unwrap_err().to_string(), expected);
    assert!(matches!(table.verify(1, &AtomicBool::new(true), &Progress::default()), Err(TableError::Stopped)));
}

/// What stands under the name that a build writes to first may be a link to something else, or a pipe.
#[cfg(unix)]
#[test]
fn a_link_in_the_way_of_a_build_is_not_followed() {
    let directory = std::env::temp_dir().join(format!("oanquan-link-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (path, precious) = (directory.join("a.table"), directory.join("precious"));
    std::fs::write(&precious, b"precious").unwrap();
    std::os::unix::fs::symlink(&precious, directory.join(".a.table.unfinished")).unwrap();
    let (stop, progress) = (AtomicBool::new(false), Progress::default());
    let minute = Duration::from_secs(60);
    let built = Tablebase::build_file(&path, Rules::default(), 2, 1, minute, &stop, &progress);
    assert!(built.is_err_and(|error| error.to_string() == "expected a regular file"));
    assert_eq!(std::fs::read(&precious).unwrap(), b"precious");
    std::fs::remove_dir_all(&directory).unwrap();
}
