//! The plain loop that one writes first: pebble by pebble, on an array of squares.
//!
//! `oanquan bench` measures the lanes against it. It plays the default rules, `mancala-world`, and no other, and knows no
//! limit but that of plies; but for that its games are the same games, to the last point.

use crate::GameStream;

/// What became of a game.
///
/// ```
/// use oanquan_engine::GameStream;
/// use oanquan_engine::lanes::plain::{PlainGame, play};
/// assert_eq!(play(GameStream::new(0, 0), 1000), PlainGame { plies: 4, points: [24, 46] });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainGame {
    /// The moves made.
    pub plies: u32,
    /// The points of sides a and b.
    pub points: [i32; 2],
}

const RING: usize = 12;
const HALF: usize = RING / 2;

struct Board {
    pebbles: [u8; RING],
    mandarins: [bool; RING],
}

impl Board {
    fn is_empty(&self, square: usize) -> bool {
        self.pebbles[square] == 0 && !self.mandarins[square]
    }

    fn row(&self, side: usize) -> &[u8] {
        &self.pebbles[HALF * side..][..HALF - 1]
    }
}

fn is_mandarin_square(square: usize) -> bool {
    square % HALF == HALF - 1
}

fn next(square: usize, clockwise: bool) -> usize {
    match (clockwise, square) {
        (false, square) if square == RING - 1 => 0,
        (false, square) => square + 1,
        (true, 0) => RING - 1,
        (true, square) => square - 1,
    }
}

/// Plays a random game.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::lanes::plain;
/// use oanquan_engine::{GameStream, Limits, Playout, Random};
/// let stream = GameStream::new(7, 1);
/// let game = plain::play(stream, 1000);
/// let same = Playout::new(Position::start(Rules::default()), Limits::default()).run(&Random, stream);
/// assert_eq!((game.plies, &game.points[..]), (same.plies, same.outcome.points.as_slice()));
/// ```
pub fn play(stream: GameStream, max_plies: u32) -> PlainGame {
    let mut board = Board { pebbles: [5; RING], mandarins: [false; RING] };
    for square in [HALF - 1, RING - 1] {
        (board.pebbles[square], board.mandarins[square]) = (0, true);
    }
    let (mut stores, mut points, mut debts) = ([0; 2], [0; 2], [0; 2]);
    let (mut side, mut plies) = (0, 0);
    while (!board.is_empty(HALF - 1) || !board.is_empty(RING - 1)) && plies < max_plies {
        if board.row(side).iter().all(|&pebbles| pebbles == 0) {
            let missing = (5 - stores[side]).max(0);
            if missing > stores[1 - side] {
                break;
            }
            debts[side] += missing;
            stores[1 - side] -= missing;
            stores[side] += missing - 5;
            board.pebbles[HALF * side..][..HALF - 1].fill(1);
        }
        let (start, clockwise) = choose(&board, side, stream, plies);
        let end = sow(&mut board, start, clockwise);
        if !is_mandarin_square(end) {
            let (pebbles, mandarins) = capture(&mut board, end, clockwise);
            stores[side] += pebbles;
            points[side] += 10 * mandarins;
        }
        plies += 1;
        side = 1 - side;
    }
    for side in 0..2 {
        let row: i32 = board.row(side).iter().map(|&pebbles| i32::from(pebbles)).sum();
        points[side] += stores[side] + row - debts[side] + debts[1 - side];
    }
    PlainGame { plies, points }
}

/// A move: the square, and whether it goes clockwise.
fn choose(board: &Board, side: usize, stream: GameStream, ply: u32) -> (usize, bool) {
    let mut moves = [(0, false); 10];
    let mut count = 0;
    for square in HALF * side..HALF * side + HALF - 1 {
        if board.pebbles[square] > 0 {
            moves[count] = (square, false);
            moves[count + 1] = (square, true);
            count += 2;
        }
    }
    moves[stream.below(ply, count as u32) as usize]
}

/// Laps until the next square is empty or a mandarin square; returns it.
fn sow(board: &mut Board, start: usize, clockwise: bool) -> usize {
    let mut square = start;
    loop {
        let mut hand = board.pebbles[square];
        board.pebbles[square] = 0;
        while hand > 0 {
            square = next(square, clockwise);
            board.pebbles[square] += 1;
            hand -= 1;
        }
        square = next(square, clockwise);
        if is_mandarin_square(square) || board.pebbles[square] == 0 {
            return square;
        }
    }
}

/// Captures over a gap and on; returns the pebbles and the mandarins.
fn capture(board: &mut Board, gap: usize, clockwise: bool) -> (i32, i32) {
    let (mut pebbles, mut mandarins) = (0, 0);
    let mut gap = gap;
    loop {
        let prey = next(gap, clockwise);
        if board.is_empty(prey) {
            return (pebbles, mandarins);
        }
        pebbles += i32::from(board.pebbles[prey]);
        mandarins += i32::from(board.mandarins[prey]);
        (board.pebbles[prey], board.mandarins[prey]) = (0, false);
        gap = next(prey, clockwise);
        if !board.is_empty(gap) {
            return (pebbles, mandarins);
        }
    }
}
