//! Many trees whose leaves are valued by somebody else, all at once.

use oanquan_core::{Position, Rules};

use super::error::ForestError;
use super::field::{Many, Values};
use super::tree::{Habit, Leaf, Tree};
use super::{Noise, Selection, Value};
use crate::GameStream;
use crate::batch::{self, actions_of, spread_into};

/// How many ends a tree may walk into in one call before it sits the call out.
const MOST_ENDS: u32 = 64;
/// How many trees are gone through between two questions whether to go on.
const ASK_EVERY: usize = 256;

/// What a forest may be told.
///
/// ```
/// use oanquan_engine::mcts::{ForestOptions, Value};
/// assert_eq!(ForestOptions::default().value, Value::Points);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ForestOptions {
    /// How much the priors weigh against the values: `c`.
    pub exploration: f32,
    /// What ends are worth.
    pub value: Value,
    /// Noise at the roots.
    pub noise: Option<Noise>,
    /// The seed of the noise.
    pub seed: u64,
}

impl Default for ForestOptions {
    fn default() -> Self {
        Self { exploration: 1.5, value: Value::Points, noise: None, seed: 0 }
    }
}

/// Trees from many positions by the same rules, each with one leaf at a time that waits to be valued.
///
/// ```
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::mcts::{Forest, ForestOptions};
/// let start = Position::start(Rules::default());
/// let mut forest = Forest::new(&[start; 4], ForestOptions::default())?;
/// for _ in 0..50 {
///     let waiting = forest.leaves();
///     assert_eq!(waiting, [true; 4]);
///     forest.update(&[0.0; 4], &[1.0; 40])?;
/// }
/// // The first leaf of a tree is its root, which has no edge that leads to it. Ends are walked into without asking.
/// assert!(forest.visits(0).unwrap().iter().sum::<u32>() >= 49);
/// forest.advance(&[4, 5, 6, -1])?;
/// assert_eq!(forest.position(0).unwrap().to_string(), "6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1");
/// # Ok::<(), oanquan_engine::mcts::ForestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Forest {
    field: Many,
    rules: Rules,
    options: ForestOptions,
    trees: Vec<Planted>,
    /// Whether leaves were asked for since the last update.
    asked: bool,
}

/// A tree and its position.
#[derive(Clone, Debug)]
struct Planted {
    root: Position,
    tree: Tree,
    /// Whether the root has its priors.
    rooted: bool,
    /// Where the last walk came out, if it waits to be valued.
    leaf: Option<Position>,
    /// How many roots it has had, for the noise.
    roots: u64,
}

impl Planted {
    fn new(root: Position, options: &ForestOptions, roots: u64) -> Self {
        let &ForestOptions { exploration, value, .. } = options;
        let habit = Habit { selection: Selection::Puct, exploration, value, grows: false };
        Self { root, tree: Tree::new(root.legal_mask(), habit), rooted: false, leaf: None, roots }
    }
}

impl Forest {
    /// Trees from these positions.
    ///
    /// # Errors
    /// [`ForestError::OtherRules`].
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let start = Position::start(Rules::default());
    /// let other = Position::start(Rules::parse("tonkin").unwrap());
    /// assert!(Forest::new(&[start, other], ForestOptions::default()).is_err());
    /// ```
    pub fn new(positions: &[Position], options: ForestOptions) -> Result<Self, ForestError> {
        let rules = positions.first().map_or_else(Rules::default, |position| *position.rules());
        if let Some(tree) = positions.iter().position(|position| *position.rules() != rules) {
            return Err(ForestError::OtherRules { tree });
        }
        let trees = positions.iter().map(|&root| Planted::new(root, &options, 0)).collect();
        Ok(Self { field: Many::new(&rules), rules, options, trees, asked: false })
    }

    /// How many trees there are.
    ///
    /// ```
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// assert_eq!(Forest::new(&[], ForestOptions::default())?.len(), 0);
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Whether there are none.
    ///
    /// ```
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// assert!(Forest::new(&[], ForestOptions::default())?.is_empty());
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// The rules of all positions.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let start = Position::start(Rules::default());
    /// assert_eq!(Forest::new(&[start], ForestOptions::default())?.rules(), start.rules());
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many actions there are, legal or not.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let start = Position::start(Rules::default());
    /// assert_eq!(Forest::new(&[start], ForestOptions::default())?.actions(), 10);
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn actions(&self) -> usize {
        actions_of(&self.rules)
    }

    /// How many numbers an observation has: [`Batch::observation_size`](crate::Batch::observation_size).
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let start = Position::start(Rules::default());
    /// assert_eq!(Forest::new(&[start], ForestOptions::default())?.observation_size(), 21);
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn observation_size(&self) -> usize {
        batch::observation_size(&self.rules)
    }

    /// Walks down every tree to a leaf that waits to be valued; says which trees have one. A tree has none if its position
    /// is over or its value is known exactly, and for once if it walked into many ends. Leaves that wait already stay.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let over = Position::parse("0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins", Rules::default()).unwrap();
    /// let mut forest = Forest::new(&[over, Position::start(Rules::default())], ForestOptions::default())?;
    /// assert_eq!(forest.leaves(), [false, true]);
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn leaves(&mut self) -> Vec<bool> {
        // It is not stopped.
        self.leaves_while(|| true).unwrap_or_default()
    }

    /// [`leaves`](Self::leaves), as long as `go_on` says so, which is asked every now and then.
    ///
    /// # Errors
    /// [`ForestError::Stopped`]. What was walked to until then waits; the next call goes on from there.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestError, ForestOptions};
    /// let mut forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// assert!(matches!(forest.leaves_while(|| false), Err(ForestError::Stopped)));
    /// assert_eq!(forest.leaves_while(|| true)?, [true]);
    /// # Ok::<(), ForestError>(())
    /// ```
    pub fn leaves_while(&mut self, mut go_on: impl FnMut() -> bool) -> Result<Vec<bool>, ForestError> {
        self.asked = true;
        let (field, sides) = (&self.field, usize::from(self.rules.sides));
        let leaf = |(number, planted): (usize, &mut Planted)| {
            ask(number, &mut go_on)?;
            Ok(Self::leaf_of(planted, field, sides))
        };
        self.trees.iter_mut().enumerate().map(leaf).collect()
    }

    /// Walks down a tree, and says whether it has a leaf that waits.
    fn leaf_of(planted: &mut Planted, field: &Many, sides: usize) -> bool {
        if planted.root.is_over() || planted.leaf.is_some() {
            return planted.leaf.is_some();
        }
        if !planted.rooted {
            planted.leaf = Some(planted.root);
            return true;
        }
        for _ in 0..MOST_ENDS {
            if planted.tree.exact.is_some() {
                return false;
            }
            // Nothing is drawn by priors.
            match planted.tree.walk(field, &planted.root, GameStream::new(0, 0)) {
                Leaf::Known(values) => planted.tree.back_up(&values, sides),
                Leaf::New(state) => {
                    planted.leaf = Some(state);
                    return true;
                }
            }
        }
        false
    }

    /// Writes the observations and the legal actions of the leaves that wait, a row for each tree; zeros where none waits.
    ///
    /// # Errors
    /// [`ForestError::Size`].
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let mut forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// forest.leaves();
    /// let (mut observations, mut legal_masks) = ([0; 21], [0; 10]);
    /// forest.observe(&mut observations, &mut legal_masks)?;
    /// assert_eq!((observations[..6].to_vec(), legal_masks), (vec![5, 5, 5, 5, 5, 0], [1; 10]));
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn observe(&self, observations: &mut [i16], legal_masks: &mut [u8]) -> Result<(), ForestError> {
        let (size, actions) = (self.observation_size(), self.actions());
        check("observations", self.len() * size, observations.len())?;
        check("legal_masks", self.len() * actions, legal_masks.len())?;
        observations.fill(0);
        legal_masks.fill(0);
        let rows = observations.chunks_exact_mut(size).zip(legal_masks.chunks_exact_mut(actions));
        for (planted, (observation, mask)) in self.trees.iter().zip(rows) {
            if let Some(leaf) = &planted.leaf {
                batch::observe(leaf, leaf.turn(), observation);
                spread_into(leaf.legal_mask(), mask);
            }
        }
        Ok(())
    }

    /// Values the leaves that wait. `values` has a number for each tree: what its leaf is worth to the side to move there;
    /// where three or four sides play, one for each side, the side to move first. `priors` has a number for each action
    /// of each tree; they need not sum to 1, and those of illegal actions do not matter. Rows of trees without a leaf do
    /// not matter either.
    ///
    /// # Errors
    /// [`ForestError::NoLeaves`], [`ForestError::Size`], [`ForestError::Value`], [`ForestError::Prior`]. Then nothing is
    /// changed.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestError, ForestOptions};
    /// let mut forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// assert!(matches!(forest.update(&[0.0], &[1.0; 10]), Err(ForestError::NoLeaves)));
    /// forest.leaves();
    /// assert!(matches!(forest.update(&[-2.0], &[1.0; 10]), Err(ForestError::Value { tree: 0, .. })));
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn update(&mut self, values: &[f32], priors: &[f32]) -> Result<(), ForestError> {
        self.update_while(values, priors, || true)
    }

    /// [`update`](Self::update), as long as `go_on` says so, which is asked every now and then.
    ///
    /// # Errors
    /// Those of [`update`](Self::update), and [`ForestError::Stopped`]: then the leaves of some trees are valued and those
    /// of the others wait, so that the same call again values the rest.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestError, ForestOptions};
    /// let mut forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// forest.leaves();
    /// assert!(matches!(forest.update_while(&[0.0], &[1.0; 10], || false), Err(ForestError::Stopped)));
    /// forest.update_while(&[0.0], &[1.0; 10], || true)?;
    /// # Ok::<(), ForestError>(())
    /// ```
    pub fn update_while(
        &mut self,
        values: &[f32],
        priors: &[f32],
        mut go_on: impl FnMut() -> bool,
    ) -> Result<(), ForestError> {
        if !self.asked {
            return Err(ForestError::NoLeaves);
        }
        let (sides, actions) = (usize::from(self.rules.sides), self.actions());
        let given = if sides == 2 { 1 } else { sides };
        check("values", self.len() * given, values.len())?;
        check("priors", self.len() * actions, priors.len())?;
        let rows = || values.chunks_exact(given).zip(priors.chunks_exact(actions));
        for (tree, (planted, (values, priors))) in self.trees.iter().zip(rows()).enumerate() {
            ask(tree, &mut go_on)?;
            let Some(leaf) = &planted.leaf else { continue };
            if let Some(&given) = values.iter().find(|value| !(-1.0..=1.0).contains(*value)) {
                return Err(ForestError::Value { tree, given });
            }
            let legal = priors.iter().enumerate().filter(|(action, _)| leaf.legal_mask() >> action & 1 != 0);
            if let Some((_, &given)) = legal.into_iter().find(|(_, prior)| !(0.0..=f32::MAX / 16.0).contains(*prior)) {
                return Err(ForestError::Prior { tree, given });
            }
        }
        let options = self.options;
        for (number, (planted, (values, priors))) in self.trees.iter_mut().zip(rows()).enumerate() {
            ask(number, &mut go_on)?;
            let Some(leaf) = planted.leaf.take() else { continue };
            if !planted.rooted {
                planted.tree.set_root_priors(priors);
                planted.rooted = true;
                disturb(planted, number, &options);
                continue;
            }
            let mut all: Values = [0.0; 4];
            all[..given].copy_from_slice(values);
            if sides == 2 {
                all[1] = -all[0];
            }
            planted.tree.grow_leaf(leaf.legal_mask(), priors);
            planted.tree.back_up(&all, sides);
        }
        self.asked = false;
        Ok(())
    }

    /// The visits of every action of a tree; `None` if there is no such tree.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// assert_eq!(forest.visits(0).unwrap(), [0; 10]);
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn visits(&self, tree: usize) -> Option<Vec<u32>> {
        let mut visits = vec![0; self.actions()];
        for edge in self.trees.get(tree)?.tree.root() {
            visits[usize::from(edge.action)] = edge.visits;
        }
        Some(visits)
    }

    /// What every action of a tree is worth to the side to move: the mean of its visits, or exactly; 0 where there is none.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// assert_eq!(forest.values(0).unwrap(), [0.0; 10]);
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn values(&self, tree: usize) -> Option<Vec<f32>> {
        let mut values = vec![0.0; self.actions()];
        for edge in self.trees.get(tree)?.tree.root() {
            values[usize::from(edge.action)] = edge.value();
        }
        Some(values)
    }

    /// The action to play in a tree; `None` if its position is over or there is no such tree.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// assert_eq!((forest.best(0), forest.best(1)), (Some(0), None));
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn best(&self, tree: usize) -> Option<u8> {
        self.trees.get(tree)?.tree.best()
    }

    /// Plays an action in every tree and keeps what is known below it; a tree with a negative number stays.
    ///
    /// # Errors
    /// [`ForestError::Size`], or [`ForestError::Illegal`] for the first tree whose action is not legal. Then nothing is
    /// changed.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let mut forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// let error = forest.advance(&[10]).unwrap_err();
    /// assert!(error.to_string().starts_with("tree 0: illegal move 10: action numbers go from 0 to 9"), "{error}");
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn advance(&mut self, actions: &[i64]) -> Result<(), ForestError> {
        self.advance_while(actions, || true)
    }

    /// [`advance`](Self::advance), given up if `go_on` says so, which is asked every now and then while moves are looked at.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance), and [`ForestError::Stopped`]. Then nothing is changed.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestError, ForestOptions};
    /// let mut forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// assert!(matches!(forest.advance_while(&[4], || false), Err(ForestError::Stopped)));
    /// assert_eq!(forest.position(0).unwrap().ply(), 0);
    /// # Ok::<(), ForestError>(())
    /// ```
    pub fn advance_while(&mut self, actions: &[i64], mut go_on: impl FnMut() -> bool) -> Result<(), ForestError> {
        check("actions", self.len(), actions.len())?;
        let mut next = Vec::with_capacity(self.len());
        for (tree, (planted, &action)) in self.trees.iter().zip(actions).enumerate() {
            ask(tree, &mut go_on)?;
            let play = || {
                let mv = planted.root.action(action)?;
                Ok((mv.action(), planted.root.play(mv)?))
            };
            let played = if action < 0 { Ok(None) } else { play().map(Some) };
            next.push(played.map_err(|error| ForestError::Illegal { tree, error })?);
        }
        let options = self.options;
        for (number, (planted, next)) in self.trees.iter_mut().zip(next).enumerate() {
            let Some((action, root)) = next else { continue };
            let roots = planted.roots + 1;
            *planted = match planted.tree.subtree(action) {
                Some(tree) => Planted { root, tree, rooted: true, leaf: None, roots },
                None => Planted::new(root, &options, roots),
            };
            if planted.rooted {
                disturb(planted, number, &options);
            }
        }
        Ok(())
    }

    /// Plants new trees at these places.
    ///
    /// # Errors
    /// [`ForestError::NoSuchTree`] or [`ForestError::OtherRules`]. Then nothing is changed.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let start = Position::start(Rules::default());
    /// let mut forest = Forest::new(&[start; 2], ForestOptions::default())?;
    /// let mv = start.legal_moves().next().unwrap();
    /// forest.set_positions(&[(1, start.play(mv).unwrap())])?;
    /// assert_eq!(forest.position(1).unwrap().ply(), 1);
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn set_positions(&mut self, positions: &[(usize, Position)]) -> Result<(), ForestError> {
        for &(tree, position) in positions {
            if tree >= self.len() {
                return Err(ForestError::NoSuchTree { tree, trees: self.len() });
            }
            if *position.rules() != self.rules {
                return Err(ForestError::OtherRules { tree });
            }
        }
        for &(tree, position) in positions {
            self.trees[tree] = Planted::new(position, &self.options, self.trees[tree].roots + 1);
        }
        Ok(())
    }

    /// The position at the root of a tree.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let start = Position::start(Rules::default());
    /// assert_eq!(Forest::new(&[start], ForestOptions::default())?.position(0), Some(start));
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn position(&self, tree: usize) -> Option<Position> {
        self.trees.get(tree).map(|planted| planted.root)
    }

    /// The leaf of a tree that waits to be valued.
    ///
    /// ```
    /// use oanquan_core::{Position, Rules};
    /// use oanquan_engine::mcts::{Forest, ForestOptions};
    /// let mut forest = Forest::new(&[Position::start(Rules::default())], ForestOptions::default())?;
    /// assert_eq!(forest.leaf(0), None);
    /// forest.leaves();
    /// assert_eq!(forest.leaf(0), forest.position(0));
    /// # Ok::<(), oanquan_engine::mcts::ForestError>(())
    /// ```
    pub fn leaf(&self, tree: usize) -> Option<Position> {
        self.trees.get(tree)?.leaf
    }
}

/// Mixes noise into the priors of a root, if any is wanted.
fn disturb(planted: &mut Planted, number: usize, options: &ForestOptions) {
    let Some(noise) = options.noise else { return };
    // Each root of each tree has a stream of its own.
    let stream = GameStream::new(GameStream::new(options.seed, number as u64).draw(0), planted.roots);
    let shares = noise.shares(planted.tree.root().len(), stream);
    planted.tree.add_noise(&shares, noise.fraction);
}

/// Asks now and then whether to go on.
fn ask(tree: usize, go_on: &mut impl FnMut() -> bool) -> Result<(), ForestError> {
    if tree.is_multiple_of(ASK_EVERY) && !go_on() { Err(ForestError::Stopped) } else { Ok(()) }
}

fn check(what: &'static str, expected: usize, given: usize) -> Result<(), ForestError> {
    if expected == given { Ok(()) } else { Err(ForestError::Size { what, expected, given }) }
}
