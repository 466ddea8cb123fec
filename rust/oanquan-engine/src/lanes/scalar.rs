//! Many games side by side in ordinary registers.
//!
//! What a game does next, a lap, a look behind a gap or the choice of a move, cannot be predicted, and a branch on it
//! that is foretold wrongly costs more than the work itself. So there is none: the games wait in [queues](Queue), one
//! for each kind of work, and a round goes through each queue in turn. A game is put into every queue that it may go to
//! next, and only the end of the right one moves. What is left to predict is how long the queues are. Nor does the
//! processor wait for the board of one game, as it works on those of the next in the meantime.
//!
//! Boards stand still here, and each side has a word of its own: see [`laps`](super::laps).

use std::array::from_fn;
use std::ops::Range;
use std::sync::atomic::Ordering;

use oanquan_core::{Ending, Move, Position};

use super::game::{Beginning, Hands, State, Story, side_to_move};
use super::laps::{Laps, SIDE, Table, at, joined, lap_number, parted, word};
use super::plan::{Board, Choices, LONGEST, MANDARIN, Plan, WIDTH, action_of};
use crate::rng::{STEP, mix};
use crate::{Collect, GameStream};

/// How many games are played side by side: a power of two, so many that the ends of the queues, which nobody foretells,
/// cost little, and so few that all is in the nearest cache.
const GAMES: usize = 64;

/// A game in play.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Lane {
    board: Board,
    /// What is in the stores as bytes of the board add up, the mover's in the low half.
    stores: u64,
    /// The counter of the stream at the next ply.
    counter: u64,
    /// How many turns have ended.
    plies: u32,
    reseedings: u32,
    /// The number of the next lap; at a gap, that of the lap of the empty hand.
    lap: u16,
    /// The side to move.
    side: u8,
}

/// A hash of every position of a game, by ply: that in which a game of the longest ends too, so that it takes the place
/// of none.
type Log = [u16; LONGEST as usize + 1];

/// What a game waits for, as how far the end of its queue is shifted in [`Queues::ends`].
type Wait = u8;
/// Has a hand to sow.
const LAP: Wait = 0;
/// Looks behind a gap.
const GAP: Wait = 16;
/// Is over, or has a row to be filled, or has gone on for long.
const RARE: Wait = 32;
/// Ends a turn; this has all bits of the others, so whatever is joined with it is this.
const TURN: Wait = 48;

/// The games, in a queue for each kind of work.
struct Queues {
    /// One queue behind the other, each with room for all games.
    games: [u8; 4 * GAMES],
    /// Where in `games` the next one is put into each queue: sixteen bits each.
    ends: u64,
}

impl Queues {
    const EMPTY: Self = Self { games: [0; 4 * GAMES], ends: (GAMES as u64) * 0x0003_0002_0001_0000 };

    /// Takes all games out of a queue: where they are. Each may be put back when it was seen.
    #[inline]
    fn take(&mut self, wait: Wait) -> Range<usize> {
        let begin = wait as usize / 16 * GAMES;
        let end = (self.ends >> wait) as usize % (1 << 16);
        self.ends -= ((end - begin) as u64) << wait;
        begin..end
    }

    #[inline]
    fn get(&self, place: usize) -> u8 {
        self.games[place % (4 * GAMES)]
    }

    /// Appends a game to a queue.
    #[inline]
    fn put(&mut self, game: u8, wait: Wait) {
        let wait = wait % 64;
        self.games[(self.ends >> wait) as usize % (4 * GAMES)] = game;
        self.ends += 1 << wait;
    }
}

/// Plays games that the plan allows.
pub(super) struct Scalar {
    plan: Plan,
    laps: Laps,
    choices: Choices,
    start: Position,
    beginning: Beginning,
    /// What stands on mandarin squares while the game goes on.
    standing: u64,
    row: u32,
    /// What a game waits for after a lap,
    after_lap: Table,
    /// and after a capture.
    after_capture: Table,
    /// What is captured of a square, by its byte: all or nothing.
    taken: [u8; 256],
    lanes: Box<[Lane; GAMES]>,
    stories: Box<[Story; GAMES]>,
    logs: Box<[Log; GAMES]>,
}

impl Scalar {
    #[expect(clippy::large_stack_arrays, reason = "17 KB, and once")]
    pub(super) fn new(plan: Plan, start: Position) -> Self {
        let beginning = Beginning::new(&plan, &start);
        let lane = Lane { board: [0; WIDTH], stores: 0, counter: 0, plies: 0, reseedings: 0, lap: 0, side: 0 };
        Self {
            laps: Laps::new(&plan),
            choices: Choices::new(),
            standing: u64::from(plan.standing()) << (8 * plan.squares),
            row: (1 << plan.squares) - 1,
            // Rules 3.3.
            after_lap: Table::new(&plan, |is_mandarin, byte| match (is_mandarin, byte) {
                (false, 0) => GAP,
                (false, _) => LAP,
                (true, 0) if !plan.stop_after_sowing => GAP,
                (true, _) => TURN,
            }),
            // Rules 3.4.
            after_capture: Table::new(&plan, |is_mandarin, byte| {
                let stop = !plan.capture_chain || is_mandarin && plan.stop_in_chain;
                if byte == 0 && !stop { GAP } else { TURN }
            }),
            taken: from_fn(|byte| {
                let is_immature =
                    byte >= MANDARIN.into() && byte < usize::from(MANDARIN) + usize::from(plan.immature_below);
                if is_immature { 0 } else { byte as u8 }
            }),
            lanes: Box::new([lane; GAMES]),
            stories: Box::new([beginning.story; GAMES]),
            logs: Box::new([[0; LONGEST as usize + 1]; GAMES]),
            beginning,
            plan,
            start,
        }
    }

    /// Plays all games: see `Kernel::play`.
    pub(super) fn play<C: Collect>(&mut self, hands: &mut Hands<'_, C>) -> bool {
        let mut queues = Queues::EMPTY;
        for game in 0..GAMES as u8 {
            if self.refill(game, hands) {
                queues.put(game, LAP);
            }
        }
        while queues.ends != Queues::EMPTY.ends {
            if hands.stop.load(Ordering::Relaxed) {
                return false;
            }
            self.sow(&mut queues);
            self.capture(&mut queues);
            self.end_turns(&mut queues);
            for place in queues.take(RARE) {
                let game = queues.get(place);
                if self.attend(game, hands) {
                    queues.put(game, LAP);
                }
            }
        }
        !hands.given_up
    }

    /// Rules 3.2: sows the hands that wait.
    #[inline(never)]
    fn sow(&mut self, queues: &mut Queues) {
        for place in queues.take(LAP) {
            let game = queues.get(place);
            let lane = &mut self.lanes[usize::from(game) % GAMES];
            self.laps.sow(&mut lane.board, lane.lap);
            let bearing = self.laps.next(lane.lap);
            let hand = at(&lane.board, bearing);
            lane.lap = lap_number(bearing, hand);
            queues.put(game, self.after_lap.get(lane.lap));
        }
    }

    /// Rules 3.4: looks at the square behind a gap, and captures what is there.
    #[inline(never)]
    fn capture(&mut self, queues: &mut Queues) {
        for place in queues.take(GAP) {
            let game = queues.get(place);
            let lane = &mut self.lanes[usize::from(game) % GAMES];
            let prey = self.laps.next(lane.lap);
            let there = at(&lane.board, prey);
            let taken = self.taken[usize::from(there)];
            lane.stores += u64::from(taken);
            lane.board[usize::from(prey) % WIDTH] = there - taken;
            let after = self.laps.next(lap_number(prey, 0));
            lane.lap = lap_number(after, 0);
            // Not a comparison: that may be made a branch, and this is nothing to foretell.
            let nothing = (u32::from(taken).wrapping_sub(1) >> 8) as u8 & TURN;
            queues.put(game, self.after_capture.get(lap_number(after, at(&lane.board, after))) | nothing);
        }
    }

    /// Ends turns, and chooses the next moves.
    #[inline(never)]
    fn end_turns(&mut self, queues: &mut Queues) {
        for place in queues.take(TURN) {
            let game = queues.get(place);
            let lane = &mut self.lanes[usize::from(game) % GAMES];
            let (stores, plies, side) = (lane.stores.rotate_left(32), lane.plies + 1, lane.side ^ 1);
            let row = occupied(word(&lane.board, side.into())) & self.row;
            // Where the row is empty this is nonsense, and is not used.
            let bearing = self.choices.choose(row, mix(lane.counter)) + side * SIDE as u8;
            let rare = u8::from(is_bare(&lane.board, self.standing)) | u8::from(row == 0) | u8::from(plies >= LONGEST);
            self.logs[usize::from(game) % GAMES][plies.min(LONGEST) as usize] = hash(&lane.board, stores);
            lane.lap = lap_number(bearing, at(&lane.board, bearing));
            (lane.stores, lane.plies, lane.side) = (stores, plies, side);
            lane.counter = lane.counter.wrapping_add(STEP);
            queues.put(game, rare * RARE);
        }
    }

    /// Goes on where a turn ended and there was no move to choose; whether the lane has a game then.
    #[inline(never)]
    fn attend<C: Collect>(&mut self, game: u8, hands: &mut Hands<'_, C>) -> bool {
        let lane = &self.lanes[usize::from(game) % GAMES];
        if is_bare(&lane.board, self.standing) {
            return self.finish(game, Ending::Mandarins, hands);
        }
        if lane.plies >= LONGEST {
            return self.hand_over(game, hands);
        }
        match self.reseed(game) {
            Some(ending) => self.finish(game, ending, hands),
            None => true,
        }
    }

    /// Rules section 4: fills the empty row of the mover and chooses its move; the ending if the row cannot be paid for.
    fn reseed(&mut self, game: u8) -> Option<Ending> {
        let lane = &mut self.lanes[usize::from(game) % GAMES];
        let story = &mut self.stories[usize::from(game) % GAMES];
        let log = &mut self.logs[usize::from(game) % GAMES];
        let (own, other) = (lane.stores as u32, (lane.stores >> 32) as u32);
        let payment = match self.plan.pay(own, other) {
            Ok(payment) => payment,
            Err(ending) => return Some(ending),
        };
        if payment.lent > 0 {
            story.loans += 1;
            story.pebbles_lent += payment.lent;
            story.debts[usize::from(lane.side)] += payment.lent;
        }
        let (own, other) = payment.stores(own, other);
        lane.stores = u64::from(own) | u64::from(other) << 32;
        lane.reseedings += 1;
        let board = u128::from_le_bytes(lane.board) | u128::from(ONES >> (64 - 8 * payment.placed)) << (64 * lane.side);
        lane.board = board.to_le_bytes();
        log[lane.plies.min(LONGEST) as usize] = hash(&board.to_le_bytes(), lane.stores);
        let draw = story.stream.draw(lane.plies);
        let bearing = self.choices.choose((1 << payment.placed) - 1, draw) + lane.side * SIDE as u8;
        lane.lap = lap_number(bearing, 1);
        None
    }

    /// The game is over: counts it, and begins another.
    fn finish<C: Collect>(&mut self, game: u8, ending: Ending, hands: &mut Hands<'_, C>) -> bool {
        let lane = &self.lanes[usize::from(game) % GAMES];
        let story = &self.stories[usize::from(game) % GAMES];
        let log = &self.logs[usize::from(game) % GAMES];
        if self.plan.repetition.is_some_and(|times| repeats(&log[..lane.plies as usize], times)) {
            return self.hand_over(game, hands);
        }
        let state = State { board: joined(&self.plan, &lane.board, lane.side.into()), stores: lane.stores };
        let mover = lane.side.into();
        let finished = self.plan.finish(&state, (mover, lane.plies), ending, (story, lane.reseedings));
        hands.collect.add(story.number, &finished, &[]);
        self.refill(game, hands)
    }

    /// Lets the core play the game of a lane from its beginning, and begins another.
    #[cold]
    #[inline(never)]
    fn hand_over<C: Collect>(&mut self, game: u8, hands: &mut Hands<'_, C>) -> bool {
        hands.play(self.stories[usize::from(game) % GAMES].number);
        self.refill(game, hands)
    }

    /// Begins the next game in a lane; whether there was one.
    fn refill<C: Collect>(&mut self, game: u8, hands: &mut Hands<'_, C>) -> bool {
        while let Some((number, stream)) = hands.next() {
            if self.begin(game, number, stream).is_some() {
                return true;
            }
            hands.play(number);
        }
        false
    }

    /// Begins a game, unless it is one for the core.
    fn begin(&mut self, game: u8, number: u64, stream: GameStream) -> Option<()> {
        let log = &mut self.logs[usize::from(game) % GAMES];
        let ban = self.plan.ban;
        let after_ban;
        let mut beginning = &self.beginning;
        if ban > 0 {
            let hear = |ply: u32, State { board, stores }: State| {
                log[ply as usize] = hash(&parted(&self.plan, &board, side_to_move(&self.start, ply)), stores);
            };
            after_ban = Beginning::after_ban(&self.plan, self.start, stream, hear)?;
            beginning = &after_ban;
        }
        let Beginning { state, row, reseedings, story } = *beginning;
        let side = side_to_move(&self.start, ban);
        let board = parted(&self.plan, &state.board, side);
        log[ban as usize] = hash(&board, state.stores);
        let choice = self.choices.choose(row, stream.draw(ban));
        let bearing = choice + (side * SIDE) as u8;
        let opening = story.opening.or_else(|| Move::from_action(self.start.turn(), action_of(choice)));
        self.stories[usize::from(game) % GAMES] = Story { number, stream, opening, ..story };
        self.lanes[usize::from(game) % GAMES] = Lane {
            board,
            stores: state.stores,
            counter: stream.counter(ban + 1),
            plies: ban,
            reseedings,
            lap: lap_number(bearing, at(&board, bearing)),
            side: side as u8,
        };
        Some(())
    }
}

/// Whether neither side has any of those bits.
#[inline]
fn is_bare(board: &Board, bits: u64) -> bool {
    (word(board, 0) | word(board, 1)) & bits == 0
}

/// Which of the first seven squares of a side hold pebbles, as bits, up to its mandarin square.
#[inline]
const fn occupied(side: u64) -> u32 {
    // The upper bit of each byte that is not zero; that of a mandarin is lost, or carried beyond it.
    let upper = side.wrapping_add(ONES * 0x7F) & (ONES * 0x80);
    // Bit 8i + 7 to bit 57 + i.
    (upper.wrapping_mul(GATHER) >> 57) as u32
}

/// One in each byte.
const ONES: u64 = u64::MAX / 0xFF;
/// Bits 50, 43 ... 8.
const GATHER: u64 = 0x0004_0810_2040_8100;

/// What the log keeps of a position.
#[inline]
fn hash(board: &Board, stores: u64) -> u16 {
    let mixed = word(board, 0) ^ (word(board, 1) ^ stores).rotate_left(28);
    (mixed.wrapping_mul(STEP) >> 48) as u16
}

/// Whether so many of the hashes are equal.
fn repeats(hashes: &[u16], times: u32) -> bool {
    let mut buckets = [0_u8; 256];
    let mut most = 0;
    for hash in hashes {
        let bucket = &mut buckets[usize::from(hash >> 8)];
        *bucket = bucket.wrapping_add(1);
        most = most.max(*bucket);
    }
    // Few games come so far.
    let equal_to = |hash| hashes.iter().map(|other| u16::from(other == hash)).sum::<u16>();
    u32::from(most) >= times && hashes.iter().any(|hash| u32::from(equal_to(hash)) >= times)
}
