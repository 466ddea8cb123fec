//! What a client can set, by name.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use oanquan_core::game::{DEFAULT_MAX_PLIES, DEFAULT_REPETITION};
use oanquan_core::{Game, Position, Rules};

use crate::tablebase::{TableError, Tablebase};
use crate::{Agent, agent};

/// The name of the option [`Settings`] has for the search itself.
const SEARCH: &str = "search";

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Any text.
    Text {
        /// Its value before it is set.
        default: &'static str,
    },
    /// A whole number.
    Number {
        /// Its value before it is set.
        default: u64,
        /// The least it can be.
        least: u64,
        /// The most it can be.
        most: u64,
    },
}

/// An option.
///
/// ```
/// use oanquan_engine::protocol::{Kind, OPTIONS};
/// let hash = OPTIONS.iter().find(|option| option.name == "Hash").unwrap();
/// assert_eq!(hash.kind, Kind::Number { default: 16, least: 1, most: 65536 });
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it does.
    pub summary: &'static str,
}

const fn text(name: &'static str, default: &'static str, summary: &'static str) -> Choice {
    Choice { name, kind: Kind::Text { default }, summary }
}

const fn number(name: &'static str, [default, least, most]: [u64; 3], summary: &'static str) -> Choice {
    Choice { name, kind: Kind::Number { default, least, most }, summary }
}

/// The most games and plies that can be asked for.
const MANY: u64 = u32::MAX as u64;

/// Every option, in the order in which they are told.
pub const OPTIONS: [Choice; 11] = [
    text("Rules", "mancala-world", "a preset or key=value,...; the position is the start of the game again"),
    number("MaxPlies", [DEFAULT_MAX_PLIES as u64, 0, MANY], "moves after which a game is counted; 0 for no limit"),
    number("Repetition", [DEFAULT_REPETITION as u64, 0, MANY], "how often a position may stand; 0 for no limit"),
    text("Agent", SEARCH, "search: our search, within the limits given; or an agent, as oanquan match takes them"),
    number("Hash", [16, 1, 65536], "memory of the search, in MiB"),
    number("Threads", [1, 1, 512], "threads of the search"),
    text("Tables", "", "the file of an endgame table that the search asks"),
    number("MultiPV", [1, 1, 14], "how many of the best moves the search tells"),
    number("Seed", [0, 0, i64::MAX as u64], "what agents draw from"),
    number("MoveOverhead", [10, 0, 10_000], "milliseconds of a clock that a move costs on its way"),
    number("MoveTime", [1000, 1, 86_400_000], "milliseconds that the search takes for a move, if no limit is given"),
];

/// Why an option cannot be set.
///
/// ```
/// use oanquan_engine::protocol::Settings;
/// let error = Settings::default().set("Hash", "0").unwrap_err();
/// assert_eq!(error.to_string(), "Hash: expected a number of 1 to 65536, got \"0\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionError(String);

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OptionError {}

/// The options as they are set.
///
/// ```
/// use oanquan_engine::protocol::Settings;
/// let mut settings = Settings::default();
/// settings.set("Rules", "wikipedia-vi")?;
/// settings.set("agent", "mcts:simulations=100")?;
/// assert_eq!(settings.rules().to_string(), "wikipedia-vi");
/// # Ok::<(), oanquan_engine::protocol::OptionError>(())
/// ```
#[derive(Clone)]
pub struct Settings {
    pub(crate) rules: Rules,
    pub(crate) max_plies: Option<u32>,
    pub(crate) repetition: Option<u32>,
    /// None for the search.
    pub(crate) agent: Option<Arc<dyn Agent>>,
    /// Bytes.
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    pub(crate) tables: Option<Arc<Tablebase>>,
    pub(crate) lines: usize,
    pub(crate) seed: u64,
    pub(crate) overhead: Duration,
    pub(crate) move_time: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let mut settings = Self {
            rules: Rules::default(),
            max_plies: None,
            repetition: None,
            agent: None,
            hash: 0,
            threads: 1,
            tables: None,
            lines: 1,
            seed: 0,
            overhead: Duration::ZERO,
            move_time: Duration::ZERO,
        };
        for choice in &OPTIONS {
            if let Kind::Number { default, .. } = choice.kind {
                settings.set_number(choice.name, default);
            }
        }
        settings
    }
}

impl Settings {
    /// Sets an option, whose name may be written in any case; with an error nothing changes.
    ///
    /// # Errors
    /// [`OptionError`]: no such option, a number out of its range, rules that cannot be built or are not of two sides, no
    /// such agent, a file that is no endgame table.
    ///
    /// ```
    /// use oanquan_engine::protocol::Settings;
    /// let error = Settings::default().set("Rules", "three-players").unwrap_err();
    /// assert_eq!(error.to_string(), "Rules: expected rules of two sides, got \"three-players\" with 3");
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let choice = OPTIONS.iter().find(|choice| choice.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let names = OPTIONS.map(|choice| choice.name).join(", ");
            OptionError(format!("expected an option of {names}, got {name:?}"))
        })?;
        let name = choice.name;
        let set = match choice.kind {
            Kind::Number { least, most, .. } => match value.parse() {
                Ok(number) if (least..=most).contains(&number) => {
                    self.set_number(name, number);
                    Ok(())
                }
                _ => Err(format!("expected a number of {least} to {most}, got {value:?}")),
            },
            Kind::Text { .. } => self.set_text(name, if value == "<empty>" { "" } else { value }),
        };
        set.map_err(|why| OptionError(format!("{name}: {why}")))
    }

    /// The rules that are played by.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    fn set_number(&mut self, name: &str, number: u64) {
        let limit = (number > 0).then_some(number as u32);
        match name {
            "MaxPlies" => self.max_plies = limit,
            "Repetition" => self.repetition = limit,
            "Hash" => self.hash = (number as usize).saturating_mul(1 << 20),
            "Threads" => self.threads = number as usize,
            "MultiPV" => self.lines = number as usize,
            "Seed" => self.seed = number,
            "MoveOverhead" => self.overhead = Duration::from_millis(number),
            _ => self.move_time = Duration::from_millis(number),
        }
    }

    fn set_text(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "Rules" => self.rules = two_sides(value)?,
            "Agent" if value == SEARCH => self.agent = None,
            "Agent" => self.agent = Some(agent::parse(value).map_err(|error| error.to_string())?),
            _ if value.is_empty() => self.tables = None,
            _ => self.tables = Some(Arc::new(open(value)?)),
        }
        Ok(())
    }

    /// A game from that position, within the limits that are set.
    pub(crate) const fn game(&self, start: Position) -> Game {
        Game::with_limits(start, self.max_plies, self.repetition)
    }

    /// What decides how a game goes.
    pub(crate) const fn of_the_game(&self) -> (Rules, Option<u32>, Option<u32>) {
        (self.rules, self.max_plies, self.repetition)
    }
}

/// The rules of a text, which must have two sides.
fn two_sides(text: &str) -> Result<Rules, String> {
    let rules = Rules::parse(text).map_err(|error| error.to_string())?;
    if rules.sides == 2 {
        Ok(rules)
    } else {
        Err(format!("expected rules of two sides, got {text:?} with {}", rules.sides))
    }
}

fn open(file: &str) -> Result<Tablebase, String> {
    let why = |error: TableError| format!("expected the file of an endgame table ({error}), got {file:?}");
    Tablebase::open(Path::new(file)).map_err(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_set_changes_nothing() {
        let mut settings = Settings::default();
        settings.set("Rules", "tonkin").unwrap();
        for (name, value, message) in [
            ("", "", "expected an option of Rules, MaxPlies, "),
            ("Rule", "tonkin", "expected an option of Rules, "),
            ("Rules", "nonsense", "Rules: unknown preset \"nonsense\": expected one of"),
            ("rules", "sides=4", "Rules: expected rules of two sides, got \"sides=4\" with 4"),
            ("Rules", "", "Rules: "),
            ("Hash", "-1", "Hash: expected a number of 1 to 65536, got \"-1\""),
            ("Hash", "99999999999999999999", "Hash: expected a number of 1 to 65536"),
            ("MultiPV", "15", "MultiPV: expected a number of 1 to 14"),
            ("Agent", "lucky", "Agent: expected random, greedy"),
            ("Tables", "no such file", "Tables: expected the file of an endgame table ("),
        ] {
            let error = settings.set(name, value).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        assert_eq!(settings.rules().to_string(), "tonkin");
        assert!(settings.agent.is_none() && settings.tables.is_none());
        assert_eq!((settings.hash, settings.lines), (16 << 20, 1));
    }

    #[test]
    fn zero_switches_limits_off() {
        let mut settings = Settings::default();
        assert_eq!((settings.max_plies, settings.repetition), (Some(1000), Some(3)));
        settings.set("MaxPlies", "0").unwrap();
        settings.set("Repetition", "0").unwrap();
        assert_eq!((settings.max_plies, settings.repetition), (None, None));
    }

    #[test]
    fn an_agent_or_the_search() {
        let mut settings = Settings::default();
        settings.set("Agent", "greedy").unwrap();
        assert_eq!(settings.agent.as_ref().unwrap().name(), "greedy");
        settings.set("Agent", "search").unwrap();
        assert!(settings.agent.is_none());
        settings.set("Tables", "<empty>").unwrap();
    }
}
