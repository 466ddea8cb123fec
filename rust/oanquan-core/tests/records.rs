//! Records: what is read is written again, and a fault is reported where it stands.

use oanquan_core::{Ending, Game, Move, Position, Record, Rules};

/// Line and column of the fault.
fn fault(text: &str) -> (usize, usize, String) {
    let error = Record::parse(text).unwrap_err();
    (error.line, error.column, error.message)
}

#[test]
fn a_fault_stands_where_the_text_goes_wrong() {
    let cases = [
        ("[Rules \"quan-non\"]\n[Position \"5.5.5.5.5.0q1/5.5.5.x\"]\n\n*", 2, 32, "expected a number, got \"x\""),
        ("[MaxPlies \"007\"] *", 1, 12, "expected a number, got \"0\""),
        ("[MaxPlies \"+5\"] *", 1, 12, "expected a number, got \"+\""),
        ("[MaxPlies \"12x\"] *", 1, 14, "expected the end, got \"x\""),
        ("[MaxPlies \"4294967296\"] *", 1, 12, "MaxPlies: expected at most 4294967295, got 4294967296"),
        ("[Repetition \"0\"] *", 1, 14, "expected a number above 0, got \"0\""),
        ("\n1. a1+ b2* *", 2, 10, "expected \"+\" or \"-\", got \"*\""),
        ("1-0", 1, 3, "expected the end, got \"0\""),
        ("1. a1+ b2- 3. a3- *", 1, 12, "expected the number 2., got \"3.\""),
        ("1. a1+ c", 1, 9, "expected a square from 1 to 7, got the end"),
        ("[A \"x\"]\n[A \"y\"] *", 2, 1, "expected each header once, got A again"),
        ("[A \"x]", 1, 7, "expected a closing '\"', got the end"),
        ("1. a1+", 1, 7, "expected a move or the result: a, b, draw, *, got the end"),
    ];
    for (text, line, column, message) in cases {
        let (at_line, at_column, said) = fault(text);
        assert_eq!((at_line, at_column), (line, column), "{text:?}: {said}");
        assert!(said.starts_with(message), "{text:?}: {said}");
    }
}

#[test]
fn a_game_that_is_over_says_how() {
    let rules = Rules::parse("wikipedia-vi").unwrap();
    let start = Position::parse("1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30", rules).unwrap();
    let mut game = Game::new(start);
    for text in ["b4-", "a2+", "b4-", "a2+"] {
        game.push(Move::parse(text, None).unwrap()).unwrap();
    }
    assert_eq!(game.ending(), Some(Ending::Repetition));
    let text = Record::new(game).to_string();
    assert!(text.contains("[Termination \"repetition\"]\n"), "{text}");
    assert_eq!(Record::parse(&text).unwrap().to_string(), text);
    let wrong = text.replace("[Result \"b\"]", "[Result \"a\"]");
    assert!(fault(&wrong).2.contains("expected b"), "{wrong}");
}

#[test]
fn what_is_told_of_a_game_comes_back() {
    let text = "[Rules \"three-players\"]\n[MaxPlies \"off\"]\n[Repetition \"5\"]\n[Players \"An \\\"A\\\" / B\\\\nh\"]\n\
                [Points \"3/2/1\"]\n[Termination \"adjourned\"]\n[Result \"c\"]\n\n\
                {before} 1. a1+ b2+ {one} {two \\} more} c\n";
    let record = Record::parse(text).unwrap();
    assert_eq!(record.comments.len(), 3);
    assert_eq!(record.header("Players"), Some("An \"A\" / B\\nh"));
    assert_eq!(record.to_string(), text);
}
