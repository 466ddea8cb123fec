//! The games of a batch and the loop over them.

use oanquan_core::positions::Positions;
use oanquan_core::{Ending, Move, Moves, Points, Position, Side, Sink, Square};

use super::past::{Epoch, Past};
use super::rows::{Shape, observe, spread};
use super::{Autoreset, BatchError, Options, Outputs, Reward};
use crate::{GameStream, Limits};

/// The games of a batch, on whatever board.
pub(super) trait Games: Send + Sync {
    fn position(&self, game: usize) -> Option<Position>;

    fn ending(&self, game: usize) -> Option<Ending>;

    /// The number of the game and its plies.
    fn game(&self, game: usize) -> Option<(u64, u32)>;

    /// The stream that its draws come from.
    fn stream(&self, game: usize) -> Option<GameStream>;

    /// Plays these actions, everywhere or where the mask is not 0. Every slice is of the size of the batch.
    fn step(&mut self, actions: &[i64], mask: Option<&[u8]>, out: &mut Outputs<'_>) -> Result<(), BatchError>;

    fn step_random(&mut self, out: &mut Outputs<'_>) -> Result<(), BatchError>;

    fn sample_actions(&self, actions: &mut [i64]);

    fn observe(&self, out: &mut Outputs<'_>);

    /// Begins the next game at that place, or the first one of these.
    fn reset(&mut self, game: usize, first: Option<Numbered>);

    /// Begins a game of the same number from that position.
    fn begin(&mut self, game: usize, position: &Position);
}

/// Which game it is, and which come after it.
#[derive(Clone, Copy)]
pub(super) struct Numbered {
    pub(super) seed: u64,
    pub(super) number: u64,
    /// By how much the number of the next one is greater.
    pub(super) every: u64,
}

impl Numbered {
    fn next(self) -> Self {
        Self { number: self.number.wrapping_add(self.every), ..self }
    }
}

/// The games on a board of that shape.
pub(super) struct GamesOn<S: Shape, const RING: usize, const SIDES: usize> {
    shape: S,
    start: Position,
    options: Options,
    mandarin_value: i32,
    mandarin_ban: u32,
    positions: Positions<RING, SIDES>,
    slots: Box<[Slot<SIDES>]>,
    past: Past<S>,
    numbers: Box<[Numbered]>,
}

/// What every step of a game asks for, beside its position.
#[derive(Clone)]
struct Slot<const SIDES: usize> {
    epoch: Epoch,
    stream: GameStream,
    points: [i32; SIDES],
    plies: u32,
    /// The legal moves, none when the game is over.
    mask: u16,
    turn: Side,
    ending: Option<Ending>,
}

impl<const SIDES: usize> Slot<SIDES> {
    /// The action that random play chooses; 0 if the game is over.
    #[inline]
    fn random(&self) -> u8 {
        let mut moves = Moves::new(self.turn, self.mask);
        let place = self.stream.below(self.plies, moves.len() as u32);
        moves.nth(place as usize).map_or(0, Move::action)
    }

    /// The lead of that side, times the number of others: how much its points are more than those of each of them, summed.
    #[inline]
    fn lead<S: Shape>(&self, shape: S, side: Side) -> i64 {
        let own = i64::from(self.points[side.index() % SIDES]);
        if shape.sides() == 2 {
            return own - i64::from(self.points[(side.index() ^ 1) % SIDES]);
        }
        own * shape.sides() as i64 - self.points.iter().map(|&points| i64::from(points)).sum::<i64>()
    }
}

/// A change of the lead as a reward, rounded once.
#[inline]
fn reward<S: Shape>(shape: S, change: i64) -> f32 {
    if shape.sides() == 2 { change as f32 } else { (change as f64 / (shape.sides() - 1) as f64) as f32 }
}

/// Hears of a turn what changes the points, and whether it changes what no later turn undoes.
///
/// Points in play are what the stores are worth with debts repaid: a loan does not change them.
struct Heard<'a, const SIDES: usize> {
    points: &'a mut [i32; SIDES],
    mover: usize,
    mandarin_value: i32,
    new_epoch: bool,
}

impl<const SIDES: usize> Sink for Heard<'_, SIDES> {
    #[inline]
    fn capture(&mut self, _: Square, pebbles: u8, mandarin: bool) {
        self.points[self.mover] += i32::from(pebbles) + i32::from(mandarin) * self.mandarin_value;
        self.new_epoch |= mandarin;
    }

    #[inline]
    fn borrow(&mut self, _: Side, _: Side, _: u32) {
        self.new_epoch = true;
    }

    #[inline]
    fn reseed(&mut self, side: Side, pebbles: u8) {
        self.points[side.index() % SIDES] -= i32::from(pebbles);
    }
}

/// The points of the sides that there is room for.
fn all<const SIDES: usize>(points: &Points) -> [i32; SIDES] {
    std::array::from_fn(|side| points.as_slice().get(side).copied().unwrap_or_default())
}

/// The row of a game.
#[inline]
fn row<'a, T>(rows: &'a mut Option<&mut [T]>, game: usize, size: usize) -> Option<&'a mut [T]> {
    rows.as_deref_mut()?.get_mut(game * size..game * size + size)
}

impl<S: Shape, const RING: usize, const SIDES: usize> GamesOn<S, RING, SIDES> {
    /// Games at those positions, all of which are the start.
    pub(super) fn new(shape: S, positions: Positions<RING, SIDES>, start: Position, options: Options) -> Self {
        let games = positions.len();
        let slot = Slot {
            epoch: Epoch::default(),
            stream: GameStream::new(options.seed, 0),
            points: [0; SIDES],
            plies: 0,
            mask: 0,
            turn: Side::A,
            ending: None,
        };
        let mut all = Self {
            shape,
            start,
            options,
            mandarin_value: start.rules().mandarin_value.into(),
            mandarin_ban: start.rules().mandarin_ban.into(),
            positions,
            slots: vec![slot; games].into_boxed_slice(),
            // Nothing is kept of what nobody asks for.
            past: Past::new(shape, if options.limits.repetition.is_some() { games } else { 0 }, S::stand(&start)),
            numbers: (0..games as u64)
                .map(|number| Numbered { seed: options.seed, number, every: games as u64 })
                .collect(),
        };
        for game in 0..games {
            all.begin(game, &start);
        }
        all
    }

    /// Moves the games that `asked` names on by the action that `choose` says.
    #[inline]
    fn play(
        &mut self,
        asked: impl Fn(usize) -> bool,
        choose: impl Fn(usize, &Slot<SIDES>) -> u8,
        out: &mut Outputs<'_>,
    ) {
        self.past.next_step();
        write_no_endings(out);
        for game in 0..self.slots.len() {
            if !asked(game) {
                self.slots[game].epoch.stay();
                self.write_as_it_stands(game, out);
                continue;
            }
            let slot = &mut self.slots[game];
            if slot.ending.is_some() {
                self.begin_next(game, out);
                continue;
            }
            let (mover, before) = (slot.turn, slot.lead(self.shape, slot.turn));
            let action = choose(game, slot);
            let (mandarin_value, points) = (self.mandarin_value, &mut slot.points);
            let mut heard = Heard { points, mover: mover.index() % SIDES, mandarin_value, new_epoch: false };
            let position = self.positions.play(game, action, &mut heard);
            // A move under the ban begins an epoch too: what stood before stood at another ply, and the ply counted.
            let new_epoch = heard.new_epoch || position.ply() <= self.mandarin_ban;
            slot.plies += 1;
            slot.turn = position.turn();
            if new_epoch {
                self.past.new_epoch(game, &mut slot.epoch);
            }
            let Limits { max_plies, repetition } = self.options.limits;
            let ending = position.ending().or_else(|| {
                let (stand, epoch) = (S::stand(position), &mut slot.epoch);
                if repetition.is_some_and(|limit| self.past.push(game, epoch, stand, limit)) {
                    Some(Ending::Repetition)
                } else {
                    max_plies.is_some_and(|limit| slot.plies >= limit).then_some(Ending::MaxPlies)
                }
            });
            let Some(ending) = ending else {
                slot.mask = position.legal_mask();
                let reward = match self.options.reward {
                    Reward::Points => reward(self.shape, slot.lead(self.shape, mover) - before),
                    Reward::Result => 0.0,
                };
                write_result(&slot.points[..self.shape.sides()], game, reward, out);
                write_state(self.shape, slot.mask, position, game, out);
                continue;
            };
            let position = *position;
            self.end(game, &position, ending, (mover, before), out);
        }
    }

    /// Counts a game that is over; under `SameStep` begins the next one.
    #[cold]
    #[inline(never)]
    fn end(
        &mut self,
        game: usize,
        position: &Position,
        ending: Ending,
        (mover, before): (Side, i64),
        out: &mut Outputs<'_>,
    ) {
        let slot = &mut self.slots[game];
        let outcome = position.outcome_by(ending);
        slot.points = all(&outcome.points);
        (slot.mask, slot.ending) = (0, Some(ending));
        let reward = match (self.options.reward, outcome.winner) {
            (Reward::Points, _) => reward(self.shape, slot.lead(self.shape, mover) - before),
            (Reward::Result, None) => 0.0,
            (Reward::Result, Some(winner)) => {
                if winner == mover {
                    1.0
                } else {
                    -1.0
                }
            }
        };
        write_result(&slot.points[..self.shape.sides()], game, reward, out);
        write_ending(ending, game, out);
        if self.options.autoreset == Autoreset::SameStep {
            if let Some(row) = row(&mut out.final_observations, game, self.shape.observation()) {
                observe(self.shape, position, position.turn(), row);
            }
            self.reset(game, None);
            write_state(self.shape, self.slots[game].mask, &self.start, game, out);
        } else {
            write_state(self.shape, 0, position, game, out);
        }
    }

    /// Begins the next game instead of a move.
    #[cold]
    #[inline(never)]
    fn begin_next(&mut self, game: usize, out: &mut Outputs<'_>) {
        self.reset(game, None);
        let slot = &self.slots[game];
        write_result(&slot.points[..self.shape.sides()], game, 0.0, out);
        write_state(self.shape, slot.mask, &self.start, game, out);
    }

    /// Writes how a game stands, after [`write_no_endings`]; the reward is 0.
    fn write_as_it_stands(&self, game: usize, out: &mut Outputs<'_>) {
        let slot = &self.slots[game];
        if let Some(position) = self.positions.get(game) {
            write_result(&slot.points[..self.shape.sides()], game, 0.0, out);
            if let Some(ending) = slot.ending {
                write_ending(ending, game, out);
            }
            write_state(self.shape, slot.mask, &position, game, out);
        }
    }

    /// What is wrong with the first game that its action cannot move.
    #[cold]
    fn first_illegal(&self, actions: &[i64], asked: impl Fn(usize) -> bool) -> Option<BatchError> {
        self.slots.iter().zip(actions).enumerate().filter(|&(game, _)| asked(game)).find_map(
            |(game, (slot, &action))| {
                if let Some(ending) = slot.ending {
                    return (!self.passes_over()).then_some(BatchError::Finished { game, ending });
                }
                let position = self.positions.get(game)?;
                let error = position.action(action).and_then(|mv| position.play(mv)).err()?;
                Some(BatchError::Illegal { game, error })
            },
        )
    }

    /// Plays the actions of the games that `asked` names.
    #[inline]
    fn step_where(
        &mut self,
        actions: &[i64],
        asked: impl Fn(usize) -> bool,
        out: &mut Outputs<'_>,
    ) -> Result<(), BatchError> {
        let passes_over = self.passes_over();
        let can = |(game, (slot, &action)): (usize, (&Slot<SIDES>, &i64))| {
            let legal = (0..16).contains(&action) && slot.mask >> (action & 15) & 1 != 0;
            legal || passes_over && slot.ending.is_some() || !asked(game)
        };
        if !self.slots.iter().zip(actions).enumerate().all(can) {
            self.first_illegal(actions, &asked).map_or(Ok(()), Err)?;
        }
        self.play(asked, |game, _| actions[game] as u8, out);
        Ok(())
    }

    /// Whether a step passes over games that are over.
    fn passes_over(&self) -> bool {
        self.options.autoreset == Autoreset::NextStep
    }
}

impl<S: Shape, const RING: usize, const SIDES: usize> Games for GamesOn<S, RING, SIDES> {
    fn position(&self, game: usize) -> Option<Position> {
        self.positions.get(game)
    }

    fn ending(&self, game: usize) -> Option<Ending> {
        self.slots.get(game)?.ending
    }

    fn game(&self, game: usize) -> Option<(u64, u32)> {
        Some((self.numbers.get(game)?.number, self.slots.get(game)?.plies))
    }

    fn stream(&self, game: usize) -> Option<GameStream> {
        Some(self.slots.get(game)?.stream)
    }

    fn step(&mut self, actions: &[i64], mask: Option<&[u8]>, out: &mut Outputs<'_>) -> Result<(), BatchError> {
        match mask {
            None => self.step_where(actions, |_| true, out),
            Some(mask) => self.step_where(actions, |game| mask[game] != 0, out),
        }
    }

    fn step_random(&mut self, out: &mut Outputs<'_>) -> Result<(), BatchError> {
        if self.options.autoreset == Autoreset::Disabled {
            let over =
                |(game, slot): (usize, &Slot<SIDES>)| slot.ending.map(|ending| BatchError::Finished { game, ending });
            self.slots.iter().enumerate().find_map(over).map_or(Ok(()), Err)?;
        }
        self.play(|_| true, |_, slot| slot.random(), out);
        Ok(())
    }

    fn sample_actions(&self, actions: &mut [i64]) {
        for (slot, action) in self.slots.iter().zip(actions) {
            *action = if slot.ending.is_none() { slot.random().into() } else { -1 };
        }
    }

    fn observe(&self, out: &mut Outputs<'_>) {
        write_no_endings(out);
        for game in 0..self.slots.len() {
            self.write_as_it_stands(game, out);
        }
    }

    fn reset(&mut self, game: usize, first: Option<Numbered>) {
        let numbered = &mut self.numbers[game];
        *numbered = first.unwrap_or_else(|| numbered.next());
        let start = self.start;
        self.begin(game, &start);
    }

    fn begin(&mut self, game: usize, position: &Position) {
        self.positions.set(game, position);
        let slot = &mut self.slots[game];
        let Numbered { seed, number, .. } = self.numbers[game];
        slot.stream = GameStream::new(seed, number);
        slot.points = all(&position.points());
        (slot.plies, slot.mask) = (0, position.legal_mask());
        (slot.turn, slot.ending) = (position.turn(), None);
        self.past.new_epoch(game, &mut slot.epoch);
        if let Some(limit) = self.options.limits.repetition {
            self.past.push(game, &mut slot.epoch, S::stand(position), limit);
        }
    }
}

/// Writes what the last step did, but not how it ended.
#[inline]
fn write_result(points: &[i32], game: usize, reward: f32, out: &mut Outputs<'_>) {
    if let Some([cell]) = row(&mut out.rewards, game, 1) {
        *cell = reward;
    }
    if let Some(row) = row(&mut out.points, game, points.len()) {
        row.copy_from_slice(points);
    }
}

/// Writes that nothing ended, for all games together: few do.
fn write_no_endings(out: &mut Outputs<'_>) {
    for rows in [&mut out.terminated, &mut out.truncated].into_iter().flatten() {
        rows.fill(0);
    }
}

/// Writes that a game ended.
fn write_ending(ending: Ending, game: usize, out: &mut Outputs<'_>) {
    let rows = match ending {
        Ending::Repetition | Ending::MaxPlies => &mut out.truncated,
        Ending::Mandarins | Ending::Short | Ending::Loses => &mut out.terminated,
    };
    if let Some([cell]) = row(rows, game, 1) {
        *cell = 1;
    }
}

/// Writes what the next step begins with.
#[inline]
fn write_state<S: Shape>(shape: S, mask: u16, position: &Position, game: usize, out: &mut Outputs<'_>) {
    if let Some(row) = row(&mut out.observations, game, shape.observation()) {
        observe(shape, position, position.turn(), row);
    }
    if let Some(row) = row(&mut out.legal_masks, game, shape.actions()) {
        spread(mask, row);
    }
    if let Some([cell]) = row(&mut out.turns, game, 1) {
        *cell = position.turn() as u8;
    }
}
