//! One game after the other in ordinary registers: a board is a number of 16 bytes, and a lap one addition.

use std::sync::atomic::Ordering;

use oanquan_core::{Ending, Move, Position};

use super::game::{Beginning, Hands, State, side_to_move};
use super::pack::{FACTORS, logged};
use super::plan::{LONGEST, MANDARIN, Plan, choose};
use crate::{Collect, Finished, GameStream};

/// What lifting a hand and sowing it does to a board, to be added to it, and which square is looked at then.
#[derive(Clone, Copy, Default)]
struct Lap {
    change: u128,
    next: u8,
}

/// How many hands each square has in the table, the empty one included; a power of two.
const HANDS: usize = 32;
/// Squares of a ring, up to the next power of two.
const SQUARES: usize = 16;

/// A table of laps, by direction, square and hand.
struct Laps(Box<[Lap; 2 * SQUARES * HANDS]>);

impl Laps {
    fn new(ring: usize) -> Self {
        let mut laps = Box::new([Lap::default(); 2 * SQUARES * HANDS]);
        for (index, lap) in laps.iter_mut().enumerate() {
            let (clockwise, from, hand) = (index / (SQUARES * HANDS), index / HANDS % SQUARES, index % HANDS);
            if from >= ring {
                continue;
            }
            let on = |distance: usize| match clockwise {
                0 => (from + distance) % ring,
                _ => (from + ring * HANDS - distance) % ring,
            };
            lap.change = 0_u128.wrapping_sub((hand as u128) << (8 * from));
            for drop in 1..=hand {
                lap.change = lap.change.wrapping_add(1 << (8 * on(drop)));
            }
            lap.next = on(hand + 1) as u8;
        }
        Self(laps)
    }

    #[inline]
    fn get(&self, clockwise: usize, from: usize, hand: usize) -> &Lap {
        &self.0[(clockwise * SQUARES + from) * HANDS % (2 * SQUARES * HANDS) + hand % HANDS]
    }
}

/// Plays games that the plan allows.
pub(super) struct Scalar {
    plan: Plan,
    laps: Laps,
    start: Position,
    beginning: Beginning,
    /// The mandarin squares, as bits.
    mandarin_squares: u32,
    /// What stands there while the game goes on.
    standing: u128,
    row: u64,
    log: [u16; LONGEST as usize + 1],
}

/// The stores and the board while a game goes on, as the mover sees them.
#[derive(Clone, Copy)]
struct Play {
    board: u128,
    own: u32,
    other: u32,
}

impl Scalar {
    pub(super) fn new(plan: Plan, start: Position) -> Self {
        let (squares, half) = (plan.squares, plan.half);
        let mandarin = u128::from(plan.standing());
        Self {
            laps: Laps::new(plan.ring),
            beginning: Beginning::new(&plan, &start),
            mandarin_squares: 1 << squares | 1 << (half + squares),
            standing: mandarin << (8 * squares) | mandarin << (8 * (half + squares)),
            row: u64::MAX >> (64 - 8 * squares),
            log: [0; LONGEST as usize + 1],
            plan,
            start,
        }
    }

    /// Plays all games: see `Worker::play`.
    pub(super) fn play<C: Collect>(&mut self, hands: &mut Hands<'_, C>) -> bool {
        while let Some((number, stream)) = hands.next() {
            if hands.stop.load(Ordering::Relaxed) {
                return false;
            }
            match self.game(stream) {
                Some(finished) => hands.collect.add(number, &finished, &[]),
                None => hands.play(number),
            }
        }
        !hands.given_up
    }

    /// Plays a game, unless it is one for the plain core.
    fn game(&mut self, stream: GameStream) -> Option<Finished> {
        let ban = self.plan.ban;
        let mut beginning = self.beginning;
        if ban > 0 {
            let log = &mut self.log;
            let hear =
                |ply: u32, state: State| log[ply as usize] = hash(u128::from_le_bytes(state.board), state.stores);
            beginning = Beginning::after_ban(&self.plan, self.start, stream, hear)?;
        }
        let Beginning { state, mut reseedings, mut story, .. } = beginning;
        let mut play = Play {
            board: u128::from_le_bytes(state.board),
            own: state.stores as u32,
            other: (state.stores >> 32) as u32,
        };
        let mut plies = ban;
        let mut draw = stream.draw(plies);
        let ending = loop {
            if play.board as u64 & self.row == 0 {
                let payment = match self.plan.pay(play.own, play.other) {
                    Ok(payment) => payment,
                    Err(ending) => break ending,
                };
                if payment.lent > 0 {
                    story.loans += 1;
                    story.pebbles_lent += payment.lent;
                    story.debts[side_to_move(&self.start, plies)] += payment.lent;
                }
                reseedings += 1;
                (play.own, play.other) = payment.stores(play.own, play.other);
                play.board |= u128::from(ONES >> (64 - 8 * payment.placed));
            }
            *self.log.get_mut(plies as usize)? = hash(play.board, u64::from(play.own) | u64::from(play.other) << 32);
            let action = choose(occupied(play.board as u64 & self.row), draw);
            // The next draw comes before the move: the processor works on it while it waits for the board.
            draw = stream.draw(plies + 1);
            if plies == 0 {
                story.opening = Move::from_action(self.start.turn(), action as u8);
            }
            self.turn(&mut play, action)?;
            plies += 1;
            let half = 8 * self.plan.half as u32;
            play = Play {
                board: play.board >> half | play.board << half & (u128::MAX >> (128 - 2 * half)),
                own: play.other,
                other: play.own,
            };
            if play.board & self.standing == 0 {
                break Ending::Mandarins;
            }
        };
        if self.plan.repetition.is_some_and(|times| repeats(&self.log[..plies as usize], times)) {
            return None;
        }
        let state =
            State { board: play.board.to_le_bytes(), stores: u64::from(play.own) | u64::from(play.other) << 32 };
        Some(self.plan.finish(&state, (side_to_move(&self.start, plies), plies), ending, (&story, reseedings)))
    }

    /// Rules 3.2 to 3.4; `None` if a hand is not in the table.
    #[inline]
    fn turn(&self, play: &mut Play, action: usize) -> Option<()> {
        let (mut square, clockwise) = (action / 2, action % 2);
        let Play { mut board, mut own, .. } = *play;
        let mandarin_square = |square: usize| self.mandarin_squares >> square & 1 != 0;
        let mut here = byte(board, square);
        loop {
            if here as usize >= HANDS {
                return None;
            }
            let lap = self.laps.get(clockwise, square, here as usize);
            board = board.wrapping_add(lap.change);
            square = lap.next.into();
            here = byte(board, square);
            // Rules 3.3. One branch: neither can be predicted.
            if mandarin_square(square) | (here == 0) {
                break;
            }
        }
        play.board = board;
        if here != 0 || mandarin_square(square) && self.plan.stop_after_sowing {
            return Some(());
        }
        loop {
            // Rules 3.4: after an empty hand, the next square is looked at.
            let prey = self.laps.get(clockwise, square, 0).next.into();
            let taken = byte(board, prey);
            if taken == 0 || taken >= MANDARIN && taken - MANDARIN < self.plan.immature_below {
                break;
            }
            own += u32::from(taken);
            board -= u128::from(taken) << (8 * prey);
            square = self.laps.get(clockwise, prey, 0).next.into();
            let no_gap = byte(board, square) != 0 || mandarin_square(square) && self.plan.stop_in_chain;
            if no_gap || !self.plan.capture_chain {
                break;
            }
        }
        (play.board, play.own) = (board, own);
        Some(())
    }
}

/// One in each byte.
const ONES: u64 = u64::MAX / 0xFF;

#[inline]
fn byte(board: u128, square: usize) -> u8 {
    board.to_le_bytes()[square % 16]
}

/// Bit i is set when byte i is not zero; of the first seven bytes, none of which has its upper bit set.
#[inline]
const fn occupied(row: u64) -> u32 {
    let upper = (row + ONES * 0x7F) & (ONES * 0x80);
    ((upper >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// What the log keeps of a position.
#[inline]
const fn hash(board: u128, stores: u64) -> u16 {
    logged(((board as u64).wrapping_mul(FACTORS[0]) ^ (board >> 64) as u64 ^ stores).wrapping_mul(FACTORS[1]))
}

/// Whether so many of the hashes are equal.
fn repeats(hashes: &[u16], times: u32) -> bool {
    let mut buckets = [0_u8; 256];
    let mut most = 0;
    for hash in hashes {
        let bucket = &mut buckets[usize::from(hash >> 8)];
        *bucket = bucket.saturating_add(1);
        most = most.max(*bucket);
    }
    u32::from(most) >= times
        && hashes.iter().any(|hash| hashes.iter().filter(|other| *other == hash).count() >= times as usize)
}
