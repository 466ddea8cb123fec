//! Who chooses the moves.

mod text;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use oanquan_core::{Move, Position, Sink, Square};

use crate::{Finished, GameStream, Playout, Turn};

pub use text::{AgentError, FORMS, parse};

/// Chooses moves. What it chooses may depend on nothing but itself and the turn, so that a game can be played again.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Agent, GameStream, Limits, Playout, Turn};
///
/// struct First;
///
/// impl Agent for First {
///     fn name(&self) -> &str {
///         "first"
///     }
///
///     fn choose(&self, _: &Turn<'_>) -> usize {
///         0
///     }
/// }
///
/// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
/// assert!(playout.run(&First, GameStream::new(0, 0)).plies > 0);
/// ```
pub trait Agent: Send + Sync {
    /// The name that people call it by, and that [`parse`] makes it from where it is one of ours. Agents of the same name
    /// choose alike.
    fn name(&self) -> &str;

    /// The place of its move among the legal moves, counted from 0; a place past the end means the last one.
    fn choose(&self, turn: &Turn<'_>) -> usize;

    /// [`choose`](Self::choose), given up (`None`) soon once `stop` is set. To be replaced by agents that think for long;
    /// what they choose when the flag is not set must be what `choose` says.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Agent, GameStream, Turn, agent};
    /// use std::sync::atomic::AtomicBool;
    /// let agent = agent::parse("mcts:simulations=100000000").unwrap();
    /// let start = Position::start(Rules::default());
    /// let turn = Turn::new(&start, GameStream::new(0, 0), 0);
    /// assert_eq!(agent.choose_unless(&turn, &AtomicBool::new(true)), None);
    /// ```
    fn choose_unless(&self, turn: &Turn<'_>, stop: &AtomicBool) -> Option<usize> {
        let _ = stop;
        Some(self.choose(turn))
    }

    /// [`choose`](Self::choose), and soon once `stop` is set: then with the best that was found so far. For whoever must move by
    /// a clock. To be replaced, with [`choose_unless`](Self::choose_unless), by agents that have something to show for the
    /// time so far.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Agent, GameStream, Turn, agent};
    /// use std::sync::atomic::AtomicBool;
    /// let agent = agent::parse("search:depth=100").unwrap();
    /// let start = Position::start(Rules::default());
    /// let turn = Turn::new(&start, GameStream::new(0, 0), 0);
    /// assert!(agent.choose_so_far(&turn, &AtomicBool::new(true)) < 10);
    /// ```
    fn choose_so_far(&self, turn: &Turn<'_>, stop: &AtomicBool) -> usize {
        self.choose_unless(turn, stop).unwrap_or_default()
    }

    /// Plays a game against itself: [`Playout::run_unless`]. There is no reason to replace it. It is here because it is
    /// compiled for each agent, so that calling it through `dyn Agent` costs one indirect call a game and none a move.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::{Agent, GameStream, Limits, Playout, agent};
    /// use std::sync::atomic::AtomicBool;
    /// let mut playout = Playout::new(Position::start(Rules::default()), Limits::default());
    /// let greedy = agent::by_name("greedy").unwrap();
    /// let finished = greedy.play(&mut playout, GameStream::new(0, 0), &AtomicBool::new(false));
    /// assert_eq!(finished, Some(playout.run(&*greedy, GameStream::new(0, 0))));
    /// ```
    fn play(&self, playout: &mut Playout, stream: GameStream, stop: &AtomicBool) -> Option<Finished> {
        playout.run_unless(stop, self, stream)
    }
}

/// The names of the agents that take no options.
pub const NAMES: [&str; 3] = ["random", "greedy", "cautious"];

/// The agent of that text, if it is one: [`parse`], for those who need no reason.
///
/// ```
/// use oanquan_engine::agent;
/// for name in agent::NAMES {
///     assert_eq!(agent::by_name(name).unwrap().name(), name);
/// }
/// assert!(agent::by_name("lucky").is_none());
/// ```
pub fn by_name(name: &str) -> Option<Arc<dyn Agent>> {
    parse(name).ok()
}

/// Chooses among the legal moves uniformly; [`GameStream::below`] says how closely.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Agent, GameStream, Random, Turn};
/// let start = Position::start(Rules::default());
/// assert_eq!(Random.choose(&Turn::new(&start, GameStream::new(7, 1), 0)), 9);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Random;

impl Agent for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    #[inline]
    fn choose(&self, turn: &Turn<'_>) -> usize {
        turn.below(turn.count()) as usize
    }
}

/// Takes the move that captures most points at once; among equals it draws.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Agent, GameStream, Greedy, Turn};
/// let position = Position::parse("0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0", Rules::parse("wikipedia-vi")?)?;
/// let place = Greedy.choose(&Turn::new(&position, GameStream::new(0, 0), 0));
/// assert_eq!(position.legal_moves().nth(place).unwrap().to_string(), "a4+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Greedy;

impl Agent for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn choose(&self, turn: &Turn<'_>) -> usize {
        best(turn, |mv, _| Some(gain(&mut turn.position().clone(), mv)))
    }
}

/// Takes the move after which it is furthest ahead when the next side has captured what it can: the points captured at
/// once minus the most that the next side can capture by one move in reply. Among equals it draws.
///
/// A move that ends the game leaves no reply, so that it is worth what it captures; the count of the rows does not
/// matter to it, as it does not to [`Greedy`]. Where three or four sides play, only the next one's reply is looked at.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::{Agent, Cautious, GameStream, Greedy, Turn};
/// let position = Position::parse("0.0.0.5.0.4/1.0.2.0.0.0 2/36q2 - a 8", Rules::parse("wikipedia-vi")?)?;
/// let turn = Turn::new(&position, GameStream::new(0, 0), 0);
/// let chosen = |agent: &dyn Agent| position.legal_moves().nth(agent.choose(&turn)).unwrap().to_string();
/// assert_eq!((chosen(&Greedy), chosen(&Cautious)), ("a4-".into(), "a4+".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cautious;

impl Agent for Cautious {
    fn name(&self) -> &'static str {
        "cautious"
    }

    fn choose(&self, turn: &Turn<'_>) -> usize {
        best(turn, |mv, least| {
            let mut next = *turn.position();
            let mut worth = gain(&mut next, mv);
            let own = worth;
            // A position that is over has no legal move.
            for reply in next.legal_moves() {
                if worth < least {
                    return None;
                }
                worth = worth.min(own - gain(&mut next.clone(), reply));
            }
            Some(worth)
        })
    }
}

/// The place of the move that is worth most, drawn among equals. `worth` is told the most that another move is worth,
/// and may say `None` of a move that is worth less.
#[inline]
fn best(turn: &Turn<'_>, mut worth: impl FnMut(Move, i32) -> Option<i32>) -> usize {
    let mut most = i32::MIN;
    let mut ties = 0_u64;
    for (place, mv) in turn.moves().enumerate() {
        let Some(worth) = worth(mv, most) else { continue };
        if worth > most {
            (most, ties) = (worth, 0);
        }
        ties |= u64::from(worth == most) << place;
    }
    nth_one(ties, turn.below(ties.count_ones()))
}

/// Plays the move, and says how many points it captures.
#[inline]
fn gain(position: &mut Position, mv: Move) -> i32 {
    let mut gain = Gain { points: 0, mandarin_value: position.rules().mandarin_value.into() };
    position.play_with(mv, &mut gain);
    gain.points
}

/// The points captured in a turn.
struct Gain {
    points: i32,
    mandarin_value: i32,
}

impl Sink for Gain {
    #[inline]
    fn capture(&mut self, _: Square, pebbles: u8, mandarin: bool) {
        self.points += i32::from(pebbles) + i32::from(mandarin) * self.mandarin_value;
    }
}

/// The place of the one with `n` ones below it.
fn nth_one(mut bits: u64, n: u32) -> usize {
    for _ in 0..n {
        bits &= bits.wrapping_sub(1);
    }
    bits.trailing_zeros() as usize
}

/// Agents at their seats: side k is played by the k-th, round and round if there are more sides.
pub(crate) struct Seats<'a>(pub(crate) &'a [Arc<dyn Agent>]);

impl Agent for Seats<'_> {
    fn name(&self) -> &'static str {
        "seats"
    }

    fn choose(&self, turn: &Turn<'_>) -> usize {
        match self.0.len() {
            0 => Random.choose(turn),
            seats => self.0[turn.position().turn().index() % seats].choose(turn),
        }
    }

    fn choose_unless(&self, turn: &Turn<'_>, stop: &AtomicBool) -> Option<usize> {
        match self.0.len() {
            0 => Random.choose_unless(turn, stop),
            seats => self.0[turn.position().turn().index() % seats].choose_unless(turn, stop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oanquan_core::{Rules, Step};

    /// What a move captures, by its trace.
    fn traced(position: &Position, mv: Move) -> i32 {
        let value = i32::from(position.rules().mandarin_value);
        let captured = |step| match step {
            Step::Capture { pebbles, mandarin, .. } => i32::from(pebbles) + i32::from(mandarin) * value,
            _ => 0,
        };
        position.trace(mv).unwrap().into_iter().map(captured).sum()
    }

    /// What a move captures minus the best that can be captured in reply.
    fn ahead(position: &Position, mv: Move) -> i32 {
        let next = position.play(mv).unwrap();
        traced(position, mv) - next.legal_moves().map(|reply| traced(&next, reply)).max().unwrap_or(0)
    }

    /// The agent chooses all the moves that are worth most, and no other, in positions of a game.
    fn takes_the_best(rules: &str, agent: &dyn Agent, worth: fn(&Position, Move) -> i32) {
        let mut position = Position::start(Rules::parse(rules).unwrap());
        for game in 0..40 {
            let moves: Vec<_> = position.legal_moves().collect();
            let Some(best) = moves.iter().map(|&mv| worth(&position, mv)).max() else { break };
            let expected: Vec<_> = (0..moves.len()).filter(|&place| worth(&position, moves[place]) == best).collect();
            let mut chosen: Vec<_> =
                (0..300).map(|ply| agent.choose(&Turn::new(&position, GameStream::new(1, game), ply))).collect();
            chosen.sort_unstable();
            chosen.dedup();
            assert_eq!(chosen, expected, "{rules}: {position}");
            position = position.play(moves[game as usize % moves.len()]).unwrap();
        }
    }

    #[test]
    fn greedy_and_cautious_take_the_best_and_draw_among_equals() {
        for rules in ["mancala-world", "wikipedia-vi", "mandarin_ban=2", "four-players", "end_check=at_once"] {
            takes_the_best(rules, &Greedy, traced);
            takes_the_best(rules, &Cautious, ahead);
        }
    }
}
