//! Agents that move in the games of a batch.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::options::size;
use super::{Batch, BatchError};
use crate::{Agent, Turn};

/// How many games a thread takes at a time.
const RANGE: usize = 16;

impl Batch {
    /// Writes the action that the agent chooses in every game, or where `mask` is not 0; -1 where it is not asked and in a
    /// game that is over. Returns whether all were chosen: once `stop` is set they are not.
    ///
    /// It chooses as in a game of that number: an agent at every seat makes of a number the game that
    /// [`simulate`](crate::simulate()) makes of it. The games are shared out among so many threads, 0 for as many as the
    /// machine runs at once.
    ///
    /// # Errors
    /// [`BatchError::Size`] for a slice that is not of the size of the batch.
    ///
    /// # Panics
    /// If the agent panics.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Batch, Greedy, batch::Options};
    /// use std::sync::atomic::AtomicBool;
    /// let batch = Batch::new(Position::start(Rules::default()), 3, Options::default())?;
    /// let mut actions = [0; 3];
    /// assert!(batch.agent_actions(&Greedy, Some(&[1, 0, 1]), 1, &AtomicBool::new(false), &mut actions)?);
    /// assert_eq!((actions[0] >= 0, actions[1]), (true, -1));
    /// # Ok::<(), oanquan_engine::batch::BatchError>(())
    /// ```
    pub fn agent_actions(
        &self,
        agent: &dyn Agent,
        mask: Option<&[u8]>,
        threads: usize,
        stop: &AtomicBool,
        actions: &mut [i64],
    ) -> Result<bool, BatchError> {
        size("actions", self.len(), actions.len())?;
        size("mask", self.len(), mask.map_or(self.len(), <[u8]>::len))?;
        actions.fill(-1);
        let asked = |game: &usize| mask.is_none_or(|mask| mask[*game] != 0) && self.ending(*game).is_none();
        let games: Vec<usize> = (0..self.len()).filter(asked).collect();
        let threads = match threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let next = AtomicUsize::new(0);
        // What a thread chose, with the games; `None` once it was stopped.
        let work = || {
            let mut chosen = Vec::new();
            loop {
                let first = next.fetch_add(RANGE, Ordering::Relaxed).min(games.len());
                let range = &games[first..(first + RANGE).min(games.len())];
                if range.is_empty() {
                    return Some(chosen);
                }
                for &game in range {
                    chosen.push((game, self.choose(agent, game, stop)?));
                }
            }
        };
        let all = thread::scope(|scope| {
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads.min(games.len().div_ceil(RANGE))).map_while(spawn).collect();
            let mut all = vec![work()];
            for other in others {
                match other.join() {
                    Ok(part) => all.push(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        });
        let finished = all.iter().all(Option::is_some);
        for (game, action) in all.into_iter().flatten().flatten() {
            actions[game] = action;
        }
        Ok(finished)
    }

    /// The action of an agent in a game in play; `None` once it is stopped.
    fn choose(&self, agent: &dyn Agent, game: usize, stop: &AtomicBool) -> Option<i64> {
        let (position, (_, plies)) = (self.position(game)?, self.game(game)?);
        let turn = Turn::new(&position, self.games.stream(game)?, plies);
        let place = agent.choose_unless(&turn, stop).filter(|_| !stop.load(Ordering::Relaxed))?;
        turn.nth_or_last(place).map(|mv| mv.action().into())
    }
}
