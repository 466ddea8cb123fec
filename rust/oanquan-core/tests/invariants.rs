//! Random rules and random set-up positions, played through every legal move: the steps told are the play, the key kept
//! up is the key from scratch, the text comes back, nothing is lost.

use oanquan_core::{KNOBS, MAX_RING, Position, Rules, Setup, Side, Step, knobs::Values};

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

fn random_rules(random: &mut Random) -> Rules {
    loop {
        let texts: Vec<(&str, String)> = KNOBS
            .iter()
            .map(|knob| match knob.values {
                Values::Range { min, max } => {
                    (knob.name, (u64::from(min) + random.below(u64::from(max - min) + 1)).to_string())
                }
                Values::Words(words) => (knob.name, words[random.below(words.len() as u64) as usize].to_string()),
            })
            .collect();
        let pairs: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
        if let Ok(rules) = Rules::from_pairs(&pairs) {
            return rules;
        }
    }
}

fn random_setup(random: &mut Random, rules: Rules) -> Setup {
    let mut setup = Setup::empty(rules);
    let most = [2, 4, 8, 26, 40][random.below(5) as usize];
    for index in 0..rules.ring() {
        let is_mandarin_square = rules.square(index).unwrap().is_mandarin();
        setup.pebbles[index] = if random.below(3) == 0 { 0 } else { random.below(most) as i64 };
        if is_mandarin_square && rules.mandarin.word() == "stone" {
            setup.mandarins[index] = random.below(2) as i64;
        }
    }
    for side in 0..usize::from(rules.sides) {
        setup.store_pebbles[side] = random.below(8) as i64;
    }
    setup.turn = Side::from_index(random.below(u64::from(rules.sides)) as usize).unwrap();
    setup.ply = random.below(10) as i64;
    setup
}

/// The board and the stores as a plain bag that steps are replayed on.
#[derive(PartialEq, Debug)]
struct Bag {
    pebbles: [i64; MAX_RING],
    mandarins: [i64; MAX_RING],
    store_pebbles: [i64; 4],
    store_mandarins: [i64; 4],
    debts: [[i64; 4]; 4],
}

impl Bag {
    fn of(position: &Position) -> Self {
        let Setup { pebbles, mandarins, store_pebbles, store_mandarins, debts, .. } = Setup::from(*position);
        Self { pebbles, mandarins, store_pebbles, store_mandarins, debts }
    }

    fn replay(mut self, rules: &Rules, mover: Side, steps: &[Step]) -> Self {
        let mut hand = 0;
        for step in steps {
            match *step {
                Step::Lift { square, pebbles } => {
                    self.pebbles[rules.index(square).unwrap()] -= i64::from(pebbles);
                    hand += i64::from(pebbles);
                }
                Step::Drop { square } => {
                    self.pebbles[rules.index(square).unwrap()] += 1;
                    hand -= 1;
                }
                Step::Capture { square, pebbles, mandarin } => {
                    let index = rules.index(square).unwrap();
                    self.pebbles[index] -= i64::from(pebbles);
                    self.mandarins[index] -= i64::from(mandarin);
                    self.store_pebbles[mover.index()] += i64::from(pebbles);
                    self.store_mandarins[mover.index()] += i64::from(mandarin);
                }
                Step::Stop { .. } => assert_eq!(hand, 0),
                Step::Borrow { borrower, lender, pebbles } => {
                    self.store_pebbles[lender.index()] -= i64::from(pebbles);
                    self.store_pebbles[borrower.index()] += i64::from(pebbles);
                    self.debts[borrower.index()][lender.index()] += i64::from(pebbles);
                }
                Step::Reseed { side, pebbles } => {
                    self.store_pebbles[side.index()] -= i64::from(pebbles);
                    let first = side.index() * (usize::from(rules.squares) + 1);
                    for square in first..first + usize::from(pebbles) {
                        self.pebbles[square] += 1;
                    }
                }
                Step::Sweep { .. } | Step::Share { .. } | Step::Repay { .. } | Step::End { .. } => (),
            }
            let negative = |n: &i64| *n < 0;
            assert!(!self.pebbles.iter().any(negative) && !self.mandarins.iter().any(negative));
        }
        self
    }
}

#[test]
fn every_move_of_random_positions() {
    let mut random = Random(1);
    let (mut plies, mut over) = (0, 0);
    while plies < 200_000 {
        let rules = random_rules(&mut random);
        assert_eq!(Rules::parse(&rules.to_string()), Ok(rules));
        let Ok(mut position) = random_setup(&mut random, rules).position() else { continue };
        for _ in 0..30 {
            assert_eq!(position.is_over(), position.legal_moves().len() == 0);
            assert_eq!(Position::parse(&position.to_string(), rules), Ok(position));
            let sum = position.key_sum();
            for mv in position.legal_moves() {
                let next = position.play(mv).unwrap();
                let steps = position.trace(mv).unwrap();
                let bag = Bag::of(&position).replay(&rules, position.turn(), &steps);
                assert_eq!(bag, Bag::of(&next), "{position} {mv} under {rules}");
                let (mut keyed, mut key) = (position, sum);
                keyed.play_keyed(mv, &mut key);
                assert_eq!((keyed, key), (next, next.key_sum()), "{position} {mv} under {rules}");
                plies += 1;
            }
            let Some(n) = position.legal_moves().len().checked_sub(1) else { break };
            let mv = position.legal_moves().nth(random.below(n as u64 + 1) as usize).unwrap();
            position = position.play(mv).unwrap();
        }
        over += u32::from(position.is_over());
    }
    assert!(over > 500, "{over}");
}

#[test]
fn a_hand_of_any_size_on_every_ring() {
    for sides in 2..=4 {
        for squares in 1..=7 {
            let text = format!("sides={sides},squares={squares},pebbles=1,directions=both");
            let rules = Rules::parse(&text).unwrap();
            for hand in 1..=255 - rules.ring() as i64 {
                for number in 0..squares {
                    let mut setup = Setup::empty(rules);
                    setup.pebbles[number] = hand;
                    setup.mandarins[squares] = 1;
                    let position = setup.position().unwrap();
                    for mv in position.legal_moves() {
                        let next = position.play(mv).unwrap();
                        let steps = position.trace(mv).unwrap();
                        let bag = Bag::of(&position).replay(&rules, Side::A, &steps);
                        assert_eq!(bag, Bag::of(&next), "{position} {mv}");
                    }
                }
            }
        }
    }
}

#[test]
fn moves_by_place_are_moves_in_order() {
    let mut random = Random(2);
    for _ in 0..2000 {
        let rules = random_rules(&mut random);
        let Ok(position) = random_setup(&mut random, rules).position() else { continue };
        let all: Vec<_> = position.legal_moves().collect();
        assert_eq!(all.len(), position.legal_moves().len());
        for n in 0..16 {
            let mut moves = position.legal_moves();
            assert_eq!(moves.nth(n), all.get(n).copied());
            assert_eq!(moves.collect::<Vec<_>>(), all.get(n + 1..).unwrap_or_default());
        }
    }
}
