//! The games in flight: what the steps leave to be done one game at a time.

use std::sync::atomic::Ordering;

use oanquan_core::{Ending, Move, Position};

use super::game::{Beginning, Hands, State, Story, side_to_move};
use super::pack::{LOG, Left, ONE_RESEEDING, Pack, Step, TOGETHER, logged};
use super::plan::{Frame, LONGEST, Plan, choose};
use crate::{Collect, GameStream};

/// After how many steps the games that are over are taken: their lanes stand idle for half as many.
const ROUNDS: usize = 4;
/// After how many times that one looks for long games and at the stop flag.
const LOOKS: u32 = 16;

/// Games of one kind on so many packs.
pub(super) struct Table<const GAMES: usize, S> {
    plan: Plan,
    step: S,
    start: Position,
    beginning: Beginning,
    /// The frame of each action.
    frames: Vec<Frame>,
    packs: Vec<Pack<GAMES>>,
    stories: Vec<[Story; GAMES]>,
}

impl<const GAMES: usize, S: Step<GAMES>> Table<GAMES, S> {
    pub(super) fn new(plan: Plan, step: S, start: Position, packs: usize) -> Self {
        let beginning = Beginning::new(&plan, &start);
        Self {
            beginning,
            frames: (0..2 * plan.squares).map(|action| Frame::new(plan.ring, action)).collect(),
            packs: vec![Pack::EMPTY; packs],
            stories: vec![[beginning.story; GAMES]; packs],
            plan,
            step,
            start,
        }
    }

    /// Plays all games: see `Worker::play`.
    pub(super) fn play<C: Collect>(&mut self, hands: &mut Hands<'_, C>) -> bool {
        for pack in 0..self.packs.len() {
            for game in 0..GAMES {
                self.refill(pack, game, hands);
            }
        }
        let (mut rounds, packs) = (0_u32, self.packs.len());
        while self.packs.iter().any(|pack| pack.begun != 0) {
            for _ in 0..ROUNDS {
                for first in (0..packs).step_by(TOGETHER) {
                    let together = self.packs[first..].first_chunk_mut();
                    let Some(left) = together.map(|packs| self.step.step(packs)) else { continue };
                    // What the step has just stored in vectors cannot be read in words at once.
                    let before = (first + packs - TOGETHER) % packs;
                    self.packs[before..before + TOGETHER].iter_mut().for_each(Pack::write_log);
                    for (pack, left) in (first..).zip(left) {
                        if left.short | left.large != 0 {
                            self.packs[pack].write_log();
                            self.attend(pack, left, hands);
                        }
                    }
                }
            }
            self.harvest(hands);
            rounds = rounds.wrapping_add(1);
            if rounds % LOOKS == 0 {
                if hands.stop.load(Ordering::Relaxed) {
                    // What is left must not go on in the next range.
                    self.packs.iter_mut().for_each(|pack| (pack.begun, pack.active) = (0, 0));
                    return false;
                }
                self.hand_over_long_games(hands);
            }
        }
        !hands.given_up
    }

    /// Does what a step has left to be done: seldom anything.
    #[cold]
    #[inline(never)]
    fn attend<C: Collect>(&mut self, pack: usize, left: Left, hands: &mut Hands<'_, C>) {
        for game in games_of(left.large) {
            self.hand_over(pack, game, hands);
        }
        for game in games_of(left.short & !left.large) {
            self.reseed(pack, game, hands);
        }
    }

    /// Takes the games that are over, and begins others in their lanes.
    #[inline]
    fn harvest<C: Collect>(&mut self, hands: &mut Hands<'_, C>) {
        // All in one loop: how many there are in a pack cannot be predicted.
        let mut over = 0_u64;
        for (pack, state) in self.packs.iter().enumerate() {
            // Bits 8q to bits q.
            over |= ((state.begun & !state.active).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * pack);
        }
        while over != 0 {
            let bit = over.trailing_zeros() as usize;
            over &= over - 1;
            self.finish(bit / 8, bit % 8, Ending::Mandarins, hands);
        }
    }

    /// Rules section 4: the row of the next mover is empty, and it cannot pay for it alone.
    fn reseed<C: Collect>(&mut self, pack: usize, game: usize, hands: &mut Hands<'_, C>) {
        let (state, story) = (&mut self.packs[pack], &mut self.stories[pack][game]);
        let (own, other) = (state.stores[game] as u32, (state.stores[game] >> 32) as u32);
        let payment = match self.plan.pay(own, other) {
            Ok(payment) => payment,
            Err(ending) => return self.finish(pack, game, ending, hands),
        };
        let ply = state.ply(game);
        if payment.lent > 0 {
            story.loans += 1;
            story.pebbles_lent += payment.lent;
            story.debts[side_to_move(&self.start, ply)] += payment.lent;
        }
        let (own, other) = payment.stores(own, other);
        let mut after = State { board: state.board(game), stores: u64::from(own) | u64::from(other) << 32 };
        after.board[..payment.placed as usize].fill(1);
        let hash = hash::<GAMES, S>(&after);
        state.plies[game] += ONE_RESEEDING;
        state.stores[game] = after.stores;
        state.hashes[game] = hash;
        state.log[game][ply as usize % LOG] = logged(hash);
        let action = choose((1 << payment.placed) - 1, story.stream.draw(ply));
        let frame = &self.frames[action];
        state.begin_move(game, &frame.turn(&after.board), &frame.back);
        if self.plan.is_large(&after.board) {
            self.hand_over(pack, game, hands);
        }
    }

    /// The game is over: counts it, and begins another.
    #[inline(never)]
    fn finish<C: Collect>(&mut self, pack: usize, game: usize, ending: Ending, hands: &mut Hands<'_, C>) {
        let pack_state = &mut self.packs[pack];
        let plies = pack_state.ply(game);
        let repeats = |times| self.step.repeats(&mut pack_state.log[game], plies as usize, times);
        if plies > LONGEST || self.plan.repetition.is_some_and(repeats) {
            return self.hand_over(pack, game, hands);
        }
        let state = State { board: pack_state.board(game), stores: pack_state.stores[game] };
        let reseedings = (pack_state.plies[game] / ONE_RESEEDING) as u32;
        let story = &self.stories[pack][game];
        let mover = side_to_move(&self.start, plies);
        let finished = self.plan.finish(&state, (mover, plies), ending, (story, reseedings));
        hands.collect.add(story.number, &finished, &[]);
        self.refill(pack, game, hands);
    }

    /// Lets the core play the game of a lane from its beginning, and begins another.
    #[cold]
    #[inline(never)]
    fn hand_over<C: Collect>(&mut self, pack: usize, game: usize, hands: &mut Hands<'_, C>) {
        hands.play(self.stories[pack][game].number);
        self.refill(pack, game, hands);
    }

    #[cold]
    fn hand_over_long_games<C: Collect>(&mut self, hands: &mut Hands<'_, C>) {
        for pack in 0..self.packs.len() {
            for game in 0..GAMES {
                let state = &self.packs[pack];
                if state.active >> (8 * game) & 1 != 0 && state.ply(game) > LONGEST {
                    self.hand_over(pack, game, hands);
                }
            }
        }
    }

    /// Begins the next game in a lane, or leaves it empty.
    fn refill<C: Collect>(&mut self, pack: usize, game: usize, hands: &mut Hands<'_, C>) {
        while let Some((number, stream)) = hands.next() {
            if self.begin(pack, game, number, stream).is_some() {
                return;
            }
            hands.play(number);
        }
        self.packs[pack].retire(game);
    }

    /// Begins a game, unless the lanes cannot play it.
    #[inline]
    fn begin(&mut self, pack: usize, game: usize, number: u64, stream: GameStream) -> Option<()> {
        let (ban, state) = (self.plan.ban, &mut self.packs[pack]);
        let after_ban;
        let mut beginning = &self.beginning;
        if ban > 0 {
            let log = &mut state.log[game];
            let hear = |ply: u32, state| log[ply as usize] = logged(hash::<GAMES, S>(&state));
            after_ban = Beginning::after_ban(&self.plan, self.start, stream, hear)?;
            beginning = &after_ban;
        }
        let hash = hash::<GAMES, S>(&beginning.state);
        state.begin(game);
        state.stores[game] = beginning.state.stores;
        state.plies[game] = u64::from(ban) + u64::from(beginning.reseedings) * ONE_RESEEDING;
        state.counters[game] = stream.counter(ban + 1);
        state.hashes[game] = hash;
        state.log[game][ban as usize] = logged(hash);
        let action = choose(beginning.row, stream.draw(ban));
        let frame = &self.frames[action];
        state.begin_move(game, &frame.turn(&beginning.state.board), &frame.back);
        let story = &mut self.stories[pack][game];
        *story = Story { number, stream, ..beginning.story };
        story.opening = story.opening.or_else(|| Move::from_action(self.start.turn(), action as u8));
        Some(())
    }
}

/// The hash that a step gives a position.
#[inline]
fn hash<const GAMES: usize, S: Step<GAMES>>(State { board, stores }: &State) -> u64 {
    let word = u128::from_le_bytes(*board);
    S::hash(word as u64, (word >> 64) as u64, *stores)
}

/// The games of a mask.
#[inline]
fn games_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let game = mask.trailing_zeros() as usize / 8;
        let some = mask != 0;
        mask &= mask.wrapping_sub(1);
        some.then_some(game)
    })
}
