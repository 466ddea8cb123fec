//! The random stream of a game: a pure function of the seed, the number of the game and the ply.
//!
//! There is no state to carry: whoever plays game `i` of seed `s`, on whichever thread, path or machine, draws the
//! same number at the same ply. The numbers are promised: they change only with a new major version.
//!
//! With [`mix`] the output function of `SplitMix64` after one step, and all arithmetic modulo 2^64:
//!
//! ```text
//! key       = mix(mix(seed) + game)
//! draw(ply) = mix(key + ply * 0x9E3779B97F4A7C15)
//! choice    = ((draw >> 32) * n) >> 32          among n
//! ```
//!
//! Each game is thus a stretch of a `SplitMix64` sequence that begins at a scattered place.

pub use oanquan_core::zobrist::mix;

/// The odd constant that `SplitMix64` steps by: 2^64 divided by the golden ratio.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The draws of one game of one seed.
///
/// ```
/// use oanquan_engine::GameStream;
/// let stream = GameStream::new(7, 1);
/// assert_eq!(stream.draw(0), 0xFBCA_6623_87D9_C66D);
/// assert_eq!(stream.below(0, 10), 9);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameStream {
    key: u64,
}

impl GameStream {
    /// The stream of game number `game` of `seed`.
    ///
    /// ```
    /// use oanquan_engine::GameStream;
    /// assert_ne!(GameStream::new(7, 1), GameStream::new(7, 2));
    /// ```
    #[inline]
    pub const fn new(seed: u64, game: u64) -> Self {
        Self { key: mix(mix(seed).wrapping_add(game)) }
    }

    /// The 64 bits of a ply, counted from the start of the game.
    ///
    /// ```
    /// use oanquan_engine::GameStream;
    /// assert_eq!(GameStream::new(7, 1).draw(999), 0x3F17_D49C_7687_0F36);
    /// ```
    #[inline]
    pub const fn draw(self, ply: u32) -> u64 {
        mix(self.counter(ply))
    }

    /// What [`mix`] makes the draw of a ply from: [`STEP`] more at each ply.
    #[inline]
    pub(crate) const fn counter(self, ply: u32) -> u64 {
        self.key.wrapping_add((ply as u64).wrapping_mul(STEP))
    }

    /// The choice of a ply among `n`: 0 to `n - 1`, or 0 when `n` is 0.
    ///
    /// It is uniform to within 2^-32. Over the 2^64 keys, `mix` being a bijection, the upper half `h` of the draw
    /// takes each of its 2^32 values equally often. The choice is `i` exactly when `i * 2^32 / n <= h < (i + 1) * 2^32 / n`,
    /// an interval of length `2^32 / n`, in which lie either the floor or the ceiling of that many whole numbers. So
    /// each choice has a probability that differs from `1 / n` by less than 2^-32 = 2.4e-10; relative to `1 / n`, by
    /// less than `n * 2^-32`, which is 3.3e-9 for the fourteen actions that a side has at most.
    ///
    /// ```
    /// use oanquan_engine::GameStream;
    /// let choices: Vec<u32> = (0..12).map(|ply| GameStream::new(0, 0).below(ply, 10)).collect();
    /// assert_eq!(choices, [1, 9, 2, 9, 6, 3, 8, 1, 1, 6, 6, 2]);
    /// ```
    #[inline]
    pub const fn below(self, ply: u32, n: u32) -> u32 {
        below(self.draw(ply), n)
    }
}

/// The choice that a draw makes among `n`.
#[inline]
pub(crate) const fn below(draw: u64, n: u32) -> u32 {
    (((draw >> 32) * n as u64) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Golden {
        seed: u64,
        game: u64,
        /// The draws of plies 0, 1, 2 and 999.
        draws: [u64; 4],
        /// The choices among ten of plies 0 to 11.
        choices: [u32; 12],
    }

    /// Computed from the formulas at the head of this file with Python's integers.
    const GOLDEN: [Golden; 4] = [
        Golden {
            seed: 0,
            game: 0,
            draws: [0x2382_75BC_38FC_BE91, 0xF89A_2566_B582_2C54, 0x4720_0E1D_9780_FA44, 0xE71D_AC2D_8D0D_D5F1],
            choices: [1, 9, 2, 9, 6, 3, 8, 1, 1, 6, 6, 2],
        },
        Golden {
            seed: 7,
            game: 1,
            draws: [0xFBCA_6623_87D9_C66D, 0xA457_DAE3_7371_C789, 0xE7B9_12E0_605E_CDAB, 0x3F17_D49C_7687_0F36],
            choices: [9, 6, 9, 5, 5, 6, 8, 1, 3, 4, 1, 1],
        },
        Golden {
            seed: u64::MAX,
            game: u64::MAX,
            draws: [0x8EE5_C18A_B929_CB63, 0x646F_2EF5_C639_647E, 0x2BCE_7A80_C524_FC25, 0x0964_05D3_EA48_F3B2],
            choices: [5, 3, 1, 9, 3, 5, 4, 4, 6, 5, 2, 3],
        },
        Golden {
            seed: 1,
            game: 1 << 63,
            draws: [0x3DA3_919B_340E_354B, 0xE1BF_3128_4539_BBD4, 0x11C1_4ADB_A140_B17E, 0x0EB0_A681_CFE5_16AE],
            choices: [2, 8, 0, 6, 4, 9, 0, 4, 3, 6, 8, 6],
        },
    ];

    #[test]
    fn the_stream_is_the_promised_one() {
        for Golden { seed, game, draws, choices } in GOLDEN {
            let stream = GameStream::new(seed, game);
            assert_eq!([0, 1, 2, 999].map(|ply| stream.draw(ply)), draws, "seed {seed}, game {game}");
            for (ply, choice) in choices.into_iter().enumerate() {
                assert_eq!(stream.below(ply as u32, 10), choice, "seed {seed}, game {game}, ply {ply}");
            }
        }
    }

    #[test]
    fn no_choice_leaves_the_range() {
        for n in 0..=14 {
            for ply in 0..1000 {
                assert!(GameStream::new(3, u64::from(n)).below(ply, n) < n.max(1));
            }
        }
    }

    /// Chi-square of the choices over many games and plies, and of pairs of choices that follow each other in a game or
    /// stand side by side in neighbouring games. The bound is six standard deviations above the mean of the statistic;
    /// the stream being fixed, the test either always passes or never.
    #[test]
    fn choices_are_uniform_and_independent() {
        for n in [2, 3, 5, 7, 8, 10, 14] {
            let mut one = vec![0_u32; n];
            let mut next_ply = vec![0_u32; n * n];
            let mut next_game = vec![0_u32; n * n];
            for game in 0..20_000 {
                for ply in 0..20 {
                    let choose = |game, ply| GameStream::new(42, game).below(ply, n as u32) as usize;
                    let choice = choose(game, ply);
                    one[choice] += 1;
                    next_ply[choice * n + choose(game, ply + 1)] += 1;
                    next_game[choice * n + choose(game + 1, ply)] += 1;
                }
            }
            for (what, counts) in [("choice", one), ("next ply", next_ply), ("next game", next_game)] {
                let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
                let chi: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
                let freedom = (counts.len() - 1) as f64;
                assert!(chi < freedom + 6.0 * (2.0 * freedom).sqrt(), "{what} among {n}: chi-square {chi:.1}");
            }
        }
    }
}
