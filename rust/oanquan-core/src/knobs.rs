//! The knobs of the rules as plain data, with their words, bounds and defaults in one table (rules section 7).

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// An enum whose values are the words of a knob.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// The words of the knob, in the order of the values.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word of this value.
            pub const fn word(self) -> &'static str {
                Self::WORDS[self as usize]
            }

            fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

words! {
    /// What stands in each mandarin square at the start (`mandarin`).
    Mandarin {
        /// One big stone.
        Stone = "stone",
        /// `mandarin_value` ordinary pebbles.
        Pebbles = "pebbles",
    }
}
words! {
    /// Which ways a side may sow (`directions`).
    Directions {
        /// Either way.
        Both = "both",
        /// Counter-clockwise only.
        Counterclockwise = "counterclockwise",
        /// Clockwise only.
        Clockwise = "clockwise",
    }
}
words! {
    /// What a mandarin square that is not empty does to a sowing that comes before it (`mandarin_next`).
    MandarinNext {
        /// The move ends.
        Stop = "stop",
        /// One of its pebbles is sown on; a lone mandarin ends the move.
        LiftOne = "lift_one",
        /// Without its mandarin it is relayed like a citizen square; with it the move ends.
        RelayWhenBare = "relay_when_bare",
    }
}
words! {
    /// Whether an empty mandarin square can be a gap (`empty_mandarin_after_sowing`, `empty_mandarin_in_chain`).
    EmptyMandarin {
        /// It ends the move.
        Stop = "stop",
        /// It is a gap like an empty citizen square.
        Gap = "gap",
    }
}
words! {
    /// When empty rows are re-seeded (`reseed_when`).
    ReseedWhen {
        /// The side to move, before its turn.
        TurnStart = "turn_start",
        /// Every side, after each move.
        WhenEmpty = "when_empty",
    }
}
words! {
    /// What a side can pay a re-seeding from (`reseed_from`).
    ReseedFrom {
        /// Its store of pebbles.
        Pebbles = "pebbles",
        /// Its points: a captured mandarin counts as `mandarin_value` pebbles.
        Points = "points",
    }
}
words! {
    /// What happens when a side cannot pay a re-seeding (`shortfall`).
    Shortfall {
        /// The others lend what is missing.
        Borrow = "borrow",
        /// Its store goes below zero.
        Owe = "owe",
        /// It fills as many squares as it can.
        Partial = "partial",
        /// It has lost.
        Loses = "loses",
        /// The game ends and is counted.
        Count = "count",
    }
}
words! {
    /// The end of the game (`ends_when`).
    EndsWhen {
        /// Every mandarin square is empty.
        SquaresEmpty = "squares_empty",
        /// No mandarin stands on the board.
        StonesTaken = "stones_taken",
    }
}
words! {
    /// When the end is looked for (`end_check`).
    EndCheck {
        /// Once, when the move has ended.
        AfterMove = "after_move",
        /// Also right after each captured square, cutting the chain.
        AtOnce = "at_once",
    }
}
words! {
    /// Who gets what stands in mandarin squares at the count (`mandarin_leftovers`).
    MandarinLeftovers {
        /// Nobody.
        Nobody = "nobody",
        /// All sides evenly, by value.
        Split = "split",
        /// The side whose row the square follows.
        Adjacent = "adjacent",
    }
}
words! {
    /// Who gets what is left in the rows at the count (`row_leftovers`).
    RowLeftovers {
        /// Each side its own.
        Owner = "owner",
        /// All sides evenly.
        Split = "split",
    }
}

/// The values a knob can have, as its text says them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// A whole number within these bounds.
    Range {
        /// The least.
        min: u8,
        /// The greatest.
        max: u8,
    },
    /// One of these words.
    Words(&'static [&'static str]),
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { min, max } => write!(f, "{min} to {max}"),
            Self::Words(words) => f.write_str(&words.join(", ")),
        }
    }
}

/// How a type of knob value reads and writes.
trait KnobValue: Copy + PartialEq {
    fn read(text: &str, values: Values) -> Option<Self>;
    fn write(self) -> String;
}

impl KnobValue for u8 {
    fn read(text: &str, values: Values) -> Option<Self> {
        let Values::Range { min, max } = values else { return None };
        let canonical = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        text.parse().ok().filter(|value| canonical && (min..=max).contains(value))
    }

    fn write(self) -> String {
        self.to_string()
    }
}

impl KnobValue for bool {
    fn read(text: &str, _: Values) -> Option<Self> {
        match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }
    }

    fn write(self) -> String {
        String::from(if self { "on" } else { "off" })
    }
}

macro_rules! word_values {
    ($($name:ident),+) => {$(
        impl KnobValue for $name {
            fn read(text: &str, _: Values) -> Option<Self> { Self::from_word(text) }
            fn write(self) -> String { String::from(self.word()) }
        }
    )+};
}
word_values!(
    Mandarin,
    Directions,
    MandarinNext,
    EmptyMandarin,
    ReseedWhen,
    ReseedFrom,
    Shortfall,
    EndsWhen,
    EndCheck,
    MandarinLeftovers,
    RowLeftovers
);

/// One row of the table of knobs (rules section 7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knob {
    /// Its name.
    pub name: &'static str,
    /// The text of its default.
    pub default: &'static str,
    /// What it can be.
    pub values: Values,
    /// What it decides, in one sentence.
    pub summary: &'static str,
}

/// The struct of knobs, its default, the table and the access by name, all from one list.
macro_rules! knobs {
    ($($name:ident: $type:ty = $default:expr, $text:literal, $values:expr, $summary:literal;)+) => {
        /// The knobs of the rules as plain data: any combination, also one that cannot be built. [`Rules::new`](crate::Rules::new) checks it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct Knobs { $(#[doc = $summary] pub $name: $type,)+ }

        impl Default for Knobs {
            /// The rules of the Mancala World page.
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        /// Every knob, in the order of the table of the rules.
        pub const KNOBS: &[Knob] = &[$(Knob {
            name: stringify!($name), default: $text, values: $values, summary: $summary,
        },)+];

        impl Knobs {
            /// Sets the knob of that place in the table; false when the text is not one of its values.
            pub(crate) fn set(&mut self, place: usize, text: &str) -> bool {
                let name = KNOBS[place].name;
                $(if name == stringify!($name) {
                    let value = <$type as KnobValue>::read(text, KNOBS[place].values);
                    if let Some(value) = value { self.$name = value; }
                    return value.is_some();
                })+
                false
            }

            /// The text of every knob, in the order of the table.
            pub(crate) fn texts(&self) -> Vec<String> {
                Vec::from([$(self.$name.write(),)+])
            }
        }
    };
}

const ON_OFF: Values = Values::Words(&["on", "off"]);

knobs! {
    sides: u8 = 2, "2", Values::Range { min: 2, max: 4 }, "How many sides play.";
    squares: u8 = 5, "5", Values::Range { min: 1, max: 7 }, "Citizen squares of each side.";
    pebbles: u8 = 5, "5", Values::Range { min: 1, max: 10 }, "Pebbles in each citizen square at the start.";
    mandarin: Mandarin = Mandarin::Stone, "stone", Values::Words(Mandarin::WORDS),
        "What stands in each mandarin square at the start: one stone, or that many pebbles.";
    mandarin_value: u8 = 10, "10", Values::Range { min: 1, max: 20 }, "Points of a mandarin.";
    directions: Directions = Directions::Both, "both", Values::Words(Directions::WORDS), "Which ways a side may sow.";
    mandarin_next: MandarinNext = MandarinNext::Stop, "stop", Values::Words(MandarinNext::WORDS),
        "What a mandarin square that is not empty does when it comes next after a lap.";
    empty_mandarin_after_sowing: EmptyMandarin = EmptyMandarin::Stop, "stop", Values::Words(EmptyMandarin::WORDS),
        "Whether an empty mandarin square next after a lap is a gap.";
    empty_mandarin_in_chain: EmptyMandarin = EmptyMandarin::Gap, "gap", Values::Words(EmptyMandarin::WORDS),
        "Whether an empty mandarin square after a captured square is a gap.";
    capture_chain: bool = true, "on", ON_OFF, "Whether a capture can be followed by another.";
    immature_below: u8 = 0, "0", Values::Range { min: 0, max: 20 },
        "A mandarin with fewer pebbles than this cannot be taken; 0 is off.";
    mandarin_ban: u8 = 0, "0", Values::Range { min: 0, max: 8 },
        "In the first that many plies no move may take a mandarin.";
    reseed_when: ReseedWhen = ReseedWhen::TurnStart, "turn_start", Values::Words(ReseedWhen::WORDS),
        "When an empty row is filled again.";
    reseed_from: ReseedFrom = ReseedFrom::Pebbles, "pebbles", Values::Words(ReseedFrom::WORDS),
        "What a re-seeding can be paid from.";
    shortfall: Shortfall = Shortfall::Borrow, "borrow", Values::Words(Shortfall::WORDS),
        "What happens when a side cannot pay a re-seeding.";
    ends_when: EndsWhen = EndsWhen::SquaresEmpty, "squares_empty", Values::Words(EndsWhen::WORDS), "What ends the game.";
    end_check: EndCheck = EndCheck::AfterMove, "after_move", Values::Words(EndCheck::WORDS), "When the end is looked for.";
    mandarin_leftovers: MandarinLeftovers = MandarinLeftovers::Nobody, "nobody", Values::Words(MandarinLeftovers::WORDS),
        "Who gets what stands in mandarin squares at the count.";
    row_leftovers: RowLeftovers = RowLeftovers::Owner, "owner", Values::Words(RowLeftovers::WORDS),
        "Who gets what is left in the rows at the count.";
}

impl Knobs {
    /// The pebbles on the board at the start.
    pub(crate) fn start_pebbles(&self) -> usize {
        let heap = if self.mandarin == Mandarin::Pebbles { usize::from(self.mandarin_value) } else { 0 };
        usize::from(self.sides) * (usize::from(self.squares) * usize::from(self.pebbles) + heap)
    }
}
