//! Which rules a table serves: those by which its positions are worth the same.

use oanquan_core::Rules;
use oanquan_core::duel::{DuelRules, Future};
use oanquan_core::knobs::{EndsWhen, Knobs, Mandarin, Shortfall};

use super::Tablebase;

impl Tablebase {
    /// Whether all positions by these rules that the table has are worth by them what the table says, so that it can be asked
    /// about their duels as they are. [The page](crate::tablebase#which-rules-a-table-serves) says why for each knob.
    ///
    /// The table answers what it has: one by `mandarin = pebbles` knows, by rules with stones, the boards on which none is
    /// left.
    ///
    /// ```
    /// use oanquan_core::Rules;
    /// use oanquan_engine::tablebase::{Progress, Tablebase};
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let vi = Rules::parse("wikipedia-vi")?;
    /// let table = Tablebase::build(vi, 2, 1, &AtomicBool::new(false), &Progress::default())?;
    /// for (text, serves) in [("no-first-mandarin", true), ("wikipedia-vi,pebbles=3", true), ("quan-non", false)] {
    ///     assert_eq!(table.serves(&Rules::parse(text)?), serves, "{text}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn serves(&self, rules: &Rules) -> bool {
        serves(self.rules.rules(), rules)
    }
}

/// Whether a table by the first rules serves the second.
fn serves(table: &Rules, rules: &Rules) -> bool {
    if table == rules {
        return true;
    }
    // Where stores matter, so may what fills them, and what all points are.
    let is_by_board = |rules| DuelRules::new(rules).is_some_and(|duels| duels.future() == Future::Board);
    if ![*table, *rules].into_iter().all(is_by_board) {
        return false;
    }
    // Without stones by one of them, boards without stones are all that both have.
    let stones = [table, rules].iter().all(|rules| rules.mandarin == Mandarin::Stone);
    let (has, mut wanted) = (essence(table, stones), essence(rules, stones));
    // A table by `borrow` answers where every re-seeding can be paid for: then it is that of `owe`. One by `owe` does not
    // look at the stores.
    if (has.shortfall, wanted.shortfall) == (Shortfall::Borrow, Shortfall::Owe) {
        wanted.shortfall = Shortfall::Borrow;
    }
    has == wanted
}

/// What of the rules the worth of a table's positions depends on, of those without stones only if there are none: the
/// other knobs as by default. For rules whose future is the [board](Future::Board)'s.
fn essence(rules: &Rules, stones: bool) -> Knobs {
    let usual = Knobs::default();
    let mut knobs = rules.knobs();
    // Where play begins, and what it may not do before the table speaks of it.
    knobs.pebbles = usual.pebbles;
    knobs.mandarin_ban = usual.mandarin_ban;
    // Every re-seeding that the table speaks of is possible, and costs the same.
    knobs.reseed_from = usual.reseed_from;
    if !knobs.capture_chain {
        // The first captured square is the last: no gap comes after it, and nothing that the end could cut.
        knobs.empty_mandarin_in_chain = usual.empty_mandarin_in_chain;
        knobs.end_check = usual.end_check;
    }
    if knobs.ends_when == EndsWhen::SquaresEmpty {
        // Nothing is left in mandarin squares at an end that the table knows.
        knobs.mandarin_leftovers = usual.mandarin_leftovers;
    }
    if !stones {
        knobs.mandarin = Mandarin::Pebbles;
        knobs.mandarin_value = usual.mandarin_value;
        knobs.immature_below = usual.immature_below;
    }
    knobs
}
