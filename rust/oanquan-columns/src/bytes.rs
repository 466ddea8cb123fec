//! Columns as bytes and back, for other processes: a stream in Arrow's IPC form.

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;

use crate::error::decoding;
use crate::reader::with_our_words;
use crate::{Columns, Error};

impl Columns {
    /// The columns as bytes.
    ///
    /// ```
    /// # use oanquan_columns::{Columns, Options, collect};
    /// # use oanquan_core::{Position, Rules};
    /// # use oanquan_engine::Config;
    /// # use std::sync::atomic::{AtomicBool, AtomicU64};
    /// # let config = Config::new(Position::start(Rules::default()), 10);
    /// # let options = Options { moves: true, positions: false };
    /// # let (_, columns) = collect(&config, options, &AtomicBool::new(false), &AtomicU64::new(0))?;
    /// let copy = Columns::from_bytes(&columns.to_bytes()?)?;
    /// assert_eq!((copy.rows(), copy.moves(9)), (10, columns.moves(9)));
    /// # Ok::<(), oanquan_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None is known.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut writer = StreamWriter::try_new(Vec::new(), self.schema())?;
        for batch in self.batches() {
            writer.write(&batch?)?;
        }
        Ok(writer.into_inner()?)
    }

    /// The columns of those bytes.
    ///
    /// # Errors
    /// [`Error::NoColumns`] if they are no columns of games.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        decoding(|| Self::decoded(bytes)).map_err(|error| match error {
            Error::Damaged(reason) => Error::NoColumns(reason),
            other => other,
        })
    }

    fn decoded(bytes: &[u8]) -> Result<Self, Error> {
        let reader = StreamReader::try_new(bytes, None)?;
        let empty = RecordBatch::new_empty(reader.schema());
        let batches: Vec<_> = reader.collect::<Result<_, _>>()?;
        let batches = if batches.is_empty() { vec![empty] } else { batches };
        let batches: Vec<_> = batches.iter().map(with_our_words).collect::<Result<_, _>>()?;
        Self::of_batches(&batches)
    }
}
