//! Rules that can be played, the one constructor that accepts them, and their text (rules sections 7 and 9).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use crate::knobs::{EndsWhen, KNOBS, Knob, Knobs, Mandarin};
use crate::variants::{self, PRESETS};
use crate::zobrist;
use crate::{MAX_PEBBLES, MAX_SIDES, MAX_SQUARES, Side, Square};

/// One thing that is wrong with rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RulesFault {
    /// No knob has that name.
    UnknownKnob(String),
    /// No preset has that name.
    UnknownPreset(String),
    /// The same knob is given twice.
    Repeated(&'static str),
    /// The value is not one of the knob's.
    Value {
        /// The knob.
        knob: &'static Knob,
        /// What was given.
        given: String,
    },
    /// The knob speaks of mandarins, and `mandarin = pebbles` leaves none.
    NeedsStone(&'static str),
    /// The start has more pebbles than a board can hold.
    TooManyPebbles(usize),
    /// The text is empty, or a part of it is neither a preset nor `key=value`.
    Text(String),
}

impl fmt::Display for RulesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKnob(name) => {
                let names: Vec<_> = KNOBS.iter().map(|knob| knob.name).collect();
                write!(f, "unknown knob {name:?}: expected one of {}", names.join(", "))
            }
            Self::UnknownPreset(name) => {
                let names: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
                write!(f, "unknown preset {name:?}: expected one of {}", names.join(", "))
            }
            Self::Repeated(name) => write!(f, "{name}: expected once, got it twice"),
            Self::Value { knob, given } => write!(f, "{}: expected {}, got {given:?}", knob.name, knob.values),
            Self::NeedsStone(given) => write!(f, "{given}: expected mandarin=stone, got mandarin=pebbles"),
            Self::TooManyPebbles(count) => {
                write!(f, "start: expected at most {MAX_PEBBLES} pebbles on the board, got {count}")
            }
            Self::Text(text) => {
                write!(f, "rules text: expected a preset or key=value pairs joined by \",\", got {text:?}")
            }
        }
    }
}

/// Rules that cannot be built, with every fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesError {
    /// What is wrong; never empty.
    pub faults: Vec<RulesFault>,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<_> = self.faults.iter().map(ToString::to_string).collect();
        f.write_str(&faults.join("; "))
    }
}

impl core::error::Error for RulesError {}

/// Rules that can be played: checked [`Knobs`], a small `Copy` value that is compared by value.
///
/// ```
/// use oanquan_core::Rules;
/// let rules = Rules::parse("wikipedia-vi")?;
/// assert_eq!(rules, Rules::parse("empty_mandarin_after_sowing=gap")?);
/// assert_eq!(rules.to_string(), "wikipedia-vi");
/// assert_eq!(Rules::parse("sides=5,squares=0").unwrap_err().faults.len(), 2);
/// # Ok::<(), oanquan_core::RulesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    knobs: Knobs,
    // The rest follows from the knobs, and is kept because every move asks for it.
    /// Bit i is set when ring square i is a mandarin square.
    mandarin_squares: u32,
    /// How many squares the ring has.
    ring: u8,
    /// Bit i is set when a row has citizen square i + 1.
    row: u8,
    /// The ring index of the first square of each row.
    firsts: [u8; MAX_SIDES],
    /// What the knobs add to every key.
    key_sum: u64,
}

impl Deref for Rules {
    type Target = Knobs;

    #[inline]
    fn deref(&self) -> &Knobs {
        &self.knobs
    }
}

impl Default for Rules {
    /// The preset `mancala-world`.
    fn default() -> Self {
        Self::build(Knobs::default())
    }
}

impl Rules {
    /// The rules with these knobs.
    ///
    /// # Errors
    /// [`RulesError`] with every fault: a value out of range, a knob that needs a mandarin that is not there, more
    /// than 255 pebbles on the board.
    pub fn new(knobs: Knobs) -> Result<Self, RulesError> {
        let mut faults = Vec::new();
        for (place, text) in knobs.texts().into_iter().enumerate() {
            if !knobs.clone().set(place, &text) {
                faults.push(RulesFault::Value { knob: &KNOBS[place], given: text });
            }
        }
        Self::finish(knobs, faults)
    }

    /// The default rules with these knobs changed, each given as name and text.
    ///
    /// # Errors
    /// [`RulesError`] with every fault, unknown and repeated names included.
    pub fn from_pairs(pairs: &[(&str, &str)]) -> Result<Self, RulesError> {
        let mut faults = Vec::new();
        let knobs = Self::change(Knobs::default(), pairs, &mut faults);
        Self::finish(knobs, faults)
    }

    /// Reads a preset's name, `key=value` pairs joined by `,`, or a preset followed by pairs (rules section 9).
    ///
    /// # Errors
    /// [`RulesError`] with every fault.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let mut faults = Vec::new();
        let mut knobs = Knobs::default();
        let mut pairs = Vec::new();
        for (place, part) in text.split(',').enumerate() {
            match part.split_once('=') {
                Some(pair) => pairs.push(pair),
                None if place > 0 || part.is_empty() => faults.push(RulesFault::Text(part.to_string())),
                None => match variants::preset(part) {
                    Some(preset) => knobs = *preset.rules(),
                    None => faults.push(RulesFault::UnknownPreset(part.to_string())),
                },
            }
        }
        knobs = Self::change(knobs, &pairs, &mut faults);
        Self::finish(knobs, faults)
    }

    fn change(mut knobs: Knobs, pairs: &[(&str, &str)], faults: &mut Vec<RulesFault>) -> Knobs {
        let mut given = [false; KNOBS.len()];
        for &(name, text) in pairs {
            let Some(place) = KNOBS.iter().position(|knob| knob.name == name) else {
                faults.push(RulesFault::UnknownKnob(name.to_string()));
                continue;
            };
            if core::mem::replace(&mut given[place], true) {
                faults.push(RulesFault::Repeated(KNOBS[place].name));
            } else if !knobs.set(place, text) {
                faults.push(RulesFault::Value { knob: &KNOBS[place], given: text.to_string() });
            }
        }
        knobs
    }

    /// The faults that lie in combinations (rules section 7, "not buildable").
    fn finish(knobs: Knobs, mut faults: Vec<RulesFault>) -> Result<Self, RulesError> {
        if knobs.mandarin == Mandarin::Pebbles {
            if knobs.immature_below > 0 {
                faults.push(RulesFault::NeedsStone("immature_below"));
            }
            if knobs.mandarin_ban > 0 {
                faults.push(RulesFault::NeedsStone("mandarin_ban"));
            }
            if knobs.ends_when == EndsWhen::StonesTaken {
                faults.push(RulesFault::NeedsStone("ends_when=stones_taken"));
            }
        }
        let total = knobs.start_pebbles();
        if total > MAX_PEBBLES {
            faults.push(RulesFault::TooManyPebbles(total));
        }
        if faults.is_empty() { Ok(Self::build(knobs)) } else { Err(RulesError { faults }) }
    }

    pub(crate) fn build(knobs: Knobs) -> Self {
        let row = knobs.squares + 1;
        let mut rules = Self {
            knobs,
            mandarin_squares: 0,
            ring: knobs.sides * row,
            row: (1 << knobs.squares) - 1,
            firsts: [0, row, 2 * row, 3 * row],
            key_sum: 0,
        };
        for side in 0..usize::from(knobs.sides) {
            rules.mandarin_squares |= 1 << rules.mandarin_index(side);
        }
        rules.key_sum = zobrist::rules_sum(rules.differences());
        rules
    }

    /// The knobs as plain data, to change and build again.
    pub const fn knobs(&self) -> Knobs {
        self.knobs
    }

    /// Every knob with the text of its value, in the order of the table.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, String)> {
        KNOBS.iter().map(|knob| knob.name).zip(self.knobs.texts())
    }

    /// The knobs that differ from the default, in the order of the table.
    pub fn differences(&self) -> impl Iterator<Item = (&'static str, String)> {
        KNOBS
            .iter()
            .zip(self.knobs.texts())
            .filter_map(|(knob, text)| (knob.default != text).then_some((knob.name, text)))
    }

    /// How many squares the ring has: `sides * (squares + 1)`, 4 to 32.
    #[inline]
    pub const fn ring(&self) -> usize {
        self.ring as usize
    }

    /// The sides that play, in order.
    pub fn all_sides(&self) -> impl Iterator<Item = Side> + use<> {
        Side::ALL.into_iter().take(usize::from(self.knobs.sides))
    }

    /// The square of that ring index (a1 is 0, counter-clockwise), if the ring has it.
    pub const fn square(&self, index: usize) -> Option<Square> {
        let row = self.knobs.squares as usize + 1;
        if index >= self.ring() {
            return None;
        }
        match (Side::from_index(index / row), index % row) {
            (Some(side), place) if place + 1 == row => Some(Square::mandarin(side)),
            (Some(side), place) => Square::citizen(side, place as u8 + 1),
            (None, _) => None,
        }
    }

    /// The ring index of a square, if this board has it.
    pub const fn index(&self, square: Square) -> Option<usize> {
        let squares = self.knobs.squares as usize;
        let place = match square.number() {
            Some(number) if number as usize <= squares => number as usize - 1,
            Some(_) => return None,
            None => squares,
        };
        if square.side().index() < self.knobs.sides as usize {
            Some(square.side().index() * (squares + 1) + place)
        } else {
            None
        }
    }

    /// The points of the whole board: its pebbles and `mandarin_value` a mandarin; 70 on the standard board.
    pub fn total_points(&self) -> i32 {
        let stones =
            if self.mandarin == Mandarin::Stone { i32::from(self.sides) * i32::from(self.mandarin_value) } else { 0 };
        self.start_pebbles() as i32 + stones
    }

    /// Bit i is set when ring square i is a mandarin square.
    #[inline]
    pub(crate) const fn mandarin_squares(&self) -> u32 {
        self.mandarin_squares
    }

    /// Bit i is set when a row has citizen square i + 1.
    #[inline]
    pub(crate) const fn row(&self) -> u8 {
        self.row
    }

    /// The ring index of the first square of the row of that side.
    #[inline]
    pub(crate) const fn first(&self, side: Side) -> usize {
        self.firsts[side.index()] as usize
    }

    /// The ring index of the mandarin square after the row of the side of that index.
    #[inline]
    pub(crate) const fn mandarin_index(&self, side: usize) -> usize {
        side * (self.knobs.squares as usize + 1) + self.knobs.squares as usize
    }

    /// What the rules add to every key.
    #[inline]
    pub(crate) const fn key_sum(&self) -> u64 {
        self.key_sum
    }

    /// The most mandarins there can be.
    pub(crate) const fn mandarins(&self) -> u8 {
        match self.knobs.mandarin {
            Mandarin::Stone => self.knobs.sides,
            Mandarin::Pebbles => 0,
        }
    }
}

impl fmt::Display for Rules {
    /// The preset's name if there is one, otherwise the differing pairs in the table's order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(preset) = PRESETS.iter().find(|preset| preset.knobs() == self.knobs) {
            return f.write_str(preset.name);
        }
        let pairs: Vec<_> = self.differences().map(|(name, text)| format!("{name}={text}")).collect();
        f.write_str(&pairs.join(","))
    }
}

const _: () = assert!(MAX_SIDES == 4 && MAX_SQUARES == 7);
