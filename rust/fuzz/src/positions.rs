//! A position and moves from it: every way to play a move agrees, nothing is won or lost, and what is left is again a
//! position.

use oanquan_core::{Game, Move, Position, Rules, Setup, Side};

use crate::oracles::{after, counted, has_mirror, mirrored, mirrored_move, replay, rotated, worth};
use crate::structured::{self, Bytes};

/// The most plies that are played from one input.
const PLIES: usize = 24;

/// Reads a position, as `#`, rules, a line break and its text, or else as numbers; then looks at every legal move of it
/// and of the positions that moves lead to. Which moves is said by the bytes that are left, or else each first one.
pub fn positions(data: &[u8]) {
    let mut bytes = Bytes(data);
    let start = match data.strip_prefix(b"#") {
        Some(text) => {
            bytes = Bytes(&[]);
            from_text(text)
        }
        None => structured::position(&mut bytes),
    };
    let Some(start) = start else { return };
    any_move_at_all(&start);
    let mut game = Game::with_limits(start, None, None);
    for _ in 0..PLIES {
        let position = *game.position();
        let moves = look_at(&position);
        if moves.is_empty() {
            break;
        }
        let place = usize::from(bytes.next().unwrap_or(0)) % moves.len();
        game.push(moves[place]).expect("a legal move");
        assert_eq!(game.position(), &position.play(moves[place]).expect("a legal move"));
    }
    while game.pop().is_some() {}
    assert_eq!(game.position(), &start);
}

fn from_text(text: &[u8]) -> Option<Position> {
    let (rules, position) = std::str::from_utf8(text).ok()?.split_once('\n')?;
    Position::parse(position, Rules::parse(rules).ok()?).ok()
}

/// An unchecked move may be nonsense, but it does not panic.
fn any_move_at_all(start: &Position) {
    for side in Side::ALL {
        for mv in (0..14).filter_map(|action| Move::from_action(side, action)) {
            start.clone().play_unchecked(mv);
        }
    }
}

/// Looks at a position and at each of its legal moves, which are returned.
fn look_at(position: &Position) -> Vec<Move> {
    let moves: Vec<_> = position.legal_moves().collect();
    assert_eq!(position.is_over(), moves.is_empty(), "{position:?}");
    assert_eq!(position.is_over(), position.outcome().is_some(), "{position:?}");
    assert_eq!(moves.iter().fold(0, |mask, mv| mask | 1 << mv.action()), position.legal_mask());
    comes_back(position);
    counted(position);
    let rotated = rotated(position).position().expect("a position with other seats");
    for side in position.rules().all_sides() {
        let other = after(side, position.rules().sides.into());
        assert_eq!(rotated.counted()[other], position.counted()[side], "the count of {position:?} from other seats");
    }
    let mirrored =
        has_mirror(position.rules()).then(|| mirrored(position).position().expect("a position in the mirror"));
    for action in 0..14 {
        let Some(mv) = Move::from_action(position.turn(), action) else { continue };
        if !moves.contains(&mv) {
            refused(position, mv);
            continue;
        }
        let next = turn(position, mv);
        let squares = position.rules().squares;
        let other = Move::from_action(rotated.turn(), action).expect("the same action");
        let seats = rotated.play(other).expect("a legal move from other seats");
        assert_eq!(Setup::from(seats), self::rotated(&next), "{mv} in {position:?}, from other seats");
        if let Some(mirrored) = mirrored {
            let mirror = mirrored.play(mirrored_move(mv, squares)).expect("a legal move in the mirror");
            assert_eq!(Setup::from(mirror), self::mirrored(&next), "{mv} in {position:?}, in the mirror");
        }
    }
    moves
}

/// The text and the set-up of a position are read as that position, and have its key.
fn comes_back(position: &Position) {
    let setup = Setup::from(*position);
    assert_eq!(setup.position().as_ref(), Ok(position));
    let read = Position::parse(&position.to_string(), *position.rules());
    assert_eq!(read.as_ref(), Ok(position));
    let read = read.expect("it was read");
    assert_eq!((read.key(), read.key_sum().key()), (position.key(), position.key()));
    assert_eq!(read.ply(), position.ply());
    assert_eq!(Rules::parse(&position.rules().to_string()).as_ref(), Ok(position.rules()));
}

/// An illegal move is refused by every checked verb, in words.
fn refused(position: &Position, mv: Move) {
    let error = position.play(mv).expect_err("an illegal move");
    assert!(error.to_string().starts_with("illegal move "), "{error}");
    assert!(position.trace(mv).is_err() && !position.is_legal(mv));
}

/// Plays a legal move in every way.
fn turn(position: &Position, mv: Move) -> Position {
    let next = position.play(mv).expect("a legal move");
    let mut unchecked = *position;
    unchecked.play_unchecked(mv);
    assert_eq!(unchecked, next, "{mv} in {position:?}, unchecked");
    let (mut keyed, mut sum) = (*position, position.key_sum());
    keyed.play_keyed(mv, &mut sum);
    assert_eq!((keyed, sum.key()), (next, next.key()), "{mv} in {position:?}, with its key");

    let mut steps = Vec::new();
    let traced = position.play_traced(mv, &mut |step| steps.push(step)).expect("a legal move");
    assert_eq!(traced, next, "{mv} in {position:?}, traced");
    assert!(steps.iter().all(|step| !step.to_string().is_empty()));
    let mut setup = Setup::from(*position);
    replay(&mut setup, &steps);
    setup.turn = after(position.turn(), position.rules().sides.into());
    setup.ply += 1;
    setup.ending = next.ending();
    assert_eq!(setup, Setup::from(next), "{mv} in {position:?}, step by step");
    assert_eq!(worth(&setup), worth(&Setup::from(*position)));
    next
}
