//! The games of a shard.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Int8Array, RecordBatch};
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::error::decoding;
use crate::schema::{schema, values, words};
use crate::{Columns, Error, Options};

/// Reads a shard row group by row group.
///
/// ```
/// # use oanquan_columns::{Options, ShardReader, write_shard};
/// # use oanquan_core::{Position, Rules};
/// # use oanquan_engine::Config;
/// # use std::sync::atomic::{AtomicBool, AtomicU64};
/// # let path = std::env::temp_dir().join(format!("oanquan-reader-{}.parquet", std::process::id()));
/// # let config = Config::new(Position::start(Rules::default()), 100);
/// # write_shard(&path, &config, Options::default(), &[], &AtomicBool::new(false), &AtomicU64::new(0))?;
/// let mut rows = 0;
/// for columns in ShardReader::open(&path)? {
///     rows += columns?.rows();
/// }
/// assert_eq!(rows, 100);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), oanquan_columns::Error>(())
/// ```
pub struct ShardReader {
    file: File,
    metadata: ArrowReaderMetadata,
    next: usize,
}

impl ShardReader {
    /// Opens a shard and reads its footer.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::Damaged`] if the file is no complete shard.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path)?;
        let metadata = decoding(|| Ok(ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())?))?;
        checked(metadata.schema())?;
        Ok(Self { file, metadata, next: 0 })
    }
}

impl Iterator for ShardReader {
    type Item = Result<Columns, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.metadata.metadata().row_groups().get(self.next)?;
        let rows = usize::try_from(group.num_rows()).unwrap_or_default();
        self.next += 1;
        Some(decoding(|| self.group(self.next - 1, rows)))
    }
}

impl ShardReader {
    fn group(&self, group: usize, rows: usize) -> Result<Columns, Error> {
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.try_clone()?, self.metadata.clone());
        let mut reader = builder.with_row_groups(vec![group]).with_batch_size(rows.max(1)).build()?;
        let batch = reader.next().ok_or_else(|| Error::Damaged(format!("row group {group} is empty")))??;
        if batch.num_rows() != rows {
            return Err(Error::Damaged(format!("row group {group}: expected {rows} rows, got {}", batch.num_rows())));
        }
        Columns::of_batches(&[with_our_words(&batch)?])
    }
}

/// The columns that the fields say, if games can have them.
fn checked(fields: &Schema) -> Result<SchemaRef, Error> {
    let options = Options {
        moves: fields.column_with_name("moves").is_some(),
        positions: fields.column_with_name("positions").is_some(),
    };
    let sides = fields.fields().iter().filter(|field| field.name().starts_with("points_")).count();
    let expected = schema(sides, options);
    if fields.fields() != expected.fields() {
        return Err(Error::Damaged(format!("expected the columns {}, got {}", names(&expected), names(fields))));
    }
    Ok(expected)
}

fn names(fields: &Schema) -> String {
    let names: Vec<_> = fields.fields().iter().map(|field| format!("{} {}", field.name(), field.data_type())).collect();
    names.join(", ")
}

/// The batch with the columns of words in the codes of [`words`]: a file has codes of its own.
pub(crate) fn with_our_words(batch: &RecordBatch) -> Result<RecordBatch, Error> {
    let schema = checked(&batch.schema())?;
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, array)| match words(field.name()) {
        Some(words) => recoded(field.name(), &words, array),
        None => Ok(array.clone()),
    });
    let columns = columns.collect::<Result<_, _>>()?;
    Ok(RecordBatch::try_new(schema, columns)?)
}

/// A column of words in the codes of those words.
fn recoded(name: &str, words: &[&str], array: &ArrayRef) -> Result<ArrayRef, Error> {
    let damaged = || Error::Damaged(format!("{name}: expected words of {words:?}"));
    let theirs = array.as_dictionary_opt::<Int8Type>().ok_or_else(damaged)?;
    let texts = theirs.values().as_string_opt::<i32>().ok_or_else(damaged)?;
    let code = |text: Option<&str>| words.iter().position(|&word| Some(word) == text).map(|code| code as i8);
    let codes: Vec<_> = texts.iter().map(code).collect();
    let ours = theirs.keys().values().iter().map(|&key| codes.get(usize::try_from(key).ok()?).copied().flatten());
    let ours: Option<Vec<_>> = ours.collect();
    Ok(Arc::new(DictionaryArray::try_new(Int8Array::from(ours.ok_or_else(damaged)?), values(name))?))
}
