use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use oanquan_core::{Game, Move, Position, Rules};

use super::*;
use crate::GameStream;
use crate::rng::mix;

/// What is answered to these lines.
fn answers(lines: &[&str]) -> Vec<String> {
    let mut output = Vec::new();
    serve(lines.join("\n").as_bytes(), &mut output, Settings::default()).unwrap();
    String::from_utf8(output).unwrap().lines().map(ToString::to_string).collect()
}

/// The one line that is answered to the last of these lines.
fn answer_to(lines: &[&str]) -> String {
    let answers = answers(lines);
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers[0].clone()
}

const PLAYED: &str = "position fen 1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30";

#[test]
fn the_engine_says_who_it_is_and_what_can_be_set() {
    let answers = answers(&["ugi", "isready"]);
    assert_eq!(answers[0], format!("id name oanquan {VERSION}"));
    assert_eq!(answers[1], "id author The oanquan developers");
    let options: Vec<_> = answers[2..answers.len() - 2].iter().map(String::as_str).collect();
    assert_eq!(options.len(), OPTIONS.len());
    assert_eq!(options[0], "option name Rules type string default mancala-world");
    assert_eq!(options[4], "option name Hash type spin default 16 min 1 max 65536");
    assert_eq!(options[6], "option name Tables type string default <empty>");
    assert_eq!(answers[answers.len() - 2..], ["ugiok", "readyok"]);
}

#[test]
fn positions_and_what_is_asked_of_them() {
    let queries = ["query p1turn", "query gameover", "query result"];
    let asked = |before: &[&str]| {
        let lines: Vec<_> = before.iter().copied().chain(queries).collect();
        answers(&lines).join(" ").replace("response ", "")
    };
    assert_eq!(asked(&[]), "true false none");
    assert_eq!(asked(&["position startpos moves a1+ B2- 2-"]), "false false none");
    assert_eq!(asked(&[PLAYED]), "false false none");
    let rules = "setoption name Rules value wikipedia-vi";
    let moves = "position fen 1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30 moves b4- a2+ b4- a2+";
    assert_eq!(asked(&[rules, moves]), "false true p2win");
    assert_eq!(asked(&[rules, "setoption name Repetition value 0", moves]), "false false none");
    assert_eq!(asked(&["setoption name MaxPlies value 1", "position startpos moves a1+"]), "false true draw");
    let over = "position fen 0.1.0.0.0.0/0.0.0.2.0.0 30/17q2 - a 40 mandarins";
    assert_eq!(asked(&[over]), "true true p2win");
    let won = "position fen 0.1.0.0.0.0/0.0.0.2.0.0 30q1/17q1 - a 40 mandarins";
    assert_eq!(asked(&[won]), "true true p1win");
}

#[test]
fn what_is_wrong_changes_nothing() {
    let before = "position startpos moves a1+ b2- a2-";
    for (wrong, message) in [
        ("position", "expected startpos or fen after position, got \"\""),
        ("position start", "expected startpos or fen after position, got \"start\""),
        ("position startpos a1+", "expected moves after startpos, got \"a1+\""),
        ("position startpos moves a1+ a1+", "illegal move a1+: it is side b's turn"),
        ("position startpos moves a1+ b9+", "expected a square from 1 to 7"),
        ("position fen", "expected a number at column 1, got the end in \"\""),
        ("position fen 1.2.3", "expected"),
        ("position fen 5.5.5.5.5.0q1/5.5.5.5.5.0q3 0/0 - a 0", ""),
        ("setoption", "expected setoption name NAME value VALUE, got \"\""),
        ("setoption name Hash", "expected setoption name NAME value VALUE"),
        ("setoption name Hash value", "Hash: expected a number of 1 to 65536, got \"\""),
        ("setoption name Hash valued 3", "expected setoption name NAME value VALUE"),
        ("setoption nameHash value 3", "expected setoption name NAME value VALUE"),
        ("setoption name Colour value red", "expected an option of Rules, "),
        ("setoption name Rules value four-players", "Rules: expected rules of two sides, got \"four-players\" with 4"),
        ("go depth x", "expected a number of 0 or more after depth, got \"x\""),
        ("query", "expected p1turn, gameover or result after query, got \"\""),
        ("query p2turn", "expected p1turn, gameover or result after query, got \"p2turn\""),
        ("perft", "expected perft and a depth of 0 to 1000, got \"\""),
        ("perft 1001", "expected perft and a depth of 0 to 1000, got \"1001\""),
        ("uci", "expected a command, of which help has a list, got \"uci\""),
        ("\u{1b}[A\0", "expected a command, of which help has a list, got \"\\u{1b}[A\\0\""),
    ] {
        let answers = answers(&[before, wrong, "show"]);
        let start = format!("info string error: {message}");
        assert!(answers[0].starts_with(&start), "{wrong}: {}", answers[0]);
        assert_eq!(answers[1..], self::answers(&[before, "show"]), "{wrong}");
    }
}

#[test]
fn a_search_tells_and_answers_with_two_tokens() {
    let answers = answers(&["setoption name MultiPV value 2", "position startpos moves a1+", "go depth 4"]);
    let (last, infos) = answers.split_last().unwrap();
    assert_eq!(infos.len(), 2 * 4 + 1);
    let first_words = |line: &str| line.split(' ').take(5).collect::<Vec<_>>().join(" ");
    assert_eq!(first_words(&infos[0]), "info depth 1 multipv 1");
    assert_eq!(first_words(&infos[7]), "info depth 4 multipv 2");
    for word in [" nodes ", " time ", " nps ", " score cp ", " pv b"] {
        assert!(infos[8].contains(word), "{}", infos[8]);
    }
    let best = infos[8].split(" pv ").nth(1).unwrap().split(' ').next().unwrap();
    assert_eq!(*last, format!("bestmove {best}"));
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    assert_eq!(
        answer_to(&["setoption name MaxPlies value 1", "position startpos moves a1+", "go depth 3"]),
        "bestmove none"
    );
}

#[test]
fn any_agent_can_move() {
    for agent in ["random", "greedy", "cautious", "mcts:simulations=50", "search:depth=2"] {
        let option = format!("setoption name Agent value {agent}");
        let answers = answers(&[&option, "position startpos moves a1+", "go movetime 10000"]);
        assert_eq!(answers.len(), 2, "{answers:?}");
        assert!(answers[0].starts_with("info nodes 0 time "));
        let mv = Move::parse(answers[1].strip_prefix("bestmove ").unwrap(), None).unwrap();
        assert!(Position::start(Rules::default()).play(Move::parse("a1+", None).unwrap()).unwrap().is_legal(mv));
    }
}

#[test]
fn an_agent_draws_from_the_seed_and_the_number_of_the_game() {
    let played = |seed: &str, games: usize| {
        let seed = format!("setoption name Seed value {seed}");
        let mut lines = vec!["setoption name Agent value random", &seed];
        lines.extend(vec!["uginewgame"; games]);
        lines.extend(["position startpos", "go infinite"]);
        answers(&lines).pop().unwrap()
    };
    let one = |seed, game| {
        let start = Position::start(Rules::default());
        let place = crate::Agent::choose(&crate::Random, &crate::Turn::new(&start, GameStream::new(seed, game), 0));
        format!("bestmove {}", start.legal_moves().nth(place).unwrap())
    };
    for seed in 0..4 {
        for game in 0..4 {
            assert_eq!(played(&seed.to_string(), game), one(seed, game as u64));
        }
    }
}

#[test]
fn time_ends_agents_that_think_for_long() {
    for agent in ["mcts:simulations=100000000", "search:depth=100"] {
        let option = format!("setoption name Agent value {agent}");
        let begun = Instant::now();
        let answers = answers(&[&option, "go movetime 50"]);
        assert!(answers[1].starts_with("bestmove a"));
        assert!((0.05..5.0).contains(&begun.elapsed().as_secs_f64()));
    }
}

#[test]
fn perft_divides() {
    assert_eq!(answers(&["perft 0"]), ["nodes 1"]);
    let answers = answers(&["perft 3"]);
    assert_eq!((answers.len(), &*answers[0], &*answers[10]), (11, "a1+ 70", "nodes 664"));
}

#[test]
fn help_names_every_command_and_option() {
    let help = answers(&["help"]).join("\n");
    for word in
        ["ugi", "isready", "setoption", "uginewgame", "position", "go", "stop", "query", "perft", "show", "quit"]
    {
        assert!(help.contains(&format!("\n{word}")) || help.starts_with(word), "{word}");
    }
    assert!(OPTIONS.iter().all(|option| help.contains(&format!("\noption {}\n", option.name))));
}

// ---- a client that listens while the engine thinks -------------------------------------------------------------------

/// Input that is sent line by line.
struct Sent(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Sent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// Output that is received line by line, until nobody listens.
struct Heard(Sender<String>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in std::str::from_utf8(bytes).unwrap().lines() {
            self.0.send(line.into()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Client {
    lines: Option<Sender<Vec<u8>>>,
    answers: Option<Receiver<String>>,
    engine: Option<thread::JoinHandle<io::Result<()>>>,
}

impl Client {
    fn new() -> Self {
        let ((lines, sent), (heard, answers)) = (mpsc::channel(), mpsc::channel());
        let engine = thread::spawn(move || serve(Sent(sent, Vec::new()), Heard(heard), Settings::default()));
        Self { lines: Some(lines), answers: Some(answers), engine: Some(engine) }
    }

    fn send(&self, line: &str) {
        self.lines.as_ref().unwrap().send(format!("{line}\n").into_bytes()).unwrap();
    }

    /// The next line that begins so.
    fn wait_for(&self, beginning: &str) -> String {
        loop {
            let line = self.answers.as_ref().unwrap().recv_timeout(Duration::from_secs(60)).expect(beginning);
            if line.starts_with(beginning) {
                return line;
            }
        }
    }

    fn end(&mut self) -> io::Result<()> {
        self.lines = None;
        self.engine.take().unwrap().join().unwrap()
    }
}

#[test]
fn only_three_commands_while_thinking() {
    let mut client = Client::new();
    client.send("go infinite");
    client.wait_for("info depth 3 ");
    client.send("position startpos moves a1+");
    let refused = client.wait_for("info string error: ");
    assert!(refused.ends_with("expected isready, stop or quit while thinking, got \"position\""));
    client.send("isready");
    client.wait_for("readyok");
    client.send("stop");
    assert!(client.wait_for("bestmove ").starts_with("bestmove a"));
    // What the search was asked about did not change meanwhile, and the engine goes on.
    client.send("query p1turn");
    assert_eq!(client.wait_for("response "), "response true");
    client.send("stop");
    client.send("isready");
    client.wait_for("readyok");
    assert!(client.end().is_ok());
}

#[test]
fn whoever_saw_the_best_move_is_obeyed() {
    let mut client = Client::new();
    for ply in 0..300 {
        client.send(if ply % 2 == 0 { "go depth 1" } else { "go nodes 500" });
        client.wait_for("bestmove ");
        client.send("query gameover");
        assert_eq!(client.answers.as_ref().unwrap().recv().unwrap(), "response false");
    }
    assert!(client.end().is_ok());
}

#[test]
fn quit_and_the_end_of_the_input_end_an_infinite_search() {
    for quits in [true, false] {
        let mut client = Client::new();
        client.send("go infinite");
        client.wait_for("info depth 2 ");
        if quits {
            client.send("quit");
        }
        assert!(client.end().is_ok());
        client.wait_for("bestmove ");
    }
}

#[test]
fn when_the_input_ends_what_ends_by_itself_does() {
    assert_eq!(answers(&["perft 6"]).last().unwrap(), "nodes 279536");
    let answers = answers(&["go depth 9"]);
    assert!(answers[answers.len() - 2].starts_with("info depth 9 "));
}

#[test]
fn an_engine_that_nobody_hears_ends() {
    for line in ["isready", "go infinite", "go depth 100"] {
        let mut client = Client::new();
        client.answers = None;
        client.send(line);
        assert_eq!(client.end().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}

#[test]
fn stop_is_answered_soon() {
    let mut client = Client::new();
    client.send("setoption name Hash value 64");
    let mut times = Vec::new();
    for round in 0..20 {
        client.send(["go infinite", "perft 1000", "go depth 100 movetime 100000"][round % 3]);
        thread::sleep(Duration::from_millis(30));
        let begun = Instant::now();
        client.send("stop");
        client.wait_for(if round % 3 == 1 {
            "info string error: expected perft to end, got stop"
        } else {
            "bestmove "
        });
        times.push(begun.elapsed());
    }
    times.sort();
    // The limit is for the engine; other tests take its turns on the processor now and then.
    assert!(times[10] < Duration::from_millis(50), "{times:?}");
    assert!(client.end().is_ok());
}

// ---- anything at all -------------------------------------------------------------------------------------------------

#[test]
fn whatever_is_sent_the_engine_goes_on() {
    const WORDS: [&str; 48] = [
        "ugi",
        "isready",
        "uginewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "nodes",
        "movetime",
        "p1time",
        "p2time",
        "p1inc",
        "p2inc",
        "stop",
        "query",
        "p1turn",
        "gameover",
        "result",
        "perft",
        "show",
        "help",
        "setoption",
        "name",
        "value",
        "Rules",
        "Agent",
        "MultiPV",
        "Repetition",
        "MaxPlies",
        "greedy",
        "tonkin",
        "bankrupt",
        "search",
        "a1+",
        "b1-",
        "a5-",
        "b3+",
        "1",
        "2",
        "0",
        "-1",
        "\n",
        "\n",
        "\n",
        "\0",
        "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0",
    ];
    for round in 0..300 {
        let stream = GameStream::new(5, round);
        let mut input = Vec::new();
        for draw in 0..400 {
            if round % 5 == 0 {
                input.extend(mix(stream.draw(draw)).to_le_bytes());
            } else {
                input.extend(WORDS[stream.below(draw, WORDS.len() as u32) as usize].bytes());
                input.push(b' ');
            }
        }
        input.extend(b"\nstop\nisready\n");
        let heard = Arc::new(Mutex::new(Vec::new()));
        serve(&input[..], Shared(heard.clone()), Settings::default()).unwrap();
        let text = String::from_utf8(heard.lock().unwrap().clone()).unwrap();
        assert!(text.ends_with("readyok\n"), "{text}");
        for line in text.lines().filter(|line| line.starts_with("bestmove") || line.starts_with("response")) {
            assert_eq!(line.split(' ').count(), 2);
        }
    }
}

struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A whole game through the protocol comes out as it does without it.
#[test]
fn a_game_by_the_protocol_is_the_game() {
    for (number, rules) in ["wikipedia-vi", "bankrupt", "tonkin", "squares=2,pebbles=2"].into_iter().enumerate() {
        let mut client = Client::new();
        client.send(&format!("setoption name Rules value {rules}"));
        client.send("setoption name Agent value random");
        client.send(&format!("setoption name Seed value {number}"));
        let mut game = Game::new(Position::start(Rules::parse(rules).unwrap()));
        let mut moves = String::new();
        while !game.is_over() {
            client.send(&format!("position startpos{moves}"));
            client.send("query gameover");
            assert_eq!(client.wait_for("response "), "response false");
            client.send("go movetime 1000");
            let answer = client.wait_for("bestmove ");
            let text = answer.strip_prefix("bestmove ").unwrap();
            game.push(Move::parse(text, None).unwrap()).unwrap();
            moves += if moves.is_empty() { " moves " } else { " " };
            moves += text;
        }
        client.send(&format!("position startpos{moves}"));
        client.send("query result");
        let result = match game.outcome().unwrap().winner {
            None => "draw",
            Some(Side::A) => "p1win",
            Some(_) => "p2win",
        };
        assert_eq!(client.wait_for("response "), format!("response {result}"));
        client.send("quit");
        assert!(client.end().is_ok());
    }
}
