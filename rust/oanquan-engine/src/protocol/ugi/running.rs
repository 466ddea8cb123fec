//! Work on a thread of its own, that can be stopped.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use crate::protocol::output::Output;
use crate::search::Table;

/// How often a client is told that the engine still thinks, once it says nothing more: whoever is gone is noticed by that.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// What is being done.
pub(crate) struct Running<'scope> {
    stop: Arc<AtomicBool>,
    /// Set before the answer is written: whoever has seen it may go on.
    answered: Arc<AtomicBool>,
    /// Whether it ends by itself.
    bounded: bool,
    begun: Instant,
    /// Cut off when it has ended.
    ended: Receiver<()>,
    thread: ScopedJoinHandle<'scope, Option<Table>>,
}

impl<'scope> Running<'scope> {
    /// Begins work; what it returns is its answer, whole lines. The table is lent to it.
    pub(crate) fn begin<'env, W: Write + Send>(
        scope: &'scope Scope<'scope, 'env>,
        output: &'env Output<W>,
        bounded: bool,
        mut table: Option<Table>,
        work: impl FnOnce(&AtomicBool, &mut Option<Table>) -> String + Send + 'scope,
    ) -> Result<Self, String> {
        let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (alive, ended) = mpsc::channel();
        let flags = (stop.clone(), answered.clone());
        let work = move || {
            let (stop, answered) = flags;
            let answer = work(&stop, &mut table);
            answered.store(true, Ordering::SeqCst);
            output.write(&answer);
            drop(alive);
            table
        };
        let thread =
            Builder::new().spawn_scoped(scope, work).map_err(|error| format!("no thread to think: {error}"))?;
        Ok(Self { stop, answered, bounded, begun: Instant::now(), ended, thread })
    }

    /// Whether its answer is out, or just about to be.
    pub(crate) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::SeqCst)
    }

    /// Stops it, and waits for its answer. Returns the table.
    pub(crate) fn stop(self) -> Option<Table> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// Waits for its answer, if it ends by itself and is to, as long as somebody reads; else stops it.
    pub(crate) fn finish<W: Write>(self, wait: bool, output: &Output<W>) {
        while wait && self.bounded && !output.is_closed() {
            match self.ended.recv_timeout(HEARTBEAT) {
                Err(RecvTimeoutError::Timeout) if !self.has_answered() => {
                    output.write(&format!("info time {}\n", self.begun.elapsed().as_millis()));
                }
                _ => break,
            }
        }
        self.stop();
    }
}
