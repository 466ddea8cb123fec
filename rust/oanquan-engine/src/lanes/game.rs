//! What a game in the lanes is besides its board: how it begins, how a row is paid for, and how it is counted.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use oanquan_core::knobs::{MandarinLeftovers, RowLeftovers, Shortfall};
use oanquan_core::{Ending, Move, Outcome, Points, Position, Side};

use super::plan::{Board, MANDARIN, Plan, mandarins, pebbles};
use crate::history::Heard;
use crate::{Agent, Collect, Finished, GameStream, Playout, Random, Turn};

/// A position: the board as the mover sees it, and what is in the stores, the mover's in the low half.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) board: Board,
    pub(super) stores: u64,
}

impl State {
    pub(super) fn of(plan: &Plan, position: &Position) -> Self {
        let store = |side: Side| {
            let store = position.store(side);
            u64::from(store.pebbles as u32 + u32::from(store.mandarins) * u32::from(MANDARIN))
        };
        let (mover, other) = if position.turn() == Side::A { (Side::A, Side::B) } else { (Side::B, Side::A) };
        Self { board: plan.board(position), stores: store(mover) | store(other) << 32 }
    }
}

/// What is remembered of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Story {
    pub(super) number: u64,
    pub(super) stream: GameStream,
    pub(super) opening: Option<Move>,
    /// What each side owes the other.
    pub(super) debts: [u32; 2],
    pub(super) loans: u32,
    pub(super) pebbles_lent: u32,
}

/// Where a game begins: the start, or where the plies end in which mandarins may be banned, which the core plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning {
    pub(super) state: State,
    /// The squares of the mover that hold pebbles, as bits.
    pub(super) row: u32,
    pub(super) reseedings: u32,
    pub(super) story: Story,
}

impl Beginning {
    pub(super) fn new(plan: &Plan, position: &Position) -> Self {
        let state = State::of(plan, position);
        let story = Story {
            number: 0,
            stream: GameStream::new(0, 0),
            opening: None,
            debts: [position.debt(Side::A, Side::B), position.debt(Side::B, Side::A)],
            loans: 0,
            pebbles_lent: 0,
        };
        Self { state, row: plan.row(&state.board), reseedings: 0, story }
    }

    /// Plays the plies of the ban; `None` where the lanes cannot go on from there. Hears every position before.
    pub(super) fn after_ban(
        plan: &Plan,
        mut position: Position,
        stream: GameStream,
        mut hear: impl FnMut(u32, State),
    ) -> Option<Self> {
        let mut heard = Heard::default();
        let mut opening = None;
        for ply in 0..plan.ban {
            hear(ply, State::of(plan, &position));
            let turn = Turn::new(&position, stream, ply);
            let mv = turn.nth_or_last(Random.choose(&turn))?;
            opening = opening.or(Some(mv));
            position.play_with(mv, &mut heard);
            if position.is_over() {
                return None;
            }
        }
        let mut beginning = Self::new(plan, &position);
        let Heard { reseedings, loans, pebbles_lent, .. } = heard;
        beginning.reseedings = reseedings;
        beginning.story = Story { opening, loans, pebbles_lent, ..beginning.story };
        Some(beginning)
    }
}

/// How a row is filled: how many squares of it, and how many pebbles for that are lent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Payment {
    pub(super) placed: u32,
    pub(super) lent: u32,
}

impl Payment {
    /// The stores after it.
    #[inline]
    pub(super) const fn stores(self, own: u32, other: u32) -> (u32, u32) {
        (own + self.lent - self.placed, other - self.lent)
    }
}

impl Plan {
    /// Rules section 4: how the empty row of the mover is paid for, or how the game ends because it cannot be.
    #[inline]
    pub(super) fn pay(&self, own: u32, other: u32) -> Result<Payment, Ending> {
        let (have, wanted) = (pebbles(own), self.squares as u32);
        if have >= wanted {
            return Ok(Payment { placed: wanted, lent: 0 });
        }
        match self.shortfall {
            Shortfall::Borrow if pebbles(other) >= wanted - have => Ok(Payment { placed: wanted, lent: wanted - have }),
            Shortfall::Partial if have > 0 => Ok(Payment { placed: have, lent: 0 }),
            Shortfall::Loses => Err(Ending::Loses),
            _ => Err(Ending::Short),
        }
    }

    /// Counts a game that ends so after that many plies, its mover first in `state`.
    pub(super) fn finish(
        &self,
        state: &State,
        (mover, plies): (usize, u32),
        ending: Ending,
        (story, reseedings): (&Story, u32),
    ) -> Finished {
        let points = self.count(state, mover, story.debts);
        let winner = match (ending, points[0].cmp(&points[1])) {
            (Ending::Loses, _) => Some(1 - mover), // rules section 4
            (_, Ordering::Equal) => None,
            (_, order) => Some(usize::from(order.is_lt())),
        };
        let outcome = Outcome { winner: winner.map(|side| Side::ALL[side]), ending, points: Points::from(points) };
        let Story { opening, loans, pebbles_lent, .. } = *story;
        Finished { outcome, plies, opening, reseedings, loans, pebbles_lent }
    }

    /// Rules section 5: the points of sides a and b.
    fn count(&self, State { board, stores }: &State, mover: usize, debts: [u32; 2]) -> [i32; 2] {
        let value = |byte: u8| i32::from(byte & !MANDARIN) + i32::from(byte / MANDARIN) * self.mandarin_value;
        let row = |first: usize| board[first..first + self.squares].iter().map(|&n| i32::from(n)).sum::<i32>();
        // An odd one goes to the side after the one that moved last: the mover.
        let split = |sum: i32| [sum - sum / 2, sum / 2];
        let rows = [row(0), row(self.half)];
        let rows = match self.row_leftovers {
            RowLeftovers::Owner => rows,
            RowLeftovers::Split => split(rows[0] + rows[1]),
        };
        let squares = [value(board[self.squares]), value(board[self.half + self.squares])];
        let shares = match self.mandarin_leftovers {
            MandarinLeftovers::Nobody => [0; 2],
            MandarinLeftovers::Split => split(squares[0] + squares[1]),
            MandarinLeftovers::Adjacent => squares,
        };
        let owed = debts[mover] as i32 - debts[1 - mover] as i32;
        let store = |store: u64| {
            let store = store as u32;
            pebbles(store) as i32 + mandarins(store) as i32 * self.mandarin_value
        };
        let own = store(*stores) + rows[0] + shares[0] - owed;
        let other = store(stores >> 32) + rows[1] + shares[1] + owed;
        if mover == 0 { [own, other] } else { [other, own] }
    }
}

/// Where the games come from, who plays those that the lanes do not, and who takes what is finished.
pub(super) struct Hands<'a, C> {
    pub(super) seed: u64,
    pub(super) first_game: u64,
    pub(super) games: Range<u64>,
    pub(super) playout: &'a mut Playout,
    pub(super) stop: &'a AtomicBool,
    pub(super) collect: &'a mut C,
    /// Whether a game was given up because `stop` was set.
    pub(super) given_up: bool,
}

impl<C: Collect> Hands<'_, C> {
    /// The next game: its number and stream.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(u64, GameStream)> {
        let number = self.first_game.wrapping_add(self.games.next()?);
        Some((number, GameStream::new(self.seed, number)))
    }

    /// Plays a game on the plain core.
    #[cold]
    #[inline(never)]
    pub(super) fn play(&mut self, number: u64) {
        let stream = GameStream::new(self.seed, number);
        if let Some(finished) = self.playout.run_unless(self.stop, &Random, stream) {
            self.collect.add(number, &finished, &[]);
        } else {
            self.given_up = true;
        }
    }
}

/// The side to move so many plies after the start.
#[inline]
pub(super) fn side_to_move(start: &Position, plies: u32) -> usize {
    start.turn().index() ^ (plies as usize % 2)
}
