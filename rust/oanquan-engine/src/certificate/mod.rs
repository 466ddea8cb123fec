//! Certificates: strategies that prove bounds of the value of positions, and their check by replaying them.
//!
//! | room | duty |
//! |---|---|
//! | `spot` | [`Spot`]: what of a position the rest of the game depends on, and [`Ground`], which reads and sets it up |
//! | `format` | the file: written whole or not at all, read with every doubt |
//! | `verify` | the replay, with [`Position::play`] and nothing of the search |
//!
//! A [`Certificate`] is a set of [`Decision`]s of two kinds. A *forced* one, of a rank from 1 on, says: *the side to move
//! on this board can make the game end within `rank` plies with the margin changed by at least `value` from here on, and
//! begins with this move*. It is true when the move ends the game so, or when after every reply the game has ended so or
//! there is a forced decision with a smaller rank that promises what is then still wanted. Ranks fall along every line, so
//! that a set of decisions that hold each other up this way rests on ended games alone: no line of it goes round for ever.
//!
//! A *held* one, of rank 0, says: *the side to move can play so that, if the game ends, it ends with the margin changed by
//! at least `value`*. After every reply any decision will do, held or forced. These may hold each other up in a circle: a
//! game that ends does so after finitely many plies along it, and then the last promise was kept, and so all before it. A
//! game that goes round for ever breaks none, and that a game ends is nothing that they prove.
//!
//! A [`Claim`] is a bound for one position that follows from decisions: that one side can force so much ([`Bound::Lower`],
//! [`Bound::Upper`]) from forced ones, that it cannot force more ([`Bound::LowerAtMost`], [`Bound::UpperAtLeast`]) from
//! any, since the other side holds it. What the values mean, and the layout of the file, stands in
//! [`solving`](crate::solving).

mod format;
mod spot;
mod verify;

use std::fmt;

use oanquan_core::{Position, PositionError, Rules, RulesError};

pub use format::{MAGIC, VERSION};
pub use spot::{Carried, Ground, Spot};
pub use verify::{Checked, verify};

/// One position of the prover with the move that is to be played in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Decision {
    /// Where.
    pub spot: Spot,
    /// The least by which the margin of the side to move changes from here to the end.
    pub value: i16,
    /// From 1 on: a bound of the plies to the end that falls along every line, the decision is *forced*. 0: there may be
    /// no end, the decision is *held*.
    pub rank: u16,
    /// The move, by its action number.
    pub action: u8,
}

/// Which bound a claim is. What is forced is forced with the game over.
///
/// ```
/// use oanquan_engine::certificate::Bound;
///
/// let names = Bound::ALL.map(Bound::name);
/// assert_eq!(names, ["lower", "upper", "lower-at-most", "upper-at-least"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The side to move can force at least so much: L >= V.
    Lower,
    /// The other side can force that it is at most so much: U <= V.
    Upper,
    /// The side to move cannot force more: L <= V. The other side sees to it that no game ends with more.
    LowerAtMost,
    /// The other side cannot force that it is less: U >= V. The side to move sees to it that no game ends with less.
    UpperAtLeast,
}

impl Bound {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Lower, Self::Upper, Self::LowerAtMost, Self::UpperAtLeast];

    /// The word in the file and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
            Self::LowerAtMost => "lower-at-most",
            Self::UpperAtLeast => "upper-at-least",
        }
    }
}

/// Which decisions a promise may rest on.
///
/// ```
/// use oanquan_engine::certificate::Support;
///
/// assert!(Support::Any.allows(0) && Support::Any.allows(7));
/// assert!(!Support::Forced.allows(0) && Support::Forced.allows(7));
/// assert!(!Support::Below(7).allows(0) && Support::Below(7).allows(6) && !Support::Below(7).allows(7));
/// assert_eq!((Support::of(0), Support::of(7)), (Support::Any, Support::Below(7)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Support {
    /// All: what holds, and claims of what cannot be forced.
    Any,
    /// Forced ones: claims of what can be forced.
    Forced,
    /// Forced ones of a rank below that: what is forced itself.
    Below(u16),
}

impl Support {
    /// What a decision of that rank may rest on.
    pub const fn of(rank: u16) -> Self {
        if rank == 0 { Self::Any } else { Self::Below(rank) }
    }

    /// Whether a decision of that rank will do.
    pub const fn allows(self, rank: u16) -> bool {
        match self {
            Self::Any => true,
            Self::Forced => rank > 0,
            Self::Below(limit) => rank > 0 && rank < limit,
        }
    }
}

/// A bound of the final margin of a position: points of the side to move minus those of the other, with the game over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The position, in play.
    pub position: Position,
    /// Which bound.
    pub bound: Bound,
    /// The bound.
    pub value: i32,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.bound.name(), self.value, self.position)
    }
}

/// Claims and the decisions that prove them.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::certificate::{Bound, Certificate, Claim, Decision, Ground, verify};
/// use std::sync::atomic::{AtomicBool, AtomicU64};
///
/// // a1+ drops a pebble in a2, jumps the empty square a3 and takes the last mandarin.
/// let rules = Rules::parse("squares=3")?;
/// let position = Position::parse("1.0.0.0q1/0.0.1.0 10/18q1 - a 20", rules)?;
/// let (spot, mirrored) = Ground::of(&position).spot(&position);
/// let action = if mirrored { 5 } else { 0 };
/// let claim = Claim { position, bound: Bound::Lower, value: -8 };
/// let decisions = vec![Decision { spot, value: 10, rank: 1, action }];
/// let certificate = Certificate { rules, claims: vec![claim], decisions };
/// let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
/// assert_eq!(verify(&certificate, 1, &stop, &done)?.moves, 2);
/// assert_eq!(Certificate::from_bytes(&certificate.to_bytes()?)?, certificate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The rules of every position.
    pub rules: Rules,
    /// What is proved.
    pub claims: Vec<Claim>,
    /// How, in order and without doubles.
    pub decisions: Vec<Decision>,
}

/// Why a file is no certificate, or a certificate proves nothing.
#[derive(Debug)]
pub enum CertificateError {
    /// The file cannot be read or written.
    Io(std::io::Error),
    /// It does not begin as certificates do.
    Magic,
    /// It is of another version of the format.
    Version(u32),
    /// It ends before its end.
    Truncated,
    /// Its bytes are not those that were written.
    Checksum {
        /// What the file says.
        expected: u32,
        /// What its bytes give.
        given: u32,
    },
    /// A line of its header says something that cannot be.
    Header {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The rules of the header cannot be built.
    Rules(RulesError),
    /// It has rules of another number of sides than two.
    Sides(u8),
    /// The packed decisions do not unpack to as many as the header says.
    Packed(String),
    /// A decision stands before one that is less or equal.
    Order(usize),
    /// A decision is about a board that cannot be.
    Board {
        /// Which decision.
        decision: usize,
        /// What is wrong.
        error: PositionError,
    },
    /// A decision is about a board that has a smaller mirror.
    Mirror(usize),
    /// A move is not legal.
    Illegal {
        /// Which decision or claim.
        place: Place,
        /// The error of the move.
        error: String,
    },
    /// A game ends with less than was promised.
    Ends {
        /// Which decision or claim.
        place: Place,
        /// The moves to the end.
        line: String,
        /// What was promised.
        promised: i64,
        /// What it ended with.
        got: i64,
    },
    /// A reply is not answered by a decision that promises enough and that can be rested on.
    Open {
        /// Which decision or claim.
        place: Place,
        /// The moves to where a decision is missing.
        line: String,
        /// Where, as text.
        position: String,
        /// What a decision there would have to promise.
        wanted: i64,
        /// And which ones would do.
        support: Support,
    },
    /// A claim is about another game than the first: other sums of pebbles or mandarins.
    OtherGame(usize),
    /// There is nothing claimed.
    NoClaim,
    /// It was stopped.
    Stopped,
}

/// A decision or a claim, by its number from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A decision.
    Decision(usize),
    /// A claim.
    Claim(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decision(number) => write!(f, "decision {number}"),
            Self::Claim(number) => write!(f, "claim {number}"),
        }
    }
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Magic => f.write_str("expected a certificate, got a file that begins otherwise"),
            Self::Version(version) => write!(f, "expected version {VERSION} of the format, got {version}"),
            Self::Truncated => f.write_str("expected more bytes, got the end of the file: it was cut"),
            Self::Checksum { expected, given } => {
                write!(f, "expected checksum {expected:08x}, got {given:08x}: the file is damaged")
            }
            Self::Header { line, reason } => write!(f, "line {line} of the header: {reason}"),
            Self::Rules(error) => write!(f, "rules of the header: {error}"),
            Self::Sides(sides) => write!(f, "expected rules of 2 sides, got {sides}"),
            Self::Packed(reason) => write!(f, "the decisions do not unpack: {reason}"),
            Self::Order(number) => write!(f, "decision {number}: expected a greater one than the one before"),
            Self::Board { decision, error } => write!(f, "decision {decision}: no such position: {error}"),
            Self::Mirror(number) => write!(f, "decision {number}: expected the smaller of the board and its mirror"),
            Self::Illegal { place, error } => write!(f, "{place}: {error}"),
            Self::Ends { place, line, promised, got } => {
                write!(f, "{place}: after {line} the game ends with a change of {got}, promised was {promised}")
            }
            Self::Open { place, line, position, wanted, support } => {
                let kind = if *support == Support::Any { "decision" } else { "forced decision" };
                write!(f, "{place}: after {line} in {position} expected a {kind} for at least {wanted}")?;
                if let Support::Below(rank) = support {
                    write!(f, " of a rank below {rank}")?;
                }
                f.write_str(", found none")
            }
            Self::OtherGame(number) => {
                write!(f, "claim {number}: expected as many pebbles and mandarins in all as in claim 0")
            }
            Self::NoClaim => f.write_str("expected a claim, got none"),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for CertificateError {}

impl From<std::io::Error> for CertificateError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
