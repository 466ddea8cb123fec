//! The bounds of an endgame table by another way: on `Position`, by name instead of by number, and for each threshold the
//! positions from which it can be forced, found backwards with a queue.

use std::collections::{HashMap, VecDeque};

use oanquan_core::{Position, Rules, Setup, Side, Square};
use oanquan_engine::Bounds;

/// Above every value of the boards that are solved here.
const MOST: i32 = 60;
const THRESHOLDS: usize = 2 * MOST as usize + 1;
/// What each store holds: enough for every re-seeding.
const STORE: i64 = 1000;

/// A board from the side to move: pebbles and mandarins of each square.
type Name = Vec<(u8, bool)>;

fn name(position: &Position) -> Name {
    let mut squares: Vec<_> = position.squares().map(|(_, pebbles, mandarin)| (pebbles, mandarin)).collect();
    if position.turn() == Side::B {
        let half = squares.len() / 2;
        squares.rotate_left(half);
    }
    squares
}

/// What a move leads to: what it gains side a, and where the game goes on; nowhere if it is over.
enum Move {
    Ended(i32),
    Next(i32, usize),
    Escaped,
}

/// Every position with a decision of side a, with at most so many pebbles on the board.
pub(crate) fn positions(rules: Rules, pebbles: u32) -> Vec<Position> {
    let mut boards = vec![Vec::new()];
    for _ in 0..rules.ring() {
        boards = boards
            .into_iter()
            .flat_map(|board: Vec<i64>| {
                let left = i64::from(pebbles) - board.iter().sum::<i64>();
                (0..=left).map(move |count| board.iter().copied().chain([count]).collect())
            })
            .collect();
    }
    let mandarin_squares: Vec<_> =
        (0..rules.ring()).filter(|&index| rules.square(index).is_some_and(Square::is_mandarin)).collect();
    let mut positions = Vec::new();
    for board in boards {
        for mandarins in 0..4 {
            let mut setup = Setup::empty(rules);
            setup.pebbles[..board.len()].copy_from_slice(&board);
            for (bit, &square) in mandarin_squares.iter().enumerate() {
                setup.mandarins[square] = mandarins >> bit & 1;
            }
            setup.store_pebbles[..2].fill(STORE);
            setup.ply = 100; // past every ban
            positions.extend(setup.position());
        }
    }
    positions
}

fn moves(position: &Position, places: &HashMap<Name, usize>) -> Vec<Move> {
    let next = |next: Position| {
        let points = next.points();
        let gain = points[Side::A] - points[Side::B];
        match places.get(&name(&next)) {
            _ if next.is_over() => Move::Ended(gain),
            Some(&place) => Move::Next(gain, place),
            None => Move::Escaped,
        }
    };
    position.legal_moves().map(|mv| next(position.play(mv).unwrap())).collect()
}

/// For each position and threshold: whether it is proved, and what is still missing for it.
struct Proofs {
    missing: Vec<usize>,
}

impl Proofs {
    /// Nothing is proved: `missing` by position.
    fn new(missing: impl Iterator<Item = usize>) -> Self {
        Self { missing: missing.flat_map(|missing| [missing; THRESHOLDS]).collect() }
    }

    fn place(position: usize, threshold: i32) -> Option<usize> {
        (-MOST..=MOST).contains(&threshold).then(|| position * THRESHOLDS + (threshold + MOST) as usize)
    }

    /// One thing less is missing; whether that was the last.
    fn advance(&mut self, position: usize, threshold: i32) -> bool {
        let Some(place) = Self::place(position, threshold) else { return false };
        let missing = &mut self.missing[place];
        if *missing == 0 {
            return false;
        }
        *missing -= 1;
        *missing == 0
    }

    fn proved(&self, position: usize) -> impl DoubleEndedIterator<Item = i32> + '_ {
        (-MOST..=MOST).filter(move |&threshold| self.missing[Self::place(position, threshold).unwrap()] == 0)
    }
}

/// For which thresholds of a position it counts that one of the next position is proved, forced or held: for that which
/// it becomes with the gain of the move. Nothing lies beyond the thresholds there are, so that the last stands for all.
fn thresholds(gain: i32, threshold: i32, is_forced: bool) -> std::ops::RangeInclusive<i32> {
    match (is_forced, threshold) {
        (false, MOST) => -MOST..=gain - MOST,
        (true, least) if least == -MOST => gain + MOST..=MOST,
        _ => gain - threshold..=gain - threshold,
    }
}

/// The bounds of every position with a decision and at most so many pebbles on the board.
pub(crate) fn solve(rules: Rules, pebbles: u32) -> Vec<(Position, Bounds)> {
    let positions = positions(rules, pebbles);
    let places: HashMap<_, _> = positions.iter().enumerate().map(|(place, position)| (name(position), place)).collect();
    let moves: Vec<_> = positions.iter().map(|position| moves(position, &places)).collect();
    // Forced: the side to move gets the threshold or more, by one move. Held: it gets that or less, whatever it moves.
    let mut forced = Proofs::new(moves.iter().map(|_| 1));
    let mut held = Proofs::new(moves.iter().map(Vec::len));
    let mut before = vec![Vec::new(); positions.len()];
    let mut queue = VecDeque::new();
    for (place, moves) in moves.iter().enumerate() {
        for mv in moves {
            match *mv {
                Move::Ended(value) => {
                    queue.extend((-MOST..=value).filter(|&t| forced.advance(place, t)).map(|t| (place, t, true)));
                    queue.extend((value..=MOST).filter(|&t| held.advance(place, t)).map(|t| (place, t, false)));
                }
                Move::Next(gain, next) => before[next].push((place, gain)),
                Move::Escaped => (),
            }
        }
    }
    while let Some((place, threshold, is_forced)) = queue.pop_front() {
        for &(position, gain) in &before[place] {
            for t in thresholds(gain, threshold, is_forced) {
                let proofs = if is_forced { &mut held } else { &mut forced };
                if proofs.advance(position, t) {
                    queue.push_back((position, t, !is_forced));
                }
            }
        }
    }
    let bounds = |place| Bounds {
        lower: forced.proved(place).next_back().unwrap_or(-Bounds::UNKNOWN),
        upper: held.proved(place).next().unwrap_or(Bounds::UNKNOWN),
    };
    positions.iter().enumerate().map(|(place, position)| (*position, bounds(place))).collect()
}
