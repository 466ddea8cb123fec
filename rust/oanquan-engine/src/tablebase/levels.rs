//! What who proves a bound must be able to pay, where a re-seeding that cannot be paid for loses the game.

use oanquan_core::duel::{DuelRules, Future};

/// How many levels are told apart under `shortfall = loses`: funds for 0, 1, 2, and 3 or more re-seedings.
const LEVELS: usize = 4;
/// The most levels of any rules.
pub(crate) const MOST_LEVELS: usize = LEVELS;

/// The levels of funds for which a table has bounds of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Levels {
    count: usize,
    /// By how many pebbles levels differ: what a re-seeding takes.
    step: i32,
}

impl Levels {
    /// The levels by these rules: a single one, where funds do not matter.
    pub(crate) fn new(rules: &DuelRules) -> Self {
        let count = if rules.future() == Future::Margin { LEVELS } else { 1 };
        Self { count, step: rules.rules().squares.into() }
    }

    /// How many there are: as many cells has a slot.
    #[inline]
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// Whether funds matter.
    #[inline]
    pub(crate) fn matter(self) -> bool {
        self.count > 1
    }

    /// The highest level that such funds reach; `None` for less than nothing.
    #[inline]
    pub(crate) fn of(self, funds: i32) -> Option<usize> {
        if !self.matter() {
            return Some(0);
        }
        (funds >= 0).then(|| (funds / self.step).min(self.count as i32 - 1) as usize)
    }

    /// The least funds of the level that such funds reach.
    #[inline]
    pub(crate) fn least(self, funds: i32) -> i32 {
        self.of(funds).map_or(funds, |level| level as i32 * self.step)
    }

    /// By how many levels funds that only just reach a level change with so many pebbles: rounded down.
    #[inline]
    pub(crate) fn change(self, pebbles: i32) -> i8 {
        if pebbles == 0 || !self.matter() { 0 } else { pebbles.div_euclid(self.step) as i8 }
    }

    /// The level that is sure after a change by so many; `None` if what had to be paid may have been too much.
    #[inline]
    pub(crate) fn after(self, level: usize, change: i8) -> Option<usize> {
        level.checked_add_signed(change.into()).map(|level| level.min(self.count - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oanquan_core::Rules;

    fn levels(text: &str) -> Levels {
        Levels::new(&DuelRules::new(Rules::parse(text).unwrap()).unwrap())
    }

    #[test]
    fn a_level_is_what_so_many_re_seedings_take() {
        let bankrupt = levels("bankrupt");
        assert_eq!(
            [-1, 0, 4, 5, 14, 15, 700].map(|funds| bankrupt.of(funds)),
            [None, Some(0), Some(0), Some(1), Some(2), Some(3), Some(3)]
        );
        assert_eq!(
            [(0, -5), (1, -5), (2, -3), (3, 9)].map(|(level, change)| bankrupt.after(level, bankrupt.change(change))),
            [None, Some(0), Some(1), Some(3)]
        );
        let borrow = levels("wikipedia-vi");
        assert_eq!((borrow.count(), borrow.of(-9), borrow.after(0, borrow.change(-9))), (1, Some(0), Some(0)));
    }
}
