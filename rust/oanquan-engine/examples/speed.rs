//! x
use lanes::*;
use oanquan_core::*;
use oanquan_engine::*;
use std::sync::atomic::AtomicBool;
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn main() {
    let rounds: usize = std::env::args().nth(1).map_or(10, |a| a.parse().unwrap());
    let preset = std::env::args().nth(2).unwrap_or("mancala-world".into());
    let only = std::env::args().nth(3);
    let stop = AtomicBool::new(false);
    let start = Position::start(Rules::parse(&preset).unwrap());
    let m = 100_000u64;
    let mut best = [0.0f64; 5];
    let mut playout = Playout::new(start, Limits::default());
    for _ in 0..rounds {
        for (i, path) in Path::ALL.into_iter().enumerate() {
            if i == 0 || only.as_ref().is_some_and(|o| o != path.name()) {
                continue;
            }
            let Some(mut k) = Kernel::new(start, Limits::default(), path) else { continue };
            let mut s = Summary::default();
            let t = cpu();
            k.play(7, 0..m, &stop, &mut s);
            best[i] = best[i].max(s.moves() as f64 / (cpu() - t));
        }
        let t = cpu();
        let mut k = 0u64;
        for g in 0..m / 10 {
            k += u64::from(playout.run(&Random, GameStream::new(7, g)).plies);
        }
        best[0] = best[0].max(k as f64 / (cpu() - t));
        let t = cpu();
        let mut k = 0u64;
        for g in 0..m / 10 {
            k += u64::from(lanes::plain::play(GameStream::new(7, g), 1000).plies);
        }
        best[4] = best[4].max(k as f64 / (cpu() - t));
    }
    for i in [4, 0, 1, 2, 3] {
        println!(
            "{:8} {:.1} M/s ratio {:.2}",
            if i == 4 { "plain" } else { Path::ALL[i].name() },
            best[i] / 1e6,
            best[i] / best[4]
        );
    }
}
