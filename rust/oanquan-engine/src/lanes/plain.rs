//! The same games by the plain loop that one writes first: pebble by pebble, on an array of squares.
//!
//! `oanquan bench` measures the lanes against it. It plays the default rules, `mancala-world`, and no other; its games
//! are the same games, to the last point.

use crate::GameStream;

/// What became of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainGame {
    /// The moves made.
    pub plies: u32,
    /// The points of sides a and b.
    pub points: [i32; 2],
}

const RING: usize = 12;

/// Plays a random game of `mancala-world` under no limit but that of plies.
pub fn play(stream: GameStream, max_plies: u32) -> PlainGame {
    let mut pebbles = [5_u8, 5, 5, 5, 5, 0, 5, 5, 5, 5, 5, 0];
    let mut mandarin = [false; RING];
    (mandarin[5], mandarin[11]) = (true, true);
    let mut points = [0_i32; 2];
    let mut stores = [0_i32; 2];
    let mut debt = [0_i32; 2];
    let (mut side, mut plies) = (0, 0);
    'game: while (pebbles[5] > 0 || mandarin[5] || pebbles[11] > 0 || mandarin[11]) && plies < max_plies {
        let row = 6 * side;
        if pebbles[row..row + 5].iter().all(|&pebbles| pebbles == 0) {
            let missing = (5 - stores[side]).max(0);
            if missing > stores[1 - side] {
                break 'game;
            }
            debt[side] += missing;
            stores[1 - side] -= missing;
            stores[side] += missing - 5;
            pebbles[row..row + 5].fill(1);
        }
        let mut moves = [(0, false); 10];
        let mut count = 0;
        for square in row..row + 5 {
            if pebbles[square] > 0 {
                moves[count] = (square, false);
                moves[count + 1] = (square, true);
                count += 2;
            }
        }
        let (start, clockwise) = moves[stream.below(plies, count as u32) as usize];
        let next = |square: usize| match clockwise {
            false => {
                if square == RING - 1 {
                    0
                } else {
                    square + 1
                }
            }
            true => {
                if square == 0 {
                    RING - 1
                } else {
                    square - 1
                }
            }
        };
        let mut square = start;
        loop {
            let mut hand = pebbles[square];
            pebbles[square] = 0;
            while hand > 0 {
                square = next(square);
                pebbles[square] += 1;
                hand -= 1;
            }
            square = next(square);
            if square == 5 || square == 11 || pebbles[square] == 0 {
                break;
            }
        }
        if square != 5 && square != 11 {
            loop {
                let prey = next(square);
                if pebbles[prey] == 0 && !mandarin[prey] {
                    break;
                }
                stores[side] += i32::from(pebbles[prey]);
                points[side] += 10 * i32::from(mandarin[prey]);
                (pebbles[prey], mandarin[prey]) = (0, false);
                square = next(prey);
                if pebbles[square] > 0 || mandarin[square] {
                    break;
                }
            }
        }
        plies += 1;
        side = 1 - side;
    }
    for side in 0..2 {
        let row: i32 = pebbles[6 * side..6 * side + 5].iter().map(|&pebbles| i32::from(pebbles)).sum();
        points[side] += stores[side] + row - debt[side] + debt[1 - side];
    }
    PlainGame { plies, points }
}
