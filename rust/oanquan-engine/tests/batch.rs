//! A batch does in every game exactly what the core's `Game` does with the same moves and limits.

mod common;

use common::{Draws, odd_position, odd_rules};
use oanquan_core::{Ending, Game, IllegalMoveReason, Move, PRESETS, Position, Rules, Side};
use oanquan_engine::batch::{Autoreset, BatchError, Options, Outputs, Reward};
use oanquan_engine::{Batch, Config, GameStream, Limits, Summary, simulate};

/// All that a batch writes.
#[derive(Clone, PartialEq, Debug)]
struct Rows {
    observations: Vec<i16>,
    legal_masks: Vec<u8>,
    rewards: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    points: Vec<i32>,
    turns: Vec<u8>,
    final_observations: Vec<i16>,
}

impl Rows {
    fn of(batch: &Batch) -> Self {
        let (games, size) = (batch.len(), batch.observation_size());
        Self {
            observations: vec![77; games * size],
            legal_masks: vec![77; games * batch.actions()],
            rewards: vec![77.0; games],
            terminated: vec![77; games],
            truncated: vec![77; games],
            points: vec![77; games * batch.sides()],
            turns: vec![77; games],
            final_observations: vec![77; games * size],
        }
    }

    fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            observations: Some(&mut self.observations),
            legal_masks: Some(&mut self.legal_masks),
            rewards: Some(&mut self.rewards),
            terminated: Some(&mut self.terminated),
            truncated: Some(&mut self.truncated),
            points: Some(&mut self.points),
            turns: Some(&mut self.turns),
            final_observations: Some(&mut self.final_observations),
        }
    }
}

/// The same games on `Game`, and every number worked out anew.
struct Twin {
    start: Position,
    options: Options,
    games: Vec<(u64, Game)>,
}

impl Twin {
    fn new(start: Position, games: usize, options: Options) -> Self {
        Self { start, options, games: (0..games as u64).map(|number| (number, begin(start, options))).collect() }
    }

    fn next(&mut self, place: usize) {
        self.games[place] = (self.games[place].0 + self.games.len() as u64, begin(self.start, self.options));
    }

    /// What random play chooses; -1 when the game is over.
    fn random(&self, place: usize) -> i64 {
        let (number, game) = &self.games[place];
        let mut moves = game.position().legal_moves();
        if game.is_over() {
            return -1;
        }
        let stream = GameStream::new(self.options.seed, *number);
        let choice = stream.below(game.moves().len() as u32, moves.len() as u32);
        moves.nth(choice as usize).unwrap().action().into()
    }

    /// Plays the action and writes the rows of the game.
    fn step(&mut self, place: usize, action: i64, rows: &mut Rows) {
        let game = &mut self.games[place].1;
        let mut reward = 0.0;
        if game.is_over() {
            assert_eq!(self.options.autoreset, Autoreset::NextStep);
            self.next(place);
        } else {
            let before = points(game);
            let mover = game.position().turn();
            game.push(Move::from_action(mover, action as u8).unwrap()).unwrap();
            reward = match (self.options.reward, game.outcome()) {
                (Reward::Points, _) => {
                    ((lead(&points(game), mover) - lead(&before, mover)) / (before.len() - 1) as f64) as f32
                }
                (Reward::Result, None) => 0.0,
                (Reward::Result, Some(outcome)) => match outcome.winner {
                    None => 0.0,
                    Some(winner) if winner == mover => 1.0,
                    Some(_) => -1.0,
                },
            };
        }
        self.write_result(place, reward, rows);
        if self.games[place].1.is_over() && self.options.autoreset == Autoreset::SameStep {
            let last = observation(self.games[place].1.position());
            let size = last.len();
            rows.final_observations[place * size..][..size].copy_from_slice(&last);
            self.next(place);
        }
        self.write_state(place, rows);
    }

    fn write_result(&self, place: usize, reward: f32, rows: &mut Rows) {
        let game = &self.games[place].1;
        let limit = matches!(game.ending(), Some(Ending::Repetition | Ending::MaxPlies));
        rows.rewards[place] = reward;
        rows.terminated[place] = (game.is_over() && !limit).into();
        rows.truncated[place] = limit.into();
        let points = points(game);
        rows.points[place * points.len()..][..points.len()].copy_from_slice(&points);
    }

    fn write_state(&self, place: usize, rows: &mut Rows) {
        let game = &self.games[place].1;
        let numbers = observation(game.position());
        rows.observations[place * numbers.len()..][..numbers.len()].copy_from_slice(&numbers);
        rows.turns[place] = game.position().turn().index() as u8;
        let actions = 2 * usize::from(self.start.rules().squares);
        let mask = if game.is_over() { 0 } else { game.position().legal_mask() };
        for action in 0..actions {
            rows.legal_masks[place * actions + action] = (mask >> action & 1) as u8;
        }
    }
}

fn begin(start: Position, options: Options) -> Game {
    Game::with_limits(start, options.limits.max_plies, options.limits.repetition)
}

fn points(game: &Game) -> Vec<i32> {
    match game.outcome() {
        Some(outcome) => outcome.points.as_slice().to_vec(),
        None => game.position().points().as_slice().to_vec(),
    }
}

/// By how many points a side is ahead of each other side, summed.
fn lead(points: &[i32], side: Side) -> f64 {
    points.iter().map(|&other| f64::from(points[side.index()] - other)).sum()
}

/// The table of `Batch::observation_size`, row by row.
fn observation(position: &Position) -> Vec<i16> {
    let rules = position.rules();
    let sides = usize::from(rules.sides);
    let seats: Vec<_> = (0..sides).map(|seat| Side::ALL[(position.turn().index() + seat) % sides]).collect();
    let of = |wanted: Side| position.squares().filter(move |(square, ..)| square.side() == wanted);
    let mut numbers: Vec<i64> = Vec::new();
    numbers.extend(seats.iter().flat_map(|&side| of(side).map(|(_, pebbles, _)| i64::from(pebbles))));
    numbers.extend(seats.iter().map(|&side| of(side).filter(|&(_, _, mandarin)| mandarin).count() as i64));
    numbers.extend(seats.iter().map(|&side| i64::from(position.store(side).pebbles)));
    numbers.extend(seats.iter().map(|&side| i64::from(position.store(side).mandarins)));
    for &debtor in &seats {
        let creditors = seats.iter().filter(|&&creditor| creditor != debtor);
        numbers.extend(creditors.map(|&creditor| i64::from(position.debt(debtor, creditor))));
    }
    numbers.push((i64::from(rules.mandarin_ban) - i64::from(position.ply())).max(0));
    numbers.into_iter().map(|number| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16).collect()
}

/// Steps a batch and its twin, half of the steps by `step_random` and half by actions chosen another way, of which every
/// other one moves some of the games only.
fn lockstep(start: Position, games: usize, steps: usize, options: Options, endings: &mut [u32; 5]) {
    let context = format!("{start:?}, {options:?}");
    let (Ok(mut batch), mut twin) = (Batch::new(start, games, options), Twin::new(start, games, options)) else {
        return;
    };
    let (mut rows, mut expected) = (Rows::of(&batch), Rows::of(&batch));
    let mut draws = Draws::new(5, 6);
    for step in 0..steps {
        let mut actions = vec![77; games];
        batch.sample_actions(&mut actions).unwrap();
        assert_eq!(actions, (0..games).map(|place| twin.random(place)).collect::<Vec<_>>(), "{context}");
        let mut mask = vec![1; games];
        if step % 2 == 0 {
            batch.step_random(&mut rows.outputs()).expect(&context);
        } else {
            for (place, action) in actions.iter_mut().enumerate() {
                let game = &twin.games[place].1;
                if !game.is_over() {
                    let mut moves = game.position().legal_moves();
                    *action = moves.nth(draws.below(moves.len())).unwrap().action().into();
                }
            }
            if step % 4 == 1 {
                batch.step(&actions, &mut rows.outputs()).expect(&context);
            } else {
                for (flag, action) in mask.iter_mut().zip(&mut actions) {
                    *flag = draws.below(3).min(1) as u8;
                    *action = if *flag == 0 { -99 } else { *action };
                }
                batch.step_where(&actions, &mask, &mut rows.outputs()).expect(&context);
            }
        }
        let mut over = Vec::new();
        for (place, &action) in actions.iter().enumerate() {
            if mask[place] == 0 {
                twin.write_result(place, 0.0, &mut expected);
                twin.write_state(place, &mut expected);
            } else {
                twin.step(place, action, &mut expected);
            }
            let (number, game) = &twin.games[place];
            assert_eq!(batch.position(place).as_ref(), Some(game.position()), "{context}");
            assert_eq!(batch.game(place), Some((*number, game.moves().len() as u32)), "{context}");
            assert_eq!(batch.ending(place), game.ending(), "{context}");
            over.push(u8::from(game.is_over()));
            if let Some(ending) = game.ending() {
                endings[ending as usize] += 1;
            }
        }
        assert_eq!(rows, expected, "step {step} of {context}");
        if options.autoreset == Autoreset::Disabled && over.contains(&1) {
            let place = over.iter().position(|&over| over == 1);
            let refused = batch.step_random(&mut rows.outputs()).unwrap_err();
            assert!(matches!(refused, BatchError::Finished { game, .. } if Some(game) == place), "{refused}");
            assert!(batch.step(&actions, &mut rows.outputs()).is_err());
            batch.reset(None, Some(&over)).unwrap();
            (0..games).filter(|&place| over[place] == 1).for_each(|place| twin.next(place));
        }
        batch.observe(&mut rows.outputs()).unwrap();
        for place in 0..games {
            twin.write_result(place, 0.0, &mut expected);
            twin.write_state(place, &mut expected);
        }
        assert_eq!(rows, expected, "observed after step {step} of {context}");
    }
}

fn every_mode() -> impl Iterator<Item = (Autoreset, Reward)> {
    Autoreset::NAMES.into_iter().flat_map(|(_, mode)| Reward::NAMES.into_iter().map(move |(_, reward)| (mode, reward)))
}

#[test]
fn every_preset_in_every_mode() {
    let mut endings = [0; 5];
    for preset in PRESETS {
        for (autoreset, reward) in every_mode() {
            let options = Options { seed: 3, reward, autoreset, ..Options::default() };
            lockstep(Position::start(preset.rules()), 9, 150, options, &mut endings);
            let limits = Limits { max_plies: Some(13), repetition: Some(2) };
            lockstep(Position::start(preset.rules()), 3, 60, Options { limits, ..options }, &mut endings);
        }
    }
    assert!(endings[Ending::Mandarins as usize] > 1000 && endings[Ending::MaxPlies as usize] > 100, "{endings:?}");
}

#[test]
fn odd_rules_from_odd_positions() {
    let mut draws = Draws::new(8, 1);
    let mut endings = [0; 5];
    let modes: Vec<_> = every_mode().collect();
    for _ in 0..600 {
        let rules = odd_rules(&mut draws);
        let start = odd_position(rules, &mut draws);
        let (autoreset, reward) = modes[draws.below(modes.len())];
        let max_plies = [Some(1), Some(20), Some(100), None][draws.below(4)];
        let repetition = [Some(2), Some(3), Some(5), None][draws.below(4)];
        let limits = Limits { max_plies, repetition };
        lockstep(start, 1 + draws.below(6), 80, Options { seed: 2, limits, reward, autoreset }, &mut endings);
    }
    assert!(endings.iter().all(|&games| games > 50), "an ending that hardly occurs: {endings:?}");
}

/// Repetition is looked for in filters that fill up: long games that stay in few positions.
#[test]
fn positions_that_come_back() {
    let mut draws = Draws::new(8, 2);
    let mut endings = [0; 5];
    for limit in [2, 3, 4, 9, 30] {
        for _ in 0..40 {
            let rules = odd_rules(&mut draws);
            let start = odd_position(rules, &mut draws);
            let limits = Limits { max_plies: Some(700), repetition: Some(limit) };
            lockstep(start, 3, 300, Options { limits, ..Options::default() }, &mut endings);
        }
    }
    assert!(endings[Ending::Repetition as usize] > 100, "{endings:?}");
}

#[test]
fn random_games_are_those_of_a_simulation() {
    for preset in PRESETS {
        let start = Position::start(preset.rules());
        let config = Config { seed: 7, ..Config::new(start, 60) };
        let summary = simulate(&config, &false.into(), &0.into());
        let mut batch = Batch::new(start, 12, Options { seed: 7, ..Options::default() }).unwrap();
        let mut sums = Summary::default();
        let mut rows = Rows::of(&batch);
        while sums.games < 60 {
            batch.step_random(&mut rows.outputs()).unwrap();
            for place in 0..12 {
                let (Some(ending), Some((number, plies))) = (batch.ending(place), batch.game(place)) else { continue };
                if number < 60 {
                    sums.games += 1;
                    sums.plies.add(plies.into());
                    sums.endings[ending as usize] += 1;
                    for (side, &points) in rows.points[place * batch.sides()..][..batch.sides()].iter().enumerate() {
                        sums.points[side].add(points.into());
                    }
                }
            }
        }
        assert_eq!((sums.plies, sums.endings, sums.points), (summary.plies, summary.endings, summary.points));
    }
}

#[test]
fn an_illegal_action_changes_nothing() {
    let start = Position::start(Rules::parse("squares=3").unwrap());
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let mut batch = Batch::new(start, 4, Options { autoreset, ..Options::default() }).unwrap();
        let mut rows = Rows::of(&batch);
        for step in 0..60_usize {
            let before: Vec<_> = (0..4).map(|place| (batch.position(place), batch.game(place))).collect();
            let untouched = rows.clone();
            let place = step % 4;
            let mut actions = [0; 4];
            batch.sample_actions(&mut actions).unwrap();
            let mask = batch.position(place).unwrap().legal_mask();
            let illegal = [-1, 6, 300, i64::MIN, i64::MAX].into_iter().chain((0..6).filter(|&n| mask >> n & 1 == 0));
            let open = batch.ending(place).is_none();
            for action in illegal.filter(|_| open) {
                let mut wrong = actions;
                wrong[place] = action;
                match batch.step(&wrong, &mut rows.outputs()).unwrap_err() {
                    BatchError::Illegal { game, error } => {
                        assert_eq!((game, *error.position), (place, batch.position(place).unwrap()));
                        let known = (0..6).contains(&action);
                        assert_eq!(known, matches!(error.reason, IllegalMoveReason::Empty(_)), "{error}");
                    }
                    other => panic!("{other}"),
                }
            }
            let after: Vec<_> = (0..4).map(|place| (batch.position(place), batch.game(place))).collect();
            assert_eq!((after, &rows), (before, &untouched));
            batch.step(&actions, &mut rows.outputs()).unwrap();
        }
    }
}

#[test]
fn resets_and_positions() {
    let start = Position::start(Rules::default());
    let mut batch = Batch::new(start, 3, Options { seed: 1, ..Options::default() }).unwrap();
    let first = |batch: &Batch| {
        let mut actions = [0; 3];
        batch.sample_actions(&mut actions).unwrap();
        actions
    };
    let choices = first(&batch);
    batch.step_random(&mut Outputs::default()).unwrap();
    batch.reset(None, Some(&[0, 1, 0])).unwrap();
    assert_eq!([0, 1, 2].map(|place| batch.game(place)), [Some((0, 1)), Some((4, 0)), Some((2, 1))]);
    batch.reset(Some(1), None).unwrap();
    assert_eq!([0, 1, 2].map(|place| batch.game(place)), [Some((0, 0)), Some((1, 0)), Some((2, 0))]);
    assert_eq!(first(&batch), choices);
    batch.reset(Some(9), Some(&[1, 0, 0])).unwrap();
    assert_eq!(first(&batch)[1..], choices[1..]);
    assert_eq!(
        first(&batch)[0],
        i64::from(start.legal_moves().nth(GameStream::new(9, 0).below(0, 10) as usize).unwrap().action())
    );

    batch.reset_each(&[9, 8, 1], Some(&[1, 0, 1])).unwrap();
    assert_eq!([0, 1, 2].map(|place| batch.game(place)), [Some((0, 0)), Some((1, 0)), Some((0, 0))]);
    let over = Position::parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins", *start.rules()).unwrap();
    let other = Position::start(Rules::parse("wikipedia-vi").unwrap());
    let thin = Position::parse("0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12", *start.rules()).unwrap();
    assert!(matches!(batch.set_positions(&[(0, thin), (2, over)]), Err(BatchError::Over { game: Some(2), .. })));
    assert!(matches!(batch.set_positions(&[(0, thin), (1, other)]), Err(BatchError::OtherRules { game: 1 })));
    assert!(matches!(batch.set_positions(&[(0, thin), (3, thin)]), Err(BatchError::NoSuchGame { game: 3, games: 3 })));
    assert_eq!(batch.position(0), Some(start));
    batch.set_positions(&[(2, thin)]).unwrap();
    assert_eq!((batch.position(2), batch.game(2)), (Some(thin), Some((0, 0))));
}

#[test]
fn places_with_seeds_of_their_own_are_batches_of_one() {
    let start = Position::start(Rules::default());
    let seeds = [9, u64::MAX, 9, 0];
    let mut batch = Batch::new(start, 4, Options::default()).unwrap();
    batch.reset_each(&seeds, None).unwrap();
    let mut alone = seeds.map(|seed| Batch::new(start, 1, Options { seed, ..Options::default() }).unwrap());
    for _ in 0..300 {
        batch.step_random(&mut Outputs::default()).unwrap();
        for (place, single) in alone.iter_mut().enumerate() {
            single.step_random(&mut Outputs::default()).unwrap();
            assert_eq!((batch.position(place), batch.game(place)), (single.position(0), single.game(0)));
        }
    }
    assert!(alone.iter().all(|single| single.game(0).unwrap().0 > 2));
}

#[test]
fn what_cannot_be_is_refused() {
    let start = Position::start(Rules::default());
    let over = Position::parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins", *start.rules()).unwrap();
    let limits = |max_plies, repetition| Options { limits: Limits { max_plies, repetition }, ..Options::default() };
    let message = |start, options| Batch::new(start, 1, options).err().map(|error| error.to_string());
    assert_eq!(
        message(over, Options::default()).as_deref(),
        Some("position: expected one that is not over, got one that is over by mandarins")
    );
    assert_eq!(message(start, limits(Some(0), None)).as_deref(), Some("max_plies: expected 1 or more, got 0"));
    assert_eq!(message(start, limits(None, Some(1))).as_deref(), Some("repetition: expected 2 or more, got 1"));
    let mut batch = Batch::new(start, 2, Options::default()).unwrap();
    let mut short = [0; 19];
    let mut out = Outputs { legal_masks: Some(&mut short), ..Outputs::default() };
    let error = batch.step_random(&mut out).unwrap_err();
    assert_eq!(error.to_string(), "legal_masks: expected 20 numbers, got 19");
    assert!(batch.step(&[0], &mut Outputs::default()).is_err());
    assert!(batch.sample_actions(&mut [0; 3]).is_err());
    assert!(batch.reset(None, Some(&[1])).is_err());
    assert!(batch.reset_each(&[1], None).is_err());
    assert!(batch.reset_each(&[1, 2], Some(&[1])).is_err());
    assert!(batch.step_where(&[0, 0], &[1], &mut Outputs::default()).is_err());
    let illegal = batch.step_where(&[99, 99], &[0, 1], &mut Outputs::default()).unwrap_err();
    assert!(matches!(illegal, BatchError::Illegal { game: 1, .. }), "{illegal}");
    assert_eq!((batch.game(0), batch.game(2)), (Some((0, 0)), None));
}
