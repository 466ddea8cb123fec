//! A board of two sides for people to read: the same text as `oanquan show` prints.

use std::fmt::Write;

use oanquan_core::{Game, Position, Side, Square};

/// The widest a line of moves gets.
const WIDTH: usize = 80;

/// The board of a game of two sides, its stores and debts, whose turn it is and the legal moves; then the game, if it ended by
/// a limit of its own, the rules and the text of the position. No line is empty, as GTP needs it.
pub(crate) fn board_text(game: &Game) -> String {
    let position = game.position();
    let mut lines = drawing(position);
    lines.extend(ledger(position));
    if let Some(outcome) = game.outcome().filter(|_| !position.is_over()) {
        lines.push(format!("game    over: {} {} ({})", outcome.result(), outcome.points, outcome.ending));
    }
    lines.push(format!("rules   {}", position.rules()));
    lines.push(format!("text    {position}"));
    let trimmed: Vec<_> = lines.iter().map(|line| line.trim_end()).collect();
    trimmed.join("\n")
}

/// Side b above, right to left; side a below, left to right; `bm` and `am` at the ends.
fn drawing(position: &Position) -> Vec<String> {
    let squares = position.rules().squares;
    let row = |side, numbers: &mut dyn Iterator<Item = u8>| -> Vec<Square> {
        numbers.filter_map(|number| Square::citizen(side, number)).collect()
    };
    let (above, below) = (row(Side::B, &mut (1..=squares).rev()), row(Side::A, &mut (1..=squares)));
    let (left, right) = (Square::mandarin(Side::B), Square::mandarin(Side::A));
    let pad = " ".repeat(10);
    let rule = format!("+{}", "-----+".repeat(above.len()));
    let named = |row: &[Square]| row.iter().fold(pad.clone(), |line, square| line + &format!("  {square}  "));
    let counted =
        |row: &[Square]| row.iter().fold("|".to_string(), |line, &at| line + &format!(" {:>3} |", count(position, at)));
    // The title is an odd number of columns narrower than the rule: the odd one goes to the left.
    let titled = |side: Side| format!("{pad}{}side {side}", " ".repeat((rule.len() - 6).div_ceil(2)));
    vec![
        titled(Side::B),
        named(&above),
        format!("{pad}{rule}"),
        format!("{:>8}  {}  {right}", left.to_string(), counted(&above)),
        format!("{:>8}  {rule}  {}", count(position, left), count(position, right)),
        format!("{pad}{}", counted(&below)),
        format!("{pad}{rule}"),
        named(&below),
        titled(Side::A),
    ]
}

/// What stands in a square as position texts write it.
fn count(position: &Position, square: Square) -> String {
    let pebbles = position.rules().index(square).map_or(0, |index| position.pebbles()[index]);
    format!("{pebbles}{}", if position.mandarin(square) { "q1" } else { "" })
}

/// Stores, points and debts of each side; then the turn and the moves, or the end.
fn ledger(position: &Position) -> Vec<String> {
    let (points, mut lines) = (position.points(), Vec::new());
    for side in position.rules().all_sides() {
        let store = position.store(side);
        let mut line = format!(
            "side {side}  store {}, {}; {}",
            plural(store.pebbles.into(), "pebble"),
            plural(store.mandarins.into(), "mandarin"),
            plural(points[side].into(), "point"),
        );
        let owes = if position.is_over() { "repaid" } else { "owes" };
        for (_, creditor, pebbles) in position.debts().filter(|&(debtor, ..)| debtor == side) {
            // Writing to a text does not fail.
            let _ = write!(line, "; {owes} {creditor} {pebbles}");
        }
        lines.push(line);
    }
    match position.outcome() {
        None => {
            lines.push(format!("turn    {}, ply {}", position.turn(), position.ply()));
            lines.extend(moves(position));
        }
        Some(outcome) => {
            let result = outcome.winner.map_or("a draw".to_string(), |side| format!("side {side} wins"));
            let (ending, ply) = (outcome.ending, position.ply());
            lines.push(format!("over    {result} ({ending}), ply {ply}; points are the count, rows included"));
        }
    }
    lines
}

fn moves(position: &Position) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), "moves  ".to_string());
    for mv in position.legal_moves().map(|mv| mv.to_string()) {
        if line.len() + 1 + mv.len() > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(7)));
        }
        line = line + " " + &mv;
    }
    lines.push(line);
    lines
}

fn plural(count: i64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oanquan_core::Rules;

    #[test]
    fn boards_of_every_size() {
        for squares in 1..=7 {
            let rules = Rules::parse(&format!("squares={squares},pebbles=2")).unwrap();
            let text = board_text(&Game::new(Position::start(rules)));
            assert!(text.lines().all(|line| !line.trim().is_empty() && line.len() <= WIDTH), "{text}");
            assert!(text.contains(&format!("a{squares}")) && text.contains("0q1"));
        }
    }

    #[test]
    fn an_end_by_a_limit_is_told() {
        let game = Game::with_limits(Position::start(Rules::default()), Some(0), None);
        assert!(board_text(&game).contains("\ngame    over: draw 25/25 (max_plies)\n"), "{}", board_text(&game));
    }
}
