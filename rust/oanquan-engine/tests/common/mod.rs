//! What the integration tests share: games played the slow way, and odd rules and positions to play them from.

#![allow(dead_code)] // each test uses its part

use oanquan_core::knobs::{KNOBS, Knob, Values};
use oanquan_core::{Game, Position, Rules, Setup, Side, Square, Step};
use oanquan_engine::{Agent, Finished, GameStream, Limits, Turn};

/// Plays a game on [`Game`], which compares whole positions with the whole history, and counts the traced steps.
pub(crate) fn slow_game(start: Position, limits: Limits, agent: &dyn Agent, stream: GameStream) -> Finished {
    let mut game = Game::with_limits(start, limits.max_plies, limits.repetition);
    let (mut reseedings, mut loans, mut pebbles_lent) = (0, 0, 0);
    while !game.is_over() {
        let place = agent.choose(&Turn::new(game.position(), stream, game.moves().len() as u32));
        let mv = game.position().legal_moves().nth(place).expect("a place among the legal moves");
        for step in game.position().trace(mv).expect("a legal move") {
            match step {
                Step::Reseed { .. } => reseedings += 1,
                Step::Borrow { pebbles, .. } => {
                    loans += 1;
                    pebbles_lent += pebbles;
                }
                _ => (),
            }
        }
        game.push(mv).expect("a legal move");
    }
    let outcome = game.outcome().expect("a game that is over");
    let opening = game.moves().first().copied();
    Finished { outcome, plies: game.moves().len() as u32, opening, reseedings, loans, pebbles_lent }
}

/// Draws one after the other.
pub(crate) struct Draws {
    stream: GameStream,
    next: u32,
}

impl Draws {
    pub(crate) fn new(seed: u64, game: u64) -> Self {
        Self { stream: GameStream::new(seed, game), next: 0 }
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.next += 1;
        self.stream.below(self.next, n as u32) as usize
    }

    /// One value of the knob in its text form.
    fn value(&mut self, knob: &Knob) -> String {
        match knob.values {
            Values::Range { min, max } => (usize::from(min) + self.below(usize::from(max - min) + 1)).to_string(),
            Values::Words(words) => words[self.below(words.len())].to_string(),
        }
    }
}

/// Rules that differ from the default in about half of the knobs.
pub(crate) fn odd_rules(draws: &mut Draws) -> Rules {
    loop {
        let changed: Vec<_> = KNOBS.iter().filter(|_| draws.below(2) == 0).collect();
        let values: Vec<_> = changed.iter().map(|knob| draws.value(knob)).collect();
        let pairs: Vec<_> = changed.iter().map(|knob| knob.name).zip(values.iter().map(String::as_str)).collect();
        if let Ok(rules) = Rules::from_pairs(&pairs) {
            return rules;
        }
    }
}

/// A thin board, where positions come back: few pebbles, full stores, sometimes debts.
pub(crate) fn odd_position(rules: Rules, draws: &mut Draws) -> Position {
    loop {
        let mut setup = Setup::empty(rules);
        let most = 2 + draws.below(4);
        for index in 0..rules.ring() {
            setup.pebbles[index] = draws.below(most).saturating_sub(draws.below(most)) as i64;
            let may_stand = rules.square(index).is_some_and(Square::is_mandarin);
            setup.mandarins[index] = i64::from(may_stand && draws.below(3) > 0);
        }
        let sides = usize::from(rules.sides);
        for side in 0..sides {
            setup.store_pebbles[side] = [0, 1, 3, 5, 20, 100][draws.below(6)];
        }
        if draws.below(4) == 0 {
            setup.debts[0][sides - 1] = draws.below(4) as i64;
        }
        setup.turn = Side::ALL[draws.below(sides)];
        setup.ply = draws.below(6) as i64;
        if let Ok(position) = setup.position() {
            return position;
        }
    }
}
