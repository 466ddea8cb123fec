//! Every board with at most so many pebbles, numbered without gaps, and the classes of mandarins.
//!
//! A board is a row of `ring` numbers of pebbles; s(k) is the sum of the first k. Then
//! `rank = sum over k of C(s(k) + k - 1, k)` is the place of the board in the order in which the whole sum decides
//! first, then the sum of all squares but the last, and so on: the combinatorial number system (Knuth, The Art of
//! Computer Programming 4A, 7.2.1.3). Boards of fewer pebbles come first, so that the ranks of up to N pebbles are a
//! prefix of those of up to N + 1.

use oanquan_core::Rules;
use oanquan_core::duel::DuelRules;
use oanquan_core::knobs::{EndsWhen, Mandarin, ReseedWhen};

use super::levels::Levels;

/// The most pebbles that a table can go up to.
pub const MOST_PEBBLES: u32 = 40;
/// The most squares of a ring of two sides.
const MOST_SQUARES: usize = 16;
/// Room for every sum up to [`MOST_PEBBLES`], a power of two so that no index needs a check.
const SUMS: usize = 64;
/// The most slots of a table: more than any memory has.
const MOST_SLOTS: u64 = 1 << 40;

/// Which mandarins stand, as bits: 1 for that of the side to move, 2 for the other's.
const CLASSES: [u8; 4] = [0, 1, 2, 3];

/// The numbering of all positions of a table: class by class, in each class by rank.
#[derive(Clone)]
pub(crate) struct Index {
    /// `binomials[k][s]`: how many boards of k squares have fewer than s pebbles, C(s + k - 1, k); 0 beyond the ring.
    binomials: Box<[[u64; SUMS]; MOST_SQUARES + 1]>,
    ring: usize,
    squares: usize,
    pebbles: u32,
    boards: u64,
    has_mirror: bool,
    /// The first slot of each class, if it has slots of its own.
    firsts: [Option<u64>; 4],
    slots: u64,
    levels: Levels,
    ends: Ends,
}

/// Which boards are no positions with a decision.
#[derive(Clone, Copy)]
struct Ends {
    own_row: u128,
    /// The other row too is filled again before a turn.
    other_row: Option<u128>,
    /// Without mandarins the game is over when these squares are empty.
    mandarin_squares: u128,
}

/// Slots that depend on each other: the positions with equally many mandarins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// The first slot.
    pub(crate) first: u64,
    /// The one after the last.
    pub(crate) end: u64,
}

impl Index {
    /// The numbering for these rules up to so many pebbles; `None` when there are more positions than can be numbered.
    pub(crate) fn new(rules: &DuelRules, pebbles: u32) -> Option<Self> {
        let (knobs, has_mirror) = (rules.rules(), rules.has_mirror());
        let (ring, squares) = (knobs.ring(), usize::from(knobs.squares));
        let binomials = (pebbles <= MOST_PEBBLES).then(|| binomials(ring))?;
        let boards = binomials[ring][pebbles as usize + 1];
        let mut firsts = [None; 4];
        let mut slots = 0;
        for mandarins in CLASSES {
            if has_slots(knobs, mandarins, has_mirror) {
                firsts[usize::from(mandarins)] = Some(slots);
                slots += boards;
            }
        }
        let (levels, ends) = (Levels::new(rules), Ends::new(knobs));
        let index = Self { binomials, ring, squares, pebbles, boards, has_mirror, firsts, slots, levels, ends };
        (slots <= MOST_SLOTS).then_some(index)
    }

    /// The most pebbles.
    pub(crate) fn pebbles(&self) -> u32 {
        self.pebbles
    }

    /// How many boards a class has.
    pub(crate) fn boards(&self) -> u64 {
        self.boards
    }

    /// How many slots all classes have.
    pub(crate) fn slots(&self) -> u64 {
        self.slots
    }

    /// The levels of funds for which a slot has a cell each.
    #[inline]
    pub(crate) fn levels(&self) -> Levels {
        self.levels
    }

    /// How many cells all slots have.
    pub(crate) fn cells(&self) -> u64 {
        self.slots * self.levels.count() as u64
    }

    /// The cell of a slot for a level: those of a slot stand side by side.
    #[inline]
    pub(crate) fn cell(&self, slot: u64, level: usize) -> u64 {
        slot * self.levels.count() as u64 + level as u64
    }

    /// The classes that have slots, with the first slot of each, in order.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (u8, u64)> + '_ {
        CLASSES.into_iter().filter_map(|mandarins| Some((mandarins, self.firsts[usize::from(mandarins)]?)))
    }

    /// The slots by the number of mandarins, fewest first: no group depends on a later one, for mandarins never come
    /// back.
    pub(crate) fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<(u32, Group)> = Vec::new();
        for (mandarins, first) in self.classes() {
            let (stones, end) = (mandarins.count_ones(), first + self.boards);
            match groups.last_mut() {
                Some((same, group)) if *same == stones => group.end = end,
                _ => groups.push((stones, Group { first, end })),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// How many positions have these mandarins: boards with a decision.
    pub(crate) fn positions(&self, mandarins: u8) -> u64 {
        let Some(_) = self.firsts[usize::from(mandarins)].or(self.firsts[1].filter(|_| mandarins == 2)) else {
            return 0;
        };
        // A board is none when one of these sets of squares is empty: count with one, without two, and so on.
        let row = Some(self.squares);
        let sets = [row, row.filter(|_| self.ends.other_row.is_some()), Some(2).filter(|_| mandarins == 0)];
        let mut positions = 0_i64;
        for chosen in 0_u32..8 {
            let sizes = (0..3).filter(|set| chosen >> set & 1 != 0).map(|set| sets[set]);
            let Some(empty) = sizes.sum::<Option<usize>>() else { continue };
            let squares = self.ring - empty;
            let boards = if squares == 0 { 1 } else { self.binomials[squares][self.pebbles as usize + 1] as i64 };
            positions += if chosen.count_ones() % 2 == 0 { boards } else { -boards };
        }
        positions as u64
    }

    /// How many positions all classes have.
    pub(crate) fn all_positions(&self) -> u64 {
        CLASSES.into_iter().map(|mandarins| self.positions(mandarins)).sum()
    }

    /// How many positions the slot of such a board stands for, with the board's mirror where that has the same slot.
    pub(crate) fn weight(&self, mandarins: u8) -> u64 {
        1 + u64::from(mandarins == 1 && self.firsts[2].is_none())
    }

    /// The place of a board among all of its class. It must not have more than [`MOST_PEBBLES`].
    #[inline]
    pub(crate) fn rank(&self, pebbles: u128) -> u64 {
        let (low, high) = prefix_sums(pebbles);
        // Rows beyond the ring are zero.
        let add = |rank: u64, sums: u64, place: usize, k: usize| {
            rank + self.binomials[k][(sums >> (8 * place)) as usize & (SUMS - 1)]
        };
        let mut rank = (0..8).fold(0, |rank, place| add(rank, low, place, place + 1));
        if self.ring > 8 {
            rank = (0..4).fold(rank, |rank, place| add(rank, high, place, place + 9));
        }
        if self.ring > 12 {
            rank = (4..8).fold(rank, |rank, place| add(rank, high, place, place + 9));
        }
        rank
    }

    /// The board of that rank.
    pub(crate) fn board(&self, rank: u64) -> u128 {
        let (mut rank, mut board, mut above) = (rank, 0, None);
        for k in (1..=self.ring).rev() {
            // The greatest sum whose boards begin at or before what is left.
            let sum = self.binomials[k].partition_point(|&first| first <= rank) as u64 - 1;
            rank -= self.binomials[k][sum as usize];
            if let Some(above) = above {
                board |= u128::from(above - sum) << (8 * k);
            }
            above = Some(sum);
        }
        board | u128::from(above.unwrap_or_default())
    }

    /// The board of the next rank.
    #[inline]
    pub(crate) fn next(&self, board: u128) -> u128 {
        let first = board & 0xFF;
        let others = board & !0xFF;
        // The first square but square 0 that holds pebbles gives one to the square before, where what square 0 had goes
        // too; without any, the last square gets all and one more.
        if others == 0 {
            return (first + 1) << (8 * (self.ring - 1));
        }
        let place = others.trailing_zeros() & !7;
        others - (1 << place) + ((first + 1) << (place - 8))
    }

    /// The board seen in a mirror: each row reversed, the mandarin squares exchanged.
    #[inline]
    pub(crate) fn mirror(&self, board: u128) -> u128 {
        let reversed = board.swap_bytes() >> (8 * (MOST_SQUARES - self.ring));
        let low = 8 * (self.squares + 2);
        let high = 8 * self.ring - low;
        reversed >> low | (reversed & ((1 << low) - 1)) << high
    }

    /// The slot of a board with these mandarins; `None` if it has too many pebbles, or its class no slots.
    #[inline]
    pub(crate) fn slot(&self, pebbles: u128, mandarins: u8) -> Option<u64> {
        if total(pebbles) > self.pebbles {
            return None;
        }
        if let Some(first) = self.firsts[usize::from(mandarins & 3)] {
            return Some(first + self.rank(pebbles));
        }
        // In the mirror the one mandarin stands at the own end.
        let first = self.firsts[1].filter(|_| mandarins == 2)?;
        Some(first + self.rank(self.mirror(pebbles)))
    }

    /// The board and the mandarins of a slot, as [`slot`](Self::slot) numbers them.
    pub(crate) fn at(&self, slot: u64) -> (u128, u8) {
        let (mandarins, first) = self.classes().take_while(|&(_, first)| first <= slot).last().unwrap_or_default();
        (self.board(slot - first), mandarins)
    }

    /// Whether the mirror of a board of that class is one of the same class.
    #[inline]
    pub(crate) fn mirrors_within(&self, mandarins: u8) -> bool {
        self.has_mirror && matches!(mandarins, 0 | 3)
    }

    /// The slot of the mirrored board, of a slot of a class that [mirrors within](Self::mirrors_within).
    pub(crate) fn mirrored(&self, slot: u64, board: u128) -> u64 {
        slot - self.rank(board) + self.rank(self.mirror(board))
    }

    /// Whether a class begins with that slot.
    #[inline]
    pub(crate) fn is_first(&self, slot: u64) -> bool {
        slot.is_multiple_of(self.boards)
    }

    /// Whether the board with these mandarins is a position with a decision: not over, and no row waits to be filled.
    #[inline]
    pub(crate) fn is_position(&self, pebbles: u128, mandarins: u8) -> bool {
        let Ends { own_row, other_row, mandarin_squares } = self.ends;
        pebbles & own_row != 0
            && other_row.is_none_or(|row| pebbles & row != 0)
            && (mandarins != 0 || pebbles & mandarin_squares != 0)
    }
}

impl Ends {
    fn new(rules: &Rules) -> Self {
        let squares = usize::from(rules.squares);
        let own_row = (1 << (8 * squares)) - 1;
        let other = 8 * (squares + 1);
        Self {
            own_row,
            other_row: (rules.reseed_when == ReseedWhen::WhenEmpty).then_some(own_row << other),
            mandarin_squares: 0xFF << (8 * squares) | 0xFF << (8 * squares + other),
        }
    }
}

/// Whether positions with these mandarins are stored: not those of games that are over, nor what is another's mirror.
fn has_slots(rules: &Rules, mandarins: u8, has_mirror: bool) -> bool {
    match mandarins {
        0 => rules.ends_when == EndsWhen::SquaresEmpty,
        2 => rules.mandarin == Mandarin::Stone && !has_mirror,
        _ => rules.mandarin == Mandarin::Stone,
    }
}

/// All pebbles of a board; a board has 255 at most.
#[inline]
pub(crate) fn total(pebbles: u128) -> u32 {
    (prefix_sums(pebbles).1 >> 56) as u32
}

/// In byte i the sum of the squares up to and with i, in two words.
#[inline]
fn prefix_sums(pebbles: u128) -> (u64, u64) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = (pebbles as u64).wrapping_mul(ONES);
    let high = ((pebbles >> 64) as u64).wrapping_mul(ONES);
    (low, high.wrapping_add((low >> 56).wrapping_mul(ONES)))
}

/// C(s + k - 1, k) by k and s, for k up to `ring`.
fn binomials(ring: usize) -> Box<[[u64; SUMS]; MOST_SQUARES + 1]> {
    let mut table = Box::new([[0; SUMS]; MOST_SQUARES + 1]);
    table[1] = std::array::from_fn(|sum| sum as u64);
    for k in 2..=ring {
        for sum in 1..SUMS {
            // Boards of k squares with fewer than `sum` pebbles: with fewer than that less one, or exactly that.
            table[k][sum] = table[k][sum - 1] + table[k - 1][sum];
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use oanquan_core::{Setup, Side};

    fn index(rules: &str, pebbles: u32) -> (DuelRules, Index) {
        let rules = DuelRules::new(Rules::parse(rules).unwrap()).unwrap();
        let index = Index::new(&rules, pebbles).unwrap();
        (rules, index)
    }

    fn binomial(n: u64, k: u64) -> u64 {
        (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
    }

    #[test]
    fn rank_and_board_are_inverse_and_next_follows() {
        for squares in 1..=7 {
            let most = if squares < 4 { 12 } else { 6 };
            let (_, index) = index(&format!("squares={squares}"), most);
            let ring = 2 * (squares + 1);
            assert_eq!(index.boards(), binomial(u64::from(most) + ring, ring));
            let mut board = 0;
            let mut before = 0;
            for rank in 0..index.boards() {
                assert_eq!((index.rank(board), index.board(rank)), (rank, board));
                assert_eq!(board.checked_shr(8 * ring as u32).unwrap_or_default(), 0);
                assert!(total(board) >= before, "fewer pebbles come first");
                before = total(board);
                board = index.next(board);
            }
            assert_eq!(before, most);
            assert_eq!(total(board), most + 1);
        }
    }

    #[test]
    fn a_table_of_fewer_pebbles_is_a_prefix() {
        let (_, small) = index("mancala-world", 7);
        let (_, large) = index("mancala-world", 20);
        for rank in (0..small.boards()).step_by(7) {
            assert_eq!(small.board(rank), large.board(rank));
        }
        assert_eq!(large.boards(), 225_792_840);
        assert_eq!(large.slots(), 3 * 225_792_840);
        for rank in [0, 1, 30_421_754, 30_421_755, 225_792_839] {
            assert_eq!(large.rank(large.board(rank)), rank);
        }
    }

    #[test]
    fn the_mirror_is_that_of_the_duel() {
        for squares in 1..=7 {
            let (rules, index) = index(&format!("squares={squares}"), 5);
            for rank in 0..index.boards() {
                let board = index.board(rank);
                let mirrored = index.mirror(board);
                assert_eq!(index.mirror(mirrored), board);
                for mandarins in CLASSES {
                    let seen = rules.mirror(&rules.board(board, mandarins));
                    assert_eq!(seen.pebbles(), mirrored);
                    assert_eq!(index.slot(board, mandarins) == index.slot(mirrored, seen.mandarins()), {
                        matches!(mandarins, 1 | 2) || board == mirrored
                    });
                }
            }
        }
    }

    #[test]
    fn every_slot_is_one_position_and_every_position_one_slot() {
        let classes = [
            ("mancala-world", vec![0, 1, 3]),
            ("short-game", vec![1, 3]),
            ("ten-pebbles", vec![0]),
            ("directions=clockwise", vec![0, 1, 2, 3]),
            ("ends_when=stones_taken,mandarin_leftovers=adjacent", vec![1, 2, 3]),
        ];
        for (rules, expected) in classes {
            let (_, index) = index(rules, 3);
            assert_eq!(index.classes().map(|(mandarins, _)| mandarins).collect::<Vec<_>>(), expected);
            for slot in 0..index.slots() {
                let (board, mandarins) = index.at(slot);
                assert_eq!(index.slot(board, mandarins), Some(slot));
            }
            assert_eq!(index.slot(4, 3), None);
            let groups = index.groups();
            assert_eq!((groups[0].first, groups[groups.len() - 1].end), (0, index.slots()));
            assert!(groups.windows(2).all(|pair| pair[0].end == pair[1].first));
        }
    }

    #[test]
    fn more_than_can_be_numbered_is_refused() {
        let rules = |text| DuelRules::new(Rules::parse(text).unwrap()).unwrap();
        assert!(Index::new(&rules("mancala-world"), MOST_PEBBLES + 1).is_none());
        assert!(Index::new(&rules("squares=7"), MOST_PEBBLES).is_none());
        assert!(Index::new(&rules("mancala-world"), 25).is_some());
    }

    /// The board and mandarins as a set-up, side a to move, with much in both stores.
    fn is_position(rules: &DuelRules, board: u128, mandarins: u8) -> bool {
        let (mut setup, row) = (Setup::empty(*rules.rules()), usize::from(rules.rules().squares) + 1);
        for square in 0..2 * row {
            setup.pebbles[square] = (board >> (8 * square) & 0xFF) as i64;
        }
        for side in 0..2 {
            setup.mandarins[side * row + row - 1] = i64::from(mandarins >> side & 1);
            setup.store_pebbles[side] = 50;
        }
        setup.turn = Side::A;
        setup.position().is_ok()
    }

    #[test]
    fn positions_are_what_a_set_up_takes() {
        for rules in
            ["squares=2", "squares=3,reseed_when=when_empty", "squares=2,ends_when=stones_taken", "mandarin=pebbles"]
        {
            let (rules, index) = index(rules, 4);
            let mut counts = [0; 4];
            for slot in 0..index.slots() {
                let (board, mandarins) = index.at(slot);
                let is = index.is_position(board, mandarins);
                assert_eq!(is, is_position(&rules, board, mandarins), "{board:x} {mandarins}");
                counts[usize::from(mandarins)] += u64::from(is);
            }
            if index.weight(1) == 2 {
                counts[2] = counts[1];
            }
            assert_eq!(CLASSES.map(|mandarins| index.positions(mandarins)), counts);
        }
    }
}
