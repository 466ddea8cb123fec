//! The games in flight: what the steps leave to be done one game at a time.

use std::sync::atomic::Ordering;

use oanquan_core::{Ending, Move, Position};

use super::game::{Beginning, Hands, State, Story, side_to_move};
use super::pack::{Left, NOWHERE, Opening, Pack, Step};
use super::plan::{Board, Choices, Frame, LONGEST, Plan, action_of};
use super::step::hash;
use crate::{Collect, GameStream};

/// After how many steps of a pack one looks for long games and at the stop flag.
const LOOKS: u32 = 64;

/// Games of one kind on so many packs.
pub(super) struct Table<const GAMES: usize, S> {
    plan: Plan,
    step: S,
    start: Position,
    beginning: Beginning,
    /// The first move by its action, where no plies come before.
    openings: Vec<Opening>,
    /// The hash of the position there.
    hash: u16,
    frames: Vec<Frame>,
    choices: Choices,
    packs: Vec<Pack<GAMES>>,
    stories: Vec<[Story; GAMES]>,
}

impl<const GAMES: usize, S: Step<GAMES>> Table<GAMES, S> {
    pub(super) fn new(plan: Plan, step: S, start: Position, packs: usize) -> Self {
        let beginning = Beginning::new(&plan, &start);
        let frames: Vec<_> = (0..2 * plan.squares).map(|action| Frame::new(plan.ring, action)).collect();
        let board = &beginning.state.board;
        let openings = (0..frames.len()).map(|action| opening(&plan, &frames, board, action)).collect();
        Self {
            beginning,
            openings,
            hash: hash(&beginning.state, plan.ring),
            frames,
            choices: Choices::new(),
            packs: vec![Pack::EMPTY; packs],
            stories: vec![[beginning.story; GAMES]; packs],
            plan,
            step,
            start,
        }
    }

    /// Plays all games: see `Kernel::play`.
    pub(super) fn play<C: Collect>(&mut self, hands: &mut Hands<'_, C>) -> bool {
        let packs = self.packs.len();
        for pack in 0..packs {
            for game in 0..GAMES {
                self.refill(pack, game, hands);
            }
        }
        let mut left = vec![Left::default(); packs];
        while self.packs.iter().any(|pack| pack.begun != 0) {
            for _ in 0..LOOKS {
                for pack in 0..packs {
                    left[pack] = self.step.step(&mut self.packs[pack]);
                    // What the step has just stored in vectors cannot be read in bytes at once.
                    let before = (pack + packs - 1) % packs;
                    self.packs[before].write_log();
                    self.attend(before, left[before], hands);
                }
            }
            if hands.stop.load(Ordering::Relaxed) {
                // What is left must not go on in the next range.
                self.packs.iter_mut().for_each(|pack| (pack.begun, pack.active) = (0, [0; GAMES]));
                return false;
            }
            self.hand_over_long_games(hands);
        }
        !hands.given_up
    }

    /// Does what a step has left to be done.
    #[inline]
    fn attend<C: Collect>(&mut self, pack: usize, left: Left, hands: &mut Hands<'_, C>) {
        for game in games_of(left.over) {
            self.finish(pack, game, Ending::Mandarins, hands);
        }
        for game in games_of(left.short) {
            self.reseed(pack, game, hands);
        }
        for game in games_of(left.large) {
            self.hand_over(pack, game, hands);
        }
    }

    /// Rules section 4: the row of the next mover is empty, and it cannot pay for it alone.
    #[cold]
    #[inline(never)]
    fn reseed<C: Collect>(&mut self, pack: usize, game: usize, hands: &mut Hands<'_, C>) {
        let (state, story) = (&mut self.packs[pack], &mut self.stories[pack][game]);
        let ply = state.ply(game);
        if ply > LONGEST {
            return self.hand_over(pack, game, hands); // it was not active when long games were looked for
        }
        let stores = state.stores(game);
        let (own, other) = (stores as u32, (stores >> 32) as u32);
        let payment = match self.plan.pay(own, other) {
            Ok(payment) => payment,
            Err(ending) => return self.finish(pack, game, ending, hands),
        };
        if payment.lent > 0 {
            story.loans += 1;
            story.pebbles_lent += payment.lent;
            story.debts[side_to_move(&self.start, ply)] += payment.lent;
        }
        let (own, other) = payment.stores(own, other);
        let mut after = State { board: state.board(game), stores: u64::from(own) | u64::from(other) << 32 };
        after.board[..payment.placed as usize].fill(1);
        state.reseedings[game] += 1;
        state.set_stores(game, after.stores);
        state.log[game][ply as usize] = hash(&after, self.plan.ring);
        let action = action_of(self.choices.choose((1 << payment.placed) - 1, story.stream.draw(ply)));
        state.begin_move(game, &opening(&self.plan, &self.frames, &after.board, action.into()));
    }

    /// The game is over: counts it, and begins another.
    #[inline(never)]
    fn finish<C: Collect>(&mut self, pack: usize, game: usize, ending: Ending, hands: &mut Hands<'_, C>) {
        let state = &mut self.packs[pack];
        let plies = state.ply(game);
        let repeats = |times| self.step.repeats(&mut state.log[game], plies as usize, times);
        if plies > LONGEST || self.plan.repetition.is_some_and(repeats) {
            return self.hand_over(pack, game, hands);
        }
        let position = State { board: state.board(game), stores: state.stores(game) };
        let story = &self.stories[pack][game];
        let mover = side_to_move(&self.start, plies);
        let counts = (story, u32::from(state.reseedings[game]));
        let finished = self.plan.finish(&position, (mover, plies), ending, counts);
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
                if state.active[game] != 0 && state.ply(game) > LONGEST {
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
        let (plan, state) = (&self.plan, &mut self.packs[pack]);
        let (mut beginning, mut first_hash) = (&self.beginning, self.hash);
        let after_ban;
        if plan.ban > 0 {
            let log = &mut state.log[game];
            let hear = |ply: u32, state| log[ply as usize] = hash(&state, plan.ring);
            after_ban = Beginning::after_ban(plan, self.start, stream, hear)?;
            first_hash = hash(&after_ban.state, plan.ring);
            beginning = &after_ban;
        }
        let action = action_of(self.choices.choose(beginning.row, stream.draw(plan.ban)));
        state.begun |= 1 << game;
        state.set_stores(game, beginning.state.stores);
        state.plies[game] = plan.ban as u8;
        state.reseedings[game] = beginning.reseedings as u8;
        state.set_stream(game, stream);
        state.log[game][plan.ban as usize] = first_hash;
        state.slots[game] = NOWHERE;
        if plan.ban > 0 {
            state.begin_move(game, &opening(plan, &self.frames, &beginning.state.board, action.into()));
        } else {
            state.begin_move(game, &self.openings[usize::from(action)]);
        }
        let story = &mut self.stories[pack][game];
        *story = Story { number, stream, ..beginning.story };
        story.opening = story.opening.or_else(|| Move::from_action(self.start.turn(), action));
        Some(())
    }
}

/// The beginning of the move with that action number.
fn opening(plan: &Plan, frames: &[Frame], board: &Board, action: usize) -> Opening {
    let (square, clockwise) = (action / 2, action % 2 == 1);
    let place = if clockwise { plan.squares - 1 - square } else { square };
    Opening { board: frames[action].turn(board), place: place as u8, clockwise: if clockwise { 0xFF } else { 0 } }
}

/// The games of a mask.
#[inline]
fn games_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let game = mask.trailing_zeros() as usize;
        let some = mask != 0;
        mask &= mask.wrapping_sub(1);
        some.then_some(game)
    })
}
