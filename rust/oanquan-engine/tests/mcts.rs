//! Monte Carlo tree search against minimax, against a plain implementation of the same formula, and in play.

#![allow(clippy::float_cmp)] // both sides compute the same numbers

use std::sync::atomic::{AtomicBool, AtomicU64};

use oanquan_core::{Move, PRESETS, Position, Rules};
use oanquan_engine::mcts::playout::Policy;
use oanquan_engine::mcts::{Forest, ForestError, ForestOptions, Found, Noise, Options, Selection, Value, search};
use oanquan_engine::{Config, GameStream, Turn, agent, rng, simulate};

fn found(position: &Position, options: &Options) -> Found {
    search(position, options, &AtomicBool::new(false), &AtomicU64::new(0))
}

/// What an ended game is worth to the side to move, by the words of the documentation.
fn worth(position: &Position, value: Value) -> f32 {
    let outcome = position.outcome().unwrap();
    let (own, other) = (position.turn().index(), 1 - position.turn().index());
    let points = outcome.points.as_slice();
    let won = outcome.winner.map_or(0.0, |winner| if winner.index() == own { 1.0 } else { -1.0 });
    match value {
        Value::Result => won,
        Value::Points if outcome.ending == oanquan_core::Ending::Loses => won,
        Value::Points => {
            ((points[own] - points[other]) as f32 / position.rules().total_points() as f32).clamp(-1.0, 1.0)
        }
    }
}

/// Between what the value lies, as far as so many plies show.
fn minimax(position: &Position, value: Value, depth: u32) -> (f32, f32) {
    if position.is_over() {
        let worth = worth(position, value);
        return (worth, worth);
    }
    if depth == 0 {
        return (-1.0, 1.0);
    }
    position.legal_moves().fold((-1.0, -1.0), |(low, high): (f32, f32), mv| {
        let (child_low, child_high) = minimax(&position.play(mv).unwrap(), value, depth - 1);
        (low.max(-child_high), high.max(-child_low))
    })
}

/// Positions of random games, the last few before their end.
fn late_positions(rules: Rules, games: u64, last: usize) -> Vec<Position> {
    let mut late = Vec::new();
    for game in 0..games {
        let stream = GameStream::new(11, game);
        let mut positions = vec![Position::start(rules)];
        for ply in 0..120 {
            let position = *positions.last().unwrap();
            let moves = position.legal_moves();
            let Some(mv) = position.legal_moves().nth(stream.below(ply, moves.len() as u32) as usize) else { break };
            positions.push(position.play(mv).unwrap());
        }
        positions.retain(|position| !position.is_over());
        late.extend(positions.iter().rev().take(last));
    }
    late
}

#[test]
fn what_is_exact_is_the_value() {
    let mut exact = 0;
    for preset in PRESETS.iter().filter(|preset| preset.rules().sides == 2) {
        for value in [Value::Points, Value::Result] {
            for (number, position) in late_positions(preset.rules(), 12, 3).iter().enumerate() {
                let options = Options { simulations: 3000, seed: number as u64, value, ..Options::default() };
                let result = found(position, &options);
                let (low, high) = minimax(position, value, 5);
                if result.exact {
                    assert!(
                        low <= result.value && result.value <= high,
                        "{position:?}: {result:?}, not {low} to {high}"
                    );
                    exact += u32::from(low == high);
                }
                for of in result.moves.iter().filter(|of| of.exact) {
                    let (low, high) = minimax(&position.play(of.mv).unwrap(), value, 4);
                    assert!(-high <= of.value && of.value <= -low, "{position:?}: {of:?}, not {} to {}", -high, -low);
                }
                if result.exact {
                    let best = result.moves.iter().find(|of| Some(of.mv) == result.best).unwrap();
                    assert!(best.exact && best.value == result.value, "{position:?}: {result:?}");
                }
            }
        }
    }
    assert!(exact > 100, "{exact} values were settled by both");
}

#[test]
fn the_same_arguments_give_the_same_tree() {
    for preset in PRESETS {
        let start = Position::start(preset.rules());
        for selection in [Selection::Uct, Selection::Puct] {
            for playout in [Policy::Random, Policy::Greedy] {
                let options = Options { simulations: 300, seed: 5, selection, playout, ..Options::default() };
                let result = found(&start, &options);
                assert_eq!(result, found(&start, &options), "{}", preset.name);
                assert_eq!(result.simulations, 300);
                assert_eq!(result.moves.iter().map(|of| of.visits).sum::<u32>(), 300);
                assert!(result.moves.iter().map(|of| of.mv).eq(start.legal_moves()));
                assert_eq!(result.best, result.line.first().copied());
                let mut position = start;
                for &mv in &result.line {
                    position = position.play(mv).unwrap();
                }
            }
        }
        let seeds = [1, 2].map(|seed| found(&start, &Options { seed, ..Options::default() }));
        assert_ne!(seeds[0], seeds[1], "{}", preset.name);
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let over = Position::parse("0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins", Rules::default()).unwrap();
    let result = found(&over, &Options::default());
    assert_eq!((result.best, result.simulations, result.moves.len()), (None, 0, 0));
}

#[test]
fn a_flag_stops_it() {
    let start = Position::start(Rules::default());
    let options = Options { simulations: Options::MOST_SIMULATIONS, ..Options::default() };
    let result = search(&start, &options, &AtomicBool::new(true), &AtomicU64::new(0));
    assert_eq!(result.simulations, 0);
    let agent = agent::parse("mcts:simulations=100000000").unwrap();
    let turn = Turn::new(&start, GameStream::new(0, 0), 0);
    assert_eq!(agent.choose_unless(&turn, &AtomicBool::new(true)), None);
}

/// Of the games of all seats, which that agent plays one of and the others at random, the share that it wins.
fn share_won(name: &str, others: &str, rules: Rules, games: u64) -> f64 {
    let sides = usize::from(rules.sides);
    let mut won = 0;
    for seat in 0..sides {
        let mut config = Config::new(Position::start(rules), games);
        config.agents =
            (0..sides).map(|side| agent::parse(if side == seat { name } else { others }).unwrap()).collect();
        (config.seed, config.threads) = (9, 0);
        won += simulate(&config, &AtomicBool::new(false), &AtomicU64::new(0)).wins[seat];
    }
    won as f64 / (games * sides as u64) as f64
}

#[test]
fn it_wins_with_any_number_of_sides() {
    for (rules, others, least) in [
        ("wikipedia-vi", "cautious", 0.5),
        ("mancala-world", "greedy", 0.85),
        ("tonkin", "random", 0.9),
        // A fair share is a third, and a quarter.
        ("three-players", "greedy", 0.45),
        ("four-players", "greedy", 0.35),
    ] {
        let share = share_won("mcts:simulations=300", others, Rules::parse(rules).unwrap(), 40);
        assert!(share > least, "{rules}: {share} against {others}");
    }
}

// ---- leaves valued from outside ----------------------------------------------------------------------------------------

/// A value and priors that depend on nothing but the position.
fn judge(position: &Position) -> (f32, Vec<f32>) {
    let points = position.points();
    let (own, other) = (position.turn().index(), 1 - position.turn().index());
    let value = (points.as_slice()[own] - points.as_slice()[other]) as f32 / 70.0;
    let mixed = |action: u64| rng::mix(position.key().wrapping_add(action)) >> 40;
    (value.clamp(-1.0, 1.0), (0..10).map(|action| 0.05 + mixed(action) as f32 / (1 << 24) as f32).collect())
}

/// The same search as it is written in the papers: a node holds its children, and every number its name.
struct Plain {
    position: Position,
    children: Vec<Child>,
    exact: Option<f32>,
}

struct Child {
    mv: Move,
    prior: f32,
    visits: u32,
    sum: f64,
    exact: Option<f32>,
    node: Option<Box<Plain>>,
}

impl Plain {
    fn new(position: Position) -> Self {
        let (_, priors) = judge(&position);
        let all: f32 = position.legal_moves().map(|mv| priors[usize::from(mv.action())]).sum();
        let child = |mv: Move| {
            let prior = priors[usize::from(mv.action())] / all;
            Child { mv, prior, visits: 0, sum: 0.0, exact: None, node: None }
        };
        Self { position, children: position.legal_moves().map(child).collect(), exact: None }
    }

    /// One walk; what it came to for the side to move here, and whether somebody had to be asked.
    fn walk(&mut self, c: f32, value_of_ends: Value) -> (f32, bool) {
        let visits: u32 = self.children.iter().map(|child| child.visits).sum();
        let sum: f64 = self.children.iter().map(|child| child.sum).sum();
        let mean = if visits == 0 { 0.0 } else { (sum / f64::from(visits)) as f32 };
        let weight = c * (visits as f32 + 1.0).sqrt();
        let bound = |child: &Child| match child.exact {
            Some(exact) => exact,
            None if child.visits == 0 => mean + weight * child.prior,
            None => (child.sum / f64::from(child.visits)) as f32 + weight * child.prior / (1.0 + child.visits as f32),
        };
        let mut best = 0;
        for place in 1..self.children.len() {
            if bound(&self.children[place]) > bound(&self.children[best]) {
                best = place;
            }
        }
        let child = &mut self.children[best];
        let next = self.position.play(child.mv).unwrap();
        let (value, asked) = match (&mut child.node, child.exact) {
            (_, Some(exact)) => (exact, false),
            _ if next.is_over() => {
                child.exact = Some(-worth(&next, value_of_ends));
                (-worth(&next, value_of_ends), false)
            }
            (Some(node), _) => {
                let (value, asked) = node.walk(c, value_of_ends);
                child.exact = node.exact.map(|exact| -exact);
                (-value, asked)
            }
            (None, _) => {
                child.node = Some(Box::new(Self::new(next)));
                (-judge(&next).0, true)
            }
        };
        child.visits += 1;
        child.sum += f64::from(value);
        let exacts = self.children.iter().filter_map(|child| child.exact);
        let best = exacts.clone().fold(-1.0, f32::max);
        self.exact = (best >= 1.0 || exacts.count() == self.children.len()).then_some(best);
        (value, asked)
    }
}

/// Values every leaf of a forest once.
fn answer(forest: &mut Forest) {
    let waiting = forest.leaves();
    let (mut values, mut priors) = (vec![0.0; forest.len()], vec![0.0; forest.len() * forest.actions()]);
    for tree in (0..forest.len()).filter(|&tree| waiting[tree]) {
        let (value, own) = judge(&forest.leaf(tree).unwrap());
        values[tree] = value;
        priors[tree * 10..][..10].copy_from_slice(&own);
    }
    forest.update(&values, &priors).unwrap();
}

#[test]
fn a_forest_walks_as_the_papers_say() {
    let rules = Rules::parse("wikipedia-vi").unwrap();
    let mut positions = late_positions(rules, 10, 5);
    positions.push(Position::start(rules));
    for value in [Value::Points, Value::Result] {
        let solved = walks_alike(&positions, value);
        assert!(solved < positions.len() && (value == Value::Points || solved > 5), "{solved} of {}", positions.len());
    }
}

/// How many of the positions were solved on the way.
fn walks_alike(positions: &[Position], value: Value) -> usize {
    let options = ForestOptions { value, ..ForestOptions::default() };
    let mut forest = Forest::new(positions, options).unwrap();
    let rounds = 400;
    for _ in 0..rounds {
        answer(&mut forest);
    }
    let mut solved = 0;
    for (tree, position) in positions.iter().enumerate() {
        let mut plain = Plain::new(*position);
        // The first round values the root. In the others a forest walks on through ends, up to 64 of them, until somebody
        // is to be asked.
        for _ in 1..rounds {
            let _ = (0..64).find(|_| plain.exact.is_some() || plain.walk(options.exploration, value).1);
        }
        solved += usize::from(plain.exact.is_some());
        let mut visits = vec![0; 10];
        let mut values = vec![0.0; 10];
        for child in &plain.children {
            let mean = if child.visits == 0 { 0.0 } else { (child.sum / f64::from(child.visits)) as f32 };
            visits[usize::from(child.mv.action())] = child.visits;
            values[usize::from(child.mv.action())] = child.exact.unwrap_or(mean);
        }
        assert_eq!(forest.visits(tree).unwrap(), visits, "{position}");
        assert_eq!(forest.values(tree).unwrap(), values, "{position}");
    }
    solved
}

#[test]
fn what_is_known_below_a_move_is_kept() {
    let start = Position::start(Rules::parse("wikipedia-vi").unwrap());
    let mut forest = Forest::new(&[start; 2], ForestOptions::default()).unwrap();
    for _ in 0..200 {
        answer(&mut forest);
    }
    for ply in 0..6 {
        let best = forest.best(0).unwrap();
        let before = forest.visits(0).unwrap()[usize::from(best)];
        let next = forest.position(0).unwrap();
        let next = next.play(next.action(best.into()).unwrap()).unwrap();
        // The second tree stays, and goes on from where it was.
        let stays = forest.visits(1).unwrap();
        forest.advance(&[best.into(), -1]).unwrap();
        assert_eq!((forest.position(0), forest.position(1)), (Some(next), Some(start)), "ply {ply}");
        // The first of the visits valued the node itself.
        assert_eq!(forest.visits(0).unwrap().iter().sum::<u32>(), before - 1, "ply {ply}");
        assert_eq!(forest.visits(1).unwrap(), stays);
        for _ in 0..100 {
            answer(&mut forest);
        }
        assert!(forest.visits(0).unwrap().iter().sum::<u32>() >= before - 1 + 100, "ply {ply}");
    }
    // A tree that moved and one that is planted there have the same things to find.
    let mut planted = Forest::new(&[start], ForestOptions::default()).unwrap();
    let mut moved = Forest::new(&[start], ForestOptions::default()).unwrap();
    moved.advance(&[0]).unwrap();
    planted.set_positions(&[(0, moved.position(0).unwrap())]).unwrap();
    for _ in 0..50 {
        answer(&mut planted);
        answer(&mut moved);
    }
    assert_eq!(planted.visits(0), moved.visits(0));
}

#[test]
fn noise_is_of_its_seed_and_tree() {
    let start = Position::start(Rules::default());
    let visits = |noise: Option<Noise>, seed: u64| {
        let mut forest = Forest::new(&[start; 2], ForestOptions { noise, seed, ..ForestOptions::default() }).unwrap();
        for _ in 0..100 {
            answer(&mut forest);
        }
        [0, 1].map(|tree| forest.visits(tree).unwrap())
    };
    let noise = Some(Noise { alpha: 0.5, fraction: 0.5 });
    let [first, second] = visits(noise, 1);
    assert_ne!(first, second);
    assert_eq!([first.clone(), second], visits(noise, 1));
    assert_ne!(first, visits(noise, 2)[0]);
    let [first, second] = visits(None, 1);
    assert_eq!(first, second);
    assert_eq!(visits(Some(Noise { alpha: 0.5, fraction: 0.0 }), 1)[0], first);
}

#[test]
fn three_sides_value_leaves_for_each() {
    let start = Position::start(Rules::parse("three-players").unwrap());
    let mut forest = Forest::new(&[start], ForestOptions::default()).unwrap();
    for _ in 0..300 {
        let waiting = forest.leaves();
        assert_eq!(waiting, [true]);
        let leaf = forest.leaf(0).unwrap();
        // Everything is well for side a, and the others lose by it.
        let mover = leaf.turn().index();
        let values: Vec<f32> = (0..3).map(|seat| if (mover + seat).is_multiple_of(3) { 0.9 } else { -0.9 }).collect();
        forest.update(&values, &[1.0; 10]).unwrap();
    }
    let values = forest.values(0).unwrap();
    assert!(values.iter().all(|&value| value > 0.8), "{values:?}");
    let mut after = Forest::new(&[start.play(start.action(0).unwrap()).unwrap()], ForestOptions::default()).unwrap();
    after.leaves();
    after.update(&[0.0; 3], &[1.0; 10]).unwrap();
    after.leaves();
    // After side b's move it is side c's turn: the last of the three is side b.
    after.update(&[0.1, 0.2, 0.3], &[1.0; 10]).unwrap();
    let values = after.values(0).unwrap();
    assert_eq!(values.iter().copied().find(|&value| value != 0.0), Some(0.3));
}

#[test]
fn what_is_wrong_is_refused_and_nothing_changes() {
    let start = Position::start(Rules::default());
    let mut forest = Forest::new(&[start; 2], ForestOptions::default()).unwrap();
    assert!(matches!(forest.update(&[0.0; 2], &[1.0; 20]), Err(ForestError::NoLeaves)));
    forest.leaves();
    let error = |result: Result<(), ForestError>| result.unwrap_err().to_string();
    assert_eq!(error(forest.update(&[0.0], &[1.0; 20])), "values: expected 2 numbers, got 1");
    assert_eq!(error(forest.update(&[0.0; 2], &[1.0; 10])), "priors: expected 20 numbers, got 10");
    assert_eq!(error(forest.update(&[0.0, f32::NAN], &[1.0; 20])), "values: expected -1 to 1, got NaN for tree 1");
    for bad in [-0.1, f32::NAN, f32::INFINITY] {
        let mut priors = [1.0; 20];
        priors[13] = bad;
        let message = format!("priors: expected 0 or more, got {bad} for tree 1");
        assert_eq!(error(forest.update(&[0.0; 2], &priors)), message);
    }
    forest.update(&[0.0; 2], &[0.0; 20]).unwrap();
    assert_eq!(error(forest.advance(&[0])), "actions: expected 2 numbers, got 1");
    assert!(error(forest.advance(&[0, 77])).starts_with("tree 1: illegal move 77"));
    assert_eq!(forest.position(0), Some(start));
    assert_eq!(error(forest.set_positions(&[(2, start)])), "tree: expected 0 to 1, got 2");
    let mut short = [0; 3];
    assert_eq!(error(forest.observe(&mut short, &mut [0; 20])), "observations: expected 42 numbers, got 3");
}

#[test]
fn a_game_that_is_over_is_worth_its_count() {
    for (rules, text) in [
        ("mancala-world", "0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins"),
        ("mancala-world", "0.1.0.0.0.0/0.0.0.2.0.0 32q1/15q1 - b 40 mandarins"),
        ("mancala-world", "0.1.0.0.0.0/0.0.0.1.0.0 24q1/24q1 - a 40 mandarins"),
    ] {
        let position = Position::parse(text, Rules::parse(rules).unwrap()).unwrap();
        for value in [Value::Points, Value::Result] {
            let found = found(&position, &Options { value, ..Options::default() });
            assert_eq!((found.value, found.exact), (worth(&position, value), true), "{text}");
            assert!(found.value != 0.0 || found.value.is_sign_positive(), "{text}");
            assert_eq!((found.best, found.simulations), (None, 0));
        }
    }
}
