use super::*;
use crate::GameStream;
use crate::protocol::Settings;

/// The answers to these lines, each without its end.
fn answers(lines: &[&str]) -> Vec<String> {
    let mut settings = Settings::default();
    settings.set("MoveTime", "20").unwrap();
    let mut output = Vec::new();
    serve(lines.join("\n").as_bytes(), &mut output, settings).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.split_terminator("\n\n").map(ToString::to_string).collect()
}

/// The answer to the last of these lines.
fn last(lines: &[&str]) -> String {
    answers(lines).pop().unwrap()
}

#[test]
fn answers_have_the_number_of_the_command() {
    let lines = ["7 protocol_version", "name", "  12\tversion # what version", "# nothing", "", "0 known_command play"];
    assert_eq!(answers(&lines), ["=7 2", "= oanquan", &format!("=12 {VERSION}"), "=0 true"]);
    assert_eq!(answers(&["known_command x", "known_command"]), ["= false", "= false"]);
    assert_eq!(answers(&["3 pass", "5"]), ["?3 unknown command: expected one of list_commands, got \"pass\""]);
    assert_eq!(answers(&["4 quit", "name"]), ["=4"]);
    let listed = answers(&["list_commands"]).pop().unwrap();
    for command in listed.strip_prefix("= ").unwrap().lines() {
        assert!(!last(&[command]).contains("unknown command"), "{command}");
    }
    assert_eq!(last(&[&"x".repeat(2 << 20)]), "? expected a line of at most 1048576 bytes, got one of 2097152");
}

#[test]
fn black_is_a_and_white_is_b_or_they_have_their_letters() {
    for (lines, turn) in [
        (&["play b a1+", "play w b2-"][..], "a"),
        (&["play black a1+", "play white b2-", "play B A2-"], "b"),
        (&["play a a1+", "play b b2-"], "a"),
        (&["play b 1+", "play w 2-", "play b 2-"], "b"),
        (&["play a 1+", "play b 2-", "play a 2-", "play w 3+", "play b 1+"], "b"),
        (&["play b a1+", "play b b2-"], "a"),
    ] {
        let answers = answers(&[lines, &["oanquan-position"]].concat());
        assert!(answers[..lines.len()].iter().all(|answer| answer == "="), "{answers:?}");
        assert!(answers[lines.len()].contains(&format!(" - {turn} ")), "{answers:?}");
    }
    for (lines, message) in [
        (&["play w a1+"][..], "? illegal move: expected a move of side b, got a1+"),
        (&["play w b1+"], "? illegal move b1+: it is side a's turn"),
        (&["play a a1+", "play b a1+"], "? illegal move: expected a move of side b, got a1+"),
        (&["play b pass"], "? illegal move: expected"),
        (&["play b"], "? syntax error: expected play COLOUR MOVE, got \"b\""),
        (&["play red a1+"], "? syntax error: expected a colour, b or w, or a side, a or b, got \"red a1+\""),
        (&["play"], "? syntax error: expected a colour"),
        (&["genmove w"], "? no move: expected genmove for side a, whose turn it is, got side b"),
    ] {
        assert!(last(lines).starts_with(message), "{}", last(lines));
    }
}

#[test]
fn moves_are_made_and_taken_back() {
    let answers = answers(&["genmove b", "genmove w", "undo", "undo", "undo", "oanquan-position"]);
    assert!(answers[0].starts_with("= a") && answers[1].starts_with("= b"), "{answers:?}");
    assert_eq!(answers[2..5], ["=", "=", "? cannot undo: no move was made"]);
    assert_eq!(answers[5], "= 5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0");
}

#[test]
fn boards_and_rules() {
    assert_eq!(answers(&["boardsize 3", "oanquan-rules"]), ["=", "= squares=3"]);
    for size in ["0", "8", "19", "x", ""] {
        let answer = last(&[&format!("boardsize {size}")]);
        assert!(answer.starts_with("? unacceptable size: syntax error: expected 1 to 7 squares"), "{answer}");
    }
    assert_eq!(last(&["oanquan-rules bankrupt", "play b a1+", "boardsize 5", "oanquan-rules"]), "= bankrupt");
    assert!(last(&["oanquan-rules three-players"]).starts_with("? Rules: expected rules of two sides"));
    assert_eq!(answers(&["komi 6.5", "komi x"]), ["=", "? syntax error: expected komi and a number, got \"x\""]);
    let position = "1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30";
    let set = format!("oanquan-position {position}");
    let lines = ["oanquan-rules wikipedia-vi", &set, "play b 4-", "clear_board", "oanquan-position"];
    assert_eq!(last(&lines), format!("= {position}"), "clear_board goes back to what was set up");
    assert_eq!(last(&[&set, "oanquan-position start", "oanquan-moves"]), "= a1+ a1- a2+ a2- a3+ a3- a4+ a4- a5+ a5-");
    assert_eq!(answers(&["oanquan-option Agent greedy", "oanquan-option Hash 0"])[0], "=");
    let board = last(&["showboard"]);
    assert!(board.starts_with("= \n") && board.contains("b5    b4") && board.contains("\nturn    side a, ply 0\n"));
}

#[test]
fn a_game_has_a_score_when_it_is_over() {
    assert_eq!(last(&["final_score"]), "? cannot score: the game is in play");
    let score = |rules: &str, position: &str| {
        let set = format!("oanquan-position {position}");
        last(&[&format!("oanquan-rules {rules}"), &set, "final_score"])
    };
    assert_eq!(score("mancala-world", "0.1.0.0.0.0/0.0.0.2.0.0 30/17q2 - a 40 mandarins"), "= W+8");
    assert_eq!(score("mancala-world", "0.1.0.0.0.0/0.0.0.2.0.0 30q1/17q1 - a 40 mandarins"), "= B+12");
    assert_eq!(score("bankrupt", "0.0.0.0.0.0/1.0.0.0.0.0q1 4/45q1 - a 40 loses"), "= W+R");
    let limit = ["oanquan-option MaxPlies 1", "play b a1+", "final_score", "genmove w", "oanquan-moves"];
    assert_eq!(answers(&limit)[2..], ["= 0", "? no move: the game is over (max_plies)", "="]);
}

#[test]
fn times() {
    assert_eq!(answers(&["time_settings 0 1 1", "genmove b", "time_left w 1 0", "genmove w"])[0], "=");
    for wrong in ["time_settings", "time_settings 1 2", "time_settings 1 2 x", "time_settings -1 0 0"] {
        assert!(last(&[wrong]).starts_with("? syntax error: expected time_settings MAIN PERIOD STONES"));
    }
    for wrong in ["time_left", "time_left b", "time_left b 1", "time_left q 1 1"] {
        assert!(last(&[wrong]).starts_with("? syntax error: expected "), "{wrong}");
    }
    assert_eq!(last(&["time_settings 4294967295 4294967295 4294967295"]), "=");
}

#[test]
fn whatever_is_sent_the_engine_goes_on() {
    const MORE: [&str; 18] = [
        "b",
        "w",
        "a",
        "a1+",
        "b1-",
        "5",
        "3",
        "0",
        "1",
        "-1",
        "\n",
        "\n",
        "\n",
        "\0",
        "#",
        "tonkin",
        "Agent greedy",
        "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0",
    ];
    let words: Vec<_> = COMMANDS.into_iter().filter(|&command| command != "quit").chain(MORE).collect();
    for round in 0..300 {
        let stream = GameStream::new(6, round);
        let mut input = b"oanquan-option Agent greedy\n".to_vec();
        for draw in 0..400 {
            if round % 5 == 0 {
                input.extend(stream.draw(draw).to_le_bytes());
            } else {
                input.extend(words[stream.below(draw, words.len() as u32) as usize].bytes());
                input.extend(if stream.draw(1000 + draw).is_multiple_of(3) { b"\n" } else { b" " });
            }
        }
        input.extend(b"\n99 oanquan-option Agent greedy\n77 name\n");
        let mut output = Vec::new();
        serve(&input[..], &mut output, Settings::default()).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.ends_with("=77 oanquan\n\n"), "{text}");
        assert!(text.split_terminator("\n\n").all(|answer| answer.starts_with(['=', '?'])), "{text}");
    }
}
