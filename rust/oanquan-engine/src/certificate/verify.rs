//! The replay of a certificate with [`Position::play`]: every decision by itself, then the claims.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use oanquan_core::{IllegalMove, Move, Position, Side};

use super::spot::{Split, margin};
use super::{Bound, Carried, Certificate, CertificateError, Claim, Decision, Ground, Place, Spot, Support};

/// What was looked at to accept a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Decisions, all of them.
    pub decisions: u64,
    /// Moves played on positions.
    pub moves: u64,
}

/// Decisions that a thread takes at a time.
const CHUNK: usize = 4096;

/// Accepts a certificate only when all its claims follow: every decision is kept by ended games and after every reply by
/// decisions that it may rest on, and so is every claim. A forced one rests on forced ones of a smaller rank, a held one
/// on any.
///
/// Where a position stands for all ways to fill the stores, it is played with all in the one and with all in the other.
/// `done` counts decisions; `threads` of 0 is 1.
///
/// # Errors
/// [`CertificateError`] with the first thing found that is not so, or [`CertificateError::Stopped`] once `stop` is set.
pub fn verify(
    certificate: &Certificate,
    threads: usize,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<Checked, CertificateError> {
    let ground = certificate.ground()?;
    let checker = Checker { ground, decisions: &certificate.decisions };
    checker.in_order()?;
    let next = AtomicU64::new(0);
    let work = || {
        let mut moves = 0;
        loop {
            let first = next.fetch_add(CHUNK as u64, Ordering::Relaxed) as usize;
            if first >= checker.decisions.len() {
                return Ok(moves);
            }
            let last = checker.decisions.len().min(first + CHUNK);
            for number in first..last {
                if stop.load(Ordering::Relaxed) {
                    return Err(CertificateError::Stopped);
                }
                moves += checker.decision(number).inspect_err(|_| next.store(u64::MAX / 2, Ordering::Relaxed))?;
            }
            done.fetch_add((last - first) as u64, Ordering::Relaxed);
        }
    };
    let mut counted = Checked { decisions: checker.decisions.len() as u64, moves: 0 };
    let results: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or(Err(CertificateError::Stopped))).collect()
    });
    for result in results {
        counted.moves += result?;
    }
    for (number, claim) in certificate.claims.iter().enumerate() {
        let other = Ground::of(&claim.position);
        if other != ground {
            return Err(CertificateError::OtherGame(number));
        }
        counted.moves += checker.claim(number, claim)?;
    }
    Ok(counted)
}

struct Checker<'a> {
    ground: Ground,
    decisions: &'a [Decision],
}

/// A promise being kept: whose, what the margin was, how much more was promised, and what it may rest on.
/// Margins are added to what a file claims, which may be any number: in 64 bits, where no sum wraps round.
struct Promise {
    place: Place,
    side: Side,
    margin: i64,
    value: i64,
    support: Support,
}

/// As [`margin`], with room to reckon.
fn wide_margin(position: &Position, side: Side) -> i64 {
    margin(position, side).into()
}

impl Checker<'_> {
    /// Sorted, so that they can be found, and each there once.
    fn in_order(&self) -> Result<(), CertificateError> {
        match self.decisions.windows(2).position(|pair| pair[0] >= pair[1]) {
            Some(index) => Err(CertificateError::Order(index + 1)),
            None => Ok(()),
        }
    }

    /// Whether a decision that will do promises at least that much there.
    fn promised(&self, spot: &Spot, wanted: i64, support: Support) -> bool {
        let first = self.decisions.partition_point(|decision| decision.spot < *spot);
        self.decisions[first..]
            .iter()
            .take_while(|decision| decision.spot == *spot)
            .any(|decision| i64::from(decision.value) >= wanted && support.allows(decision.rank))
    }

    /// One decision, without regard to whether anything leads to it; the moves played.
    fn decision(&self, number: usize) -> Result<u64, CertificateError> {
        let decision = &self.decisions[number];
        if self.ground.mirrors() && self.ground.mirror(&decision.spot) < decision.spot {
            return Err(CertificateError::Mirror(number));
        }
        let splits: &[Split] =
            if self.ground.carried() == Carried::Nothing { &[Split::Mover, Split::Other] } else { &[Split::Mover] };
        let mut moves = 0;
        for &split in splits {
            moves += self.decision_with(number, decision, split)?;
        }
        Ok(moves)
    }

    fn decision_with(&self, number: usize, decision: &Decision, split: Split) -> Result<u64, CertificateError> {
        let position = self
            .ground
            .position(&decision.spot, split)
            .map_err(|error| CertificateError::Board { decision: number, error })?;
        let place = Place::Decision(number);
        let illegal = |error: IllegalMove| CertificateError::Illegal { place, error: error.to_string() };
        let mv = position.action(decision.action.into()).map_err(illegal)?;
        let next = position.play(mv).map_err(illegal)?;
        let side = position.turn();
        let promise = Promise {
            place,
            side,
            margin: wide_margin(&position, side),
            value: decision.value.into(),
            support: Support::of(decision.rank),
        };
        Ok(1 + self.replies(&promise, &next, &[mv])?)
    }

    /// Every reply to the moves that led to a position; the moves played.
    fn replies(&self, promise: &Promise, position: &Position, line: &[Move]) -> Result<u64, CertificateError> {
        if position.is_over() {
            self.ended(promise, position, line)?;
            return Ok(0);
        }
        let mut moves = 0;
        for reply in position.legal_moves() {
            let next = position
                .play(reply)
                .map_err(|error| CertificateError::Illegal { place: promise.place, error: error.to_string() })?;
            moves += 1;
            let line = [line, &[reply]].concat();
            if next.is_over() {
                self.ended(promise, &next, &line)?;
                continue;
            }
            let wanted = promise.margin + promise.value - wide_margin(&next, promise.side);
            if !self.promised(&self.ground.spot(&next).0, wanted, promise.support) {
                return Err(CertificateError::Open {
                    place: promise.place,
                    line: text(&line),
                    position: next.to_string(),
                    wanted,
                    support: promise.support,
                });
            }
        }
        Ok(moves)
    }

    fn ended(&self, promise: &Promise, position: &Position, line: &[Move]) -> Result<(), CertificateError> {
        let got = i64::from(self.ground.final_margin(position, promise.side)) - promise.margin;
        if got >= promise.value {
            return Ok(());
        }
        Err(CertificateError::Ends { place: promise.place, line: text(line), promised: promise.value, got })
    }

    fn claim(&self, number: usize, claim: &Claim) -> Result<u64, CertificateError> {
        let position = &claim.position;
        let (side, other) = if position.turn() == Side::A { (Side::A, Side::B) } else { (Side::B, Side::A) };
        let place = Place::Claim(number);
        let support = match claim.bound {
            Bound::Lower | Bound::Upper => Support::Forced,
            Bound::LowerAtMost | Bound::UpperAtLeast => Support::Any,
        };
        match claim.bound {
            Bound::Lower | Bound::UpperAtLeast => {
                let wanted = i64::from(claim.value) - wide_margin(position, side);
                if self.promised(&self.ground.spot(position).0, wanted, support) {
                    return Ok(0);
                }
                let (line, position) = (text(&[]), position.to_string());
                Err(CertificateError::Open { place, line, position, wanted, support })
            }
            Bound::Upper | Bound::LowerAtMost => {
                let margin = wide_margin(position, other);
                let value = -i64::from(claim.value) - margin;
                let promise = Promise { place, side: other, margin, value, support };
                self.replies(&promise, position, &[])
            }
        }
    }
}

fn text(line: &[Move]) -> String {
    if line.is_empty() {
        return String::from("no move");
    }
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
