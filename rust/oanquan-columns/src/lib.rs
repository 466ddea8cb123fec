//! Games of Ô ăn quan as columns: one row a game, in memory as [Arrow](https://arrow.apache.org) arrays, on disk as
//! Parquet shards.
//!
//! | room | duty |
//! |---|---|
//! | [`schema`] | the columns: their names, types and words |
//! | `table` | the columns while threads write into them |
//! | `lists` | moves and positions, of which games have different numbers |
//! | [`columns`] | [`Columns`]: the finished columns, shared and handed out without copies |
//! | `bytes` | columns as bytes, for other processes |
//! | [`collect`](mod@collect) | [`collect`](fn@collect): many games on many threads, kept as columns |
//! | [`shard`] | [`write_shard`] and [`shard_info`]: a range of games as a Parquet file |
//! | [`reader`] | [`ShardReader`]: the games of such a file |
//! | [`replay`] | [`check_shard`]: such a file held against games played again |
//! | [`text`] | [`write_text`]: its games as CSV or as game records |
//! | [`error`] | [`Error`] |
//!
//! Rows stand in the order of the game numbers, however many threads played them. What a row says is what
//! [`Finished`](oanquan_engine::Finished) says of the game.
//!
//! ```
//! use oanquan_columns::{Options, collect};
//! use oanquan_core::{Position, Rules};
//! use oanquan_engine::Config;
//! use std::sync::atomic::{AtomicBool, AtomicU64};
//!
//! let config = Config::new(Position::start(Rules::default()), 1000);
//! let (summary, columns) =
//!     collect(&config, Options::default(), &AtomicBool::new(false), &AtomicU64::new(0))?;
//! assert_eq!((summary.games, columns.rows()), (1000, 1000));
//! let batch = columns.batches().next().unwrap()?;
//! assert_eq!(batch.schema().field(1).name(), "points_a");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod bytes;
pub mod collect;
pub mod columns;
pub mod error;
mod lists;
pub mod reader;
pub mod replay;
pub mod schema;
pub mod shard;
mod table;
pub mod text;

pub use collect::{collect, collect_from};
pub use columns::{Batches, Columns};
pub use error::Error;
pub use reader::ShardReader;
pub use replay::check_shard;
pub use schema::Options;
pub use shard::{ShardInfo, shard_info, write_shard};
pub use text::{Form, text_header, write_text};
