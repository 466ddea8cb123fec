//! What a traced move tells, step by step.

use core::fmt;

use crate::sow::Sink;
use crate::{Direction, Ending, Rules, Side, Square};

/// Why the sowing and capturing of a move ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// The next square is a mandarin square that is not empty.
    MandarinSquare,
    /// The next square is an empty mandarin square, which is no gap under these rules.
    EmptyMandarinSquare,
    /// The square after the gap is empty too.
    TwoEmptySquares,
    /// The square after the gap holds a mandarin with too few pebbles.
    ImmatureMandarin,
    /// A capture is not followed by another under these rules.
    CaptureChainOff,
    /// The square after the captured one is not empty.
    NoGap,
    /// The capture ended the game.
    GameOver,
    /// The move made as many laps as a move can.
    LapLimit,
}

impl StopReason {
    /// The word of the reason.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MandarinSquare => "mandarin_square",
            Self::EmptyMandarinSquare => "empty_mandarin_square",
            Self::TwoEmptySquares => "two_empty_squares",
            Self::ImmatureMandarin => "immature_mandarin",
            Self::CaptureChainOff => "capture_chain_off",
            Self::NoGap => "no_gap",
            Self::GameOver => "game_over",
            Self::LapLimit => "lap_limit",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MandarinSquare => "the next square is a mandarin square that is not empty",
            Self::EmptyMandarinSquare => "the next square is an empty mandarin square, which is no gap here",
            Self::TwoEmptySquares => "two empty squares in a row",
            Self::ImmatureMandarin => "the mandarin after the gap is immature",
            Self::CaptureChainOff => "one capture a move",
            Self::NoGap => "the square after the captured one is not empty",
            Self::GameOver => "the capture ends the game",
            Self::LapLimit => "the limit of laps in one move",
        })
    }
}

/// One step of a turn, in the order of play. `Display` says it in words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Pebbles are lifted from a square.
    Lift {
        /// Where from.
        square: Square,
        /// How many.
        pebbles: u8,
    },
    /// One pebble of the hand is dropped.
    Drop {
        /// Where.
        square: Square,
    },
    /// A square is captured into the mover's store.
    Capture {
        /// Which.
        square: Square,
        /// The pebbles in it.
        pebbles: u8,
        /// Whether a mandarin stood in it.
        mandarin: bool,
    },
    /// The sowing and capturing ends.
    Stop {
        /// Why.
        reason: StopReason,
    },
    /// Pebbles are lent for a re-seeding.
    Borrow {
        /// Who owes them.
        borrower: Side,
        /// Who lent them.
        lender: Side,
        /// How many.
        pebbles: u32,
    },
    /// An empty row is filled from its side's store.
    Reseed {
        /// Whose row.
        side: Side,
        /// How many squares got a pebble.
        pebbles: u8,
    },
    /// At the count: what a side takes from the rows.
    Sweep {
        /// Who.
        side: Side,
        /// How many pebbles.
        pebbles: u32,
    },
    /// At the count: what a side gets of the mandarin squares.
    Share {
        /// Who.
        side: Side,
        /// How many points.
        points: u32,
    },
    /// At the count: a debt is repaid.
    Repay {
        /// Who owed.
        debtor: Side,
        /// Who gets it.
        creditor: Side,
        /// How many pebbles.
        pebbles: u32,
    },
    /// The game is over.
    End {
        /// Why.
        ending: Ending,
    },
}

/// `1 pebble`, `2 pebbles`.
struct Counted(u32, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pebbles = |n: u32| Counted(n, "pebble");
        match *self {
            Self::Lift { square, pebbles: n } => write!(f, "lift {} from {square}", pebbles(n.into())),
            Self::Drop { square } => write!(f, "drop one in {square}"),
            Self::Capture { square, pebbles: n, mandarin: false } => {
                write!(f, "capture {} in {square}", pebbles(n.into()))
            }
            Self::Capture { square, pebbles: 0, mandarin: true } => write!(f, "capture the mandarin in {square}"),
            Self::Capture { square, pebbles: n, mandarin: true } => {
                write!(f, "capture the mandarin and {} in {square}", pebbles(n.into()))
            }
            Self::Stop { reason } => write!(f, "stop: {reason}"),
            Self::Borrow { borrower, lender, pebbles: n } => {
                write!(f, "side {borrower} borrows {} from side {lender}", pebbles(n))
            }
            Self::Reseed { side, pebbles: n } => write!(f, "side {side} re-seeds its row with {}", pebbles(n.into())),
            Self::Sweep { side, pebbles: n } => write!(f, "side {side} sweeps {} from the rows", pebbles(n)),
            Self::Share { side, points } => {
                write!(f, "side {side} gets {} of the mandarin squares", Counted(points, "point"))
            }
            Self::Repay { debtor, creditor, pebbles: n } => {
                write!(f, "side {debtor} repays {} to side {creditor}", pebbles(n))
            }
            Self::End { ending } => write!(f, "the game is over: {}", ending_in_words(ending)),
        }
    }
}

fn ending_in_words(ending: Ending) -> &'static str {
    match ending {
        Ending::Mandarins => "the mandarins end it",
        Ending::Short => "a row cannot be re-seeded",
        Ending::Loses => "a side that cannot re-seed its row has lost",
        Ending::Repetition => "the same position stood too often",
        Ending::MaxPlies => "the limit of plies",
    }
}

/// Turns what a [`Sink`] hears into [`Step`]s.
pub(crate) struct Teller<'a>(pub(crate) &'a mut dyn FnMut(Step));

impl Sink for Teller<'_> {
    fn lift(&mut self, square: Square, pebbles: u8) {
        (self.0)(Step::Lift { square, pebbles });
    }

    fn lap(&mut self, rules: &Rules, from: Square, pebbles: u8, direction: Direction) {
        let ring = rules.ring();
        let Some(mut index) = rules.index(from) else { return };
        for _ in 0..pebbles {
            index = match direction {
                Direction::Counterclockwise => (index + 1) % ring,
                Direction::Clockwise => (index + ring - 1) % ring,
            };
            if let Some(square) = rules.square(index) {
                (self.0)(Step::Drop { square });
            }
        }
    }

    fn capture(&mut self, square: Square, pebbles: u8, mandarin: bool) {
        (self.0)(Step::Capture { square, pebbles, mandarin });
    }

    fn stop(&mut self, reason: StopReason) {
        (self.0)(Step::Stop { reason });
    }

    fn borrow(&mut self, borrower: Side, lender: Side, pebbles: u32) {
        (self.0)(Step::Borrow { borrower, lender, pebbles });
    }

    fn reseed(&mut self, side: Side, pebbles: u8) {
        (self.0)(Step::Reseed { side, pebbles });
    }
}
