//! One move, by the search or an agent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use oanquan_core::{Game, Move};

use super::clock::Allowance;
use crate::search::{Analysis, Limits, Options, Table, search_with};
use crate::{Agent, GameStream, Turn};

/// What is to be found out.
pub(crate) struct Thinking {
    /// A game in play.
    pub(crate) game: Game,
    /// Who thinks; the search if nobody.
    pub(crate) agent: Option<Arc<dyn Agent>>,
    /// What the agent draws from.
    pub(crate) stream: GameStream,
    /// How to search, but for the time.
    pub(crate) options: Options,
    /// How long.
    pub(crate) allowance: Option<Allowance>,
}

/// What was found out.
pub(crate) struct Thought {
    pub(crate) best: Move,
    /// What the search found; nothing of an agent.
    pub(crate) analysis: Option<Analysis>,
    pub(crate) time: Duration,
    /// Why the search could not be made, if so.
    pub(crate) fault: Option<String>,
}

impl Thinking {
    /// Thinks until it is done or `stop` is set; `None` if the game has no move. `table` is what searches before this one
    /// found out, and is made if there is none.
    pub(crate) fn run(
        self,
        table: &mut Option<Table>,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Analysis),
    ) -> Option<Thought> {
        let begun = Instant::now();
        let first = self.game.position().legal_moves().next().filter(|_| !self.game.is_over())?;
        let (best, analysis, fault) = match &self.agent {
            Some(agent) => (self.ask(&**agent, stop), None, None),
            None => match self.search(table, begun, stop, report) {
                Ok(analysis) => (Some(analysis.best()), Some(analysis), None),
                Err(fault) => (None, None, Some(fault)),
            },
        };
        if table.as_ref().is_some_and(|table| !self.has_whole(table)) {
            *table = None;
        }
        Some(Thought { best: best.unwrap_or(first), analysis, time: begun.elapsed(), fault })
    }

    /// Whether the table is as large as it was to be: one that is stopped while it is made is smaller.
    fn has_whole(&self, table: &Table) -> bool {
        // Tables are made of buckets, of which there is one at least.
        const BUCKET: usize = 64;
        table.bytes() + BUCKET > self.options.table_bytes
    }

    fn search(
        &self,
        table: &mut Option<Table>,
        begun: Instant,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, String> {
        let bytes = self.options.table_bytes;
        if table.is_none() {
            *table = Table::new_unless(bytes, stop);
        }
        let table = table.as_mut().ok_or_else(|| format!("no room for a table of {bytes} bytes"))?;
        let time = self.allowance.map(|allowance| allowance.most.saturating_sub(begun.elapsed()));
        let limits = Limits { time, ..self.options.limits };
        let options = Options { limits, ..self.options.clone() };
        let enough = self.allowance.and_then(|allowance| allowance.enough);
        let alone = self.game.position().legal_moves().len() == 1;
        let mut tell = |analysis: &Analysis| {
            report(analysis);
            if enough.is_some_and(|enough| alone || begun.elapsed() >= enough) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        search_with(table, &self.game, &options, stop, &mut tell).map_err(|error| error.to_string())
    }

    /// The agent's move; what it has found so far when its time is over.
    fn ask(&self, agent: &dyn Agent, stop: &AtomicBool) -> Option<Move> {
        let position = self.game.position();
        let turn = Turn::new(position, self.stream, self.game.moves().len() as u32);
        let place = match self.allowance {
            None => agent.choose_so_far(&turn, stop),
            Some(Allowance { most, .. }) => thread::scope(|scope| {
                let (done, waiting) = mpsc::channel::<()>();
                let watch = move || {
                    if waiting.recv_timeout(most) == Err(mpsc::RecvTimeoutError::Timeout) {
                        stop.store(true, Ordering::Relaxed);
                    }
                };
                // Without a thread to watch the clock there is no limit.
                let watch = thread::Builder::new().spawn_scoped(scope, watch);
                let place = agent.choose_so_far(&turn, stop);
                drop((done, watch));
                place
            }),
        };
        turn.nth_or_last(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oanquan_core::{Position, Rules};

    #[test]
    fn a_table_that_was_stopped_is_made_anew() {
        let thinking = |table_bytes| Thinking {
            game: Game::new(Position::start(Rules::default())),
            agent: None,
            stream: GameStream::new(0, 0),
            options: Options { table_bytes, ..Options::default() },
            allowance: Some(Allowance::fixed(Duration::ZERO)),
        };
        // A table of more than is made between two looks at the flag.
        for (bytes, stop, kept) in [(64 << 20, true, false), (64 << 20, false, true), (1000, true, true)] {
            let mut table = None;
            let thought = thinking(bytes).run(&mut table, &AtomicBool::new(stop), &mut |_| ());
            assert!(thought.is_some_and(|thought| thought.fault.is_none() && thought.analysis.is_some()));
            assert_eq!(table.is_some(), kept, "{bytes}");
        }
    }
}
