//! Games side by side are the games that are played one by one, however agents are asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use oanquan_core::{Ending, Move, PRESETS, Position, Rules};
use oanquan_engine::lockstep::{BatchAgents, LARGEST_BATCH, LockstepError, Seat, Waiting, lockstep};
use oanquan_engine::{Agent, Collect, Config, Finished, GameStream, Summary, Turn, Worker, agent, simulate};

/// The agents of the engine, asked for many games at once.
struct Asked {
    seed: u64,
    agents: Vec<Arc<dyn Agent>>,
    /// How many games waited, each time.
    batches: Vec<usize>,
    done: u64,
}

impl Asked {
    fn new(seed: u64, names: &[&str]) -> Self {
        let agents = names.iter().map(|name| agent::by_name(name).unwrap()).collect();
        Self { seed, agents, batches: Vec::new(), done: 0 }
    }
}

impl BatchAgents for Asked {
    type Error = String;

    fn choose(&mut self, agent: usize, games: &[Waiting], moves: &mut Vec<Move>) -> Result<(), String> {
        assert!(moves.is_empty());
        self.batches.push(games.len());
        for Waiting { game, plies, position } in games {
            let place = self.agents[agent].choose(&Turn::new(position, GameStream::new(self.seed, *game), *plies));
            moves.extend(position.legal_moves().nth(place));
        }
        Ok(())
    }

    fn finished(&mut self, done: u64) -> Result<(), String> {
        assert_eq!(done, self.done + 1);
        self.done = done;
        Ok(())
    }
}

fn alone(name: &str) -> Seat {
    Seat::Alone(agent::by_name(name).unwrap())
}

fn config(rules: Rules, games: u64, agents: &[&str]) -> Config {
    let agents = agents.iter().map(|name| agent::by_name(name).unwrap()).collect();
    Config { seed: 5, agents, ..Config::new(Position::start(rules), games) }
}

#[test]
fn the_same_games_as_one_by_one() {
    for preset in PRESETS {
        let config = Config { first_game: 30, ..config(preset.rules(), 500, &["random", "greedy"]) };
        let expected = simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0));
        for seats in [
            [Seat::Batch(0), Seat::Batch(1)],
            [Seat::Batch(0), alone("greedy")],
            [alone("random"), Seat::Batch(1)],
            [alone("random"), alone("greedy")],
        ] {
            let (mut agents, mut summary) = (Asked::new(5, &["random", "greedy"]), Summary::default());
            lockstep(&config, &seats, &mut agents, &mut summary).unwrap();
            assert_eq!(summary, expected, "{}", preset.name);
            assert_eq!(agents.done, 500);
        }
    }
}

#[test]
fn limits_and_games_that_are_over_before_they_begin() {
    let over = Position::parse("0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins", Rules::default()).unwrap();
    let cases = [
        (Position::start(Rules::default()), Some(0), Some(3)),
        (Position::start(Rules::default()), Some(7), None),
        (Position::start(Rules::default()), None, Some(1)),
        (over, None, None),
    ];
    for (start, max_plies, repetition) in cases {
        let config = Config { start, max_plies, repetition, ..config(Rules::default(), 9000, &["random"]) };
        let mut summary = Summary::default();
        lockstep(&config, &[Seat::Batch(0)], &mut Asked::new(5, &["random"]), &mut summary).unwrap();
        assert_eq!(summary, simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0)));
    }
}

/// The games with their moves, by number.
#[derive(Default, PartialEq, Debug)]
struct Games(std::collections::BTreeMap<u64, (Finished, Vec<Move>)>);

impl Collect for Games {
    fn wants_moves(&self) -> bool {
        true
    }

    fn add(&mut self, game: u64, finished: &Finished, moves: &[Move]) {
        assert!(self.0.insert(game, (*finished, moves.to_vec())).is_none(), "game {game} came twice");
    }
}

#[test]
fn games_come_with_their_numbers_and_moves() {
    let config = Config { first_game: u64::MAX - 100, ..config(Rules::default(), 300, &["random"]) };
    let [mut expected, mut games] = [Games::default(), Games::default()];
    assert!(Worker::new(&config).play(0..300, &AtomicBool::new(false), &mut expected));
    lockstep(&config, &[alone("random"), Seat::Batch(0)], &mut Asked::new(5, &["random"]), &mut games).unwrap();
    assert_eq!(games, expected);
}

#[test]
fn agents_are_asked_about_as_many_games_as_there_is_room_for() {
    let config = config(Rules::default(), 3 * LARGEST_BATCH as u64, &["random"]);
    let mut agents = Asked::new(5, &["random", "random"]);
    lockstep(&config, &[Seat::Batch(0), Seat::Batch(1)], &mut agents, &mut Summary::default()).unwrap();
    assert_eq!(agents.batches.iter().max(), Some(&LARGEST_BATCH));
    let moves = agents.batches.iter().sum::<usize>();
    assert!(moves / agents.batches.len() > LARGEST_BATCH / 4, "{moves} moves in {} calls", agents.batches.len());
}

#[test]
fn the_same_agent_at_every_seat() {
    let config = config(Rules::parse("three-players").unwrap(), 200, &["greedy"]);
    let mut summary = Summary::default();
    lockstep(&config, &[Seat::Batch(0)], &mut Asked::new(5, &["greedy"]), &mut summary).unwrap();
    assert_eq!(summary, simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0)));
    summary = Summary::default();
    lockstep(&config, &[], &mut Asked::new(5, &[]), &mut summary).unwrap();
    assert_eq!(summary.games, 200);
}

type Answer<'a> = &'a dyn Fn(&[Waiting], &mut Vec<Move>) -> Result<(), String>;

/// Answers well so many times, and then in its own way.
struct Fails<F>(u32, F);

impl<F: FnMut(&[Waiting], &mut Vec<Move>) -> Result<(), String>> BatchAgents for Fails<F> {
    type Error = String;

    fn choose(&mut self, agent: usize, games: &[Waiting], moves: &mut Vec<Move>) -> Result<(), String> {
        if self.0 == 0 {
            return (self.1)(games, moves);
        }
        self.0 -= 1;
        Asked::new(5, &["random", "random"]).choose(agent, games, moves)
    }
}

#[test]
fn what_goes_wrong_is_said_and_what_was_finished_is_kept() {
    let config = config(Rules::default(), 100, &["random"]);
    let run = |answer: Answer| {
        let mut summary = Summary::default();
        let result = lockstep(&config, &[alone("random"), Seat::Batch(0)], &mut Fails(12, answer), &mut summary);
        assert!(summary.games > 0 && summary.games < 100, "{} games", summary.games);
        assert_eq!(summary.games, summary.ended_by(Ending::Mandarins) + summary.stopped());
        result.unwrap_err()
    };
    assert!(matches!(run(&|_, _| Err("tired".into())), LockstepError::Agents(error) if error == "tired"));
    let none = run(&|_, _| Ok(()));
    assert!(matches!(none, LockstepError::Count { agent: 0, given: 0, expected } if expected > 30), "{none}");
    let illegal = run(&|games, moves| {
        moves.extend(games.iter().map(|game| game.position.legal_moves().next().unwrap()));
        moves[7] = Move::parse("a1+", None).unwrap();
        Ok(())
    });
    let LockstepError::Illegal { agent: 0, error, .. } = &illegal else { panic!("{illegal}") };
    assert_eq!(error.given, "a1+");
    assert!(illegal.to_string().contains(": illegal move a1+: it is side b's turn"), "{illegal}");
}

/// Looks after something for each move of the agents that choose alone.
struct LooksAfter {
    asked: u32,
    most: u32,
}

impl BatchAgents for LooksAfter {
    type Error = &'static str;

    fn choose(&mut self, _: usize, games: &[Waiting], moves: &mut Vec<Move>) -> Result<(), Self::Error> {
        moves.extend(games.iter().filter_map(|game| game.position.legal_moves().next()));
        Ok(())
    }

    fn alone(&mut self, agent: &Arc<dyn Agent>, game: &Waiting, stream: GameStream) -> Result<usize, Self::Error> {
        self.asked += 1;
        if self.asked > self.most {
            return Err("enough");
        }
        Ok(agent.choose(&Turn::new(&game.position, stream, game.plies)))
    }
}

#[test]
fn a_move_of_an_agent_alone_can_end_the_run() {
    let config = config(Rules::default(), 100, &[]);
    let (mut agents, mut summary) = (LooksAfter { asked: 0, most: 150 }, Summary::default());
    let result = lockstep(&config, &[alone("greedy"), Seat::Batch(0)], &mut agents, &mut summary);
    assert!(matches!(result, Err(LockstepError::Agents("enough"))));
    assert_eq!(agents.asked, 151);
    agents.most = u32::MAX;
    let (mut whole, mut plain) = (Summary::default(), Summary::default());
    lockstep(&config, &[alone("greedy"), alone("random")], &mut agents, &mut whole).unwrap();
    lockstep(&config, &[alone("greedy"), alone("random")], &mut Asked::new(5, &[]), &mut plain).unwrap();
    assert_eq!(whole, plain);
}
