//! Ranks of a graph of answers: the longest way to its end, or where it goes in circles.

/// Stands for a node that is in no circle.
pub(super) const NO_CIRCLE: u32 = u32::MAX;

/// For each node a number greater than those of all its answers, from 1; or, if there are circles, for each node the
/// circle that it is in: a number that all nodes have which can be reached from each other.
pub(super) fn ranks(answers: &[Vec<u32>]) -> Result<Vec<u16>, Vec<u32>> {
    let mut walk = Walk {
        answers,
        entered: vec![0; answers.len()],
        lowest: vec![0; answers.len()],
        open: Vec::new(),
        ranks: vec![0; answers.len()],
        circles: vec![NO_CIRCLE; answers.len()],
        circular: false,
        clock: 0,
    };
    for node in 0..answers.len() {
        if walk.entered[node] == 0 {
            walk.from(node as u32);
        }
    }
    if walk.circular { Err(walk.circles) } else { Ok(walk.ranks) }
}

/// Tarjan's walk through the strongly connected components, with a stack of its own.
struct Walk<'a> {
    answers: &'a [Vec<u32>],
    /// When each node was entered, from 1.
    entered: Vec<u32>,
    /// The earliest node still open that can be reached from it.
    lowest: Vec<u32>,
    open: Vec<u32>,
    ranks: Vec<u16>,
    circles: Vec<u32>,
    circular: bool,
    clock: u32,
}

impl Walk<'_> {
    fn enter(&mut self, node: u32) {
        self.clock += 1;
        self.entered[node as usize] = self.clock;
        self.lowest[node as usize] = self.clock;
        self.open.push(node);
    }

    fn from(&mut self, start: u32) {
        self.enter(start);
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let (node, answers) = (*node, &self.answers[*node as usize]);
            if let Some(&answer) = answers.get(*next) {
                *next += 1;
                if self.entered[answer as usize] == 0 {
                    self.enter(answer);
                    path.push((answer, 0));
                } else if self.ranks[answer as usize] == 0 && self.circles[answer as usize] == NO_CIRCLE {
                    // Still open: a way back.
                    self.lower(node, self.entered[answer as usize]);
                }
                continue;
            }
            path.pop();
            self.leave(node);
            if let Some(&(parent, _)) = path.last() {
                self.lower(parent, self.lowest[node as usize]);
            }
        }
    }

    fn lower(&mut self, node: u32, entered: u32) {
        let lowest = &mut self.lowest[node as usize];
        *lowest = (*lowest).min(entered);
    }

    /// Closes a node: with a rank, or with all of the circle that began with it.
    fn leave(&mut self, node: u32) {
        if self.lowest[node as usize] != self.entered[node as usize] {
            return;
        }
        let itself = self.answers[node as usize].contains(&node);
        if self.open.last() == Some(&node) && !itself {
            self.open.pop();
            let answers = self.answers[node as usize].iter();
            let greatest = answers.map(|&answer| self.ranks[answer as usize]).max().unwrap_or(0);
            // Where circles lie below, ranks are not looked at.
            self.ranks[node as usize] = greatest.saturating_add(1);
            return;
        }
        self.circular = true;
        while let Some(other) = self.open.pop() {
            self.circles[other as usize] = node;
            if other == node {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_longest_ways() {
        assert_eq!(ranks(&[vec![1, 2], vec![2], vec![], vec![0, 2]]), Ok(vec![3, 2, 1, 4]));
        assert_eq!(ranks(&[]), Ok(vec![]));
    }

    #[test]
    fn circles_are_told_apart() {
        // 0 <-> 1, both from 2; 3 answers itself; 4 and 5 are in no circle.
        let circles = ranks(&[vec![1], vec![0, 4], vec![0], vec![3], vec![], vec![4]]).unwrap_err();
        assert_eq!(circles[0], circles[1]);
        assert!([2, 4, 5].iter().all(|&node: &usize| circles[node] == NO_CIRCLE), "{circles:?}");
        assert!(circles[3] != NO_CIRCLE && circles[3] != circles[0]);
    }
}
