//! x
use lanes::*;
use oanquan_core::*;
use oanquan_engine::*;
use std::sync::atomic::AtomicBool;
struct Games(Vec<Option<Finished>>);
impl Collect for Games {
    fn add(&mut self, g: u64, f: &Finished, _: &[Move]) {
        assert!(self.0[g as usize].is_none());
        self.0[g as usize] = Some(*f);
    }
}
fn main() {
    let n: u64 = std::env::args().nth(1).map_or(20000, |a| a.parse().unwrap());
    let stop = AtomicBool::new(false);
    for preset in PRESETS {
        let start = Position::start(preset.rules());
        let mut playout = Playout::new(start, Limits::default());
        let want: Vec<_> = (0..n).map(|g| playout.run(&Random, GameStream::new(7, g))).collect();
        for path in Path::ALL {
            let Some(mut kernel) = Kernel::new(start, Limits::default(), path) else {
                println!("{} falls back", preset.name);
                continue;
            };
            let mut games = Games(vec![None; n as usize]);
            assert!(kernel.play(7, 0..n, &stop, &mut games));
            let bad = (0..n as usize).filter(|&g| games.0[g] != Some(want[g])).count();
            println!("{} {} bad {bad}", preset.name, kernel.path().name());
        }
    }
}
