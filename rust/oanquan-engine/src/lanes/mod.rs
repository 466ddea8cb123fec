//! Random games by the hundred million: many games side by side in the lanes of a vector register.
//!
//! A square of a two-sided board fits in a byte, and a board in sixteen. A [`Kernel`] plays the games of one start on
//! one of several [paths](Path), and every path plays the same games: game `i` of seed `s` is one sequence of moves,
//! drawn from the stream that [`rng`](crate::rng) promises, and its outcome is what the core's own loop gives. Tests
//! compare them game by game.
//!
//! | file | duty |
//! |---|---|
//! | `plan` | what the lanes need of the rules and the start; boards, frames, the choice of a move |
//! | `game` | how a game begins, how a row is paid for, and how it is counted |
//! | `pack` | games side by side in memory |
//! | `simd` | vectors of a byte for each game: what a step asks of a processor |
//! | `step` | one step of a pack, the same for every processor |
//! | `avx512`, `avx2` | the vectors of a processor: the only unsafe code of the crate |
//! | `table` | the packs in flight: beginning, finishing and handing over games |
//! | `scalar` | many games in ordinary registers, taken in turn by what they do next |
//! | `laps` | the boards and tables of `scalar` |
//! | [`plain`] | the loop that one writes first, pebble by pebble: what the others are measured against |
//!
//! # A step
//!
//! A vector has a byte for each game: there is one for each square, for the stores and for what is counted. So
//! nothing is ever looked for in a register: a step does the same to thirty-two or sixty-four games, and masks say
//! for which it counts. Nothing that cannot be predicted is a branch.
//!
//! While a move goes on its board stands *turned*: vector 0 is the square that the hand is lifted from or that was
//! looked at last, and the next vector the next square in the direction of the move. So a lap is: take vector 0 as
//! the hand, add to each vector what a table says that place gets from such a hand, and turn the boards on to the
//! square after it: by 1, 2, 4 and 8 squares, each where that bit of the distance is set. A capture is the same with
//! an empty hand. After some laps and captures, the boards of the games whose turn has ended are turned to how the
//! other side sees them, and its moves are drawn, all games at once; the other games wait for their next lap.
//!
//! # What the lanes leave to the core
//!
//! Whatever is rare is not made fast but handed over: the game is played again from its number by the core's own loop
//! ([`Playout`]). That is so for games in which a position may have stood too often (the lanes keep a hash of every
//! position, and look at the end of the game whether enough of them are equal), games of more than 128 plies, and in
//! vectors games with a hand of almost two rounds of the ring. Rules and starts that no lane can play exactly have no
//! kernel: [`Kernel::new`].
//!
//! # Limits
//!
//! A million games of `mancala-world` take 28.2 plies each, of 1.77 laps and 0.52 captures a ply. With AVX-512 a move
//! costs 5.6 ns on a Zen 4 at 3.6 GHz: 3 in the step, half of one for writing hashes down, and 2 for what is done game
//! by game: beginning, looking for repetitions, counting, and the 1 % of games that the core plays. About a quarter of
//! the step's instructions turn boards; the draws are 64-bit products for eight games at a time. A step takes up to
//! three laps and captures before it chooses moves: with fewer it chooses more often, with more, more games wait.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod game;
mod laps;
mod pack;
pub mod plain;
mod plan;
mod scalar;
mod simd;
mod step;
mod table;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use oanquan_core::Position;

use self::game::Hands;
use self::plan::Plan;
use self::scalar::Scalar;
#[cfg(target_arch = "x86_64")]
use self::table::Table;
use crate::{Collect, Limits, Playout};

/// How many packs are in flight: so many that what a step stores has reached the cache before it is read.
#[cfg(target_arch = "x86_64")]
const PACKS: usize = 2;

/// How random games are played: with which instructions. The games are the same.
///
/// ```
/// use oanquan_engine::lanes::Path;
/// assert!(Path::best().is_available());
/// assert_eq!(Path::ALL.map(Path::name), ["core", "scalar", "avx2", "avx512"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Path {
    /// The core's own loop, which plays everything.
    Core,
    /// Many games in turn in ordinary registers: the instructions that every processor has.
    Scalar,
    /// Thirty-two games, a byte of each in registers of 256 bits.
    Avx2,
    /// Sixty-four games, a byte of each in registers of 512 bits.
    Avx512,
}

impl Path {
    /// Every path, the slowest first.
    pub const ALL: [Self; 4] = [Self::Core, Self::Scalar, Self::Avx2, Self::Avx512];

    /// The word for it.
    ///
    /// ```
    /// assert_eq!(oanquan_engine::lanes::Path::Avx2.name(), "avx2");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether this processor has the instructions.
    ///
    /// ```
    /// assert!(oanquan_engine::lanes::Path::Scalar.is_available());
    /// ```
    pub fn is_available(self) -> bool {
        match self {
            Self::Core | Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::is_available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The fastest one on this processor.
    ///
    /// ```
    /// use oanquan_engine::lanes::Path;
    /// assert!(Path::best() >= Path::Scalar);
    /// ```
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|path| path.is_available()).unwrap_or(Self::Core)
    }
}

/// Plays random games of one start on one path.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::lanes::{Kernel, Path};
/// use oanquan_engine::{Limits, Summary};
/// use std::sync::atomic::AtomicBool;
///
/// let start = Position::start(Rules::default());
/// let summaries = [Path::Scalar, Path::best()].map(|path| {
///     let mut summary = Summary::default();
///     let mut kernel = Kernel::new(start, Limits::default(), path).expect("rules that the lanes play");
///     assert!(kernel.play(7, 0..1000, &AtomicBool::new(false), &mut summary));
///     summary
/// });
/// assert_eq!(summaries[0], summaries[1]);
/// ```
pub struct Kernel {
    lanes: Lanes,
    path: Path,
    playout: Playout,
}

// There is one for each thread, and never many.
#[allow(clippy::large_enum_variant)]
enum Lanes {
    Scalar(Box<Scalar>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Table<{ avx2::GAMES }, avx2::Avx2>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Table<{ avx512::GAMES }, avx512::Avx512>),
}

impl Kernel {
    /// A kernel for games from that start under those limits, on that path or, where the board does not fit it or the
    /// processor has it not, on the next slower one.
    ///
    /// `None` where no lane plays exactly as the core does, and for [`Path::Core`]. Lanes play games of two sides with
    /// `directions = both`, `mandarin_next = stop`, `end_check = after_move`, `reseed_when = turn_start`,
    /// `reseed_from = pebbles` and every `shortfall` but `owe`, from positions in play with at most 127 pebbles in
    /// squares and stores, when `max_plies` is 128 at least and `repetition` not 1.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::Limits;
    /// use oanquan_engine::lanes::{Kernel, Path};
    /// let kernel = |rules| Kernel::new(Position::start(Rules::parse(rules).unwrap()), Limits::default(), Path::Scalar);
    /// assert!(kernel("wikipedia-vi").is_some());
    /// assert!(kernel("four-players").is_none());
    /// ```
    pub fn new(start: Position, limits: Limits, path: Path) -> Option<Self> {
        let plan = Plan::new(&start, limits)?;
        let lanes = |path| match path {
            Path::Core => None,
            Path::Scalar => Some(Lanes::Scalar(Box::new(Scalar::new(plan.clone(), start)))),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => avx2::Avx2::new(&plan).map(|step| Lanes::Avx2(Table::new(plan.clone(), step, start, PACKS))),
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => {
                avx512::Avx512::new(&plan).map(|step| Lanes::Avx512(Table::new(plan.clone(), step, start, PACKS)))
            }
            #[cfg(not(target_arch = "x86_64"))]
            Path::Avx2 | Path::Avx512 => None,
        };
        let mut here_or_slower = Path::ALL.into_iter().rev().filter(|&other| other <= path);
        let (path, lanes) = here_or_slower.find_map(|path| Some((path, lanes(path)?)))?;
        Some(Self { lanes, path, playout: Playout::new(start, limits) })
    }

    /// Whether there is a kernel: whether [`new`](Self::new) makes one.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::Limits;
    /// use oanquan_engine::lanes::{Kernel, Path};
    /// let start = Position::start(Rules::default());
    /// assert!(Kernel::plays(&start, Limits::default(), Path::Scalar));
    /// assert!(!Kernel::plays(&start, Limits::default(), Path::Core));
    /// ```
    pub fn plays(start: &Position, limits: Limits, path: Path) -> bool {
        path > Path::Core && Plan::new(start, limits).is_some()
    }

    /// The path that it plays on.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::Limits;
    /// use oanquan_engine::lanes::{Kernel, Path};
    /// let kernel = Kernel::new(Position::start(Rules::parse("squares=2").unwrap()), Limits::default(), Path::best());
    /// assert_eq!(kernel.unwrap().path(), Path::Scalar);
    /// ```
    pub const fn path(&self) -> Path {
        self.path
    }

    /// Plays the games of those numbers, each with the moves that [`Random`](crate::Random) makes on its stream, and
    /// hands each to `collect` when it is finished, in any order, without its moves. Whether all were: once `stop` is
    /// set, those that are not finished never come.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::lanes::{Kernel, Path};
    /// use oanquan_engine::{Limits, Summary};
    /// use std::sync::atomic::AtomicBool;
    /// let mut kernel = Kernel::new(Position::start(Rules::default()), Limits::default(), Path::best()).unwrap();
    /// let mut summary = Summary::default();
    /// assert!(kernel.play(7, 0..500, &AtomicBool::new(false), &mut summary));
    /// assert!(!kernel.play(7, 500..1_000_000, &AtomicBool::new(true), &mut summary));
    /// ```
    pub fn play<C: Collect>(&mut self, seed: u64, games: Range<u64>, stop: &AtomicBool, collect: &mut C) -> bool {
        self.play_from(seed, 0, games, stop, collect)
    }

    /// [`play`](Self::play) with the numbers of the games counted from another, modulo 2^64.
    pub(crate) fn play_from<C: Collect>(
        &mut self,
        seed: u64,
        first_game: u64,
        games: Range<u64>,
        stop: &AtomicBool,
        collect: &mut C,
    ) -> bool {
        if stop.load(Ordering::Relaxed) {
            return games.is_empty();
        }
        let playout = &mut self.playout;
        let mut hands = Hands { seed, first_game, games, playout, stop, collect, given_up: false };
        match &mut self.lanes {
            Lanes::Scalar(scalar) => scalar.play(&mut hands),
            #[cfg(target_arch = "x86_64")]
            Lanes::Avx2(table) => table.play(&mut hands),
            #[cfg(target_arch = "x86_64")]
            Lanes::Avx512(table) => table.play(&mut hands),
        }
    }
}
