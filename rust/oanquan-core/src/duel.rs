//! Positions of two sides as search sees them: from the side to move, and without their past.

use crate::board::Board;
use crate::knobs::{Directions, MandarinLeftovers, ReseedWhen, RowLeftovers, Shortfall};
use crate::laps::NARROW;
use crate::moves::{self, Moves};
use crate::sow::{self, Payment};
use crate::{Direction, Ending, MAX_SQUARES, Position, Rules, Side, Store};

/// What each store of [`DuelRules::board`] holds: so much that no re-seeding of any game that can be searched is short.
const FULL: i32 = 1_000_000;

/// A position of two sides from the side to move: what the rest of the game depends on, and how far ahead the side to
/// move is. It is played on by [`DuelRules`].
///
/// The *margin* is what the side to move has more points than the other: stores, with debts repaid. What the margin still
/// changes by until the game is counted, the *further difference*, is a function of less than that: see [`Future`].
///
/// ```
/// use oanquan_core::duel::DuelRules;
/// use oanquan_core::{Position, Rules};
/// let rules = DuelRules::new(Rules::parse("wikipedia-vi")?).unwrap();
/// let mut duel = rules.duel(&Position::start(*rules.rules()));
/// rules.play(&mut duel, 0);
/// assert_eq!((duel.margin(), duel.mandarins()), (-6, 0b11));
/// assert_eq!(duel.pebbles().to_le_bytes()[..12], [0, 6, 6, 6, 6, 1, 0, 0, 6, 6, 6, 1]);
/// # Ok::<(), oanquan_core::RulesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duel {
    /// By ring index from the first citizen square of the side to move.
    board: Board<NARROW>,
    /// What the mover and the other can pay for a re-seeding with (rules section 4); below zero it is nothing.
    funds: [i32; 2],
    margin: i32,
    /// For how many plies taking a mandarin is still barred.
    ban: u8,
    /// How many squares are half of the ring.
    half: u8,
    ending: Option<Ending>,
}

impl Duel {
    /// The pebbles, a byte a square from the lowest on: the row of the side to move, its mandarin square, the row of the
    /// other side, its mandarin square.
    #[inline]
    pub const fn pebbles(&self) -> u128 {
        u128::from_le_bytes(self.board.pebbles)
    }

    /// Where mandarins stand: bit 0 for the mandarin square of the side to move, bit 1 for that of the other.
    #[inline]
    pub const fn mandarins(&self) -> u8 {
        let (bits, half) = (self.board.standing.mandarins, self.half as u32);
        (bits >> (half - 1) & 1 | bits >> (2 * half - 2) & 2) as u8
    }

    /// The points of the side to move minus those of the other, as they stand: stores, with debts repaid.
    #[inline]
    pub const fn margin(&self) -> i32 {
        self.margin
    }

    /// What the side to move, then the other, has for re-seeding (rules section 4, `reseed_from`).
    #[inline]
    pub const fn funds(&self) -> [i32; 2] {
        self.funds
    }

    /// For how many plies taking a mandarin is still barred (`mandarin_ban`).
    #[inline]
    pub const fn ban(&self) -> u8 {
        self.ban
    }

    /// Why the game is over.
    #[inline]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Whether the game is over.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Bit i is set when citizen square i + 1 of the side to move (`seat` 0) or of the other (`seat` 1) holds pebbles.
    #[inline]
    const fn occupied(&self, seat: u8) -> u8 {
        self.row_of(seat as u32 * self.half as u32, self.half as u32)
    }

    /// The same of the row that begins at a square, where a half of the ring has so many.
    #[inline]
    const fn row_of(&self, first: u32, half: u32) -> u8 {
        (self.board.standing.occupied >> first) as u8 & ((1_u8 << (half - 1)) - 1)
    }

    /// Looks at the board from the other side; `half` is how many squares are half of the ring.
    #[inline]
    fn turn_round(&mut self, half: u32) {
        let pebbles = self.pebbles();
        let beyond = u128::BITS - 16 * half;
        let turned = pebbles >> (8 * half) | pebbles << (8 * half) << beyond >> beyond;
        self.board.pebbles = turned.to_le_bytes();
        self.board.standing.occupied = turned_bits(self.board.standing.occupied, half);
        self.board.standing.mandarins = turned_bits(self.board.standing.mandarins, half);
        self.funds.swap(0, 1);
        self.margin = -self.margin;
    }
}

/// The lower and the upper `half` bits, each in the place of the other.
#[inline]
const fn turned_bits(bits: u32, half: u32) -> u32 {
    bits >> half | (bits & ((1 << half) - 1)) << half
}

/// What the further difference is a function of, beside the board and the ban. It says what a table of positions needs
/// as its key.
///
/// Under `shortfall = borrow` a re-seeding is possible when both stores together can pay for it, which, with all pebbles
/// of the game on the board or in a store, the board tells; whoever pays, the margin of who re-seeds is less by what is
/// put on the board once debts are repaid. Under `owe` it is always possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Future {
    /// On nothing else, among positions with the same sum of board and [`funds`](Duel::funds).
    Board,
    /// On the funds: `shortfall` is `partial` or `count`.
    Funds,
    /// On the funds and the margin: under `shortfall = loses` points do not matter to who loses so. As long as nobody does,
    /// play is that of `borrow`.
    Margin,
}

/// Rules of two sides, prepared for playing on a [`Duel`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DuelRules {
    rules: Rules,
}

impl DuelRules {
    /// `None` if the rules are not for two sides.
    ///
    /// ```
    /// use oanquan_core::{Rules, duel::DuelRules};
    /// assert!(DuelRules::new(Rules::default()).is_some());
    /// assert!(DuelRules::new(Rules::parse("three-players").unwrap()).is_none());
    /// ```
    pub fn new(rules: Rules) -> Option<Self> {
        (rules.sides == 2).then_some(Self { rules })
    }

    /// The rules.
    #[inline]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many squares are half of the ring: a row and its mandarin square.
    #[inline]
    pub fn half(&self) -> u8 {
        self.rules.squares + 1
    }

    /// A position, which must be by these rules, from the side to move.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules, duel::DuelRules};
    /// let rules = DuelRules::new(Rules::default()).unwrap();
    /// let position = Position::parse("0.0.0.2.0.3/1.0.0.0.0.0q1 20/34q1 - b 40", Rules::default()).unwrap();
    /// let duel = rules.duel(&position);
    /// assert_eq!((duel.margin(), duel.funds(), duel.mandarins()), (24, [34, 20], 0b01));
    /// ```
    pub fn duel(&self, position: &Position) -> Duel {
        debug_assert_eq!(position.rules(), &self.rules);
        let (mover, other) = (position.turn(), position.turn().after(1, 2));
        let points = crate::ending::standing(position);
        let funds = [mover, other].map(|side| sow::funds(&position.rules, position.store(side)));
        let mut duel = Duel {
            board: position.board.with_room(),
            funds,
            margin: points[mover].saturating_sub(points[other]),
            ban: u32::from(self.rules.mandarin_ban).saturating_sub(position.ply()) as u8,
            half: self.half(),
            ending: position.ending(),
        };
        if mover == Side::B {
            // The board is still seen from side a; the rest is not.
            let Duel { funds, margin, .. } = duel;
            duel.turn_round(self.half().into());
            (duel.funds, duel.margin) = (funds, margin);
        }
        duel
    }

    /// The board with those [`pebbles`](Duel::pebbles) and [`mandarins`](Duel::mandarins), in play, with a margin of 0 and
    /// stores so full that no re-seeding is short. Bytes beyond the ring, and bits beyond the second, do not count.
    ///
    /// ```
    /// use oanquan_core::{Rules, duel::DuelRules};
    /// let rules = DuelRules::new(Rules::default()).unwrap();
    /// let mut duel = rules.board(0x01_00, 0b10); // a pebble in the second square
    /// assert_eq!(rules.legal_mask(&duel), 0b1100);
    /// rules.play(&mut duel, 2);
    /// assert_eq!((duel.margin(), duel.mandarins()), (-5, 0b01)); // the side that is now to move has re-seeded
    /// ```
    pub fn board(&self, pebbles: u128, mandarins: u8) -> Duel {
        let half = u32::from(self.half());
        let pebbles = pebbles & u128::MAX >> (u128::BITS - 16 * half);
        let mut board = Board { pebbles: pebbles.to_le_bytes(), ..Board::EMPTY };
        board.standing.occupied =
            (0..NARROW).fold(0, |bits, square| bits | u32::from(board.pebbles[square] > 0) << square);
        board.standing.mandarins =
            u32::from(mandarins & 1) << (half - 1) | u32::from(mandarins >> 1 & 1) << (2 * half - 1);
        Duel { board, funds: [FULL; 2], margin: 0, ban: 0, half: self.half(), ending: None }
    }

    /// A position with that board in which `turn` is the side to move. The stores hold the [`funds`](Duel::funds) in
    /// pebbles and there are no debts, so that its points are not those that led to the duel.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules, Side, duel::DuelRules};
    /// let rules = DuelRules::new(Rules::default()).unwrap();
    /// let duel = rules.duel(&Position::start(Rules::default()));
    /// assert_eq!(rules.position(&duel, Side::A), Position::start(Rules::default()));
    /// ```
    pub fn position(&self, duel: &Duel, turn: Side) -> Position {
        let mut seen = *duel;
        if turn != Side::A {
            seen.turn_round(self.half().into());
        }
        let mut position = Position::start(self.rules);
        position.board = seen.board.with_room();
        for (side, pebbles) in [Side::A, Side::B].into_iter().zip(seen.funds) {
            position.stores[side.index()] = Store { pebbles, mandarins: 0 };
        }
        position.turn = if turn == Side::A { Side::A } else { Side::B };
        position.ply = u32::from(self.rules.mandarin_ban - duel.ban.min(self.rules.mandarin_ban));
        position.ending = duel.ending;
        position
    }

    /// What the further difference is a function of.
    pub fn future(&self) -> Future {
        match self.rules.shortfall {
            Shortfall::Borrow | Shortfall::Owe => Future::Board,
            Shortfall::Partial | Shortfall::Count => Future::Funds,
            Shortfall::Loses => Future::Margin,
        }
    }

    /// Whether a board and its [`mirror`](Self::mirror) are worth the same: unless the rules tell left from right, by the
    /// directions, by the square at which a re-seeding that cannot be paid in full begins, or by who gets what is left in
    /// a mandarin square.
    pub fn has_mirror(&self) -> bool {
        self.rules.directions == Directions::Both
            && self.rules.shortfall != Shortfall::Partial
            && self.rules.mandarin_leftovers != MandarinLeftovers::Adjacent
    }

    /// The board with left and right exchanged: each row reversed, and the mandarin squares swapped.
    ///
    /// ```
    /// use oanquan_core::{Rules, duel::DuelRules};
    /// let rules = DuelRules::new(Rules::parse("squares=2").unwrap()).unwrap();
    /// let duel = rules.board(0x06_05_04_03_02_01, 0b01);
    /// let mirror = rules.mirror(&duel);
    /// assert_eq!((mirror.pebbles(), mirror.mandarins()), (0x03_04_05_06_01_02, 0b10));
    /// ```
    #[inline]
    pub fn mirror(&self, duel: &Duel) -> Duel {
        let half = u32::from(self.half());
        let mut mirror = *duel;
        // Read backwards the ring begins with the other's mandarin square, which comes last.
        let backwards = duel.pebbles().swap_bytes() >> (u128::BITS - 16 * half);
        let beyond = u128::BITS - 16 * half;
        let last = 8 * (half - 1);
        // Square i comes to `squares - 1 - i`, round the ring.
        let turned = backwards >> (8 * (half + 1)) | backwards << last << beyond >> beyond;
        mirror.board.pebbles = turned.to_le_bytes();
        mirror.board.standing.occupied = self.mirrored_bits(duel.board.standing.occupied);
        mirror.board.standing.mandarins = self.mirrored_bits(duel.board.standing.mandarins);
        mirror
    }

    /// A bit a square, with left and right exchanged.
    #[inline]
    fn mirrored_bits(&self, bits: u32) -> u32 {
        let half = u32::from(self.half());
        let backwards = bits.reverse_bits() >> (u32::BITS - 2 * half);
        (backwards >> (half + 1) | backwards << (half - 1)) & ((1 << (2 * half)) - 1)
    }

    /// The action that does in the [`mirror`](Self::mirror) what this one does.
    ///
    /// ```
    /// use oanquan_core::{Rules, duel::DuelRules};
    /// let rules = DuelRules::new(Rules::default()).unwrap();
    /// assert_eq!((rules.mirror_action(0), rules.mirror_action(9)), (9, 0));
    /// ```
    #[inline]
    pub fn mirror_action(&self, action: u8) -> u8 {
        (2 * self.rules.squares - 1).wrapping_sub(action)
    }

    /// The one of a board and its mirror that comes first by pebbles and mandarins, and whether it is the mirror; the
    /// board itself where the rules [have no mirror](Self::has_mirror).
    #[inline]
    pub fn canonical(&self, duel: &Duel) -> (Duel, bool) {
        if !self.has_mirror() {
            return (*duel, false);
        }
        let mirror = self.mirror(duel);
        let order = |duel: &Duel| (duel.pebbles(), duel.board.standing.mandarins);
        if order(&mirror) < order(duel) { (mirror, true) } else { (*duel, false) }
    }

    /// The legal moves as bits, as [`Position::legal_mask`].
    #[inline]
    pub fn legal_mask(&self, duel: &Duel) -> u16 {
        if duel.is_over() {
            return 0;
        }
        let mask = moves::playable(&self.rules, duel.occupied(0));
        if duel.ban == 0 { mask } else { self.without_banned(duel, mask) }
    }

    /// Rules section 3, `mandarin_ban`: moves that take no mandarin, unless all would.
    #[cold]
    fn without_banned(&self, duel: &Duel, mask: u16) -> u16 {
        let allowed = Moves::new(Side::A, mask).filter(|&mv| {
            let mut store = Store::default();
            let start = usize::from(mv.number()) - 1;
            let ring = self.rules.ring();
            sow::sow_narrow(&mut duel.board.clone(), &mut store, &self.rules, ring, start, mv.direction(), &mut ());
            store.mandarins == 0
        });
        match allowed.fold(0, |left, mv| left | 1 << mv.action()) {
            0 => mask,
            left => left,
        }
    }

    /// Plays a move without asking whether it is legal, as [`Position::play_unchecked`]. Then the other side is to move, or
    /// the game is over.
    #[inline]
    pub fn play(&self, duel: &mut Duel, action: u8) {
        /// Half of the standard ring, which is most of what is played: there the shifts and tables are constants.
        const STANDARD: u8 = 6;
        if self.half() == STANDARD {
            self.play_on(duel, action, STANDARD);
        } else {
            self.play_elsewhere(duel, action);
        }
    }

    #[inline(never)]
    fn play_elsewhere(&self, duel: &mut Duel, action: u8) {
        self.play_on(duel, action, self.half());
    }

    #[allow(clippy::inline_always, reason = "half is to be a constant in it")]
    #[inline(always)]
    fn play_on(&self, duel: &mut Duel, action: u8, half: u8) {
        if usize::from(action) >= 2 * MAX_SQUARES {
            return;
        }
        let mut store = Store::default();
        let direction = if action & 1 == 0 { Direction::Counterclockwise } else { Direction::Clockwise };
        let (ring, start) = (2 * usize::from(half), usize::from(action / 2));
        sow::sow_narrow(&mut duel.board, &mut store, &self.rules, ring, start, direction, &mut ());
        let gain = store.pebbles + i32::from(store.mandarins) * i32::from(self.rules.mandarin_value);
        duel.margin = duel.margin.saturating_add(gain);
        duel.funds[0] = duel.funds[0].saturating_add(sow::funds(&self.rules, store));
        duel.ban = duel.ban.saturating_sub(1);
        duel.turn_round(half.into());
        // Rules 3.5 and 3.6.
        if sow::is_end(duel.board.standing, &self.rules) {
            duel.ending = Some(Ending::Mandarins);
        } else if duel.row_of(0, half.into()) == 0 || self.rules.reseed_when == ReseedWhen::WhenEmpty {
            self.reseed(duel);
        }
    }

    /// Rules section 4: fills the rows that must be filled now.
    #[cold]
    #[inline(never)]
    fn reseed(&self, duel: &mut Duel) {
        while let Some(seat) = self.seat_to_reseed(duel) {
            let (have, other) = (duel.funds[seat], duel.funds[1 - seat]);
            let owned = |funds: i32| i64::from(funds.max(0));
            let (placed, lent) = match sow::payment_from(&self.rules, owned(have), owned(other), duel.board.total()) {
                Payment::Own(placed) => (placed, 0),
                // At most seven pebbles.
                Payment::Loan(missing) => (self.rules.squares, missing as i32),
                Payment::Impossible(ending) => {
                    duel.ending = Some(ending);
                    return;
                }
            };
            duel.funds[seat] = have.saturating_add(lent).saturating_sub(placed.into());
            duel.funds[1 - seat] = other - lent;
            let lost = if seat == 0 { i32::from(placed) } else { -i32::from(placed) };
            duel.margin = duel.margin.saturating_sub(lost);
            let first = seat * usize::from(duel.half);
            for square in first..first + usize::from(placed) {
                duel.board.set(square % NARROW, 1);
            }
        }
    }

    /// The first side, from the one to move on, whose empty row must be filled (rules 3.6): 0 for that to move.
    fn seat_to_reseed(&self, duel: &Duel) -> Option<usize> {
        let seats = if self.rules.reseed_when == ReseedWhen::WhenEmpty { 2 } else { 1 };
        (0..seats).find(|&seat| duel.occupied(seat as u8) == 0)
    }

    /// The margin by the count, for a game that is over (rules section 5).
    ///
    /// A game lost by `shortfall = loses` is worth all points of the game to the winner: no count is worse to the loser.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules, duel::DuelRules};
    /// let rules = DuelRules::new(Rules::default()).unwrap();
    /// let over = Position::parse("0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins", Rules::default()).unwrap();
    /// assert_eq!(rules.final_margin(&rules.duel(&over)), 21 - 49);
    /// ```
    pub fn final_margin(&self, duel: &Duel) -> i32 {
        let count = self.count(duel);
        if duel.ending != Some(Ending::Loses) {
            return count;
        }
        let all = self.rules.total_points();
        if self.seat_to_reseed(duel) == Some(0) { count.min(-all) } else { count.max(all) }
    }

    /// The margin if the game were counted as it stands (rules section 5).
    pub fn count(&self, duel: &Duel) -> i32 {
        let half = usize::from(duel.half);
        let row = |seat: usize| {
            duel.board.pebbles[seat * half..][..half - 1].iter().map(|&pebbles| i32::from(pebbles)).sum::<i32>()
        };
        let mandarin_square = |seat: usize| {
            let square = seat * half + half - 1;
            let mandarin = i32::from(duel.board.mandarin(square)) * i32::from(self.rules.mandarin_value);
            i32::from(duel.board.pebbles[square]) + mandarin
        };
        // An odd remainder goes to the side after the one that moved last: the side to move.
        let split = |amount: i32| amount % 2;
        let rows = match self.rules.row_leftovers {
            RowLeftovers::Owner => row(0) - row(1),
            RowLeftovers::Split => split(row(0) + row(1)),
        };
        let mandarin_squares = match self.rules.mandarin_leftovers {
            MandarinLeftovers::Nobody => 0,
            MandarinLeftovers::Split => split(mandarin_square(0) + mandarin_square(1)),
            MandarinLeftovers::Adjacent => mandarin_square(0) - mandarin_square(1),
        };
        duel.margin.saturating_add(rows + mandarin_squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PRESETS;
    use crate::knobs::Values;
    use crate::zobrist::mix;
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    /// The presets, every value of every knob, and small and large boards, for two sides.
    fn all_rules() -> impl Iterator<Item = DuelRules> {
        let mut texts: Vec<_> = PRESETS.iter().map(|preset| String::from(preset.name)).collect();
        for knob in crate::KNOBS {
            let values: Vec<_> = match knob.values {
                Values::Words(words) => words.iter().map(|&word| String::from(word)).collect(),
                Values::Range { min, max } => (min..=max).map(|value| value.to_string()).collect(),
            };
            texts.extend(values.into_iter().map(|value| format!("{}={value},pebbles=3,mandarin_value=4", knob.name)));
        }
        texts.extend(["squares=1,pebbles=2", "squares=7,pebbles=10,mandarin_value=20"].map(String::from));
        texts.extend(["owe", "partial", "count", "loses"].map(|word| format!("shortfall={word},reseed_from=points")));
        texts.into_iter().filter_map(|text| DuelRules::new(Rules::parse(&text).ok()?))
    }

    /// Walks random games from full stores, empty stores and what play leads to.
    fn walk(rules: DuelRules, mut visit: impl FnMut(&Position, &Duel)) {
        let mut state = 7_u64;
        for game in 0..30 {
            let mut position = Position::start_with(*rules.rules(), Side::ALL[game % 2]).unwrap();
            for _ in 0..200 {
                visit(&position, &rules.duel(&position));
                let moves = position.legal_moves();
                let drawn = state as usize % moves.len().max(1);
                state = mix(state);
                let Some(mv) = position.legal_moves().nth(drawn) else { break };
                position.play_unchecked(mv);
            }
        }
    }

    #[test]
    fn a_duel_follows_its_position() {
        let mut over = 0;
        for rules in all_rules() {
            walk(rules, |position, duel| {
                assert_eq!(rules.legal_mask(duel), position.legal_mask(), "{position:?}");
                assert_eq!(duel.ending(), position.ending());
                let points = if position.is_over() { position.points() } else { position.counted() };
                let sign = if position.turn() == Side::A { 1 } else { -1 };
                assert_eq!(rules.count(duel), sign * (points[Side::A] - points[Side::B]), "{position:?}");
                over += u32::from(position.is_over());
                for mv in position.legal_moves() {
                    let mut next = *duel;
                    rules.play(&mut next, mv.action());
                    assert_eq!(next, rules.duel(&position.play(mv).unwrap()), "{position:?} {mv}");
                }
            });
        }
        assert!(over > 100, "{over} games were over");
    }

    #[test]
    fn the_mirror_is_the_same_game() {
        let mut mirrored = 0;
        for rules in all_rules().filter(DuelRules::has_mirror) {
            walk(rules, |_, duel| {
                let mirror = rules.mirror(duel);
                assert_eq!(rules.mirror(&mirror), *duel);
                assert_eq!(rules.canonical(&mirror).0, rules.canonical(duel).0);
                assert_eq!(rules.count(&mirror), rules.count(duel));
                mirrored += u32::from(rules.canonical(duel).1);
                let actions = (0..16).filter(|action| rules.legal_mask(duel) >> action & 1 != 0);
                for action in actions {
                    let (mut next, mut mirrored) = (*duel, mirror);
                    rules.play(&mut next, action);
                    rules.play(&mut mirrored, rules.mirror_action(action));
                    assert_eq!(mirrored, rules.mirror(&next), "{duel:?} {action}");
                }
            });
        }
        assert!(mirrored > 1000, "{mirrored} boards came after their mirror");
    }

    #[test]
    fn a_board_goes_on_as_the_position_does_while_stores_last() {
        for rules in all_rules().filter(|rules| rules.future() == Future::Board) {
            walk(rules, |position, duel| {
                let board = rules.board(duel.pebbles(), duel.mandarins());
                if duel.is_over() || duel.ban() > 0 {
                    return;
                }
                for mv in position.legal_moves() {
                    let (mut next, mut further) = (*duel, board);
                    rules.play(&mut next, mv.action());
                    rules.play(&mut further, mv.action());
                    if next.ending() != Some(Ending::Short) {
                        assert_eq!(
                            (next.pebbles(), next.mandarins(), next.ending(), next.margin() + duel.margin()),
                            (further.pebbles(), further.mandarins(), further.ending(), further.margin()),
                            "{position:?} {mv}"
                        );
                    }
                }
                for turn in [Side::A, Side::B] {
                    assert_eq!(rules.duel(&rules.position(duel, turn)).pebbles(), duel.pebbles());
                }
            });
        }
    }

    #[test]
    fn a_game_lost_by_shortfall_is_worth_all_points() {
        let rules = DuelRules::new(Rules::parse("shortfall=loses").unwrap()).unwrap();
        let before = Position::parse("0.0.0.0.1.0q1/0.0.0.0.0.0q1 45/4 - a 50", *rules.rules()).unwrap();
        let mut duel = rules.duel(&before);
        rules.play(&mut duel, 9);
        assert_eq!((duel.ending(), rules.final_margin(&duel)), (Some(Ending::Loses), -70));
    }

    #[test]
    fn a_duel_is_small() {
        assert!(size_of::<Duel>() <= 40, "{} bytes", size_of::<Duel>());
    }
}
