//! An agent that searches.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use oanquan_core::{Game, Move};

use super::{Limits, Options, search};
use crate::{Agent, Probe, Turn};

/// Plays the best move of a search that ends by depth, by nodes, or by whichever comes first. Its move is a function of
/// the turn alone: every move is searched with a table of its own. Where first moves are equally good, the draw of the
/// turn decides which of them is looked at first, and so, mostly, which is played.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::search::{Limits, agent};
/// use oanquan_engine::{Agent, GameStream, Turn};
/// let limits = Limits { depth: Some(4), ..Limits::default() };
/// let searcher = agent(limits).unwrap();
/// assert_eq!(searcher.name(), "search:depth=4");
/// let position = Position::parse("0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0", Rules::parse("wikipedia-vi")?)?;
/// let place = searcher.choose(&Turn::new(&position, GameStream::new(0, 0), 0));
/// assert_eq!(position.legal_moves().nth(place).unwrap().to_string(), "a4+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SearchAgent {
    name: String,
    limits: Limits,
    tables: Option<Arc<dyn Probe>>,
}

impl fmt::Debug for SearchAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearchAgent({:?})", self.name)
    }
}

/// The agent that searches within those limits; `None` if neither depth nor nodes are limited, or time is, by which the
/// same turn could come out otherwise.
///
/// ```
/// use oanquan_engine::Agent;
/// use oanquan_engine::search::{Limits, agent};
/// let limits = Limits { depth: Some(12), nodes: Some(10_000), ..Limits::default() };
/// assert_eq!(agent(limits).unwrap().name(), "search:depth=12:nodes=10000");
/// assert!(agent(Limits::default()).is_none());
/// ```
pub fn agent(limits: Limits) -> Option<SearchAgent> {
    let depth = limits.depth.map(|depth| format!("depth={depth}"));
    let nodes = limits.nodes.map(|nodes| format!("nodes={nodes}"));
    let texts: Vec<_> = depth.into_iter().chain(nodes).collect();
    let limited = !texts.is_empty() && limits.time.is_none();
    limited.then(|| SearchAgent { name: format!("search:{}", texts.join(":")), limits, tables: None })
}

impl SearchAgent {
    /// The agent of that name that searches so and asks these endgame tables, for games by rules that they
    /// [serve](crate::Tablebase::serves).
    ///
    /// ```
    /// use oanquan_core::duel::Duel;
    /// use oanquan_engine::search::{Limits, agent};
    /// use oanquan_engine::{Agent, Bounds, Probe};
    /// use std::sync::Arc;
    ///
    /// struct Nothing;
    ///
    /// impl Probe for Nothing {
    ///     fn probe(&self, _: &Duel) -> Bounds {
    ///         Bounds::NONE
    ///     }
    /// }
    ///
    /// let searcher = agent(Limits { depth: Some(4), ..Limits::default() }).unwrap();
    /// assert_eq!(searcher.with_tables("table:nothing", Arc::new(Nothing)).name(), "table:nothing");
    /// ```
    pub fn with_tables(self, name: impl Into<String>, tables: Arc<dyn Probe>) -> Self {
        Self { name: name.into(), tables: Some(tables), ..self }
    }
}

impl Agent for SearchAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&self, turn: &Turn<'_>) -> usize {
        self.choose_unless(turn, &AtomicBool::new(false)).unwrap_or_default()
    }

    fn choose_unless(&self, turn: &Turn<'_>, stop: &AtomicBool) -> Option<usize> {
        let place = self.choose_so_far(turn, stop);
        (!stop.load(Ordering::Relaxed)).then_some(place)
    }

    fn choose_so_far(&self, turn: &Turn<'_>, stop: &AtomicBool) -> usize {
        let mut moves: Vec<Move> = turn.moves().collect();
        let first = turn.below(turn.count()) as usize;
        moves.rotate_left(first);
        let options = Options { limits: self.limits, moves, tables: self.tables.clone(), ..Options::default() };
        // The past of the game is not the agent's to know.
        let game = Game::with_limits(*turn.position(), None, None);
        let found = search(&game, &options, stop, &mut |_| ());
        // An agent is asked only while the game goes on; where no search can count, any move will do.
        let best = found.ok().map(|analysis| analysis.best());
        turn.moves().position(|mv| best == Some(mv)).unwrap_or(first)
    }
}
