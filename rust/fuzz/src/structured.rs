//! Bytes as rules and a set-up position, so that a changed byte is a changed number and not a broken text.

use oanquan_core::knobs::{KNOBS, Values};
use oanquan_core::{Ending, Position, Rules, Setup, Side, Square};

/// Reads bytes one after the other; after the last come zeros.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    pub(crate) fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn byte(&mut self) -> u8 {
        self.next().unwrap_or(0)
    }

    fn bits(&mut self, bytes: u32) -> u32 {
        (0..bytes).fold(0, |bits, _| bits << 8 | u32::from(self.byte()))
    }
}

/// Rules and a position, if the numbers make one. Three bytes say which knobs differ from the default.
pub(crate) fn position(bytes: &mut Bytes<'_>) -> Option<Position> {
    let differing = bytes.bits(3);
    let knobs = KNOBS.iter().enumerate().filter(|(place, _)| differing >> place & 1 != 0);
    let texts: Vec<_> = knobs.map(|(_, knob)| (knob.name, value(knob.values, bytes.byte().into()))).collect();
    let pairs: Vec<_> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let rules = Rules::from_pairs(&pairs).ok()?;
    if bytes.byte().is_multiple_of(4) {
        return Some(Position::start(rules));
    }
    let mut setup = setup(bytes, rules);
    // Of the four endings at most one is the right one.
    [None, Some(Ending::Mandarins), Some(Ending::Short), Some(Ending::Loses)].into_iter().find_map(|ending| {
        setup.ending = ending;
        setup.position().ok()
    })
}

/// One of the values of a knob.
fn value(values: Values, number: usize) -> String {
    match values {
        Values::Range { min, max } => (usize::from(min) + number % usize::from(max - min + 1)).to_string(),
        Values::Words(words) => words[number % words.len()].to_string(),
    }
}

fn setup(bytes: &mut Bytes<'_>, rules: Rules) -> Setup {
    let mut setup = Setup::empty(rules);
    let sides = usize::from(rules.sides);
    let mandarins = bytes.bits(1);
    for index in 0..rules.ring() {
        setup.pebbles[index] = match bytes.byte() {
            few @ ..0xC0 => i64::from(few % 8),
            more @ ..0xF8 => i64::from(more - 0xC0),
            many => i64::from(many - 0xF8) * 32,
        };
    }
    for (side, index) in (0..sides).zip((0..rules.ring()).filter(|&i| rules.square(i).is_some_and(Square::is_mandarin)))
    {
        setup.mandarins[index] = i64::from(mandarins >> side & 1);
        setup.store_mandarins[side] = i64::from(mandarins >> (4 + side) & 1);
    }
    for side in 0..sides {
        setup.store_pebbles[side] = match bytes.byte() {
            few @ ..0x80 => i64::from(few),
            0x80 => 99_999_000,
            0x81 => -99_999_000,
            owed => -i64::from(owed & 0x3F),
        };
    }
    let debts = bytes.bits(2);
    for pair in (0..16).filter(|pair| debts >> pair & 1 != 0) {
        setup.debts[pair / 4][pair % 4] = i64::from(bytes.byte());
    }
    setup.turn = Side::ALL[usize::from(bytes.byte()) % sides];
    setup.ply = i64::from(bytes.byte() % 16);
    setup
}
