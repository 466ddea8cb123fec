//! Where a shortfall loses the game (`shortfall = loses`): what is proved for all who have enough in their stores.
//!
//! Under other rules all of this does nothing.

use oanquan_core::duel::{Duel, Future};

use super::facts::{Key, Proof, Refutation, whole_key_of};
use super::search::Searcher;

/// What it is worth, further from here on, that the other side has lost by a shortfall: more than any count, so that it
/// does not matter what the margin is by then.
pub(super) const BANKRUPT: i32 = 2000;
/// More than any line can come to that ends so.
const BEYOND: i32 = 10_000;

impl Searcher<'_> {
    /// A key that also tells apart what facts are the same for.
    pub(super) fn whole_key(&self, duel: &Duel) -> Key {
        whole_key_of(&self.rules, duel, self.future)
    }

    /// The funds that who wins by a shortfall must have had before the move: with more the other side has even less.
    pub(super) fn funds_to_win(&self, duel: &Duel, next: &Duel, wins: bool) -> i16 {
        let (own, short) = (duel.funds()[usize::from(!wins)], next.funds()[usize::from(!wins)]);
        let missing = i32::from(self.rules.rules().squares) - 1 - short;
        (own - missing.max(0)).max(0) as i16
    }

    /// The lower bound of the final margin, less the margin, that follows from a proof of so much or of a bankruptcy.
    pub(super) fn lower_bound(&self, duel: &Duel, value: i32) -> i32 {
        self.within(duel, value, -self.most, self.rules.rules().total_points())
    }

    /// The upper bound of the final margin, less the margin, that follows from a refutation.
    pub(super) fn upper_bound(&self, duel: &Duel, value: i32) -> i32 {
        self.within(duel, value, -self.rules.rules().total_points(), self.most)
    }

    /// A further difference, so that the margin is between these in the end.
    fn within(&self, duel: &Duel, value: i32, least: i32, most: i32) -> i32 {
        if self.future == Future::Margin { (duel.margin() + value).clamp(least, most) - duel.margin() } else { value }
    }

    /// What to ask for where so much is wanted: all that there is to lose, or more than there is to win, is no more than
    /// that the game ends.
    pub(super) fn asked(&self, duel: &Duel, need: i32) -> i32 {
        match duel.margin() + need {
            wanted if self.future == Future::Margin && wanted > self.most => BEYOND,
            wanted if self.future == Future::Margin && wanted <= -self.most => -BEYOND,
            _ => need,
        }
    }

    /// Whether it can be told by closed sets that no more can be forced: unless there are more points in this game than by
    /// its rules, so that a bankruptcy is not worth all of them.
    pub(super) fn can_hold(&self) -> bool {
        self.future != Future::Margin || self.most <= self.rules.rules().total_points()
    }

    /// The funds that are asked for by a bound of what a move leads to, before the move that changes them by so much.
    #[inline]
    pub(super) fn funds_before(&self, funds: i16, before: i32, after: i32) -> i16 {
        if self.future == Future::Margin { (i32::from(funds) - (after - before)).max(0) as i16 } else { 0 }
    }

    /// What is noted by a board that has so much by it, or else what is noted by the board and the stores.
    fn noted<T>(
        &self,
        key: &Key,
        duel: &Duel,
        get: impl Fn(&Key) -> Option<T>,
        is_enough: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let by_board = get(key);
        if self.future != Future::Margin || by_board.as_ref().is_some_and(&is_enough) {
            return by_board;
        }
        get(&self.whole_key(duel)).filter(|noted| by_board.is_none() || is_enough(noted)).or(by_board)
    }

    /// The proof of most that is noted of a position; any of so much will do.
    pub(super) fn proof(&self, key: &Key, duel: &Duel, need: i32) -> Option<Proof> {
        let get = |key: &Key| self.facts.get(key)?.proof(duel.funds());
        self.noted(key, duel, get, |proof| proof.value >= need)
    }

    /// The refutation of least that is noted of a position; any of `need` will do.
    pub(super) fn refutation(&self, key: &Key, duel: &Duel, need: i32) -> Option<Refutation> {
        let get = |key: &Key| self.facts.get(key)?.refutation(duel.funds());
        self.noted(key, duel, get, |refutation| refutation.value < need)
    }

    /// The shortest proof of so much that is spelt out.
    pub(super) fn spelt_proof(&self, key: &Key, duel: &Duel, need: i32) -> Option<Proof> {
        self.noted(key, duel, |key| self.facts.spelt_proof(key, need, duel.funds()), |_| true)
    }

    /// The shortest refutation of `need` that is spelt out.
    pub(super) fn spelt_refutation(&self, key: &Key, duel: &Duel, need: i32) -> Option<Refutation> {
        self.noted(key, duel, |key| self.facts.spelt_refutation(key, need, duel.funds()), |_| true)
    }

    /// The key by which something is noted that is worth so much to who proves it: his own bankruptcy does not come with more
    /// in his store.
    pub(super) fn key_to_note(&self, key: Key, duel: &Duel, worth: i32) -> Key {
        if worth < -BANKRUPT / 2 { self.whole_key(duel) } else { key }
    }

    /// The funds for which a table says what it says of so much.
    #[inline]
    pub(super) fn funds_told(&self, funds: i32) -> i16 {
        if self.future == Future::Margin { self.probe.map_or(funds, |probe| probe.enough(funds)) as i16 } else { 0 }
    }
}
