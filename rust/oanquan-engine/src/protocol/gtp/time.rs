//! What time there is for a move, as GTP tells it: a main time, then stones to place in each period.

use std::time::{Duration, Instant};

use oanquan_core::Side;

use crate::protocol::clock::Allowance;

/// The times of a game: `time_settings MAIN PERIOD STONES`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Terms {
    main: Duration,
    period: Duration,
    stones: u32,
}

/// What a side has left: time, for so many moves, or none if it is the main time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Left {
    time: Duration,
    stones: u32,
}

/// The clocks of both sides; none if there is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Clocks {
    terms: Option<Terms>,
    left: [Option<Left>; 2],
}

impl Clocks {
    /// New times for both sides. A period without stones is no limit.
    pub(crate) fn set(&mut self, main: Duration, period: Duration, stones: u32) {
        if stones == 0 && !period.is_zero() {
            *self = Self::default();
            return;
        }
        self.terms = Some(Terms { main, period, stones });
        self.restart();
    }

    /// The times of another game, which begins by the same terms. What was told without terms was told of the game before.
    pub(crate) fn restart(&mut self) {
        let left =
            self.terms.map(
                |Terms { main, period, stones }| {
                    if main.is_zero() { Left { time: period, stones } } else { Left { time: main, stones: 0 } }
                },
            );
        self.left = [left; 2];
    }

    /// What a side has left, told from outside.
    pub(crate) fn tell(&mut self, side: Side, time: Duration, stones: u32) {
        self.left[side.index() & 1] = Some(Left { time, stones });
    }

    /// How long a move of that side may take; `None` without a limit.
    pub(crate) fn allowance(&self, side: Side, overhead: Duration) -> Option<Allowance> {
        let Left { time, stones } = self.left[side.index() & 1]?;
        // Behind the main time there are whole periods: it can be used up.
        let period = self.terms.filter(|terms| stones == 0 && terms.stones > 0);
        let usual = Allowance::of_clock(time, Duration::ZERO, (stones > 0).then_some(stones), overhead);
        let later = period
            .map(|Terms { period, stones, .. }| Allowance::of_clock(period, Duration::ZERO, Some(stones), overhead));
        Some(match later {
            Some(later) if later.most > usual.most => later,
            _ => usual,
        })
    }

    /// A side moved, having thought since then.
    pub(crate) fn spend(&mut self, side: Side, since: Instant) {
        let (terms, spent) = (self.terms, since.elapsed());
        let Some(left) = &mut self.left[side.index() & 1] else { return };
        left.time = left.time.saturating_sub(spent);
        let Some(Terms { period, stones, .. }) = terms.filter(|terms| terms.stones > 0) else { return };
        if left.stones > 1 {
            left.stones -= 1;
        } else if left.stones == 1 || left.time.is_zero() {
            *left = Left { time: period, stones };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(clocks: &Clocks) -> Option<f64> {
        clocks.allowance(Side::A, Duration::ZERO).map(|allowance| allowance.most.as_secs_f64())
    }

    #[test]
    fn times_as_they_are_set() {
        let s = Duration::from_secs;
        let mut clocks = Clocks::default();
        assert_eq!(seconds(&clocks), None);
        clocks.set(s(100), s(0), 0);
        assert_eq!(seconds(&clocks), Some(12.0));
        clocks.set(s(0), s(10), 5);
        assert_eq!(seconds(&clocks), Some(4.0));
        clocks.set(s(0), s(10), 1);
        assert_eq!(seconds(&clocks), Some(9.0));
        clocks.set(s(0), s(1), 0);
        assert_eq!(seconds(&clocks), None);
        // The next game begins with what this one began with.
        clocks.set(s(100), s(10), 5);
        clocks.tell(Side::A, s(2), 1);
        clocks.restart();
        assert_eq!(seconds(&clocks), Some(12.0));
        clocks = Clocks::default();
        clocks.tell(Side::A, s(2), 1);
        clocks.restart();
        assert_eq!(seconds(&clocks), None);
        // Sudden death without any time.
        clocks.set(s(0), s(0), 0);
        assert_eq!(seconds(&clocks), Some(0.001));
    }

    #[test]
    fn times_as_they_are_told_and_spent() {
        let s = Duration::from_secs;
        let mut clocks = Clocks::default();
        clocks.tell(Side::A, s(10), 1);
        assert_eq!((seconds(&clocks), clocks.left[1]), (Some(9.0), None));
        clocks.set(s(1), s(10), 2);
        assert_eq!(seconds(&clocks), Some(4.0));
        let long_ago = Instant::now().checked_sub(s(2));
        clocks.spend(Side::A, long_ago.unwrap_or_else(Instant::now));
        if long_ago.is_some() {
            assert_eq!(clocks.left[0], Some(Left { time: s(10), stones: 2 }));
            clocks.spend(Side::A, Instant::now());
            assert_eq!(clocks.left[0].unwrap().stones, 1);
            clocks.spend(Side::A, Instant::now());
            assert_eq!(clocks.left[0], Some(Left { time: s(10), stones: 2 }));
        }
    }
}
