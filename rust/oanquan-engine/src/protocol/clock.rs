//! How much of a clock a move may take.

use std::time::Duration;

/// How many moves a side is taken to have left, if nobody says so. Games of strong players have about 25 to 40 each.
const MOVES_LEFT: u32 = 25;

/// How long a move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Allowance {
    /// The search ends then.
    pub(crate) most: Duration,
    /// No new depth is begun after so long: it would take longer than all before it together.
    pub(crate) enough: Option<Duration>,
}

impl Allowance {
    /// Just so long.
    pub(crate) const fn fixed(time: Duration) -> Self {
        Self { most: time, enough: None }
    }

    /// A share of what is left on a clock to which each move adds the increment. `moves` is how many must be made before the
    /// clock is set anew, if that is known; `overhead` is lost on the way. Less than what is left, if that is more than the
    /// overhead.
    pub(crate) fn of_clock(left: Duration, increment: Duration, moves: Option<u32>, overhead: Duration) -> Self {
        let usable = left.saturating_sub(overhead);
        let moves = moves.unwrap_or(MOVES_LEFT).max(1);
        let share = usable / moves + increment * 3 / 4;
        // The last move before the clock is set anew may have it all; any other leaves enough to go on with.
        let ceiling = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
        let most = (share * 3).min(ceiling).max(Duration::from_millis(1));
        Self { most, enough: Some((share / 2).min(most)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(left: u64, increment: u64, moves: Option<u32>) -> (u64, u64) {
        let ms = Duration::from_millis;
        let Allowance { most, enough } = Allowance::of_clock(ms(left), ms(increment), moves, ms(10));
        (most.as_millis() as u64, enough.unwrap().as_millis() as u64)
    }

    #[test]
    fn shares_of_a_clock() {
        assert_eq!(of(60_010, 0, None), (7200, 1200));
        assert_eq!(of(1010, 1000, None), (400, 395));
        assert_eq!(of(0, 0, None), (1, 0));
        assert_eq!(of(5, 10_000, None), (1, 1));
        assert_eq!(of(1010, 0, Some(1)), (900, 500));
        assert_eq!(of(1010, 0, Some(0)), (900, 500));
    }

    #[test]
    fn no_move_takes_what_is_not_there() {
        for left in [20, 100, 1000, 100_000, u64::from(u32::MAX)] {
            for increment in [0, 1, 1000, 1_000_000] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let (most, enough) = of(left, increment, moves);
                    assert!(enough <= most && most < left, "{left} {increment} {moves:?}");
                }
            }
        }
    }
}
