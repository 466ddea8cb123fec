//! The columns: their names, types and words.
//!
//! | column | type | what it says |
//! |---|---|---|
//! | `game` | `uint64` | the number of the game |
//! | `points_a`, `points_b`, ... | `int32` | the points of each side by the count |
//! | `plies` | `uint32` | how many moves were made |
//! | `ending` | dictionary of `int8` to `utf8` | why it ended: the names of [`Ending`] |
//! | `winner` | dictionary of `int8` to `utf8` | `a`, `b`, `c`, `d`, or `draw` |
//! | `first` | dictionary of `int8` to `utf8` | the side that moved first |
//! | `opening` | `int8` | the action number of the first move; -1 if there was none |
//! | `reseedings` | `uint32` | how many rows were re-seeded |
//! | `loans` | `uint32` | how many loans were made, one for each lender |
//! | `pebbles_lent` | `uint32` | how many pebbles were lent |
//! | `moves` | list of `uint8` | the action numbers of all moves; only if wanted |
//! | `positions` | list of `utf8` | the text of every position from start to end, `plies` + 1; only if wanted |
//!
//! Nothing is ever null.

use std::sync::Arc;

use arrow_array::StringArray;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use oanquan_core::{Ending, Side};

/// What is kept of each game beyond its numbers.
///
/// ```
/// use oanquan_columns::Options;
/// assert_eq!(Options::default(), Options { moves: false, positions: false });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The column `moves`.
    pub moves: bool,
    /// The column `positions`.
    pub positions: bool,
}

impl Options {
    /// Whether the moves of the games must be known.
    pub(crate) const fn lists(self) -> bool {
        self.moves || self.positions
    }
}

/// The winner's code of a game that nobody won; those of the sides come before it.
pub(crate) const DRAW: i8 = Side::ALL.len() as i8;
/// The opening of a game without a move.
pub(crate) const NO_OPENING: i8 = -1;

/// The words of a column that is a dictionary, in the order of their codes; `None` for other columns.
///
/// ```
/// use oanquan_columns::schema::words;
/// assert_eq!(words("winner"), Some(vec!["a", "b", "c", "d", "draw"]));
/// assert_eq!(words("plies"), None);
/// ```
pub fn words(column: &str) -> Option<Vec<&'static str>> {
    const SIDES: [&str; Side::ALL.len()] = ["a", "b", "c", "d"];
    match column {
        "ending" => Some(Ending::ALL.map(Ending::name).into()),
        "winner" => Some(SIDES.into_iter().chain(["draw"]).collect()),
        "first" => Some(SIDES.into()),
        _ => None,
    }
}

/// The words of a column as the values of a dictionary.
pub(crate) fn values(column: &str) -> Arc<StringArray> {
    Arc::new(StringArray::from(words(column).unwrap_or_default()))
}

/// The columns of games of so many sides.
///
/// ```
/// use oanquan_columns::{Options, schema::schema};
/// let schema = schema(2, Options { moves: true, positions: false });
/// let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
/// assert_eq!(names[..4], ["game", "points_a", "points_b", "plies"]);
/// assert_eq!(names[10..], ["pebbles_lent", "moves"]);
/// ```
pub fn schema(sides: usize, options: Options) -> SchemaRef {
    let plain = |name: &str, kind| Field::new(name, kind, false);
    let word = |name: &str| Field::new_dictionary(name, DataType::Int8, DataType::Utf8, false);
    let mut fields = vec![plain("game", DataType::UInt64)];
    fields.extend(Side::ALL.iter().take(sides).map(|side| plain(&format!("points_{side}"), DataType::Int32)));
    fields.push(plain("plies", DataType::UInt32));
    fields.extend(["ending", "winner", "first"].map(word));
    fields.push(plain("opening", DataType::Int8));
    fields.extend(["reseedings", "loans", "pebbles_lent"].map(|name| plain(name, DataType::UInt32)));
    if options.moves {
        fields.push(Field::new_list("moves", item(DataType::UInt8), false));
    }
    if options.positions {
        fields.push(Field::new_list("positions", item(DataType::Utf8), false));
    }
    Arc::new(Schema::new(fields))
}

/// The items of a list column.
pub(crate) fn item(kind: DataType) -> FieldRef {
    Arc::new(Field::new_list_field(kind, false))
}
