//! What `go` asks for.

use std::time::Duration;

use oanquan_core::Side;

use crate::protocol::clock::Allowance;

/// A search as it was asked for: whatever comes first ends it, or `stop`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Go {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) allowance: Option<Allowance>,
    /// Whether it was said that there is no limit, or no other.
    pub(crate) infinite: bool,
}

impl Go {
    /// Whether any limit was given.
    pub(crate) const fn is_limited(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.allowance.is_some()
    }

    /// Reads what stands after `go`, for that side to move.
    pub(crate) fn parse<'a>(
        mut words: impl Iterator<Item = &'a str>,
        turn: Side,
        overhead: Duration,
    ) -> Result<Self, String> {
        let mut go = Self::default();
        let (mut time, mut increment) = (None, Duration::ZERO);
        let mut clocks = false;
        let own = |name: &str| name.starts_with(if turn == Side::A { "p1" } else { "p2" });
        while let Some(name) = words.next() {
            match name {
                "infinite" => go.infinite = true,
                "depth" => go.depth = Some(number(name, words.next(), 0)?.min(u64::from(u32::MAX)) as u32),
                "nodes" => go.nodes = Some(number(name, words.next(), 1)?),
                "movetime" => go.allowance = Some(Allowance::fixed(milliseconds(number(name, words.next(), 1)?))),
                "p1time" | "p2time" | "p1inc" | "p2inc" => {
                    clocks = true;
                    let read = milliseconds(clock(name, words.next())?);
                    match (own(name), name.ends_with("time")) {
                        (true, true) => time = Some(read),
                        (true, false) => increment = read,
                        (false, _) => (),
                    }
                }
                _ => return Err(format!("expected {FORMS} after go, got {name:?}")),
            }
        }
        if clocks {
            let mover = if turn == Side::A { "p1time" } else { "p2time" };
            let left = time.ok_or_else(|| format!("expected {mover}, the clock of the player to move, got none"))?;
            let of_clock = Allowance::of_clock(left, increment, None, overhead);
            // Together with a time for the move, the shorter one.
            go.allowance = Some(match go.allowance {
                Some(fixed) if fixed.most < of_clock.most => fixed,
                _ => of_clock,
            });
        }
        Ok(go)
    }
}

const FORMS: &str = "p1time, p2time, p1inc, p2inc, movetime, depth, nodes or infinite";

/// The longest that can be asked for: some 30 years.
const MOST_MILLISECONDS: u64 = 1_000_000_000_000;

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number.min(MOST_MILLISECONDS))
}

/// A number of `least` or more.
fn number(name: &str, given: Option<&str>, least: u64) -> Result<u64, String> {
    let read = given.and_then(|text| text.parse().ok()).filter(|&number| number >= least);
    read.ok_or_else(|| format!("expected a number of {least} or more after {name}, got {:?}", given.unwrap_or("")))
}

/// What a clock shows. One that has run out may show less than nothing.
fn clock(name: &str, given: Option<&str>) -> Result<u64, String> {
    match given.and_then(|text| text.strip_prefix('-')) {
        Some(digits) if digits.parse::<u64>().is_ok() => Ok(0),
        _ => number(name, given, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn go(text: &str, turn: Side) -> Result<Go, String> {
        Go::parse(text.split_whitespace(), turn, OVERHEAD)
    }

    #[test]
    fn the_five_kinds() {
        let ms = Duration::from_millis;
        let both = |text| {
            assert_eq!(go(text, Side::A), go(text, Side::B));
            go(text, Side::A).unwrap()
        };
        assert_eq!(both("infinite"), Go { infinite: true, ..Go::default() });
        assert_eq!(both(""), Go::default());
        assert_eq!(both("depth 0").depth, Some(0));
        assert_eq!(both("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(both("nodes 5000").nodes, Some(5000));
        assert_eq!(both("movetime 500").allowance, Some(Allowance::fixed(ms(500))));
        let clocks = "p1time 1000 p2time 9000 p1inc 10 p2inc 20";
        let of = |left, increment| Some(Allowance::of_clock(ms(left), ms(increment), None, OVERHEAD));
        assert_eq!(go(clocks, Side::A).unwrap().allowance, of(1000, 10));
        assert_eq!(go(clocks, Side::B).unwrap().allowance, of(9000, 20));
        assert_eq!(go("p2time -30", Side::B).unwrap().allowance, of(0, 0));
        assert!(!both("infinite").is_limited() && both("depth 3").is_limited() && both("movetime 1").is_limited());
    }

    #[test]
    fn several_limits_hold_together() {
        let found = go("depth 3 nodes 7 movetime 100 p1time 60000", Side::A).unwrap();
        assert_eq!((found.depth, found.nodes, found.allowance.unwrap().most.as_millis()), (Some(3), Some(7), 100));
        assert!(go("movetime 99999999999999999 p1time 100", Side::A).unwrap().allowance.unwrap().most < OVERHEAD * 10);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, message) in [
            ("depth", "expected a number of 0 or more after depth, got \"\""),
            ("depth -1", "expected a number of 0 or more after depth, got \"-1\""),
            ("nodes 0", "expected a number of 1 or more after nodes, got \"0\""),
            ("movetime 1e3", "expected a number of 1 or more after movetime, got \"1e3\""),
            ("p1time x", "expected a number of 0 or more after p1time, got \"x\""),
            ("p1time --1", "expected a number of 0 or more after p1time, got \"--1\""),
            ("p2time 100", "expected p1time, the clock of the player to move, got none"),
            ("ponder", "expected p1time, p2time, p1inc, p2inc, movetime, depth, nodes or infinite after go"),
        ] {
            let error = go(text, Side::A).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
