//! What must hold of a turn, worked out from the steps and the set-ups alone.

use oanquan_core::knobs::{Directions, MandarinLeftovers, ReseedFrom, Shortfall};
use oanquan_core::{Direction, Move, Position, Rules, Setup, Side, Square, Step};

/// The worth of everything in a set-up: squares, stores, and nothing for debts, which cancel out.
pub(crate) fn worth(setup: &Setup) -> i64 {
    let pebbles = setup.pebbles.iter().chain(&setup.store_pebbles).sum::<i64>();
    let mandarins = setup.mandarins.iter().chain(&setup.store_mandarins).sum::<i64>();
    pebbles + mandarins * i64::from(setup.rules.mandarin_value)
}

/// The points that the count gives together: all, but for what is left to nobody.
pub(crate) fn counted(position: &Position) {
    let setup = Setup::from(*position);
    let rules = &setup.rules;
    let left: i64 = (0..rules.ring())
        .filter(|&index| rules.square(index).is_some_and(Square::is_mandarin))
        .map(|index| setup.pebbles[index] + setup.mandarins[index] * i64::from(rules.mandarin_value))
        .sum();
    let lost = if rules.mandarin_leftovers == MandarinLeftovers::Nobody { left } else { 0 };
    let points: i64 = position.counted().as_slice().iter().map(|&points| i64::from(points)).sum();
    assert_eq!(points, worth(&setup) - lost, "the count of {position:?}");
}

/// Makes the steps of a turn on a set-up, by which nothing is won or lost, and leaves the rest of the turn alone.
pub(crate) fn replay(setup: &mut Setup, steps: &[Step]) {
    let rules = setup.rules;
    let index = |square| rules.index(square).expect("a square of the board");
    let mover = setup.turn.index();
    let before = worth(setup);
    let (mut hand, mut borrowed) = (0, false);
    for step in steps {
        match *step {
            Step::Lift { square, pebbles } => {
                setup.pebbles[index(square)] -= i64::from(pebbles);
                hand += i64::from(pebbles);
            }
            Step::Drop { square } => {
                setup.pebbles[index(square)] += 1;
                hand -= 1;
            }
            Step::Capture { square, pebbles, mandarin } => {
                let square = index(square);
                setup.pebbles[square] -= i64::from(pebbles);
                setup.store_pebbles[mover] += i64::from(pebbles);
                setup.mandarins[square] -= i64::from(mandarin);
                setup.store_mandarins[mover] += i64::from(mandarin);
                assert_eq!((setup.pebbles[square], setup.mandarins[square]), (0, 0), "a capture takes all");
            }
            Step::Borrow { borrower, lender, pebbles } => {
                let pebbles = i64::from(pebbles);
                let mut nearer = after(borrower, rules.sides.into());
                while nearer != lender {
                    assert!(owned(setup, nearer) <= 0, "{nearer} still has pebbles to lend before {lender}");
                    nearer = after(nearer, rules.sides.into());
                }
                assert!((1..=owned(setup, lender)).contains(&pebbles), "{step}");
                borrowed = true;
                setup.store_pebbles[lender.index()] -= pebbles;
                setup.store_pebbles[borrower.index()] += pebbles;
                setup.debts[borrower.index()][lender.index()] += pebbles;
            }
            Step::Reseed { side, pebbles } => {
                setup.store_pebbles[side.index()] -= i64::from(pebbles);
                let first = side.index() * (usize::from(rules.squares) + 1);
                setup.pebbles[first..first + usize::from(pebbles)].iter_mut().for_each(|square| *square += 1);
                assert!(!borrowed || owned(setup, side) <= 0, "{side} borrowed more than it lacked");
                borrowed = false;
            }
            Step::Stop { .. } | Step::Sweep { .. } | Step::Share { .. } | Step::Repay { .. } | Step::End { .. } => (),
        }
        assert!(hand >= 0 && setup.pebbles.iter().all(|pebbles| (0..=255).contains(pebbles)), "{step}");
        assert_eq!(worth(setup) + hand, before, "{step}");
    }
    assert_eq!(hand, 0);
}

/// What a side can pay or lend.
fn owned(setup: &Setup, side: Side) -> i64 {
    let mandarins = match setup.rules.reseed_from {
        ReseedFrom::Pebbles => 0,
        ReseedFrom::Points => setup.store_mandarins[side.index()] * i64::from(setup.rules.mandarin_value),
    };
    setup.store_pebbles[side.index()] + mandarins
}

/// The same with every seat moved on by one: the rules know no first side.
pub(crate) fn rotated(position: &Position) -> Setup {
    let mut setup = Setup::from(*position);
    let (sides, ring) = (usize::from(setup.rules.sides), setup.rules.ring());
    let row = ring / sides;
    setup.pebbles[..ring].rotate_right(row);
    setup.mandarins[..ring].rotate_right(row);
    setup.store_pebbles[..sides].rotate_right(1);
    setup.store_mandarins[..sides].rotate_right(1);
    setup.debts[..sides].rotate_right(1);
    setup.debts[..sides].iter_mut().for_each(|owed| owed[..sides].rotate_right(1));
    setup.turn = after(setup.turn, sides);
    setup
}

/// The side after one, round the ring.
pub(crate) fn after(side: Side, sides: usize) -> Side {
    Side::ALL[(side.index() + 1) % sides]
}

/// Whether left and right are the same under these rules: two sides, either direction, and no rule that counts squares
/// from one end.
pub(crate) fn has_mirror(rules: &Rules) -> bool {
    rules.sides == 2 && rules.directions == Directions::Both && rules.shortfall != Shortfall::Partial
}

/// The same seen in a mirror: rows run the other way, and the mandarin squares change places.
pub(crate) fn mirrored(position: &Position) -> Setup {
    let mut setup = Setup::from(*position);
    let squares = usize::from(setup.rules.squares);
    for counts in [&mut setup.pebbles, &mut setup.mandarins] {
        counts[..squares].reverse();
        counts[squares + 1..][..squares].reverse();
        counts.swap(squares, 2 * squares + 1);
    }
    setup
}

/// The move in the mirror.
pub(crate) fn mirrored_move(mv: Move, squares: u8) -> Move {
    let direction = match mv.direction() {
        Direction::Counterclockwise => Direction::Clockwise,
        Direction::Clockwise => Direction::Counterclockwise,
    };
    Move::new(mv.side(), squares + 1 - mv.number(), direction).expect("a square of the row")
}
