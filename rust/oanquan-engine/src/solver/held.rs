//! Lines that never end: proofs that a side cannot force more, because the other can go on for ever.
//!
//! Where a search finds that every line goes round, one side can mostly see to it that the game ends well enough for it or
//! not at all. That is a closed set of positions with a move for each of its own, after which every reply leads to the set
//! again, or to what is proved. Such a set needs no order: whatever the line, as long as it goes on it stays within.

use std::collections::HashMap;

use oanquan_core::duel::Duel;

use super::facts::Key;
use super::search::{Halt, Searcher};

/// The other side's choice among its moves, or all moves of who wants more.
pub(super) enum Way {
    /// Every move is answered by the node with that number, or by what is proved, which has none.
    All(Vec<Reply>),
    /// This move, to the node of that number, or to what is proved or over.
    One { action: u8, next: Option<u32> },
}

/// A move of the side that wants more, with what answers it.
pub(super) struct Reply {
    pub(super) duel: Duel,
    /// What the side that holds needs then.
    pub(super) need: i32,
    /// The node, unless it is proved by force.
    pub(super) node: Option<u32>,
}

/// A position of a closed set.
pub(super) struct Spot {
    pub(super) duel: Duel,
    /// What the side to move cannot have, or else can have unless the game goes on for ever.
    pub(super) need: i32,
    pub(super) way: Way,
}

/// Positions with the move that stays within them.
pub(super) struct Closed {
    pub(super) spots: Vec<Spot>,
}

/// What is tried in one position.
struct Node {
    duel: Duel,
    need: i32,
    /// Whether the side that holds is to move.
    holds: bool,
    /// Once it is found that there is no way to stay: the set is without it.
    is_lost: bool,
    /// Nodes that rest on it.
    parents: Vec<u32>,
    /// Of who holds: the moves that are left to try, best last. Of the other: the moves that need an answer of the set.
    moves: Vec<Step>,
    /// The moves of the other that are proved to be answered.
    proved: Vec<Step>,
    /// The move tried now, of who holds, and the node it leads to, or none if it settles the matter.
    choice: Option<(Step, Option<u32>)>,
}

/// A move as it is tried.
#[derive(Clone, Copy)]
struct Step {
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
/// keep it below.
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
        quest.searcher.look(halt);
        if quest.searcher.halted || quest.nodes[root as usize].is_lost {
            return None;
        }
        quest.look_into(number);
    }
    (!quest.nodes[root as usize].is_lost).then(|| quest.gather(root))
}

impl Quest<'_, '_> {
    /// The number of a position, which is new or not.
    fn number(&mut self, step: Step, holds: bool) -> u32 {
        let (key, _) = self.searcher.key(&step.duel);
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry((key, step.need, holds)).or_insert(next);
        if number == next {
            let (parents, moves, proved) = (Vec::new(), Vec::new(), Vec::new());
            let Step { duel, need, .. } = step;
            self.nodes.push(Node { duel, need, holds, is_lost: false, parents, moves, proved, choice: None });
            self.fresh.push(number);
        }
        number
    }

    /// Plays every move of a new node, and tries what is most promising.
    fn look_into(&mut self, number: u32) {
        let Node { duel, need, holds, .. } = self.nodes[number as usize];
        let (ended, mut children) = self.searcher.look_at(&duel, need);
        if holds {
            // Those most tried to be refuted come first: there the other side has least left.
            children.sort_by_key(|child| (child.numbers.proof, std::cmp::Reverse(child.numbers.refutation)));
        }
        let node = &mut self.nodes[number as usize];
        let mut settled = ended.filter(|&(value, _)| value >= need).map(|(_, action)| Step { duel, need, action });
        for child in children {
            let step = Step { duel: child.duel, need: child.need, action: child.action };
            if child.numbers.refutation == 0 {
                // The side to move there falls short.
                settled = Some(step);
            } else if child.numbers.proof > 0 {
                node.moves.push(step);
            } else if !holds {
                node.proved.push(step);
            }
        }
        let stays = match settled {
            Some(step) => {
                node.choice = Some((step, None));
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
                self.nodes[number as usize].choice = Some((step, Some(next)));
                return true;
            }
        }
        false
    }

    /// Takes a node from the set, and with it all that cannot do without.
    fn lose(&mut self, number: u32) {
        let mut lost = vec![number];
        while let Some(number) = lost.pop() {
            self.nodes[number as usize].is_lost = true;
            for parent in std::mem::take(&mut self.nodes[number as usize].parents) {
                let node = &self.nodes[parent as usize];
                let rests = !node.holds || node.choice.is_some_and(|(_, next)| next == Some(number));
                if !node.is_lost && rests && !(node.holds && self.choose(parent)) {
                    self.nodes[parent as usize].is_lost = true;
                    lost.push(parent);
                }
            }
        }
    }

    /// What of the set can be reached.
    fn gather(&self, root: u32) -> Closed {
        let mut places = HashMap::from([(root, 0)]);
        let mut order = vec![root];
        let mut spots: Vec<Spot> = Vec::new();
        while let Some(&number) = order.get(spots.len()) {
            let Node { duel, need, holds, proved, moves, choice, .. } = &self.nodes[number as usize];
            let mut place = |number: u32| {
                *places.entry(number).or_insert_with(|| {
                    order.push(number);
                    order.len() as u32 - 1
                })
            };
            let way = match choice {
                Some((step, next)) if *holds => Way::One { action: step.action, next: next.map(&mut place) },
                _ => {
                    let reply = |step: &Step, node| Reply { duel: step.duel, need: step.need, node };
                    let known = |step: &Step| {
                        let (key, _) = self.searcher.key(&step.duel);
                        self.numbers.get(&(key, step.need, true)).copied()
                    };
                    let proved = proved.iter().map(|step| reply(step, None));
                    let mut replies: Vec<Reply> = proved.collect();
                    for step in moves {
                        replies.push(reply(step, known(step).map(&mut place)));
                    }
                    Way::All(replies)
                }
            };
            spots.push(Spot { duel: *duel, need: *need, way });
        }
        Closed { spots }
    }
}
