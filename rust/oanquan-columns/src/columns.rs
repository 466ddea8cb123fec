//! The finished columns, shared and handed out without copies.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt8Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int8Array, Int32Array, ListArray, RecordBatch, RecordBatchReader, UInt32Array,
    UInt64Array,
};
use arrow_buffer::Buffer;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::concat::concat;
use oanquan_core::Side;

use crate::lists::Part;
use crate::schema::{schema, values};
use crate::table::{Table, code};
use crate::{Error, Options};

/// The most rows of a batch: 2^20.
const BATCH_ROWS: usize = 1 << 20;

/// Games as columns, one row each, in the order of their numbers. Cloning shares them.
///
/// ```
/// use oanquan_columns::{Options, collect};
/// use oanquan_core::{Position, Rules};
/// use oanquan_engine::Config;
/// use std::sync::atomic::{AtomicBool, AtomicU64};
/// let config = Config::new(Position::start(Rules::default()), 10);
/// let options = Options { moves: true, positions: true };
/// let (_, columns) = collect(&config, options, &AtomicBool::new(false), &AtomicU64::new(0))?;
/// assert_eq!(columns.rows(), 10);
/// assert_eq!(columns.positions(3).unwrap().len(), columns.moves(3).unwrap().len() + 1);
/// # Ok::<(), oanquan_columns::Error>(())
/// ```
#[derive(Clone)]
pub struct Columns {
    schema: SchemaRef,
    rows: usize,
    /// Every column but the lists, in the order of the schema.
    numbers: Vec<ArrayRef>,
    /// The lists, if there are any: parts of all rows.
    parts: Arc<[Part]>,
}

impl Columns {
    /// The columns of a table whose games are finished.
    pub(crate) fn new(table: Table, first: Side, options: Options, parts: Vec<Part>) -> Result<Self, ArrowError> {
        let rows = table.game.len();
        let sides = table.points.len();
        let word = |name: &str, codes: Vec<i8>| -> Result<ArrayRef, ArrowError> {
            Ok(Arc::new(DictionaryArray::try_new(Int8Array::from(codes), values(name))?))
        };
        let mut numbers: Vec<ArrayRef> = vec![Arc::new(UInt64Array::from(table.game))];
        numbers.extend(table.points.into_iter().map(|column| Arc::new(Int32Array::from(column)) as ArrayRef));
        numbers.push(Arc::new(UInt32Array::from(table.plies)));
        numbers.push(word("ending", table.ending)?);
        numbers.push(word("winner", table.winner)?);
        numbers.push(word("first", vec![code(first); rows])?);
        numbers.push(Arc::new(Int8Array::from(table.opening)));
        for column in [table.reseedings, table.loans, table.pebbles_lent] {
            numbers.push(Arc::new(UInt32Array::from(column)));
        }
        Ok(Self { schema: schema(sides, options), rows, numbers, parts: parts.into() })
    }

    /// The columns of some batches of the same schema, the numbers joined and the lists in parts. Columns of words must
    /// have the codes of [`words`](crate::schema::words).
    pub(crate) fn of_batches(batches: &[RecordBatch]) -> Result<Self, Error> {
        let first = batches.first().ok_or_else(|| Error::Damaged(String::from("there are no columns")))?;
        let part = |batch: &RecordBatch| {
            let list = |name: &str| Some(Arc::new(batch.column_by_name(name)?.as_list_opt::<i32>()?.clone()));
            Part { rows: batch.num_rows(), moves: list("moves"), positions: list("positions") }
        };
        let parts = batches.iter().map(part).filter(|part| part.rows > 0);
        let parts: Vec<_> = parts.filter(|part| part.moves.is_some() || part.positions.is_some()).collect();
        let is_list = |column: usize| matches!(first.column(column).data_type(), DataType::List(_));
        let joined = |column: usize| {
            let arrays: Vec<_> = batches.iter().map(|batch| batch.column(column).as_ref()).collect();
            if arrays.len() == 1 { Ok(first.column(column).clone()) } else { concat(&arrays) }
        };
        let numbers = (0..first.num_columns()).filter(|&column| !is_list(column)).map(joined);
        Ok(Self {
            schema: first.schema(),
            rows: batches.iter().map(RecordBatch::num_rows).sum(),
            numbers: numbers.collect::<Result<_, _>>()?,
            parts: parts.into(),
        })
    }

    /// How many games there are.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The names and types of the columns.
    pub const fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The numbers of a column, or the codes of a column of words, as they lie in memory; `None` for lists and for
    /// names that no column has. The type is that of the numbers.
    ///
    /// ```
    /// # use oanquan_columns::{Options, collect};
    /// # use oanquan_core::{Position, Rules};
    /// # use oanquan_engine::Config;
    /// # use std::sync::atomic::{AtomicBool, AtomicU64};
    /// # let config = Config::new(Position::start(Rules::default()), 10);
    /// # let (_, columns) = collect(&config, Options::default(), &AtomicBool::new(false), &AtomicU64::new(0))?;
    /// let (buffer, kind) = columns.buffer("plies").unwrap();
    /// assert_eq!((buffer.len(), kind.to_string().as_str()), (10 * 4, "UInt32"));
    /// assert!(columns.buffer("length").is_none());
    /// # Ok::<(), oanquan_columns::Error>(())
    /// ```
    pub fn buffer(&self, name: &str) -> Option<(Buffer, DataType)> {
        let array = self.numbers.get(self.schema.index_of(name).ok()?)?;
        let data = match array.as_dictionary_opt::<Int8Type>() {
            Some(dictionary) => dictionary.keys().to_data(),
            None => array.to_data(),
        };
        let width = data.data_type().primitive_width()?;
        let bytes = data.buffers().first()?.slice_with_length(data.offset() * width, data.len() * width);
        Some((bytes, data.data_type().clone()))
    }

    /// The action numbers of the moves of a row; `None` past the end, or if moves are not kept.
    pub fn moves(&self, row: usize) -> Option<Vec<u8>> {
        let (part, row) = self.part(row)?;
        let moves = part.moves.as_ref()?.value(row);
        Some(moves.as_primitive_opt::<UInt8Type>()?.values().to_vec())
    }

    /// The positions of a row as texts; `None` past the end, or if positions are not kept.
    pub fn positions(&self, row: usize) -> Option<Vec<String>> {
        let (part, row) = self.part(row)?;
        let positions = part.positions.as_ref()?.value(row);
        Some(positions.as_string_opt::<i32>()?.iter().flatten().map(String::from).collect())
    }

    /// The part that a row is in, and its place there.
    fn part(&self, mut row: usize) -> Option<(&Part, usize)> {
        for part in self.parts.iter() {
            if row < part.rows {
                return Some((part, row));
            }
            row -= part.rows;
        }
        None
    }

    /// All rows in batches of at most 2^20 rows, none of which is copied.
    ///
    /// ```
    /// # use oanquan_columns::{Options, collect};
    /// # use oanquan_core::{Position, Rules};
    /// # use oanquan_engine::Config;
    /// # use std::sync::atomic::{AtomicBool, AtomicU64};
    /// # let config = Config::new(Position::start(Rules::default()), 10);
    /// # let (_, columns) = collect(&config, Options::default(), &AtomicBool::new(false), &AtomicU64::new(0))?;
    /// let rows: Vec<_> = columns.batches().map(|batch| batch.unwrap().num_rows()).collect();
    /// assert_eq!(rows, [10]);
    /// # Ok::<(), oanquan_columns::Error>(())
    /// ```
    pub fn batches(&self) -> Batches {
        Batches { columns: self.clone(), row: 0, part: 0 }
    }

    /// Those rows; with lists they must be the rows of that part.
    fn batch(&self, row: usize, rows: usize, part: Option<&Part>) -> Result<RecordBatch, ArrowError> {
        let as_array = |list: &Arc<ListArray>| list.clone() as ArrayRef;
        let numbers = self.numbers.iter().map(|array| array.slice(row, rows));
        let lists = part.into_iter().flat_map(|part| [&part.moves, &part.positions]);
        RecordBatch::try_new(self.schema.clone(), numbers.chain(lists.flatten().map(as_array)).collect())
    }
}

/// The batches of [`Columns`], which it shares.
pub struct Batches {
    columns: Columns,
    row: usize,
    part: usize,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let left = self.columns.rows - self.row;
        if left == 0 {
            return None;
        }
        let part = self.columns.parts.get(self.part);
        let rows = part.map_or(left.min(BATCH_ROWS), |part| part.rows);
        let batch = self.columns.batch(self.row, rows, part);
        self.row += rows;
        self.part += 1;
        Some(batch)
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.columns.schema.clone()
    }
}
