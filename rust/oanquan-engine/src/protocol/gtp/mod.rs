//! The Go Text Protocol, version 2, for clients that know it from other games.
//!
//! Black, `b`, is side a, and white, `w`, is side b, as they follow each other. Clients may also say `a` and `b` for the
//! sides: from the first `a` on, `b` is side b, until the next `w` or `white`. A `b` before any of these is the side to move.
//! A vertex is a move, `a3+`. Colours must move by turns.
//!
//! A command is obeyed before the next one is read: thinking ends by the times of the game, or after `MoveTime`.

mod time;

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use oanquan_core::{Ending, Move, Side};

use super::board::board_text;
use super::lines::{Line, Lines};
use super::output::{Output, one_line};
use super::session::Session;
use super::{NAME, Settings, VERSION};
use time::Clocks;

/// Every command, in the order in which they are listed.
const COMMANDS: [&str; 21] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
    "oanquan-rules",
    "oanquan-position",
    "oanquan-moves",
    "oanquan-option",
    "oanquan-outcome",
];

/// The longest time that can be told: some 30 years.
const MOST_SECONDS: u32 = 1_000_000_000;

/// Speaks GTP until `quit` or the end of the input.
///
/// Lines of more than 1 MiB are answered with an error.
///
/// # Errors
/// What reading or writing came to; [`BrokenPipe`](io::ErrorKind::BrokenPipe) when nobody listens any more.
///
/// ```
/// use oanquan_engine::protocol::{Settings, gtp};
/// let mut settings = Settings::default();
/// settings.set("Agent", "greedy")?;
/// let mut answers = Vec::new();
/// gtp::serve(&b"1 name\nplay b a1+\n2 genmove w\n"[..], &mut answers, settings)?;
/// let answers = String::from_utf8(answers).unwrap();
/// assert!(answers.starts_with("=1 oanquan\n\n=\n\n=2 b"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serve(input: impl Read, output: impl Write + Send, settings: Settings) -> io::Result<()> {
    let output = Output::new(output);
    let mut player = Player { session: Session::new(settings), clocks: Clocks::default(), names: None };
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next()? {
        let (number, obeyed) = match line {
            Line::TooLong(bytes) => (String::new(), Err(Line::refused(bytes))),
            Line::Text(text) => {
                let text = cleaned(&text);
                let mut words = text.split(' ').filter(|word| !word.is_empty()).peekable();
                let number = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or("");
                let Some(command) = words.next() else { continue };
                (number.to_string(), player.obey(command, &words.collect::<Vec<_>>()))
            }
        };
        let ended = obeyed == Ok(ControlFlow::Break(()));
        let answer = match obeyed {
            Ok(ControlFlow::Continue(text)) if text.is_empty() => format!("={number}\n\n"),
            Ok(ControlFlow::Continue(text)) => format!("={number} {text}\n\n"),
            Ok(ControlFlow::Break(())) => format!("={number}\n\n"),
            Err(why) => format!("?{number} {}\n\n", one_line(&why)),
        };
        output.write(&answer);
        if ended || output.is_closed() {
            break;
        }
    }
    output.fault()
}

/// The line as the protocol reads it: without control characters and comment, tabs as spaces.
fn cleaned(line: &str) -> String {
    let chars = line.chars().take_while(|&char| char != '#').filter(|&char| char == '\t' || !char.is_control());
    chars.map(|char| if char == '\t' { ' ' } else { char }).collect()
}

/// What a client calls the sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Names {
    /// Black and white.
    Colours,
    /// a and b.
    Letters,
}

/// Obeys commands.
struct Player {
    session: Session,
    clocks: Clocks,
    /// Known from the first name that can only be one of them.
    names: Option<Names>,
}

/// The text of an answer, or the end.
type Obeyed = Result<ControlFlow<(), String>, String>;

impl Player {
    fn obey(&mut self, command: &str, words: &[&str]) -> Obeyed {
        let text = match command {
            "quit" => return Ok(ControlFlow::Break(())),
            "protocol_version" => "2".into(),
            "name" => NAME.into(),
            "version" => VERSION.into(),
            "known_command" => {
                if words.first().is_some_and(|word| COMMANDS.contains(word)) {
                    "true".into()
                } else {
                    "false".into()
                }
            }
            "list_commands" => COMMANDS.join("\n"),
            "boardsize" => self.set_size(words)?,
            "clear_board" => {
                let start = *self.session.game.start();
                self.session.new_game();
                self.session.game = self.session.settings.game(start);
                self.clocks.restart();
                String::new()
            }
            "komi" => {
                words
                    .first()
                    .and_then(|word| word.parse::<f64>().ok())
                    .ok_or_else(|| wrong("komi and a number", words))?;
                String::new()
            }
            "play" => self.play(words)?,
            "genmove" => self.genmove(words)?,
            "undo" => self.session.game.pop().map(|_| String::new()).ok_or("cannot undo: no move was made")?,
            "showboard" => format!("\n{}", board_text(&self.session.game)),
            "time_settings" => self.set_times(words)?,
            "time_left" => self.tell_time(words)?,
            "final_score" => self.score()?,
            _ => self.own(command, words)?,
        };
        Ok(ControlFlow::Continue(text))
    }

    /// Commands that only this engine has.
    fn own(&mut self, command: &str, words: &[&str]) -> Result<String, String> {
        match (command, words) {
            ("oanquan-rules", []) => Ok(self.session.settings.rules.to_string()),
            ("oanquan-rules", [rules]) => self.session.set("Rules", rules).map(|()| self.restarted()),
            ("oanquan-position", []) => Ok(self.session.game.position().to_string()),
            ("oanquan-position", ["start"]) => {
                self.session.restart();
                Ok(String::new())
            }
            ("oanquan-position", words) => {
                self.session.set_up(Some(&words.join(" ")), [].into_iter()).map(|()| String::new())
            }
            ("oanquan-moves", _) => {
                let game = &self.session.game;
                let moves = game.position().legal_moves().filter(|_| !game.is_over());
                Ok(moves.map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "))
            }
            ("oanquan-option", [name, value @ ..]) => self.session.set(name, &value.join(" ")).map(|()| String::new()),
            ("oanquan-outcome", _) => Ok(self.session.game.outcome().map_or("none".into(), |outcome| {
                format!("{} {} {}", outcome.result(), outcome.points, outcome.ending)
            })),
            ("oanquan-rules" | "oanquan-option", words) => {
                Err(wrong("oanquan-rules TEXT or oanquan-option NAME VALUE", words))
            }
            _ => Err(format!("unknown command: expected one of list_commands, got {command:?}")),
        }
    }

    /// After a change of rules.
    fn restarted(&mut self) -> String {
        self.session.restart();
        String::new()
    }

    /// The board has as many squares for a side as the size says.
    fn set_size(&mut self, words: &[&str]) -> Result<String, String> {
        let unacceptable = || format!("unacceptable size: {}", wrong("1 to 7 squares for a side", words));
        let squares: u8 = words.first().and_then(|word| word.parse().ok()).ok_or_else(unacceptable)?;
        let rules = self.session.settings.rules;
        let pairs =
            rules.pairs().map(|(name, value)| (name, if name == "squares" { squares.to_string() } else { value }));
        let text: Vec<_> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
        self.session.set("Rules", &text.join(",")).map_err(|_| unacceptable())?;
        Ok(self.restarted())
    }

    /// The side of a name, and what that tells of the names to come.
    fn side(&self, name: Option<&&str>, words: &[&str]) -> Result<(Side, Option<Names>), String> {
        let turn = self.session.game.position().turn();
        let name = name.map(|name| name.to_ascii_lowercase()).unwrap_or_default();
        match (name.as_str(), self.names) {
            ("a", _) => Ok((Side::A, Some(Names::Letters))),
            ("w" | "white", _) => Ok((Side::B, Some(Names::Colours))),
            ("black", _) | ("b", Some(Names::Colours)) => Ok((Side::A, Some(Names::Colours))),
            ("b", Some(Names::Letters)) => Ok((Side::B, Some(Names::Letters))),
            ("b", None) => Ok((turn, None)),
            _ => Err(wrong("a colour, b or w, or a side, a or b", words)),
        }
    }

    fn play(&mut self, words: &[&str]) -> Result<String, String> {
        let (side, names) = self.side(words.first(), words)?;
        let [_, text] = words else { return Err(wrong("play COLOUR MOVE", words)) };
        let mv = Move::parse(text, Some(side)).map_err(|error| format!("illegal move: {error}"))?;
        if mv.side() != side {
            return Err(format!("illegal move: expected a move of side {side}, got {mv}"));
        }
        self.session.game.push(mv).map_err(|error| error.to_string())?;
        self.names = names.or(self.names);
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[&str]) -> Result<String, String> {
        let (side, names) = self.side(words.first(), words)?;
        let turn = self.session.game.position().turn();
        if let Some(ending) = self.session.game.ending() {
            return Err(format!("no move: the game is over ({ending})"));
        }
        if side != turn {
            return Err(format!("no move: expected genmove for side {turn}, whose turn it is, got side {side}"));
        }
        let begun = Instant::now();
        let allowance = self.clocks.allowance(side, self.session.settings.overhead).or_else(|| self.session.usual());
        let thinking = self.session.thinking(None, None, allowance);
        let thought = thinking.run(&mut self.session.table, &AtomicBool::new(false), &mut |_| ());
        let best = thought.ok_or("no move: the game is over")?.best;
        self.session.game.push(best).map_err(|error| error.to_string())?;
        self.clocks.spend(side, begun);
        self.names = names.or(self.names);
        Ok(best.to_string())
    }

    fn set_times(&mut self, words: &[&str]) -> Result<String, String> {
        let numbers: Option<Vec<_>> = words.iter().map(|word| number(word)).collect();
        let Some(&[main, period, stones]) = numbers.as_deref() else {
            return Err(wrong("time_settings MAIN PERIOD STONES, whole numbers", words));
        };
        self.clocks.set(Duration::from_secs(main.into()), Duration::from_secs(period.into()), stones);
        Ok(String::new())
    }

    fn tell_time(&mut self, words: &[&str]) -> Result<String, String> {
        let (side, _) = self.side(words.first(), words)?;
        let numbers: Option<Vec<_>> = words[1..].iter().map(|word| number(word)).collect();
        let Some(&[time, stones]) = numbers.as_deref() else {
            return Err(wrong("time_left COLOUR SECONDS STONES, whole numbers", words));
        };
        self.clocks.tell(side, Duration::from_secs(time.into()), stones);
        Ok(String::new())
    }

    /// `B+4` if black, side a, is four points ahead by the count.
    fn score(&self) -> Result<String, String> {
        let outcome = self.session.game.outcome().ok_or("cannot score: the game is in play")?;
        let margin = outcome.points[Side::A] - outcome.points[Side::B];
        Ok(match outcome.winner {
            None => "0".into(),
            Some(side) => {
                let name = if side == Side::A { 'B' } else { 'W' };
                // A bankrupt side has lost, whatever the points: as if it had resigned.
                if outcome.ending == Ending::Loses { format!("{name}+R") } else { format!("{name}+{}", margin.abs()) }
            }
        })
    }
}

/// A number of seconds or stones.
fn number(word: &str) -> Option<u32> {
    word.parse().ok().map(|number: u32| number.min(MOST_SECONDS))
}

fn wrong(expected: &str, words: &[&str]) -> String {
    format!("syntax error: expected {expected}, got {:?}", words.join(" "))
}

#[cfg(test)]
mod tests;
