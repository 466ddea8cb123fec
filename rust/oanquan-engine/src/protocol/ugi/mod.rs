//! The Universal Game Interface: UCI for any game of two players, who are p1 (side a) and p2 (side b).
//!
//! | room | duty |
//! |---|---|
//! | `go` | what a search is asked for |
//! | `info` | what is told of it |
//! | `running` | work on a thread of its own |
//!
//! A command that cannot be obeyed is answered by `info string error: ...` and changes nothing. While the engine thinks it
//! obeys `isready`, `stop` and `quit` only. `quit` ends what it thinks about, as `stop` does; when the input ends, what ends
//! by itself may do so first.
//!
//! `score cp` is the final margin of the player to move, its points minus the other's by the count, in hundredths of a point.

mod go;
mod info;
mod running;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope};

use oanquan_core::perft::divide_while;
use oanquan_core::{Game, Side};

use super::board::board_text;
use super::lines::{Line, Lines};
use super::options::{Kind, OPTIONS};
use super::output::{Output, one_line};
use super::session::Session;
use super::{NAME, Settings, VERSION};
use crate::search::Table;
use go::Go;
use running::Running;

/// The deepest that is counted: deeper than can be waited for, and not too deep for the stack.
const MOST_PERFT: u32 = 1000;

/// Every command, with what it does.
const COMMANDS: [(&str, &str); 13] = [
    ("ugi", "who the engine is, and its options"),
    ("isready", "answered by readyok, also while the engine thinks"),
    ("setoption name NAME value VALUE", "sets an option"),
    ("uginewgame", "forgets the game before"),
    ("position startpos|fen TEXT [moves MOVES]", "sets up a position and plays moves"),
    (
        "go [p1time|p2time|p1inc|p2inc|movetime|depth|nodes N]... [infinite]",
        "thinks, for MoveTime if nothing else is said",
    ),
    ("stop", "ends thinking; the best move is told"),
    ("query p1turn|gameover|result", "asks about the game"),
    ("perft N", "counts the lines of N moves, by first moves"),
    ("show", "the board"),
    ("help", "this list"),
    ("quit", "ends the engine"),
    ("", "a position text is `rows stores debts turn ply`; a move is a square and a direction, a3+ or b2-"),
];

/// Speaks UGI until `quit` or the end of the input.
///
/// Commands are obeyed on the calling thread, and the engine thinks on others. Lines end in `\n` or `\r\n`; those of more
/// than 1 MiB are dropped with an error.
///
/// # Errors
/// What reading or writing came to; [`BrokenPipe`](io::ErrorKind::BrokenPipe) when nobody listens any more.
///
/// ```
/// use oanquan_engine::protocol::{Settings, ugi};
/// let mut answers = Vec::new();
/// ugi::serve(&b"position startpos moves a1+\nquery p1turn\ngo depth 3\n"[..], &mut answers, Settings::default())?;
/// let answers = String::from_utf8(answers).unwrap();
/// assert!(answers.starts_with("response false\ninfo depth 1 multipv 1 score cp "));
/// assert!(answers.lines().last().unwrap().starts_with("bestmove b"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(input: impl Read, output: impl Write + Send, settings: Settings) -> io::Result<()> {
    let output = Output::new(output);
    thread::scope(|scope| {
        let mut desk = Desk { scope, output: &output, session: Session::new(settings), running: None };
        let heard = desk.listen(Lines::new(input));
        // Whatever happened, nothing goes on thinking that cannot be stopped any more.
        let bounded = heard.as_ref().is_ok_and(|heard| *heard == Heard::All);
        desk.finish(bounded);
        output.fault().and(heard.map(|_| ()))
    })
}

/// Why nothing more is listened to.
#[derive(PartialEq, Eq)]
enum Heard {
    /// The input ended.
    All,
    /// `quit`, or nobody reads the answers.
    Enough,
}

/// Obeys commands, one after the other.
struct Desk<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'env Output<W>,
    session: Session,
    running: Option<Running<'scope>>,
}

impl<'scope, W: Write + Send> Desk<'scope, '_, W> {
    fn listen(&mut self, mut lines: Lines<impl Read>) -> io::Result<Heard> {
        while let Some(line) = lines.next()? {
            let obeyed = match line {
                Line::Text(text) => self.hear(&text),
                Line::TooLong(bytes) => Err(Line::refused(bytes)),
            };
            match obeyed {
                Ok(ControlFlow::Continue(())) => (),
                Ok(ControlFlow::Break(())) => return Ok(Heard::Enough),
                Err(why) => self.output.write(&format!("info string error: {}\n", one_line(&why))),
            }
            if self.output.is_closed() {
                return Ok(Heard::Enough);
            }
        }
        Ok(Heard::All)
    }

    fn hear(&mut self, line: &str) -> Result<ControlFlow<()>, String> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command {
            "" => (),
            "isready" => {
                if self.is_free() {
                    self.session.prepare();
                }
                self.output.write("readyok\n");
            }
            "stop" => self.stop(),
            "quit" => return Ok(ControlFlow::Break(())),
            _ if !self.is_free() => {
                return Err(format!("expected isready, stop or quit while thinking, got {command:?}"));
            }
            _ => self.obey(command, rest.trim_start())?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether nothing is thought about. What has answered is over.
    fn is_free(&mut self) -> bool {
        if self.running.as_ref().is_some_and(Running::has_answered) {
            self.stop();
        }
        self.running.is_none()
    }

    /// Obeys a command while nothing is thought about.
    fn obey(&mut self, command: &str, rest: &str) -> Result<(), String> {
        let mut words = rest.split_whitespace();
        match command {
            "ugi" => self.output.write(&introduction()),
            "uginewgame" => self.session.new_game(),
            "setoption" => {
                let (name, value) = option(rest)?;
                self.session.set(name, value)?;
            }
            "position" => self.set_up(rest)?,
            "go" => {
                let turn = self.session.game.position().turn();
                let go = Go::parse(words, turn, self.session.settings.overhead)?;
                self.think(go)?;
            }
            "query" => {
                let answer = answer(&self.session.game, rest)?;
                self.output.write(&format!("response {answer}\n"));
            }
            "perft" => {
                let depth = words.next().and_then(|text| text.parse().ok()).filter(|&depth| depth <= MOST_PERFT);
                let wrong = || format!("expected perft and a depth of 0 to {MOST_PERFT}, got {rest:?}");
                self.perft(depth.ok_or_else(wrong)?)?;
            }
            "show" => self.output.write(&format!("{}\n", board_text(&self.session.game))),
            "help" => self.output.write(&help()),
            _ => return Err(format!("expected a command, of which help has a list, got {command:?}")),
        }
        Ok(())
    }

    fn set_up(&mut self, rest: &str) -> Result<(), String> {
        let (kind, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        // No word of a position text is "moves".
        let mut words = rest.split_whitespace();
        let text: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
        let text = text.join(" ");
        match kind {
            "startpos" if text.is_empty() => self.session.set_up(None, words),
            "fen" => self.session.set_up(Some(&text), words),
            "startpos" => Err(format!("expected moves after startpos, got {text:?}")),
            _ => Err(format!("expected startpos or fen after position, got {kind:?}")),
        }
    }

    fn think(&mut self, go: Go) -> Result<(), String> {
        if self.session.game.is_over() {
            self.output.write("bestmove none\n");
            return Ok(());
        }
        let usual = if go.is_limited() || go.infinite { None } else { self.session.usual() };
        let thinking = self.session.thinking(go.depth, go.nodes, go.allowance.or(usual));
        let output = self.output;
        self.run(go.is_limited() || !go.infinite, move |stop, table| {
            let mut report = |analysis: &_| {
                output.write(&info::lines(analysis));
                if output.is_closed() {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let thought = thinking.run(table, stop, &mut report);
            let Some(thought) = thought else { return "bestmove none\n".into() };
            let fault = thought.fault.map(|why| format!("info string error: {}\n", one_line(&why)));
            let last = info::last(thought.analysis.as_ref(), thought.time);
            format!("{}{last}bestmove {}\n", fault.unwrap_or_default(), thought.best)
        })
    }

    fn perft(&mut self, depth: u32) -> Result<(), String> {
        let position = *self.session.game.position();
        self.run(true, move |stop, _| match divide_while(&position, depth, &mut || !stop.load(Ordering::Relaxed)) {
            None => "info string error: expected perft to end, got stop\n".into(),
            Some(counts) => {
                let lines: Vec<_> = counts.iter().map(|(mv, count)| format!("{mv} {count}\n")).collect();
                let total = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
                format!("{}nodes {total}\n", lines.concat())
            }
        })
    }

    /// Has work done on a thread of its own; what it returns is its answer.
    fn run(
        &mut self,
        bounded: bool,
        work: impl FnOnce(&AtomicBool, &mut Option<Table>) -> String + Send + 'scope,
    ) -> Result<(), String> {
        let table = self.session.table.take();
        self.running = Some(Running::begin(self.scope, self.output, bounded, table, work)?);
        Ok(())
    }

    /// Ends what is thought about, and waits for its answer.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            self.session.table = running.stop();
        }
    }

    /// Waits for the end of what ends by itself, and stops what does not.
    fn finish(&mut self, bounded: bool) {
        if let Some(running) = self.running.take() {
            running.finish(bounded, self.output);
        }
    }
}

/// The name and the value of an option: `name NAME value VALUE`, where a value may have spaces, or be empty.
fn option(rest: &str) -> Result<(&str, &str), String> {
    let wrong = || format!("expected setoption name NAME value VALUE, got {rest:?}");
    let named = rest.strip_prefix("name").filter(|named| named.starts_with(char::is_whitespace)).ok_or_else(wrong)?;
    let (name, rest) = named.trim_start().split_once(char::is_whitespace).ok_or_else(wrong)?;
    let value = rest.trim_start().strip_prefix("value").ok_or_else(wrong)?;
    match value.strip_prefix(char::is_whitespace) {
        Some(value) => Ok((name, value.trim())),
        None if value.is_empty() => Ok((name, value)),
        None => Err(wrong()),
    }
}

fn answer(game: &Game, question: &str) -> Result<&'static str, String> {
    let truth = |truth| if truth { "true" } else { "false" };
    match question.trim_end() {
        "p1turn" => Ok(truth(game.position().turn() == Side::A)),
        "gameover" => Ok(truth(game.is_over())),
        "result" => Ok(match game.outcome().map(|outcome| outcome.winner) {
            None => "none",
            Some(None) => "draw",
            Some(Some(Side::A)) => "p1win",
            Some(Some(_)) => "p2win",
        }),
        _ => Err(format!("expected p1turn, gameover or result after query, got {question:?}")),
    }
}

fn introduction() -> String {
    let options = OPTIONS.map(|option| {
        let kind = match option.kind {
            Kind::Text { default: "" } => "string default <empty>".to_string(),
            Kind::Text { default } => format!("string default {default}"),
            Kind::Number { default, least, most } => format!("spin default {default} min {least} max {most}"),
        };
        format!("option name {} type {kind}\n", option.name)
    });
    format!("id name {NAME} {VERSION}\nid author The oanquan developers\n{}ugiok\n", options.concat())
}

fn help() -> String {
    let commands = COMMANDS.map(|(command, what)| format!("{command}\n    {what}\n"));
    let options = OPTIONS.map(|option| format!("option {}\n    {}\n", option.name, option.summary));
    commands.concat() + &options.concat()
}
