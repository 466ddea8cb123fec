//! Agents as texts: a name, and for those that take them options after it, `name:option=value:option=value`.
//!
//! The text of an agent is its name. It holds no comma, so that agents can be joined by commas.

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Agent, Cautious, Greedy, Random};
use crate::Turn;
use crate::mcts::playout::Policy;
use crate::mcts::{self, MctsAgent, Selection, Value};
use crate::search::{self, Limits, SearchAgent};
use crate::tablebase::{TableError, Tablebase};

/// The texts that [`parse`] reads, with what each agent does.
pub const FORMS: [(&str, &str); 7] = [
    ("random", "uniform among the legal moves"),
    ("greedy", "most points captured at once, among equals at random"),
    ("cautious", "the same minus the most that the next side can capture in reply"),
    ("search:depth=N", "the best move of a search so many plies deep"),
    ("search:nodes=N", "the best move of a search of so many positions; with both, whichever ends it"),
    ("mcts:simulations=N", "Monte Carlo tree search; also exploration, selection, playout and value"),
    ("table:FILE", "the best move of a search of 10000 positions that asks that endgame table"),
];

/// The most nodes of a search: more than it makes in a year.
const MOST_NODES: u64 = 1_000_000_000_000_000;

/// Why a text is no agent.
///
/// ```
/// use oanquan_engine::agent;
/// let error = agent::parse("mcts:simulations=none").err().unwrap();
/// assert_eq!(error.to_string(), "expected simulations of 1 to 100000000, got \"none\" in \"mcts:simulations=none\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentError {
    /// The text.
    pub text: String,
    /// What was expected.
    pub expected: String,
    /// What was given, if it is not the whole text.
    pub given: Option<String>,
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, expected, given } = self;
        match given {
            Some(given) => write!(f, "expected {expected}, got {given:?} in {text:?}"),
            None => write!(f, "expected {expected}, got {text:?}"),
        }
    }
}

impl std::error::Error for AgentError {}

/// The agent of a text: one of [`FORMS`], with options in any order.
///
/// Its name is the text in its one form: options in the order of the table, those of `mcts` after the first left out that
/// say what [`mcts::Options::default`] says.
///
/// | agent | option | values |
/// |---|---|---|
/// | `search` | `depth` | 1 to 100 |
/// | `search` | `nodes` | 1 to 10^15; one of the two must be there |
/// | `mcts` | `simulations` | 1 to 100000000 |
/// | `mcts` | `exploration` | 0 to 100 |
/// | `mcts` | `selection` | `uct`, `puct` |
/// | `mcts` | `playout` | `random`, `greedy` |
/// | `mcts` | `value` | `points`, `result` |
///
/// `table` takes the name of a file: whatever stands after the colon. Its name has the checksum of the table too,
/// `table:FILE:crc32=1b2c3d4e`, since it is not the name of a file that decides how it plays; a text with a checksum is that
/// of no other table. Positions by rules that the table does not [serve](Tablebase::serves) it searches without it. The file is
/// opened here, and must not be changed while the agent plays.
///
/// # Errors
/// [`AgentError`], which says what is known, or why the file is no table.
///
/// ```
/// use oanquan_engine::agent;
/// assert_eq!(agent::parse("mcts:playout=greedy:simulations=0050")?.name(), "mcts:simulations=50:playout=greedy");
/// assert_eq!(agent::parse("mcts")?.name(), "mcts:simulations=1000");
/// let error = agent::parse("mcts:depth=3").err().unwrap();
/// assert!(error.to_string().ends_with("value, got \"depth\" in \"mcts:depth=3\""), "{error}");
/// # Ok::<(), agent::AgentError>(())
/// ```
pub fn parse(text: &str) -> Result<Arc<dyn Agent>, AgentError> {
    let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let plain = |agent: Arc<dyn Agent>| match rest {
        None => Ok(agent),
        Some(_) => Err(AgentError { text: text.into(), expected: format!("no options of {name}"), given: None }),
    };
    match name {
        "random" => plain(Arc::new(Random)),
        "greedy" => plain(Arc::new(Greedy)),
        "cautious" => plain(Arc::new(Cautious)),
        "search" => search(Reader { text, rest }),
        "mcts" => mcts(Reader { text, rest }),
        "table" => table(Reader { text, rest }),
        _ => Err(AgentError { text: text.into(), expected: known(), given: None }),
    }
}

/// Every form, as an error says it.
fn known() -> String {
    let [others @ .., last] = FORMS.map(|(form, _)| form);
    format!("{} or {last}", others.join(", "))
}

/// The options of a text.
#[derive(Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
    rest: Option<&'a str>,
}

impl<'a> Reader<'a> {
    /// Every option with its value, each of which must be among these names and given once.
    fn pairs(self, names: &[&str]) -> Result<Vec<(&'a str, &'a str)>, AgentError> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for option in self.rest.into_iter().flat_map(|rest| rest.split(':')) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            if !names.contains(&name) {
                return Err(self.error(&format!("option=value with one of {}", names.join(", ")), name));
            }
            if pairs.iter().any(|(other, _)| *other == name) {
                return Err(self.error(&format!("{name} once"), option));
            }
            pairs.push((name, value));
        }
        Ok(pairs)
    }

    fn error(self, expected: &str, given: &str) -> AgentError {
        AgentError { text: self.text.into(), expected: expected.into(), given: Some(given.into()) }
    }

    /// A number within the bounds.
    fn number<T>(self, (name, value): (&str, &str), least: T, most: T) -> Result<T, AgentError>
    where
        T: FromStr + PartialOrd + fmt::Display + Copy,
    {
        let number = value.parse().ok().filter(|&number| number >= least && number <= most);
        number.ok_or_else(|| self.error(&format!("{name} of {least} to {most}"), value))
    }

    /// One of the words.
    fn word<T: Copy>(self, (name, value): (&str, &str), words: &[(&str, T)]) -> Result<T, AgentError> {
        let word = words.iter().find(|(word, _)| *word == value).map(|&(_, word)| word);
        word.ok_or_else(|| {
            let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            self.error(&format!("{name} of {}", words.join(" or ")), value)
        })
    }
}

/// The word for a value.
fn word_of<T: PartialEq>(value: &T, words: &[(&'static str, T)]) -> &'static str {
    words.iter().find(|(_, other)| other == value).map_or("", |(word, _)| word)
}

fn search(reader: Reader<'_>) -> Result<Arc<dyn Agent>, AgentError> {
    let mut limits = Limits::default();
    for pair in reader.pairs(&["depth", "nodes"])? {
        match pair.0 {
            "depth" => limits.depth = Some(reader.number(pair, 1, search::MOST_DEPTH)?),
            _ => limits.nodes = Some(reader.number(pair, 1, MOST_NODES)?),
        }
    }
    match search::agent(limits) {
        Some(agent) => Ok(Arc::new(agent)),
        None => Err(reader.error("a limit, search:depth=N or search:nodes=N", "none")),
    }
}

/// What stands in its name between the file of a table and the eight digits of its checksum.
const CHECKSUM: &str = ":crc32=";

/// How many positions an agent with a table searches.
const TABLE_NODES: u64 = 10_000;

fn table(reader: Reader<'_>) -> Result<Arc<dyn Agent>, AgentError> {
    let file = reader.rest.filter(|file| !file.is_empty() && !file.contains(','));
    let file = file.ok_or_else(|| reader.error("table:FILE, the name of a file without a comma", reader.text))?;
    let (file, wanted) = match file.rsplit_once(CHECKSUM) {
        Some((file, digits)) if digits.len() == 8 => (file, u32::from_str_radix(digits, 16).ok()),
        _ => (file, None),
    };
    let refused = |why: &dyn fmt::Display| reader.error(&format!("an endgame table ({why})"), file);
    let table = Tablebase::open(Path::new(file)).map_err(|error| match error {
        TableError::Io(error) if error.kind() == io::ErrorKind::NotFound => refused(&"its file is missing"),
        error => refused(&error),
    })?;
    let checksum = table.checksum().unwrap_or_default();
    if wanted.is_some_and(|wanted| wanted != checksum) {
        return Err(refused(&format_args!("the file has another content now, crc32={checksum:08x}")));
    }
    let limits = Limits { nodes: Some(TABLE_NODES), ..Limits::default() };
    // A limit is given, so that there is an agent.
    let without = search::agent(limits).ok_or_else(|| reader.error("a limit", file))?;
    let table = Arc::new(table);
    let name = format!("table:{file}{CHECKSUM}{checksum:08x}");
    let with = without.clone().with_tables(name.clone(), table.clone());
    Ok(Arc::new(TableAgent { name, table, with, without }))
}

/// Searches with a table where it serves the rules.
struct TableAgent {
    name: String,
    table: Arc<Tablebase>,
    with: SearchAgent,
    without: SearchAgent,
}

impl TableAgent {
    fn searcher(&self, turn: &Turn<'_>) -> &SearchAgent {
        if self.table.serves(turn.position().rules()) { &self.with } else { &self.without }
    }
}

impl Agent for TableAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&self, turn: &Turn<'_>) -> usize {
        self.searcher(turn).choose(turn)
    }

    fn choose_unless(&self, turn: &Turn<'_>, stop: &AtomicBool) -> Option<usize> {
        self.searcher(turn).choose_unless(turn, stop)
    }

    fn choose_so_far(&self, turn: &Turn<'_>, stop: &AtomicBool) -> usize {
        self.searcher(turn).choose_so_far(turn, stop)
    }
}

fn mcts(reader: Reader<'_>) -> Result<Arc<dyn Agent>, AgentError> {
    let mut options = mcts::Options::default();
    for pair in reader.pairs(&["simulations", "exploration", "selection", "playout", "value"])? {
        match pair.0 {
            "simulations" => options.simulations = reader.number(pair, 1, mcts::Options::MOST_SIMULATIONS)?,
            "exploration" => options.exploration = reader.number(pair, 0.0, mcts::Options::MOST_EXPLORATION)?,
            "selection" => options.selection = reader.word(pair, &Selection::NAMES)?,
            "playout" => options.playout = reader.word(pair, &Policy::NAMES)?,
            _ => options.value = reader.word(pair, &Value::NAMES)?,
        }
    }
    let usual = mcts::Options::default();
    let mut name = format!("mcts:simulations={}", options.simulations);
    let mut say = |differs: bool, option: &str, value: &dyn fmt::Display| {
        if differs {
            name.extend([":", option, "=", &value.to_string()]);
        }
    };
    say(options.exploration.to_bits() != usual.exploration.to_bits(), "exploration", &options.exploration);
    say(options.selection != usual.selection, "selection", &word_of(&options.selection, &Selection::NAMES));
    say(options.playout != usual.playout, "playout", &word_of(&options.playout, &Policy::NAMES));
    say(options.value != usual.value, "value", &word_of(&options.value, &Value::NAMES));
    Ok(Arc::new(MctsAgent::new(name, options)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_one_form_that_reads_as_itself() {
        let texts = [
            "random",
            "mcts",
            "mcts:simulations=7",
            "mcts:value=points:exploration=1.50:playout=greedy:selection=puct",
            "mcts:exploration=0",
            "search:depth=3",
            "search:nodes=0100:depth=4",
        ];
        for text in texts {
            let name = parse(text).unwrap().name().to_string();
            assert_eq!(parse(&name).unwrap().name(), name);
            assert!(!name.contains(','));
        }
        assert_eq!(
            parse(texts[3]).unwrap().name(),
            "mcts:simulations=1000:exploration=1.5:selection=puct:playout=greedy:value=points"
        );
    }

    #[test]
    fn what_is_no_agent_says_why() {
        let cases = [
            ("", "expected random, greedy, cautious"),
            ("Random", "expected random, greedy, cautious"),
            ("random:", "expected no options of random, got \"random:\""),
            ("mcts:", "expected option=value with one of simulations, exploration"),
            ("mcts:simulations", "expected simulations of 1 to 100000000, got \"\" in"),
            ("mcts:simulations=0", "expected simulations of 1 to 100000000, got \"0\" in"),
            ("mcts:simulations=5:simulations=5", "expected simulations once, got \"simulations=5\" in"),
            ("mcts:exploration=nan", "expected exploration of 0 to 100, got \"nan\""),
            ("mcts:exploration=inf", "expected exploration of 0 to 100, got \"inf\""),
            ("search", "expected a limit, search:depth=N or search:nodes=N, got \"none\" in \"search\""),
            ("search:depth=101", "expected depth of 1 to 100, got \"101\""),
            ("table", "expected table:FILE, the name of a file without a comma, got \"table\" in \"table\""),
            ("table:no such file", "expected an endgame table (its file is missing), got \"no such file\" in"),
            ("mcts:playout=best", "expected playout of random or greedy, got \"best\""),
        ];
        for (text, message) in cases {
            let error = parse(text).err().unwrap();
            assert!(error.to_string().starts_with(message), "{error}");
        }
    }
}
