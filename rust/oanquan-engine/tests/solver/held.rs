//! Games that best play keeps going for ever: certificates that prove that, made of the whole state space, and those that
//! say more than is true.

use std::collections::BTreeMap;

use oanquan_core::Position;
use oanquan_engine::certificate::{Bound, Certificate, CertificateError, Claim, Decision, Place, Support};

use super::retrograde::{Edge, Space, margin};
use super::{check, rules};

/// Games whose bounds do not meet at the start, one for each thing that a decision may carry beside the board.
const OPEN: [(&str, i32, i32); 4] = [
    ("squares=2,pebbles=1,shortfall=borrow", 4, 10),
    ("squares=2,pebbles=2,shortfall=partial", 2, 6),
    ("squares=2,pebbles=3,shortfall=count", 2, 8),
    ("squares=2,pebbles=3,shortfall=loses", 4, 10),
];
const KNOBS: &str = ",mandarin=pebbles,mandarin_value=3,mandarin_next=lift_one,row_leftovers=split";

fn space(text: &str) -> Space {
    Space::of(&Position::start(rules(&format!("{text}{KNOBS}"))))
}

/// The decisions that a certificate needs, found from what is wanted of them; with the state of each.
struct Strategy<'a> {
    space: &'a Space,
    decisions: BTreeMap<Decision, usize>,
}

impl Strategy<'_> {
    /// A decision that will do, and all that it rests on: a forced one where there is one, so that held ones rest on both.
    fn want(&mut self, state: usize, wanted: i32, support: Support) {
        let mut open = vec![(state, wanted, support)];
        while let Some((state, wanted, support)) = open.pop() {
            let forced = self.space.forced[state].iter().find(|&&(value, _)| value >= wanted);
            let held = || (self.space.bounds(state).1.unwrap(), 0);
            let (value, rank) = forced.copied().unwrap_or_else(held);
            assert!(value >= wanted && support.allows(rank), "{value} {wanted} {rank} {support:?}");
            let mut moves = self.space.edges[state].iter();
            let edge = moves.find(|edge| self.keeps(edge, value, rank)).unwrap();
            let decision = Decision { spot: self.space.spots[state], value: value as i16, rank, action: edge.action };
            if self.decisions.insert(decision, state).is_none() {
                open.extend(self.answers(edge, value).map(|(to, wanted)| (to, wanted, Support::of(rank))));
            }
        }
    }

    /// The states after each reply to a move in which the game goes on, and what is still wanted there.
    fn answers(&self, edge: &Edge, value: i32) -> impl Iterator<Item = (usize, i32)> {
        let replies = edge.to.map_or(&[][..], |next| &self.space.edges[next]);
        let wanted = value - edge.change;
        replies.iter().filter_map(move |reply| Some((reply.to?, wanted + reply.change)))
    }

    /// Whether a move keeps what a decision of that rank promises.
    fn keeps(&self, edge: &Edge, value: i32, rank: u16) -> bool {
        if rank == 0 {
            return self.space.worth(edge).1 >= value;
        }
        let forced = |to: usize, wanted: i32| {
            let mut decisions = self.space.forced[to].iter();
            decisions.any(|&(value, its)| value >= wanted && Support::of(rank).allows(its))
        };
        let Some(next) = edge.to else { return edge.change >= value };
        self.space.edges[next].iter().all(|reply| match reply.to {
            Some(to) => forced(to, value - edge.change + reply.change),
            None => edge.change - reply.change >= value,
        })
    }
}

/// All four claims about a state, and what they need.
fn certificate_of(space: &Space, state: usize) -> (Certificate, BTreeMap<Decision, usize>) {
    let (lower, upper) = space.bounds(state);
    let (lower, upper) = (lower.unwrap(), upper.unwrap());
    let mut strategy = Strategy { space, decisions: BTreeMap::new() };
    strategy.want(state, lower, Support::Forced);
    strategy.want(state, upper, Support::Any);
    for edge in &space.edges[state] {
        if let Some(next) = edge.to {
            strategy.want(next, edge.change - upper, Support::Forced);
            strategy.want(next, edge.change - lower, Support::Any);
        }
    }
    let position = space.positions[state];
    let before = margin(&position, position.turn());
    let claim = |bound, value| Claim { position, bound, value: value + before };
    let claims = vec![
        claim(Bound::Lower, lower),
        claim(Bound::LowerAtMost, lower),
        claim(Bound::Upper, upper),
        claim(Bound::UpperAtLeast, upper),
    ];
    let decisions = strategy.decisions.keys().copied().collect();
    (Certificate { rules: *position.rules(), claims, decisions }, strategy.decisions)
}

#[test]
fn bounds_that_never_meet_are_proved_from_all_four_sides() {
    for (text, lower, upper) in OPEN {
        let (certificate, _) = certificate_of(&space(text), 0);
        assert_eq!(
            certificate.claims.iter().map(|claim| claim.value).collect::<Vec<_>>(),
            [lower, lower, upper, upper]
        );
        check(&certificate).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(Certificate::from_bytes(&certificate.to_bytes().unwrap()).unwrap(), certificate);
    }
}

#[test]
fn claims_by_one_point_too_sharp_do_not_follow() {
    let space = space(OPEN[0].0);
    for state in 0..space.edges.len() {
        let (whole, _) = certificate_of(&space, state);
        check(&whole).unwrap();
        for number in 0..whole.claims.len() {
            let mut more = whole.clone();
            let claim = &mut more.claims[number];
            claim.value += if matches!(claim.bound, Bound::Lower | Bound::UpperAtLeast) { 1 } else { -1 };
            match check(&more).expect_err("it should have been refused") {
                CertificateError::Open { place: Place::Claim(its), .. }
                | CertificateError::Ends { place: Place::Claim(its), .. } => assert_eq!(its, number),
                error => panic!("{error}"),
            }
        }
    }
}

/// Each decision by itself: what is accepted after a change is true all the same.
#[test]
fn changed_decisions_are_refused_unless_they_are_true() {
    for (text, _, _) in OPEN {
        let space = space(text);
        let (whole, states) = certificate_of(&space, 0);
        let (mut refused, mut accepted) = (0, 0);
        for (number, (decision, &state)) in states.iter().enumerate() {
            // Which side of the bounds a decision is about.
            let side = |bounds: (i32, i32)| if decision.rank == 0 { bounds.1 } else { bounds.0 };
            let (lower, upper) = space.bounds(state);
            let most = side((lower.unwrap(), upper.unwrap()));
            let mut raised = whole.clone();
            raised.decisions[number].value += 1;
            raised.decisions.sort_unstable();
            match check(&raised) {
                Ok(_) => assert!(i32::from(decision.value) < most, "{text}: {decision:?}"),
                Err(CertificateError::Open { .. } | CertificateError::Ends { .. }) => refused += 1,
                Err(CertificateError::Order(_)) => (), // there is one for that value already
                Err(error) => panic!("{error}"),
            }
            for action in (0..4).filter(|&action| action != decision.action) {
                let mut moved = whole.clone();
                moved.decisions[number].action = action;
                match check(&moved) {
                    Ok(_) => {
                        let edge = space.edges[state].iter().find(|edge| edge.action == action).unwrap();
                        assert!(side(space.worth(edge)) >= decision.value.into(), "{text}: {decision:?}");
                        accepted += 1;
                    }
                    Err(CertificateError::Illegal { place, .. }) => assert_eq!(place, Place::Decision(number)),
                    Err(CertificateError::Open { .. } | CertificateError::Ends { .. }) => refused += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        assert!(refused > 20 && accepted > 0, "{text}: {refused} refused, {accepted} accepted");
    }
}

#[test]
fn positions_that_are_dropped_are_missed() {
    let space = space(OPEN[0].0);
    let (whole, states) = certificate_of(&space, 0);
    for spot in states.keys().map(|decision| decision.spot) {
        let mut less = whole.clone();
        less.decisions.retain(|decision| decision.spot != spot);
        assert!(matches!(check(&less), Err(CertificateError::Open { .. })), "{spot:?}");
    }
}

#[test]
fn what_is_held_is_not_forced() {
    let space = space(OPEN[0].0);
    let (whole, states) = certificate_of(&space, 0);
    // As claims: each of what can only be held.
    for (number, bound) in [(1, Bound::Upper), (3, Bound::Lower)] {
        let mut other = whole.clone();
        other.claims[number].bound = bound;
        let error = check(&other).expect_err("it should have been refused");
        let CertificateError::Open { place, support, .. } = &error else { panic!("{error}") };
        assert_eq!((*place, *support), (Place::Claim(number), Support::Forced));
        assert!(error.to_string().contains(" expected a forced decision for at least "), "{error}");
    }
    // As decisions: each of what cannot be forced, with the greatest rank that there is, or all of them with any.
    let mut every = whole.clone();
    let mut several = 0;
    for (number, (decision, &state)) in states.iter().enumerate() {
        let (lower, upper) = space.bounds(state);
        if decision.rank == 0 && lower < upper {
            let mut forced = whole.clone();
            for changed in [&mut forced, &mut every] {
                changed.decisions[number].rank = u16::MAX;
            }
            forced.decisions.sort_unstable();
            let error = check(&forced).expect_err("it should have been refused");
            assert!(matches!(error, CertificateError::Open { support: Support::Below(u16::MAX), .. }), "{error}");
            several += 1;
        }
    }
    assert!(several > 10, "{several}");
    every.decisions.sort_unstable();
    assert!(matches!(check(&every), Err(CertificateError::Open { support: Support::Below(u16::MAX), .. })));
}
