//! Certificates that have been tampered with: each is refused for its own reason.

use oanquan_core::Position;
use oanquan_engine::certificate::{
    Bound, Certificate, CertificateError, Claim, Decision, Ground, MAGIC, Place, Support,
};
use oanquan_engine::solver::Options;

use super::{check, rules, solve_with};

fn certificate() -> Certificate {
    let start = Position::start(rules("squares=3,pebbles=2"));
    let options = Options { table_bytes: 1 << 22, nodes: 4_000_000, moves: false, ..Options::default() };
    let (solution, certificate) = solve_with(&start, options);
    assert!(solution.interval.exact().is_some());
    certificate.unwrap()
}

fn refusal(certificate: &Certificate) -> CertificateError {
    check(certificate).expect_err("it should have been refused")
}

#[test]
fn every_position_that_is_dropped_is_missed() {
    let whole = certificate();
    for number in (0..whole.decisions.len()).step_by(7) {
        let mut less = whole.clone();
        let dropped = less.decisions.remove(number);
        // Another decision for the same board may do instead.
        if whole.decisions.iter().filter(|decision| decision.spot == dropped.spot).count() == 1 {
            assert!(matches!(refusal(&less), CertificateError::Open { .. }), "{number}");
        }
    }
}

#[test]
fn other_moves_do_not_keep_what_was_promised() {
    let whole = certificate();
    let (mut illegal, mut open, mut ends) = (0, 0, 0);
    for number in (0..whole.decisions.len()).step_by(3) {
        let mut other = whole.clone();
        other.decisions[number].action = (other.decisions[number].action + 1) % 6;
        match check(&other) {
            Ok(_) => (), // another good move, whose answers are all there
            Err(CertificateError::Illegal { place, .. }) => {
                assert_eq!(place, Place::Decision(number));
                illegal += 1;
            }
            Err(CertificateError::Open { .. }) => open += 1,
            Err(CertificateError::Ends { .. }) => ends += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(illegal > 0 && open > 0 && ends > 0, "{illegal} {open} {ends}");
}

#[test]
fn bounds_that_are_raised_do_not_follow() {
    for number in 0..2 {
        let mut more = certificate();
        let claim = &mut more.claims[number];
        claim.value += if claim.bound == Bound::Lower { 1 } else { -1 };
        let error = refusal(&more);
        assert!(matches!(error, CertificateError::Open { place: Place::Claim(n), .. } if n == number), "{error}");
    }
    let whole = certificate();
    let highest = (0..whole.decisions.len()).max_by_key(|&number| whole.decisions[number].value).unwrap();
    let mut more = whole.clone();
    more.decisions[highest].value += 1;
    assert!(matches!(refusal(&more), CertificateError::Open { .. } | CertificateError::Ends { .. }));
}

/// A lone pebble that steps out and back: after four plies the board is what it was, and nothing has changed.
/// However far off: no sum of a claim and a margin may come round to what is promised.
#[test]
fn claims_at_the_edge_of_numbers_do_not_follow() {
    let certificate = certificate();
    let rules = certificate.rules;
    for (bound, value) in [(Bound::Lower, i32::MAX), (Bound::Upper, i32::MIN), (Bound::Upper, i32::MIN + 1)] {
        for claim in &certificate.claims {
            // The same board, far ahead and far behind.
            let text = claim.position.to_string();
            let fields: Vec<_> = text.split(' ').collect();
            for debts in ["a>b:90000000", "b>a:90000000", fields[2]] {
                let text = [fields[0], fields[1], debts, fields[3], fields[4]].join(" ");
                let position = Position::parse(&text, rules).unwrap();
                let claims = vec![Claim { position, bound, value }];
                let edge = Certificate { claims, ..certificate.clone() };
                assert!(matches!(refusal(&edge), CertificateError::Open { .. } | CertificateError::Ends { .. }));
            }
        }
    }
}

#[test]
fn decisions_that_only_hold_each_other_up_are_refused() {
    let rules = rules("squares=2,pebbles=2,mandarin_value=1");
    let whole = {
        let options = Options { table_bytes: 1 << 20, nodes: 1_000_000, moves: false, ..Options::default() };
        solve_with(&Position::start(rules), options).1.unwrap()
    };
    // All promises kept, but with one rank for all: what holds what up cannot be told.
    let mut level = whole.clone();
    for decision in &mut level.decisions {
        decision.rank = 1;
    }
    let error = refusal(&level);
    assert!(matches!(error, CertificateError::Open { support: Support::Below(1), .. }), "{error}");
    assert!(error.to_string().contains("of a rank below 1, found none"), "{error}");
    // A circle: find two positions that lead to each other, and let each promise the moon because of the other.
    let start = Position::parse("0.1.0q1/1.0.0q1 3/3 - a 30", rules).unwrap();
    let ground = Ground::of(&start);
    let mut decisions = Vec::new();
    let mut open = vec![start];
    while let Some(position) = open.pop() {
        let (spot, mirrored) = ground.spot(&position);
        if decisions.iter().any(|decision: &Decision| decision.spot == spot) {
            continue;
        }
        // The move after which the game goes on whatever is replied, if there is one.
        let goes_on =
            |next: &Position| !next.is_over() && next.legal_moves().all(|reply| !next.play(reply).unwrap().is_over());
        let Some(mv) = position.legal_moves().find(|&mv| goes_on(&position.play(mv).unwrap())) else { continue };
        let next = position.play(mv).unwrap();
        open.extend(next.legal_moves().map(|reply| next.play(reply).unwrap()));
        let action = if mirrored { 3 - mv.action() } else { mv.action() };
        decisions.push(Decision { spot, value: -50, rank: 1, action });
    }
    assert!(!decisions.is_empty());
    decisions.sort_unstable();
    let claim = Claim { position: start, bound: Bound::Lower, value: -50 };
    let circle = Certificate { rules, claims: vec![claim], decisions };
    assert!(matches!(refusal(&circle), CertificateError::Open { support: Support::Below(1), .. }));
}

#[test]
fn other_rules_and_another_order_are_refused() {
    let mut other = certificate();
    let position = Position::start(rules("squares=3,pebbles=2,capture_chain=off"));
    other.rules = *position.rules();
    for claim in &mut other.claims {
        claim.position = position;
    }
    assert!(matches!(refusal(&other), CertificateError::Open { .. } | CertificateError::Ends { .. }));
    let mut other = certificate();
    other.decisions.swap(3, 4);
    assert!(matches!(refusal(&other), CertificateError::Order(4)), "{}", refusal(&other));
    let mut other = certificate();
    let more = Position::parse("2.2.2.0q1/2.2.2.0q1 1/0 - a 0", other.rules).unwrap();
    let last = other.claims.len();
    other.claims.push(Claim { position: more, bound: Bound::Lower, value: -100 });
    assert!(matches!(refusal(&other), CertificateError::OtherGame(number) if number == last));
    other.claims.clear();
    assert!(matches!(refusal(&other), CertificateError::NoClaim));
}

#[test]
fn files_come_back_as_they_were_and_damaged_ones_do_not() {
    let whole = certificate();
    let bytes = whole.to_bytes().unwrap();
    assert_eq!(Certificate::from_bytes(&bytes).unwrap(), whole);
    for length in 0..bytes.len() {
        let error = Certificate::from_bytes(&bytes[..length]).unwrap_err();
        assert!(matches!(error, CertificateError::Truncated), "{length}: {error}");
    }
    for place in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << (place % 8);
        assert!(Certificate::from_bytes(&flipped).is_err(), "{place}");
    }
    assert!(matches!(Certificate::from_bytes(b"something else"), Err(CertificateError::Magic)));
    let mut newer = bytes;
    newer[MAGIC.len()] = 2;
    assert!(matches!(Certificate::from_bytes(&newer), Err(CertificateError::Version(2))));
    let missing = std::path::Path::new("/nonexistent/certificate");
    assert!(matches!(whole.write(missing), Err(CertificateError::Io(_))));
}

#[test]
fn a_small_file_does_not_fill_the_memory() {
    let whole = certificate();
    let bytes = whole.to_bytes().unwrap();
    let header = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let text = std::str::from_utf8(&bytes[28..28 + header]).unwrap();
    // As many decisions as a file may have: 60 GB.
    let text = text.replace(&format!("decisions {}", whole.decisions.len()), &format!("decisions {}", 1_u64 << 32));
    let mut bomb = bytes[..28].to_vec();
    bomb.extend(text.as_bytes());
    bomb.extend(&bytes[28 + header..]);
    bomb[12..16].copy_from_slice(&(text.len() as u32).to_le_bytes());
    let checksum = crc32fast::hash(&bomb[28..]).to_le_bytes();
    bomb[24..28].copy_from_slice(&checksum);
    let error = Certificate::from_bytes(&bomb).unwrap_err().to_string();
    assert!(error.starts_with("the decisions do not unpack: expected at most 16777216 bytes in "), "{error}");
}

#[test]
fn threads_may_write_one_certificate() {
    let whole = certificate();
    let path = std::env::temp_dir().join(format!("oanquan-threads-{}.certificate", std::process::id()));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..20).for_each(|_| assert!(whole.write(&path).is_ok())));
        }
    });
    assert_eq!(Certificate::read(&path).unwrap(), whole);
    std::fs::remove_file(path).unwrap();
}
