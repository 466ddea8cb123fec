//! The stable 64-bit key of a position, from scratch and kept up move by move.
//!
//! A key is `mix(sum)`, where `sum` adds, modulo 2^64, a coefficient for everything that decides the future:
//! `C(kind, i) = mix(kind * 2^32 + i) | 1`, with `mix` the output function of `SplitMix64` after one step.
//!
//! | what | term |
//! |---|---|
//! | n pebbles in ring square i | `n * C(1, i)` |
//! | a mandarin in the mandarin square of side k | `C(2, k)` |
//! | n pebbles in the store of side k (may be negative) | `n * C(3, k)` |
//! | n mandarins in the store of side k | `n * C(4, k)` |
//! | side i owes side j n pebbles | `n * C(5, 4 i + j)` |
//! | side k is to move | `C(6, k)` |
//! | the game is over by mandarins, short, loses | `C(7, 1)`, `C(7, 2)`, `C(7, 3)` |
//! | `mandarin_ban` is in force at ply n | `C(8, n)` |
//! | a knob differs from its default | `mix(FNV-1a of "name=value")` |
//!
//! Being a sum, it follows a whole lap in a few additions. Keys are promised stable between versions: a new knob at
//! its default adds nothing.

use alloc::string::String;
use core::fmt::{self, Write};

use crate::sow::Sink;
use crate::{Direction, Ending, MAX_RING, MAX_SIDES, Move, Position, Rules, Side, Square};

/// The output of `SplitMix64` whose state was `x`: spreads a number over 64 bits, for keys and for random streams.
///
/// ```
/// // The first output of the generator seeded with 0.
/// assert_eq!(oanquan_core::zobrist::mix(0), 0xE220_A839_7B1D_CDAF);
/// ```
#[inline]
pub const fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn coefficients<const N: usize>(kind: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = mix((kind << 32) + i as u64) | 1;
        i += 1;
    }
    table
}

static PEBBLE: [u64; MAX_RING] = coefficients(1);
static MANDARIN: [u64; MAX_SIDES] = coefficients(2);
static STORE_PEBBLE: [u64; MAX_SIDES] = coefficients(3);
static STORE_MANDARIN: [u64; MAX_SIDES] = coefficients(4);
static DEBT: [u64; MAX_SIDES * MAX_SIDES] = coefficients(5);
static TURN: [u64; MAX_SIDES] = coefficients(6);
static ENDING: [u64; 4] = coefficients(7);
static BAN: [u64; 8] = coefficients(8);
/// `PREFIX[i]` is the sum of the first i pebble coefficients.
static PREFIX: [u64; MAX_RING + 1] = {
    let table: [u64; MAX_RING] = coefficients(1);
    let mut prefix = [0_u64; MAX_RING + 1];
    let mut i = 0;
    while i < MAX_RING {
        prefix[i + 1] = prefix[i].wrapping_add(table[i]);
        i += 1;
    }
    prefix
};

/// 64-bit FNV-1a over what is written to it.
struct Fnv(u64);

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        Ok(())
    }
}

/// What knobs that differ from their defaults add to every key.
pub(crate) fn rules_sum(differences: impl Iterator<Item = (&'static str, String)>) -> u64 {
    differences.fold(0, |sum, (name, value)| {
        let mut hash = Fnv(0xCBF2_9CE4_8422_2325);
        // Writing to `Fnv` cannot fail.
        let _ = write!(hash, "{name}={value}");
        sum.wrapping_add(mix(hash.0))
    })
}

/// A key being kept up: the sum before its last mixing.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// let mut position = Position::start(Rules::default());
/// let mut sum = position.key_sum();
/// for _ in 0..20 {
///     let Some(mv) = position.legal_moves().last() else { break };
///     position.play_keyed(mv, &mut sum);
///     assert_eq!(sum.key(), position.key());
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeySum(u64);

impl KeySum {
    /// The key.
    #[inline]
    pub const fn key(self) -> u64 {
        mix(self.0)
    }

    #[inline]
    fn add(&mut self, count: i64, coefficient: u64) {
        self.0 = self.0.wrapping_add((count as u64).wrapping_mul(coefficient));
    }
}

/// Follows a turn with a [`KeySum`].
struct Follower<'a> {
    sum: &'a mut KeySum,
    rules: Rules,
    mover: usize,
}

impl Sink for Follower<'_> {
    #[inline]
    fn lift(&mut self, square: Square, pebbles: u8) {
        if let Some(index) = self.rules.index(square) {
            self.sum.add(-i64::from(pebbles), PEBBLE[index]);
        }
    }

    #[inline]
    fn lap(&mut self, rules: &Rules, from: Square, pebbles: u8, direction: Direction) {
        let ring = rules.ring();
        let Some(from) = rules.index(from) else { return };
        let (rounds, rest) = (usize::from(pebbles) / ring, usize::from(pebbles) % ring);
        // The squares of the last, broken round are `rest` squares up the ring from here.
        let first = match direction {
            Direction::Counterclockwise => (from + 1) % ring,
            Direction::Clockwise => (from + ring - rest) % ring,
        };
        let end = first + rest;
        let arc = if end <= ring {
            PREFIX[end].wrapping_sub(PREFIX[first])
        } else {
            PREFIX[ring].wrapping_sub(PREFIX[first]).wrapping_add(PREFIX[end - ring])
        };
        self.sum.add(rounds as i64, PREFIX[ring]);
        self.sum.add(1, arc);
    }

    #[inline]
    fn capture(&mut self, square: Square, pebbles: u8, mandarin: bool) {
        self.lift(square, pebbles);
        self.sum.add(pebbles.into(), STORE_PEBBLE[self.mover]);
        if mandarin {
            self.sum.add(-1, MANDARIN[square.side().index()]);
            self.sum.add(1, STORE_MANDARIN[self.mover]);
        }
    }

    fn borrow(&mut self, borrower: Side, lender: Side, pebbles: u32) {
        self.sum.add(-i64::from(pebbles), STORE_PEBBLE[lender.index()]);
        self.sum.add(pebbles.into(), STORE_PEBBLE[borrower.index()]);
        self.sum.add(pebbles.into(), DEBT[MAX_SIDES * borrower.index() + lender.index()]);
    }

    fn reseed(&mut self, side: Side, pebbles: u8) {
        let first = self.rules.first(side);
        self.sum.add(-i64::from(pebbles), STORE_PEBBLE[side.index()]);
        self.sum.add(1, PREFIX[first + usize::from(pebbles)].wrapping_sub(PREFIX[first]));
    }
}

impl Position {
    /// The stable 64-bit key: equal for equal positions.
    pub fn key(&self) -> u64 {
        self.key_sum().key()
    }

    /// The key before its last mixing, to be kept up by [`play_keyed`](Self::play_keyed).
    pub fn key_sum(&self) -> KeySum {
        let mut sum = KeySum(self.rules.key_sum().wrapping_add(self.state_sum()));
        for (&pebbles, &coefficient) in self.pebbles().iter().zip(&PEBBLE) {
            sum.add(pebbles.into(), coefficient);
        }
        for side in self.rules.all_sides() {
            let (store, side) = (self.store(side), side.index());
            sum.add(self.board.mandarin(self.rules.mandarin_index(side)).into(), MANDARIN[side]);
            sum.add(store.pebbles.into(), STORE_PEBBLE[side]);
            sum.add(store.mandarins.into(), STORE_MANDARIN[side]);
        }
        for (debtor, creditor, pebbles) in self.debts() {
            sum.add(pebbles.into(), DEBT[MAX_SIDES * debtor.index() + creditor.index()]);
        }
        sum
    }

    /// [`play_unchecked`](Self::play_unchecked), with the key kept up.
    #[inline]
    pub fn play_keyed(&mut self, mv: Move, sum: &mut KeySum) {
        sum.0 = sum.0.wrapping_sub(self.state_sum());
        let (rules, mover) = (self.rules, mv.side().index());
        self.play_with(mv, &mut Follower { sum, rules, mover });
        sum.0 = sum.0.wrapping_add(self.state_sum());
    }

    /// The terms of turn, ending and ply.
    #[inline]
    fn state_sum(&self) -> u64 {
        let ending = match self.ending {
            None => 0,
            Some(Ending::Mandarins) => ENDING[1],
            Some(Ending::Short) => ENDING[2],
            // A position ends in no other way: repetition and the limit of plies belong to the game.
            Some(Ending::Loses | Ending::Repetition | Ending::MaxPlies) => ENDING[3],
        };
        let ban = if self.ban_in_force() { BAN[self.ply as usize & 7] } else { 0 };
        TURN[self.turn.index()].wrapping_add(ending).wrapping_add(ban)
    }
}
