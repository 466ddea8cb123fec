//! Random games by the hundred million: many games side by side in the lanes of a vector register.
//!
//! A two-sided board of up to sixteen squares fits in sixteen bytes. A [`Kernel`] plays the games of one start on one of
//! several [paths](Path), and every path plays the same games: game `i` of seed `s` is one sequence of moves, drawn from
//! the stream that [`rng`](crate::rng) promises, and its outcome is what the core's own loop gives. Tests compare them
//! game by game.
//!
//! | file | duty |
//! |---|---|
//! | `plan` | what the lanes need of the rules and the start; boards, frames, the choice of a move |
//! | `game` | how a game begins, how a row is paid for, and how it is counted |
//! | `pack` | games side by side in memory |
//! | `avx512`, `avx2` | one step of a pack: the only unsafe code of the crate |
//! | `table` | the packs in flight: beginning, finishing and handing over games |
//! | `scalar` | one game after the other in ordinary registers |
//! | [`plain`] | the loop that one writes first, pebble by pebble: what the others are measured against |
//!
//! # A step
//!
//! While a move goes on its board stands *turned*: byte 0 is the square that the hand is lifted from or that was looked
//! at last, and the next byte the next square in the direction of the move. So a lap is: spread byte 0 over the board,
//! add one to every byte whose place is not beyond the hand, and turn the board on by a shuffle. A capture is the same
//! with an empty hand. Beside the board stands where the squares of the other side's view are now, so that a second
//! shuffle gives the board as the next mover sees it. The next move is worked out for every game, ended or not, and
//! taken under a mask: nothing that cannot be predicted is a branch.
//!
//! # What the lanes leave to the core
//!
//! Whatever is rare is not made fast but handed over: the game is played again from its number by the core's own loop
//! ([`Playout`]). That is so for games in which a position may have stood too often (the lanes keep a hash of every
//! position, and look at the end of the game whether enough of them are equal), games of more than 128 plies, and games
//! with a hand of two rounds of the ring or more. Rules and starts that no lane can play exactly have no kernel: [`Kernel::new`].
//!
//! # Limits
//!
//! A million games of `mancala-world` take 28.2 plies each, of 1.77 laps and 0.52 captures a ply. Every step costs a
//! lap and a choice for each lane, and one step in 2.3 ends a turn. The vector units are busy all the time: what is left
//! to gain is in doing less for the lanes that do not need it.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod game;
mod pack;
pub mod plain;
mod plan;
mod scalar;
mod table;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use oanquan_core::Position;

use self::game::Hands;
use self::plan::Plan;
use self::scalar::Scalar;
#[cfg(target_arch = "x86_64")]
use self::table::Table;
use crate::{Collect, Limits, Playout};

/// How many packs are in flight: an even number, so many that what a step stores has reached the cache before it is read.
#[cfg(target_arch = "x86_64")]
const PACKS: usize = 4;

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
    /// Boards of sixteen bytes in ordinary registers; a lap is one addition.
    Scalar,
    /// Four games in two registers of 256 bits.
    Avx2,
    /// Eight games in two registers of 512 bits.
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
    /// squares and stores and none with two rounds of pebbles, when `max_plies` is 128 at least and `repetition`
    /// not 1. The vectors hold boards of four to seven squares a side.
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
        let slower = Path::ALL.into_iter().rev().filter(|&slower| slower <= path);
        slower.map_while(|path| (path > Path::Core).then_some(path)).find_map(|path| {
            let lanes = match path {
                Path::Core => None,
                Path::Scalar => Some(Lanes::Scalar(Box::new(Scalar::new(plan.clone(), start)))),
                #[cfg(target_arch = "x86_64")]
                Path::Avx2 => {
                    avx2::Avx2::new(&plan).map(|step| Lanes::Avx2(Table::new(plan.clone(), step, start, PACKS)))
                }
                #[cfg(target_arch = "x86_64")]
                Path::Avx512 => {
                    avx512::Avx512::new(&plan).map(|step| Lanes::Avx512(Table::new(plan.clone(), step, start, PACKS)))
                }
                #[cfg(not(target_arch = "x86_64"))]
                Path::Avx2 | Path::Avx512 => None,
            };
            lanes.map(|lanes| Self { lanes, path, playout: Playout::new(start, limits) })
        })
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
