//! A playout comes out exactly as the core's `Game` does with the same moves and limits.

mod common;

use common::{Draws, odd_position, odd_rules, slow_game};
use oanquan_core::{Ending, PRESETS, Position, Rules};
use oanquan_engine::{Agent, GameStream, Greedy, Limits, Playout, Random, Turn};

fn compare(start: Position, limits: Limits, agent: &dyn Agent, games: std::ops::Range<u64>) -> [u64; 5] {
    let mut endings = [0; 5];
    let mut playout = Playout::new(start, limits);
    for game in games {
        let stream = GameStream::new(11, game);
        let fast = playout.run(agent, stream);
        let slow = slow_game(start, limits, agent, stream);
        assert_eq!(fast, slow, "game {game} of {start:?} under {limits:?} by {}", agent.name());
        endings[fast.outcome.ending as usize] += 1;
    }
    endings
}

#[test]
fn every_preset() {
    for preset in PRESETS {
        let start = Position::start(preset.rules());
        compare(start, Limits::default(), &Random, 0..1000);
        compare(start, Limits::default(), &Greedy, 0..100);
        compare(start, Limits { max_plies: Some(20), repetition: Some(2) }, &Random, 0..1000);
    }
}

#[test]
fn the_known_cycle() {
    /// Plays b4- and a2+ as long as they are there.
    struct Round;

    impl Agent for Round {
        fn name(&self) -> &'static str {
            "round"
        }

        fn choose(&self, turn: &Turn<'_>) -> usize {
            let wanted = ["b4-", "a2+"];
            turn.moves().position(|mv| wanted.contains(&mv.to_string().as_str())).unwrap_or(0)
        }
    }

    let rules = Rules::parse("wikipedia-vi").unwrap();
    let start = Position::parse("1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30", rules).unwrap();
    for (repetition, plies) in [(1, 0), (2, 2), (3, 4), (4, 6), (100, 198)] {
        let limits = Limits { repetition: Some(repetition), ..Limits::default() };
        let finished = Playout::new(start, limits).run(&Round, GameStream::new(0, 0));
        assert_eq!((finished.outcome.ending, finished.plies), (Ending::Repetition, plies));
        assert_eq!(compare(start, limits, &Round, 0..1)[Ending::Repetition as usize], 1);
    }
    let limits = Limits { max_plies: Some(77), repetition: None };
    assert_eq!(compare(start, limits, &Round, 0..1)[Ending::MaxPlies as usize], 1);
    compare(start, Limits::default(), &Random, 0..2000);
}

#[test]
fn small_boards_where_positions_come_back() {
    let mut endings = [0; 5];
    for rules in [
        "squares=1,pebbles=1",
        "squares=1,pebbles=2,mandarin_value=1",
        "squares=2,pebbles=1,shortfall=owe",
        "squares=2,pebbles=2,directions=counterclockwise",
        "squares=2,pebbles=1,mandarin=pebbles,mandarin_value=1,mandarin_next=lift_one",
        "squares=3,pebbles=1,mandarin=pebbles,mandarin_value=2,mandarin_next=relay_when_bare",
        "squares=3,pebbles=2,immature_below=20",
        "squares=3,pebbles=1,immature_below=20,shortfall=owe,reseed_from=points,reseed_when=when_empty",
        "sides=3,squares=1,pebbles=2",
        "sides=4,squares=1,pebbles=1,immature_below=9,shortfall=partial",
        "sides=3,squares=2,pebbles=2,mandarin_ban=8",
        "squares=2,pebbles=1,mandarin_ban=8,immature_below=3",
        "squares=1,immature_below=20,shortfall=owe",
        "squares=2,pebbles=1,immature_below=20,shortfall=owe,empty_mandarin_after_sowing=gap",
        "squares=3,pebbles=3,immature_below=20,shortfall=owe,mandarin_next=lift_one",
    ] {
        let start = Position::start(Rules::parse(rules).unwrap());
        for (max_plies, repetition) in [(300, Some(3)), (300, Some(2)), (60, None), (300, Some(5))] {
            let limits = Limits { max_plies: Some(max_plies), repetition };
            for (sum, count) in endings.iter_mut().zip(compare(start, limits, &Random, 0..100)) {
                *sum += count;
            }
        }
    }
    assert!(endings[Ending::Repetition as usize] > 400, "{endings:?}");
    assert!(endings[Ending::MaxPlies as usize] > 400, "{endings:?}");
}

#[test]
fn odd_rules_and_positions() {
    let mut endings = [0; 5];
    for case in 0..3000 {
        let draws = &mut Draws::new(5, case);
        let rules = odd_rules(draws);
        let start = if draws.below(2) == 0 { Position::start(rules) } else { odd_position(rules, draws) };
        let repetition = [None, Some(0), Some(1), Some(2), Some(3), Some(3), Some(4)][draws.below(7)];
        let limits = Limits { max_plies: Some([0, 1, 30, 150][draws.below(4)]), repetition };
        for (sum, count) in endings.iter_mut().zip(compare(start, limits, &Random, 0..4)) {
            *sum += count;
        }
    }
    assert!(endings.iter().all(|&count| count > 50), "every ending should occur: {endings:?}");
}

#[test]
fn a_finished_start_is_a_finished_game() {
    let rules = Rules::default();
    let over = Position::parse("0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins", rules).unwrap();
    let finished = Playout::new(over, Limits::default()).run(&Random, GameStream::new(0, 0));
    assert_eq!((finished.plies, Some(finished.outcome)), (0, over.outcome()));
}

#[test]
fn a_choice_past_the_end_is_the_last_move() {
    struct Last(usize);

    impl Agent for Last {
        fn name(&self) -> &'static str {
            "last"
        }

        fn choose(&self, turn: &Turn<'_>) -> usize {
            (turn.moves().len() - 1).saturating_add(self.0)
        }
    }

    let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    let [last, past] = [0, usize::MAX].map(|past| playout.run(&Last(past), GameStream::new(0, 0)));
    assert_eq!(last, past);
}
