//! Matches: the same whoever is quick, the same as the core's games, and ended by the test where it settles.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oanquan_core::{Game, Position, Rules, Side};
use oanquan_engine::arena::{Match, MatchResult, Sprt, Verdict, play_match};
use oanquan_engine::tablebase::{Progress, Tablebase};
use oanquan_engine::{Agent, GameStream, Limits, Probe, Turn, agent};

fn agents(first: &str, second: &str) -> [Arc<dyn Agent>; 2] {
    [first, second].map(|text| agent::parse(text).unwrap())
}

fn start(rules: &str) -> Position {
    Position::start(Rules::parse(rules).unwrap())
}

fn play(wanted: &Match) -> MatchResult {
    play_match(wanted, &AtomicBool::new(false), &AtomicU64::new(0))
}

/// No more moves are said to be drawn than were made.
#[test]
fn limits_may_end_games_within_the_opening() {
    for (max_plies, opening) in [(0, 0), (2, 2), (4, 4), (9, 4)] {
        let limits = Limits { max_plies: Some(max_plies), repetition: None };
        let wanted = Match { limits, ..Match::new(start("wikipedia-vi"), agents("greedy", "random"), 3) };
        for pair in play(&wanted).pairs {
            assert_eq!(pair.opening_plies, opening);
            assert_eq!(pair.games[0].moves[..opening as usize], pair.games[1].moves[..opening as usize]);
        }
    }
}

#[test]
fn games_are_those_of_the_core() {
    for rules in ["wikipedia-vi", "tonkin", "bankrupt", "no-first-mandarin"] {
        for limits in [Limits::default(), Limits { max_plies: Some(9), repetition: Some(2) }] {
            let wanted = Match { limits, ..Match::new(start(rules), agents("cautious", "random"), 40) };
            let result = play(&wanted);
            assert_eq!(result.pairs.len(), 40);
            for (number, pair) in result.pairs.iter().enumerate() {
                let opening = wanted.opening(number as u64);
                assert_eq!(opening.len(), 4);
                for of in &pair.games {
                    assert_eq!(of.moves[..4], opening);
                    let mut game = Game::with_limits(wanted.start, limits.max_plies, limits.repetition);
                    for &mv in &of.moves {
                        game.push(mv).unwrap();
                    }
                    assert_eq!(game.outcome(), Some(of.finished.outcome), "{rules}, pair {number}");
                }
            }
            let mut counts = [0; 5];
            for pair in &result.pairs {
                let [first, second] = [0, 1].map(|game| pair.games[game].finished.outcome.winner);
                let points = |winner: Option<Side>, own: Side| match winner {
                    None => 1,
                    Some(side) if side == own => 2,
                    Some(_) => 0,
                };
                counts[points(first, Side::A) + points(second, Side::B)] += 1;
            }
            assert_eq!(result.pentanomial.counts, counts);
        }
    }
}

#[test]
fn neither_threads_nor_length_change_a_pair() {
    let wanted = Match { seed: 3, ..Match::new(start("wikipedia-vi"), agents("mcts:simulations=20", "greedy"), 60) };
    let all = play(&wanted);
    for threads in [2, 5] {
        assert_eq!(play(&Match { threads, ..wanted.clone() }), all);
    }
    let short = play(&Match { pairs: 25, ..wanted.clone() });
    assert_eq!(short.pairs, all.pairs[..25]);
    assert_ne!(play(&Match { seed: 4, ..wanted }).pairs, all.pairs);
}

#[test]
fn a_test_ends_the_match_at_the_same_pair_on_any_threads() {
    for (first, second, verdict) in
        [("cautious", "random", Verdict::Stronger), ("random", "cautious", Verdict::NotStronger)]
    {
        let sprt = Some(Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05 });
        let wanted = Match { sprt, ..Match::new(start("wikipedia-vi"), agents(first, second), 5000) };
        let result = play(&wanted);
        assert_eq!(result.verdict, Some(verdict));
        assert!(result.pairs.len() < 500 && result.pairs.len() as u64 == result.pentanomial.pairs());
        assert_eq!(play(&Match { threads: 3, ..wanted }), result);
    }
}

/// Chooses by nothing but the position.
struct Last;

impl Agent for Last {
    fn name(&self) -> &'static str {
        "last"
    }

    fn choose(&self, turn: &Turn<'_>) -> usize {
        turn.count() as usize - 1
    }
}

#[test]
fn an_agent_that_draws_nothing_is_as_strong_as_itself() {
    let both: [Arc<dyn Agent>; 2] = [Arc::new(Last), Arc::new(Last)];
    let result = play(&Match::new(start("mancala-world"), both, 100));
    assert_eq!((result.pentanomial.counts, result.pentanomial.elo()), ([0, 0, 100, 0, 0], 0.0));
    let openings: std::collections::HashSet<String> =
        result.pairs.iter().map(|pair| format!("{:?}", &pair.games[0].moves[..4])).collect();
    assert!(openings.len() > 90, "{} openings", openings.len());
}

#[test]
fn without_an_opening_every_pair_begins_at_the_start() {
    let wanted = Match { opening_plies: 0, ..Match::new(start("wikipedia-vi"), agents("greedy", "random"), 10) };
    assert!(play(&wanted).pairs.iter().all(|pair| pair.opening_plies == 0));
    // A position that every opening ends: none is left.
    let rules = Rules::parse("short-game").unwrap();
    let ends = Position::parse("0.0.0.0.1.0/0.0.0.0.0.1q1 5/43q1 - a 10", rules).unwrap();
    let wanted = Match { start: ends, opening_plies: 300, ..Match::new(ends, agents("greedy", "random"), 3) };
    assert!(wanted.opening(0).is_empty());
    assert_eq!(play(&wanted).pairs.len(), 3);
}

/// Sets the flag when it has been asked so often.
struct Impatient(AtomicU64);

impl Agent for Impatient {
    fn name(&self) -> &'static str {
        "impatient"
    }

    fn choose(&self, _: &Turn<'_>) -> usize {
        0
    }

    fn choose_unless(&self, turn: &Turn<'_>, stop: &AtomicBool) -> Option<usize> {
        if self.0.fetch_add(1, Ordering::Relaxed) == 500 {
            stop.store(true, Ordering::Relaxed);
            return None;
        }
        Some(self.choose(turn))
    }
}

#[test]
fn a_match_that_is_stopped_has_the_first_pairs() {
    let both: [Arc<dyn Agent>; 2] = [Arc::new(Impatient(AtomicU64::new(0))), agent::parse("random").unwrap()];
    let wanted = Match::new(start("wikipedia-vi"), both, 1000);
    let done = AtomicU64::new(0);
    let result = play_match(&wanted, &AtomicBool::new(false), &done);
    assert!(!result.pairs.is_empty() && result.pairs.len() < 100);
    assert_eq!(done.into_inner(), result.pairs.len() as u64);
    assert_eq!(result.verdict, None);
}

#[test]
fn an_agent_plays_by_its_table() {
    let rules = Rules::parse("short-game").unwrap();
    let table = Tablebase::build(rules, 5, 1, &AtomicBool::new(false), &Progress::default()).unwrap();
    let file = std::env::temp_dir().join(format!("oanquan-arena-{}.table", std::process::id()));
    table.write(&file).unwrap();
    let text = format!("table:{}", file.display());
    let player = agent::parse(&text).unwrap();
    let checksum = Tablebase::open(&file).unwrap().checksum().unwrap();
    assert_eq!(player.name(), format!("{text}:crc32={checksum:08x}"));
    assert_eq!(agent::parse(player.name()).unwrap().name(), player.name());
    let other = agent::parse(&format!("{text}:crc32={:08x}", checksum ^ 1)).err().unwrap();
    assert!(other.to_string().contains("another content now, crc32="), "{other}");
    let mut settled = 0;
    for number in 0..300 {
        let stream = GameStream::new(2, number);
        let mut squares = [0; 12];
        for pebble in 0..=stream.below(0, 5) {
            squares[stream.below(1 + pebble, 12) as usize] += 1;
        }
        let row = |squares: &[u8]| squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(".");
        let text = format!("{}q1/{} 25/25 - a 60", row(&squares[..6]), row(&squares[6..]));
        // A row may be empty, and then it is no position.
        let Ok(position) = Position::parse(&text, rules) else { continue };
        let duel = table.rules().duel(&position);
        let here = table.probe(&duel);
        if position.is_over() || !here.is_exact() {
            continue;
        }
        let place = player.choose(&Turn::new(&position, stream, 0));
        let mv = position.legal_moves().nth(place).unwrap();
        let next = table.rules().duel(&position.play(mv).unwrap());
        let after = if next.is_over() {
            table.rules().final_margin(&next) - next.margin()
        } else {
            // What the move makes sure of is the least that the other side can be held to.
            table.probe(&next).upper
        };
        assert_eq!(-next.margin() - duel.margin() - after, here.upper, "{position} {mv}");
        settled += 1;
    }
    assert!(settled > 20, "{settled} positions");
    // By other rules it searches alone, and a whole match can be played.
    let both = [player, agent::parse("random").unwrap()];
    assert!(play(&Match::new(start("wikipedia-vi"), both, 3)).pentanomial.score() > 0.5);
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_match_in_parts_is_the_whole_match() {
    let agents = || ["greedy", "mcts:simulations=20"].map(|text| agent::parse(text).unwrap());
    let whole = play(&Match { seed: 5, ..Match::new(start("wikipedia-vi"), agents(), 9) });
    let part = |first_pair, pairs| {
        play(&Match { seed: 5, first_pair, threads: 2, ..Match::new(start("wikipedia-vi"), agents(), pairs) }).pairs
    };
    assert_eq!([part(0, 4), part(4, 1), part(5, 4)].concat(), whole.pairs);
}
