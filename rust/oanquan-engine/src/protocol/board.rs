//! A board of two sides for people to read: the same text as `oanquan show --ascii` prints.

use oanquan_core::{Game, Position, Side, Square};

/// The widest a line gets.
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

/// Two rows back to back and a mandarin square at either end, side b above, right to left, and side a below.
fn drawing(position: &Position) -> Vec<String> {
    let squares = position.rules().squares;
    let row = |side, numbers: &mut dyn Iterator<Item = u8>| -> Vec<Square> {
        numbers.filter_map(|number| Square::citizen(side, number)).collect()
    };
    let (above, below) = (row(Side::B, &mut (1..=squares).rev()), row(Side::A, &mut (1..=squares)));
    let (left, right) = (Square::mandarin(Side::B), Square::mandarin(Side::A));
    let pad = " ".repeat(3);
    let rule = format!("+{}", "-----+".repeat(above.len() + 2));
    let between = format!("+{}", "-----+".repeat(above.len()));
    let named = |row: &[Square]| row.iter().fold(" ".repeat(9), |line, square| line + &format!("  {square}  "));
    let counted =
        |row: &[Square]| row.iter().fold("|".to_string(), |line, &at| line + &format!("{:^5}|", count(position, at)));
    let titled = |side: Side| format!("{}side {side}", " ".repeat(6 + 3 * above.len()));
    vec![
        titled(Side::B),
        named(&above),
        format!("{pad}{rule}"),
        format!("{pad}|     {}     |", counted(&above)),
        format!("{left} |{:^5}{between}{:^5}| {right}", count(position, left), count(position, right)),
        format!("{pad}|     {}     |", counted(&below)),
        format!("{pad}{rule}"),
        named(&below),
        titled(Side::A),
    ]
}

/// What stands in a square: `Q` for a mandarin and the number of pebbles, or a dot for nothing.
fn count(position: &Position, square: Square) -> String {
    let pebbles = position.rules().index(square).map_or(0, |index| position.pebbles()[index]);
    match (position.mandarin(square), pebbles) {
        (false, 0) => ".".to_string(),
        (false, _) => pebbles.to_string(),
        (true, 0) => "Q".to_string(),
        (true, _) => format!("Q {pebbles}"),
    }
}

/// Stores and points of each side; debts; then the turn and the moves, or the end.
fn ledger(position: &Position) -> Vec<String> {
    let (points, sides) = (position.points(), || position.rules().all_sides());
    let column = |head: &str, number: &dyn Fn(Side) -> i64| -> Vec<String> {
        let numbers = sides().map(|side| number(side).to_string());
        let column: Vec<_> = std::iter::once(head.to_string()).chain(numbers).collect();
        let width = column.iter().map(String::len).max().unwrap_or(0);
        column.into_iter().map(|text| format!("  {text:>width$}")).collect()
    };
    let columns = [
        column("pebbles", &|side| position.store(side).pebbles.into()),
        column("mandarins Q", &|side| position.store(side).mandarins.into()),
        column("points", &|side| points[side].into()),
    ];
    let titles = std::iter::once("store ".to_string()).chain(sides().map(|side| format!("side {side}")));
    let mut lines: Vec<_> = titles
        .enumerate()
        .map(|(line, title)| columns.iter().fold(title, |text, column| text + &column[line]))
        .collect();
    let owes = if position.is_over() { "has repaid" } else { "owes" };
    let debts: Vec<_> =
        position.debts().map(|(debtor, creditor, pebbles)| format!("{debtor} {owes} {creditor} {pebbles}")).collect();
    if !debts.is_empty() {
        lines.extend(wrapped("debts", debts.join(";").split_inclusive(';').map(str::to_string)));
    }
    match position.outcome() {
        None => {
            lines.push(format!("turn    side {}, ply {}", position.turn(), position.ply()));
            lines.extend(wrapped("moves", position.legal_moves().map(|mv| mv.to_string())));
        }
        Some(outcome) => {
            let result = outcome.winner.map_or("a draw".to_string(), |side| format!("side {side} wins"));
            let (ending, ply) = (outcome.ending, position.ply());
            let told = format!("{result} ({ending}), ply {ply}; points are the count, rows included");
            lines.extend(wrapped("over", told.split(' ').map(str::to_string)));
        }
    }
    lines
}

/// A title and words, on as many lines as they need.
fn wrapped(title: &str, words: impl Iterator<Item = String>) -> Vec<String> {
    let (mut lines, mut line, mut first) = (Vec::new(), format!("{title:<8}"), true);
    for word in words {
        if !first && line.len() + 1 + word.len() > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(8)));
            first = true;
        }
        line = line + if first { "" } else { " " } + &word;
        first = false;
    }
    lines.push(line);
    lines
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
            assert!(text.contains(&format!("a{squares}")) && text.contains("|  Q  "), "{text}");
        }
    }

    #[test]
    fn an_end_by_a_limit_is_told() {
        let game = Game::with_limits(Position::start(Rules::default()), Some(0), None);
        assert!(board_text(&game).contains("\ngame    over: draw 25/25 (max_plies)\n"), "{}", board_text(&game));
    }
}
