//! Lines that never end: proofs that a side cannot force more, because the other can go on for ever.
//!
//! Where a search finds that a side has enough if it does not mind going round, that side can mostly see to it that the game
//! ends well enough for it or not at all. That is a closed set of positions with a move for each of its own, after which
//! every reply leads to the set again, or to what is proved. Such a set needs no order: whatever the line, as long as it goes
//! on it stays within.

use std::collections::{HashMap, HashSet};

use oanquan_core::duel::Duel;

use super::facts::Key;
use super::numbers::Numbers;
use super::search::{Halt, Searcher};

/// Nodes that are spent on one position to find out whether it need be in the set. By trial: from 1,000 to 16,000 make little
/// difference, and less than a hundred leave more open.
const ASKED: u64 = 1024;

/// A closed set.
#[derive(Default)]
pub(super) struct Closed {
    /// The positions in which who holds is to move, what it needs there, and the move.
    pub(super) decisions: Vec<(Duel, i32, u8)>,
    /// Positions outside in which who is to move has so much by force.
    pub(super) forced: Vec<(Duel, i32)>,
    /// Positions outside in which who is to move is held to no more than so much by force.
    pub(super) refuted: Vec<(Duel, i32)>,
}

/// What is tried in one position.
struct Node {
    duel: Duel,
    need: i32,
    /// Whether the side that holds is to move.
    holds: bool,
    /// Once it is found that there is no way to stay: the set is without it.
    is_lost: bool,
    /// What is wanted of it is proved: the set need not go on from it.
    is_proved: bool,
    /// Nodes that rest on it.
    parents: Vec<u32>,
    /// Of who holds: the moves that are left to try, best last. Of the other: the moves that need an answer of the set.
    moves: Vec<Step>,
    /// The moves of the other that are proved to be answered.
    proved: Vec<Step>,
    /// The move tried now, of who holds.
    choice: Option<Choice>,
}

/// A move of who holds.
#[derive(Clone, Copy)]
enum Choice {
    /// The game ends well with that action.
    Ends(u8),
    /// The other side cannot have what it wants then, by force.
    Settles(Step),
    /// It leads to that node.
    Leads(Step, u32),
}

impl Choice {
    const fn action(self) -> u8 {
        match self {
            Self::Ends(action) => action,
            Self::Settles(step) | Self::Leads(step, _) => step.action,
        }
    }
}

/// A move as it is tried.
#[derive(Clone, Copy)]
struct Step {
    /// What it leads to.
    duel: Duel,
    need: i32,
    action: u8,
}

/// The search for a closed set.
struct Quest<'q, 'a> {
    searcher: &'q mut Searcher<'a>,
    nodes: Vec<Node>,
    numbers: HashMap<(Key, i32, bool), u32>,
    /// Nodes that were not looked at yet.
    fresh: Vec<u32>,
}

/// Looks for a closed set that shows that the side to move cannot force `need`; with `reversed`, that the other side cannot
/// keep it below. If there is none, the reverse has been proved, unless the searcher has `halted`.
pub(super) fn hold(
    searcher: &mut Searcher<'_>,
    duel: &Duel,
    need: i32,
    reversed: bool,
    halt: &Halt<'_>,
) -> Option<Closed> {
    let mut quest = Quest { searcher, nodes: Vec::new(), numbers: HashMap::new(), fresh: Vec::new() };
    quest.searcher.halted = false;
    let root = quest.number(Step { duel: *duel, need, action: 0 }, reversed);
    while let Some(number) = quest.fresh.pop() {
        if quest.nodes[root as usize].is_lost {
            return None;
        }
        if !quest.nodes[number as usize].is_lost && (number == root || !quest.ask(number, halt)) {
            quest.look_into(number);
        }
        quest.searcher.look(halt);
        if quest.searcher.halted {
            return None;
        }
    }
    (!quest.nodes[root as usize].is_lost).then(|| quest.gather(root))
}

impl Quest<'_, '_> {
    /// The number of a position, which is new or not.
    fn number(&mut self, step: Step, holds: bool) -> u32 {
        let key = self.searcher.whole_key(&step.duel);
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry((key, step.need, holds)).or_insert(next);
        if number == next {
            let (parents, moves, proved) = (Vec::new(), Vec::new(), Vec::new());
            let Step { duel, need, .. } = step;
            self.nodes.push(Node {
                duel,
                need,
                holds,
                is_lost: false,
                is_proved: false,
                parents,
                moves,
                proved,
                choice: None,
            });
            self.fresh.push(number);
        }
        number
    }

    /// Searches whether it is proved what becomes of a new node; whether that is so.
    fn ask(&mut self, number: u32, halt: &Halt<'_>) -> bool {
        let Node { duel, need, holds, .. } = self.nodes[number as usize];
        let nodes = halt.nodes.min(self.searcher.nodes + ASKED);
        let numbers = self.searcher.ask(&duel, need, holds, &Halt { nodes, ..*halt });
        // That it has had its share does not end the search for the set.
        self.searcher.halted &= self.searcher.nodes < nodes;
        if numbers.is_settled() {
            self.nodes[number as usize].is_proved = (numbers.proof == 0) == holds;
            if !self.nodes[number as usize].is_proved {
                self.lose(number);
            }
        }
        numbers.is_settled()
    }

    /// Plays every move of a new node, and tries what is most promising.
    fn look_into(&mut self, number: u32) {
        let Node { duel, need, holds, .. } = self.nodes[number as usize];
        let (ended, mut children) = self.searcher.look_at(&duel, need, holds);
        if holds {
            // Those most tried to be refuted come first: there the other side has least left.
            children.sort_by_key(|child| (child.numbers.proof, std::cmp::Reverse(child.numbers.refutation)));
        }
        let node = &mut self.nodes[number as usize];
        let mut settled = ended.best.filter(|&(value, _)| value >= need).map(|(_, action)| Choice::Ends(action));
        for child in children {
            let step = Step { duel: child.duel, need: child.need, action: child.action };
            if child.numbers == Numbers::REFUTED {
                settled = Some(Choice::Settles(step));
            } else if child.numbers != Numbers::PROVED {
                node.moves.push(step);
            } else if !holds {
                node.proved.push(step);
            }
        }
        let stays = match settled {
            Some(choice) => {
                node.choice = Some(choice);
                holds
            }
            None if holds => self.choose(number),
            None => {
                let moves = self.nodes[number as usize].moves.clone();
                moves.into_iter().all(|step| self.rest_on(number, step, true))
            }
        };
        if !stays {
            self.lose(number);
        }
    }

    /// Has a node rest on where a move leads; whether that is not lost yet.
    fn rest_on(&mut self, number: u32, step: Step, holds: bool) -> bool {
        let next = self.number(step, holds);
        let node = &mut self.nodes[next as usize];
        node.parents.push(number);
        !node.is_lost
    }

    /// Tries the next move of a node of who holds, until one is not lost; whether there is one.
    fn choose(&mut self, number: u32) -> bool {
        while let Some(step) = self.nodes[number as usize].moves.pop() {
            if self.rest_on(number, step, false) {
                let next = self.number(step, false);
                self.nodes[number as usize].choice = Some(Choice::Leads(step, next));
                return true;
            }
        }
        false
    }

    /// Takes a node from the set, and with it all that cannot do without. Each is proved to be lost by those before it.
    fn lose(&mut self, number: u32) {
        let mut lost = vec![number];
        while let Some(number) = lost.pop() {
            let Node { duel, need, holds, .. } = self.nodes[number as usize];
            self.nodes[number as usize].is_lost = true;
            self.searcher.conclude(&duel, need, holds);
            for parent in std::mem::take(&mut self.nodes[number as usize].parents) {
                let node = &self.nodes[parent as usize];
                let rests = !node.holds || matches!(node.choice, Some(Choice::Leads(_, next)) if next == number);
                if !node.is_lost && rests && !(node.holds && self.choose(parent)) {
                    self.nodes[parent as usize].is_lost = true;
                    lost.push(parent);
                }
            }
        }
    }

    /// What of the set can be reached.
    fn gather(&self, root: u32) -> Closed {
        let mut closed = Closed::default();
        let (mut reached, mut order) = (HashSet::from([root]), vec![root]);
        while let Some(number) = order.pop() {
            let Node { duel, need, holds, is_proved, proved, moves, choice, .. } = &self.nodes[number as usize];
            let mut next = Vec::new();
            if *is_proved {
                match holds {
                    true => closed.forced.push((*duel, *need)),
                    false => closed.refuted.push((*duel, *need - 1)),
                }
            } else if let Some(choice) = choice {
                closed.decisions.push((*duel, *need, choice.action()));
                match choice {
                    Choice::Ends(_) => (),
                    Choice::Settles(step) => closed.refuted.push((step.duel, step.need - 1)),
                    Choice::Leads(_, number) => next.push(*number),
                }
            } else {
                closed.forced.extend(proved.iter().map(|step| (step.duel, step.need)));
                let number = |step: &Step| self.numbers.get(&(self.searcher.whole_key(&step.duel), step.need, true));
                next.extend(moves.iter().filter_map(number));
            }
            order.extend(next.into_iter().filter(|&number| reached.insert(number)));
        }
        closed
    }
}
