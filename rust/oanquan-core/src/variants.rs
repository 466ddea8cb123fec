//! The presets: one table that Python, the documents, benches, fuzzing and tests read (rules section 8).

use crate::Rules;
use crate::knobs::{
    Directions, EmptyMandarin, EndsWhen, Knobs, Mandarin, MandarinLeftovers, MandarinNext, ReseedWhen, RowLeftovers,
    Shortfall,
};

/// Named rules, with where they come from.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name, as rules texts say it.
    pub name: &'static str,
    /// A title for people.
    pub title: &'static str,
    /// The text or the programs that play so.
    pub source: &'static str,
    change: fn(&mut Knobs),
}

impl Preset {
    /// The rules of the preset.
    pub fn rules(&self) -> Rules {
        Rules::build(self.knobs())
    }

    /// The knobs of its rules.
    pub(crate) fn knobs(&self) -> Knobs {
        let mut knobs = Knobs::default();
        (self.change)(&mut knobs);
        knobs
    }
}

/// The preset of that name.
///
/// ```
/// let tonkin = oanquan_core::variants::preset("tonkin").unwrap();
/// assert_eq!(tonkin.rules().total_points(), 70);
/// ```
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

fn wikipedia_vi(knobs: &mut Knobs) {
    knobs.empty_mandarin_after_sowing = EmptyMandarin::Gap;
}

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "mancala-world",
        title: "Mancala World",
        source: "the Mancala World page (MW), in four translations; the default",
        change: |_| {},
    },
    Preset {
        name: "ten-pebbles",
        title: "Ten pebbles for a mandarin",
        source: "MW and English Wikipedia (EN): ten small stones instead of a big one",
        change: |knobs| knobs.mandarin = Mandarin::Pebbles,
    },
    Preset {
        name: "wikipedia-en",
        title: "English Wikipedia",
        source: "English Wikipedia (EN)",
        change: |knobs| {
            knobs.empty_mandarin_in_chain = EmptyMandarin::Stop;
            knobs.ends_when = EndsWhen::StonesTaken;
            knobs.mandarin_leftovers = MandarinLeftovers::Split;
        },
    },
    Preset {
        name: "wikipedia-vi",
        title: "Vietnamese Wikipedia",
        source: "Vietnamese Wikipedia (VI)",
        change: wikipedia_vi,
    },
    Preset {
        name: "quan-non",
        title: "Immature mandarin (quan non)",
        source: "Vietnamese Wikipedia (VI), the optional rule",
        change: |knobs| {
            wikipedia_vi(knobs);
            knobs.immature_below = 5;
        },
    },
    Preset {
        name: "quan-five",
        title: "A mandarin of five points",
        source: "the value of English and Vietnamese Wikipedia (EN, VI); the rest is MW",
        change: |knobs| knobs.mandarin_value = 5,
    },
    Preset {
        name: "short-game",
        title: "Short game: over when the mandarins are taken",
        source: "many programs",
        change: |knobs| {
            wikipedia_vi(knobs);
            knobs.ends_when = EndsWhen::StonesTaken;
            knobs.mandarin_leftovers = MandarinLeftovers::Split;
        },
    },
    Preset {
        name: "bankrupt",
        title: "Who cannot re-seed has lost",
        source: "programs",
        change: |knobs| {
            wikipedia_vi(knobs);
            knobs.shortfall = Shortfall::Loses;
        },
    },
    Preset {
        name: "no-first-mandarin",
        title: "No mandarin in the first move",
        source: "programs",
        change: |knobs| {
            wikipedia_vi(knobs);
            knobs.mandarin_ban = 1;
        },
    },
    Preset {
        name: "tonkin",
        title: "Tonkin",
        source: "Ludii's second ruleset, after Son 1985; its match of several rounds is left out",
        change: |knobs| {
            knobs.mandarin = Mandarin::Pebbles;
            knobs.directions = Directions::Counterclockwise;
            knobs.mandarin_next = MandarinNext::LiftOne;
            knobs.empty_mandarin_after_sowing = EmptyMandarin::Gap;
            knobs.reseed_when = ReseedWhen::WhenEmpty;
            knobs.row_leftovers = RowLeftovers::Split;
        },
    },
    Preset {
        name: "three-players",
        title: "Three players on a triangle",
        source: "programs; no published text gives full rules",
        change: |knobs| knobs.sides = 3,
    },
    Preset {
        name: "four-players",
        title: "Four players on a square",
        source: "MW names the layout only",
        change: |knobs| knobs.sides = 4,
    },
];
