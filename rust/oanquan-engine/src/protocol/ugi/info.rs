//! What is told of a search.

use std::fmt::Write;
use std::time::Duration;

use crate::search::{Analysis, Line};

/// What was found at a depth: one line of text for each line of play.
pub(crate) fn lines(analysis: &Analysis) -> String {
    let mut text = String::new();
    for (place, line) in analysis.lines.iter().enumerate() {
        text.push_str(&one(analysis, place + 1, line, analysis.time));
    }
    text
}

/// The last line before the best move: the best line of play; of an agent, only how long it took.
pub(crate) fn last(analysis: Option<&Analysis>, time: Duration) -> String {
    match analysis {
        Some(analysis) => {
            let proven = proven(analysis);
            proven + &one(analysis, 1, &analysis.lines[0], time)
        }
        None => format!("info nodes 0 time {} nps 0\n", time.as_millis()),
    }
}

fn one(analysis: &Analysis, place: usize, line: &Line, time: Duration) -> String {
    let Analysis { depth, nodes, table_used, .. } = analysis;
    let rate = if time.is_zero() { 0.0 } else { *nodes as f64 / time.as_secs_f64() };
    let mut text = format!(
        "info depth {depth} multipv {place} score cp {} nodes {nodes} time {} nps {rate:.0} hashfull {:.0} pv",
        line.score,
        time.as_millis(),
        1000.0 * table_used,
    );
    for mv in &line.moves {
        // Writing to a text does not fail.
        let _ = write!(text, " {mv}");
    }
    text.push('\n');
    text
}

/// What is proven of the position, if anything.
fn proven(analysis: &Analysis) -> String {
    let bound = |points: Option<i32>| points.map_or("?".to_string(), |points| format!("{points:+}"));
    match (analysis.lower, analysis.upper) {
        (None, None) => String::new(),
        (Some(lower), Some(upper)) if lower == upper => {
            format!("info string proven: the player to move ends up {lower:+} points\n")
        }
        (lower, upper) => format!(
            "info string proven: the player to move ends up between {} and {} points\n",
            bound(lower),
            bound(upper)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Method;
    use oanquan_core::Move;

    #[test]
    fn every_number_of_a_search_is_told() {
        let line = |text: &str, score| {
            let moves = text.split(' ').map(|text| Move::parse(text, None).unwrap()).collect();
            Line { moves, score, lower: None, upper: None }
        };
        let mut analysis = Analysis {
            method: Method::AlphaBeta,
            depth: 2,
            lines: vec![line("a1+ b2-", 350), line("a2-", -120)],
            lower: None,
            upper: Some(4),
            nodes: 3000,
            time: Duration::from_millis(1500),
            table_used: 0.0126,
        };
        assert_eq!(
            lines(&analysis),
            "info depth 2 multipv 1 score cp 350 nodes 3000 time 1500 nps 2000 hashfull 13 pv a1+ b2-\n\
             info depth 2 multipv 2 score cp -120 nodes 3000 time 1500 nps 2000 hashfull 13 pv a2-\n"
        );
        let before = "info string proven: the player to move ends up between ? and +4 points\n";
        let first = "info depth 2 multipv 1 score cp 350 nodes 3000 time 0 nps 0 hashfull 13 pv a1+ b2-\n";
        assert_eq!(last(Some(&analysis), Duration::ZERO), format!("{before}{first}"));
        analysis.lower = Some(4);
        assert!(last(Some(&analysis), Duration::ZERO).starts_with("info string proven: the player to move ends up +4"));
        assert_eq!(last(None, Duration::from_millis(7)), "info nodes 0 time 7 nps 0\n");
    }
}
