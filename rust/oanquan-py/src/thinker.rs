//! A thread on which agents of the engine think, while the one that called stays in touch with Python.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};

use oanquan_engine::lockstep::Waiting;
use oanquan_engine::{Agent, GameStream, Turn};
use pyo3::PyResult;

use crate::interrupt::TICK;

type Question = (Arc<dyn Agent>, Waiting, GameStream);

/// The thread. It is asked one question at a time, and gives up soon when it is dropped.
pub(crate) struct Thinker {
    /// `None` once no more is asked.
    questions: Option<Sender<Question>>,
    answers: Receiver<Option<usize>>,
    stop: Arc<AtomicBool>,
    /// `None` once it has been waited for.
    thread: Option<JoinHandle<()>>,
}

impl Thinker {
    /// `None` if the system has no thread left.
    pub(crate) fn new() -> Option<Self> {
        let (questions, asked) = mpsc::channel::<Question>();
        let (answer, answers) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let think = move || {
            for (agent, game, stream) in asked {
                let turn = Turn::new(&game.position, stream, game.plies);
                if answer.send(agent.choose_unless(&turn, &stopped)).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().spawn(think).ok()?;
        Some(Self { questions: Some(questions), answers, stop, thread: Some(thread) })
    }

    /// What the agent chooses; `meanwhile` is called about every [`TICK`], and its error ends the wait.
    pub(crate) fn place(
        &self,
        agent: &Arc<dyn Agent>,
        game: &Waiting,
        stream: GameStream,
        mut meanwhile: impl FnMut() -> PyResult<()>,
    ) -> PyResult<usize> {
        if let Some(questions) = &self.questions {
            // If nobody hears it, nobody answers either.
            let _ = questions.send((agent.clone(), *game, stream));
        }
        loop {
            match self.answers.recv_timeout(TICK) {
                Ok(place) => return Ok(place.unwrap_or_default()),
                Err(RecvTimeoutError::Timeout) => meanwhile()?,
                Err(RecvTimeoutError::Disconnected) => panic!("an agent panicked"),
            }
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            // How it ended was told when it was asked.
            let _ = thread.join();
        }
    }
}
