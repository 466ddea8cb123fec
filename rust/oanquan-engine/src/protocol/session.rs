//! The game, and who thinks about it.

use std::sync::Arc;

use oanquan_core::{Game, Move, Position};

use super::clock::Allowance;
use super::options::Settings;
use super::thinking::Thinking;
use crate::search::{Limits, Options, Table};
use crate::{GameStream, Probe};

/// What both protocols speak about.
pub(crate) struct Session {
    pub(crate) settings: Settings,
    pub(crate) game: Game,
    /// What searches found out; made when it is needed.
    pub(crate) table: Option<Table>,
    /// How many games were begun, which is the number of the stream that agents draw from.
    games: u64,
}

impl Session {
    pub(crate) fn new(settings: Settings) -> Self {
        let game = settings.game(Position::start(settings.rules));
        Self { settings, game, table: None, games: 0 }
    }

    /// Forgets the game and what was found out.
    pub(crate) fn new_game(&mut self) {
        self.restart();
        self.games = self.games.wrapping_add(1);
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// Back to the start.
    pub(crate) fn restart(&mut self) {
        self.game = self.settings.game(Position::start(self.settings.rules));
    }

    /// Sets an option. The rules and the limits of the game begin it anew.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut settings = self.settings.clone();
        settings.set(name, value).map_err(|error| error.to_string())?;
        if settings.hash != self.settings.hash {
            // Never two at once. If there is no room, the next search makes the one from before again.
            self.table = None;
            self.table = Some(Table::new(settings.hash).map_err(|error| format!("Hash: {error}"))?);
        }
        if settings.rules != self.settings.rules {
            // What it holds is of no use any more. A new one is made where a stop is heard; this one would be emptied first.
            self.table = None;
        }
        let restart = settings.of_the_game() != self.settings.of_the_game();
        self.settings = settings;
        if restart {
            self.restart();
        }
        Ok(())
    }

    /// Sets up a position, the start if there is no text, and plays the moves.
    pub(crate) fn set_up<'a>(
        &mut self,
        position: Option<&str>,
        moves: impl Iterator<Item = &'a str>,
    ) -> Result<(), String> {
        let start = match position {
            None => Position::start(self.settings.rules),
            Some(text) => Position::parse(text, self.settings.rules).map_err(|error| error.to_string())?,
        };
        let mut game = self.settings.game(start);
        for text in moves {
            let mv = Move::parse(text, Some(game.position().turn())).map_err(|error| error.to_string())?;
            game.push(mv).map_err(|error| error.to_string())?;
        }
        self.game = game;
        Ok(())
    }

    /// Does what takes a moment and can be done before the first move is asked for.
    pub(crate) fn prepare(&mut self) {
        if self.table.is_none() && self.settings.agent.is_none() {
            // Where there is no room the search will say so.
            self.table = Table::new(self.settings.hash).ok();
        }
    }

    /// How long a move takes for which no limit is given: agents end by themselves.
    pub(crate) fn usual(&self) -> Option<Allowance> {
        self.settings.agent.is_none().then(|| Allowance::fixed(self.settings.move_time))
    }

    /// What is to be thought about now.
    pub(crate) fn thinking(&self, depth: Option<u32>, nodes: Option<u64>, allowance: Option<Allowance>) -> Thinking {
        let Settings { agent, lines, threads, hash, tables, seed, .. } = &self.settings;
        let tables = tables.as_ref().filter(|tables| tables.serves(&self.settings.rules));
        let options = Options {
            limits: Limits { depth, nodes, time: None },
            lines: *lines,
            threads: *threads,
            table_bytes: *hash,
            tables: tables.map(|tables| tables.clone() as Arc<dyn Probe>),
            moves: Vec::new(),
        };
        Thinking {
            game: self.game.clone(),
            agent: agent.clone(),
            stream: GameStream::new(*seed, self.games),
            options,
            allowance,
        }
    }
}
