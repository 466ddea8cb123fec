//! `cargo bench -p oanquan-engine`: whole games, and what they are made of.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use oanquan_core::{PRESETS, Position, Rules, perft};
use oanquan_engine::batch::{Options, Outputs};
use oanquan_engine::lanes::{Kernel, Path, plain};
use oanquan_engine::{Agent, Batch, GameStream, Greedy, Limits, Playout, Random, Summary, rng};

/// Games in one measured batch.
const GAMES: u64 = 1000;

/// The moves of a batch of games, so that rates are moves a second.
fn moves(playout: &mut Playout, agent: &impl Agent) -> u64 {
    (0..GAMES).map(|game| u64::from(playout.run(agent, GameStream::new(0, game)).plies)).sum()
}

/// Positions of random games, as they come.
fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for game in 0..100 {
        let stream = GameStream::new(1, game);
        let mut position = Position::start(Rules::default());
        while !position.is_over() && position.ply() < 100 {
            positions.push(position);
            let mut moves = position.legal_moves();
            let place = stream.below(position.ply(), moves.len() as u32);
            if let Some(mv) = moves.nth(place as usize) {
                position.play_unchecked(mv);
            }
        }
    }
    positions
}

fn calibration(criterion: &mut Criterion) {
    criterion.bench_function("calibration", |bench| bench.iter(|| (0..1000).fold(0, |state, _| rng::mix(state))));
}

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playout");
    group.sample_size(20);
    for preset in PRESETS {
        let mut playout = Playout::new(Position::start(preset.rules()), Limits::default());
        group.throughput(Throughput::Elements(moves(&mut playout, &Random)));
        group.bench_function(preset.name, |bench| bench.iter(|| moves(&mut playout, &Random)));
    }
    let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    group.throughput(Throughput::Elements(moves(&mut playout, &Greedy)));
    group.bench_function("mancala-world, greedy", |bench| bench.iter(|| moves(&mut playout, &Greedy)));
    let limits = Limits { max_plies: None, repetition: None };
    let mut playout = Playout::new(Position::start(Rules::default()), limits);
    group.throughput(Throughput::Elements(moves(&mut playout, &Random)));
    group.bench_function("mancala-world, no limits", |bench| bench.iter(|| moves(&mut playout, &Random)));
    group.finish();
}

/// The paths of the lanes, and the plain loop.
fn lanes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lanes");
    group.sample_size(20);
    let start = Position::start(Rules::default());
    group.throughput(Throughput::Elements(moves(&mut Playout::new(start, Limits::default()), &Random)));
    let plain = || (0..GAMES).map(|game| plain::play(GameStream::new(0, game), 1000).plies).sum::<u32>();
    group.bench_function("plain", |bench| bench.iter(plain));
    for path in Path::ALL {
        let Some(mut kernel) = Kernel::new(start, Limits::default(), path) else { continue };
        let mut play = || kernel.play(0, 0..GAMES, &AtomicBool::new(false), &mut Summary::default());
        group.bench_function(path.name(), |bench| bench.iter(&mut play));
    }
    group.finish();
}

/// Steps of 4096 games at once, all outputs written.
fn batches(criterion: &mut Criterion) {
    const GAMES: usize = 4096;
    let mut group = criterion.benchmark_group("batch");
    group.sample_size(20);
    group.throughput(Throughput::Elements(GAMES as u64));
    for preset in PRESETS {
        let start = Position::start(preset.rules());
        let Ok(mut batch) = Batch::new(start, GAMES, Options::default()) else { continue };
        let mut observations = vec![0; GAMES * batch.observation_size()];
        let mut legal_masks = vec![0; GAMES * batch.actions()];
        let mut points = vec![0; GAMES * batch.sides()];
        let (mut rewards, mut flags) = (vec![0.0; GAMES], [vec![0; GAMES], vec![0; GAMES], vec![0; GAMES]]);
        group.bench_function(preset.name, |bench| {
            bench.iter(|| {
                let [terminated, truncated, turns] = &mut flags;
                batch.step_random(&mut Outputs {
                    observations: Some(&mut observations),
                    legal_masks: Some(&mut legal_masks),
                    rewards: Some(&mut rewards),
                    terminated: Some(terminated),
                    truncated: Some(truncated),
                    points: Some(&mut points),
                    turns: Some(turns),
                    final_observations: None,
                })
            });
        });
    }
    group.finish();
}

fn verbs(criterion: &mut Criterion) {
    let positions = positions();
    let all_moves: u64 = positions.iter().map(|position| position.legal_moves().len() as u64).sum();
    let mut group = criterion.benchmark_group("verbs");
    group.throughput(Throughput::Elements(all_moves));
    group.bench_function("play", |bench| {
        bench.iter(|| {
            for position in &positions {
                for mv in position.legal_moves() {
                    black_box(position.play(mv).is_ok());
                }
            }
        });
    });
    group.bench_function("play_unchecked", |bench| {
        bench.iter(|| {
            for position in &positions {
                for mv in position.legal_moves() {
                    black_box(*position).play_unchecked(mv);
                }
            }
        });
    });
    group.bench_function("play_keyed", |bench| {
        let sums: Vec<_> = positions.iter().map(Position::key_sum).collect();
        bench.iter_batched(
            || sums.clone(),
            |mut sums| {
                for (position, sum) in positions.iter().zip(&mut sums) {
                    for mv in position.legal_moves() {
                        black_box(*position).play_keyed(mv, sum);
                    }
                }
                sums
            },
            BatchSize::SmallInput,
        );
    });
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("legal_mask", |bench| {
        bench.iter(|| positions.iter().fold(0, |all, position| all ^ position.legal_mask()));
    });
    group.bench_function("key", |bench| {
        bench.iter(|| positions.iter().fold(0, |all, position| all ^ position.key()));
    });
    group.bench_function("text", |bench| bench.iter(|| positions.iter().map(|p| p.to_string().len()).sum::<usize>()));
    group.finish();
}

fn summing(criterion: &mut Criterion) {
    let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    let games: Vec<_> = (0..GAMES).map(|game| playout.run(&Random, GameStream::new(0, game))).collect();
    let mut group = criterion.benchmark_group("summary");
    group.throughput(Throughput::Elements(GAMES));
    let mut summary = Summary::default();
    group.bench_function("add", |bench| bench.iter(|| games.iter().for_each(|game| summary.add(black_box(game)))));
    group.finish();
}

fn counting(criterion: &mut Criterion) {
    let start = Position::start(Rules::default());
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    group.throughput(Throughput::Elements(perft(&start, 6)));
    group.bench_function("mancala-world, depth 6", |bench| bench.iter(|| perft(&start, 6)));
    group.finish();
}

criterion_group!(benches, calibration, playouts, lanes, batches, verbs, summing, counting);
criterion_main!(benches);
