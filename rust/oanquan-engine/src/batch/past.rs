//! Whether a position of a game has stood too often, for thousands of games that step together.
//!
//! It says exactly what `history` says of one game. Two positions of a game that are not over are equal if and only if
//! they share the pebbles on the squares and in the stores, the side to move, and the *epoch*: no mandarin was captured
//! between them, no loan made, and no ply played under `mandarin_ban`, none of which is ever undone. So:
//!
//! - with a new epoch all that stood before is forgotten: it never comes back;
//! - within an epoch turns go round, so that the side to move is the same just where the distance is a multiple of the
//!   number of sides;
//! - what is left is the [`Stand`](super::rows::Shape::Stand), which is kept whole. A filter of 128 bits tells which
//!   stands cannot have stood before, and only the others are looked for: a wrong guess costs time, never truth.
//!
//! Stands are kept by step, those of all games side by side, since the processor writes ahead where one follows the
//! other and waits where each game has a place of its own. A game that stays out of a step lags a row behind the others
//! until its next epoch. What is older than [`ROWS`] steps and still of the epoch, which few games have, goes to a place
//! of the game's own.

use super::rows::Shape;

/// How many steps are kept side by side.
const ROWS: usize = 32;

/// The stands of all games.
pub(super) struct Past<S: Shape> {
    /// A row of all games for each of the last steps, round and round.
    rows: Box<[S::Stand]>,
    /// Of each game, what is older.
    older: Box<[Vec<S::Stand>]>,
    /// The row of this step.
    row: usize,
    sides: usize,
}

/// How the stands of a game are found.
#[derive(Clone, Copy, Default)]
pub(super) struct Epoch {
    /// For each stand a bit in each word.
    filter: [u64; 4],
    /// How many stands there are; those before the last [`ROWS`] are older.
    stands: u32,
    /// How many rows behind this step's the last stand is written, round and round.
    lag: u8,
}

impl Epoch {
    /// The game stays out of this step: its stands are to go on where they are.
    #[inline]
    pub(super) fn stay(&mut self) {
        self.lag = (self.lag + 1) % ROWS as u8;
    }
}

impl<S: Shape> Past<S> {
    /// The past of so many games that begin; `stand` fills the room.
    pub(super) fn new(shape: S, games: usize, stand: S::Stand) -> Self {
        Self {
            rows: vec![stand; ROWS * games].into_boxed_slice(),
            older: (0..games).map(|_| Vec::new()).collect(),
            row: 0,
            sides: shape.sides(),
        }
    }

    /// Another step begins, in which every game adds a stand, or none that is needed later, or stays.
    pub(super) fn next_step(&mut self) {
        self.row = (self.row + 1) % ROWS;
    }

    /// Forgets what stood.
    #[inline]
    pub(super) fn new_epoch(&mut self, game: usize, epoch: &mut Epoch) {
        if epoch.stands as usize > ROWS {
            self.older[game] = Vec::new();
        }
        *epoch = Epoch::default();
    }

    /// Adds the stand of this step. Says whether it has stood `limit` times, which are more than one.
    #[inline]
    pub(super) fn push(&mut self, game: usize, epoch: &mut Epoch, stand: S::Stand, limit: u32) -> bool {
        let hash = S::hash(&stand);
        let bits = [40, 46, 52, 58].map(|place| 1 << (hash >> place & 63));
        let mut maybe = true;
        for (word, bit) in epoch.filter.iter_mut().zip(bits) {
            maybe &= *word & bit != 0;
            *word |= bit;
        }
        let cell = &mut self.rows[self.row_behind(epoch.lag.into()) * self.older.len() + game];
        if epoch.stands as usize >= ROWS {
            self.older[game].push(*cell);
        }
        *cell = stand;
        epoch.stands = epoch.stands.saturating_add(1);
        maybe && self.stood(game, *epoch) >= limit as usize
    }

    /// The row that is so many, twice [`ROWS`] at most, behind that of this step.
    #[inline]
    fn row_behind(&self, rows: usize) -> usize {
        (self.row + 2 * ROWS - rows) % ROWS
    }

    /// How often the last stand has stood.
    #[cold]
    #[inline(never)]
    fn stood(&self, game: usize, epoch: Epoch) -> usize {
        let games = self.older.len();
        let at = |back: usize| self.row_behind(usize::from(epoch.lag) + back) * games + game;
        let last = self.rows[at(0)];
        let backs = (0..ROWS.min(epoch.stands as usize)).step_by(self.sides);
        let older = self.older[game].iter().rev();
        // The first of the older ones is `ROWS` steps back.
        let skipped = (self.sides - ROWS % self.sides) % self.sides;
        backs.filter(|&back| self.rows[at(back)] == last).count()
            + older.skip(skipped).step_by(self.sides).filter(|&&stand| stand == last).count()
    }
}
