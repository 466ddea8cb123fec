//! Who is ahead, by how much, and what to play: search for every kind of rules.
//!
//! | room | duty |
//! |---|---|
//! | [`Limits`] | when a search ends |
//! | [`Evaluation`] | what a position is worth where the search looks no further |
//! | [`Table`] | what was found out about positions |
//! | `ordering` | which move is tried first |
//! | `principal` | principal variation search of two sides |
//! | `deepening` | one depth after the other, several lines, several threads |
//! | [`many`] | max^n of three and four sides |
//! | [`plain`] | minimax and alpha-beta without anything else: the yardsticks |
//! | [`Analysis`] | what was found |
//! | [`SearchAgent`] | an agent that searches |
#![doc = include_str!("../../docs/search.md")]

mod agent;
mod analysis;
mod deepening;
mod evaluation;
mod limits;
pub mod many;
mod ordering;
pub mod plain;
mod principal;
mod table;
mod value;
#[cfg(test)]
mod windows;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use oanquan_core::duel::DuelRules;
use oanquan_core::{Game, Move, Position};

pub use agent::{SearchAgent, agent};
pub use analysis::{Analysis, Line, Method, SearchError};
pub use evaluation::{Evaluation, POINT};
pub use limits::{Limits, MOST_DEPTH};
pub use table::Table;

use crate::Probe;
use analysis::MOST_STORE;
use deepening::{RootMove, Task};
use limits::Shared;

/// How to search.
///
/// ```
/// use oanquan_engine::search::Options;
/// let options = Options { lines: 3, ..Options::default() };
/// assert_eq!((options.threads, options.table_bytes), (1, 16 << 20));
/// ```
#[derive(Clone)]
pub struct Options {
    /// When it ends.
    pub limits: Limits,
    /// How many of the best moves are wanted, 1 at least.
    pub lines: usize,
    /// How many threads search. With one, the same input and limits of depth and nodes give the same answer, bit for bit;
    /// with any number, the score of a depth that was searched to its end is the same.
    pub threads: usize,
    /// The most that the table of [`search`] may take; it is smaller where the limits leave little to keep, and with three
    /// and four sides there is none.
    pub table_bytes: usize,
    /// Endgame tables, which must [serve](crate::Tablebase::serves) the rules, that are asked about every position after the
    /// first.
    pub tables: Option<Arc<dyn Probe>>,
    /// Only these first moves are looked at; all that are legal if there are none.
    pub moves: Vec<Move>,
}

impl Default for Options {
    /// One line, one thread, a table of 16 MiB, no limit but [`MOST_DEPTH`].
    fn default() -> Self {
        Self { limits: Limits::default(), lines: 1, threads: 1, table_bytes: 16 << 20, tables: None, moves: Vec::new() }
    }
}

/// Searches the position that a game has come to, depth after depth, and reports what is found at each. It ends by its
/// limits, when `stop` is set, or when the value is settled.
///
/// The past of the game matters to the first move: one that ends the game by its limits is worth the count. Beyond that
/// move the game's limits are left out of account; see the head of this room.
///
/// # Errors
/// [`SearchError`] if the game is over, a move to look at is not legal, a store holds too much to count with, or there is
/// no room for the table.
///
/// ```
/// use oanquan_core::{Game, Position, Rules};
/// use oanquan_engine::search::{Limits, Options, search};
/// use std::sync::atomic::AtomicBool;
///
/// let game = Game::new(Position::start(Rules::parse("wikipedia-vi")?));
/// let options = Options { limits: Limits { depth: Some(6), ..Limits::default() }, ..Options::default() };
/// let mut depths = Vec::new();
/// let analysis = search(&game, &options, &AtomicBool::new(false), &mut |found| depths.push(found.depth))?;
/// assert_eq!((analysis.depth, analysis.lines[0].moves.len()), (6, 6));
/// assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(
    game: &Game,
    options: &Options,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Analysis),
) -> Result<Analysis, SearchError> {
    // max^n keeps nothing.
    let most = if game.position().rules().sides == 2 { options.table_bytes } else { 0 };
    let bytes = options.limits.table_bytes(most);
    let mut table = Table::new_unless(bytes, stop).ok_or(SearchError::Memory(bytes))?;
    search_with(&mut table, game, options, stop, report)
}

/// [`search`] with a table that the caller keeps, so that a search goes on from what the last one found out. The score of
/// a depth is the same; the nodes are not.
///
/// # Errors
/// As [`search`].
///
/// ```
/// use oanquan_core::{Game, Position, Rules};
/// use oanquan_engine::search::{Limits, Options, Table, search_with};
/// use std::sync::atomic::AtomicBool;
/// let game = Game::new(Position::start(Rules::default()));
/// let options = Options { limits: Limits { depth: Some(6), ..Limits::default() }, ..Options::default() };
/// let mut table = Table::new(1 << 20)?;
/// let mut search = || search_with(&mut table, &game, &options, &AtomicBool::new(false), &mut |_| ()).unwrap();
/// let (first, second) = (search(), search());
/// assert_eq!(first.score(), second.score());
/// assert!(second.nodes < first.nodes);
/// # Ok::<(), oanquan_engine::search::SearchError>(())
/// ```
pub fn search_with(
    table: &mut Table,
    game: &Game,
    options: &Options,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Analysis),
) -> Result<Analysis, SearchError> {
    if let Some(ending) = game.ending() {
        return Err(SearchError::Over(ending));
    }
    let position = game.position();
    let moves = first_moves(position, &options.moves)?;
    check_stores(position)?;
    let shared = Shared::new(options.limits, stop);
    let Some(rules) = DuelRules::new(*position.rules()) else {
        return Ok(many::deepen(game, &moves, options, &shared, report));
    };
    let root = rules.duel(position);
    table.begin(&rules, &root, options.tables.as_ref());
    let moves: Vec<_> = moves.iter().map(|&mv| root_move(&rules, game, mv)).collect();
    let task = Task {
        rules: &rules,
        root,
        turn: position.turn(),
        lines: options.lines.max(1),
        table,
        tables: options.tables.as_ref(),
        shared: &shared,
        last_depth: options.limits.last_depth(),
    };
    Ok(task.run(&moves, options.threads.max(1) - 1, report))
}

/// The moves to look at, which are legal.
fn first_moves(position: &Position, wanted: &[Move]) -> Result<Vec<Move>, SearchError> {
    if wanted.is_empty() {
        return Ok(position.legal_moves().collect());
    }
    let mut moves = Vec::new();
    for &mv in wanted {
        position.play(mv).map_err(SearchError::Illegal)?;
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    Ok(moves)
}

/// Stores must be so small that scores and bounds can be added up.
fn check_stores(position: &Position) -> Result<(), SearchError> {
    let sides = || position.rules().all_sides();
    let owed = position.debts().map(|(_, _, pebbles)| i64::from(pebbles));
    let stores = sides().map(|side| i64::from(position.store(side).pebbles));
    let most = owed.chain(stores).max_by_key(|points| points.abs()).unwrap_or(0);
    if most.abs() > i64::from(MOST_STORE) { Err(SearchError::Store(most)) } else { Ok(()) }
}

/// A first move, and what it is worth if it ends the game by the limits of the game.
fn root_move(rules: &DuelRules, game: &Game, mv: Move) -> RootMove {
    let mut next = rules.duel(game.position());
    rules.play(&mut next, mv.action());
    let counted = ended_by_limit(game, mv).map(|position| -rules.count(&rules.duel(&position)));
    RootMove::new(mv.action(), next, counted)
}

/// The position after the move, if the game is over there and the position by itself is not.
fn ended_by_limit(game: &Game, mv: Move) -> Option<Position> {
    let mut next = game.clone();
    next.push(mv).ok()?;
    (next.is_over() && !next.position().is_over()).then(|| *next.position())
}
