//! Tables as files: the header, reading it, and writing that is all or nothing.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use oanquan_core::Rules;
use oanquan_core::duel::DuelRules;

use crate::files;

use super::cells::{Cell, Cells};
use super::index::Index;
use super::mapped::{BLOCK, Mapped};
use super::{TableError, numbered};

const MAGIC: &[u8; 8] = b"oanquan\x1A";
/// The version of files with a cell a slot, and of those with one for each level of funds.
const VERSIONS: [u32; 2] = [1, 2];
/// Where the cells begin is a multiple of this.
const ALIGNMENT: usize = 4096;
/// The longest text of rules that is read.
const MOST_TEXT: u32 = 4096;

/// Whether a file has a finished table, or what a build had come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// All bounds are as tight as they get.
    Finished,
    /// All bounds are true, and can still be tightened.
    Checkpoint,
}

/// What stands before the cells.
pub(crate) struct Header {
    pub(crate) state: State,
    pub(crate) rules: DuelRules,
    pub(crate) index: Index,
    /// Of each block of cells.
    pub(crate) checksums: Vec<u32>,
    /// Where the cells begin.
    pub(crate) offset: usize,
    /// Of all of the above.
    pub(crate) checksum: u32,
}

/// The rules as `key=value` pairs, whatever names of presets may come to mean; empty for the default.
fn rules_text(rules: &Rules) -> String {
    rules.differences().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

/// What a table of these rules up to so many pebbles is called in messages.
pub(crate) fn described(rules: &Rules, pebbles: u32) -> String {
    format!("a table by {rules} up to {pebbles} pebbles")
}

fn file_error(expected: impl Into<String>, given: impl Into<String>) -> TableError {
    TableError::File { expected: expected.into(), given: given.into() }
}

/// The version of the files of a table.
fn version(index: &Index) -> u32 {
    VERSIONS[usize::from(index.levels().matter())]
}

/// All of the header but its own checksum and what fills it up.
fn header_bytes(state: State, rules: &DuelRules, index: &Index, checksums: &[u32]) -> Vec<u8> {
    let text = rules_text(rules.rules());
    let mut bytes = MAGIC.to_vec();
    let state = u32::from(state == State::Checkpoint);
    let classes: Vec<_> = index.classes().collect();
    for number in [version(index), state, index.pebbles(), BLOCK as u32, classes.len() as u32, text.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(index.slots().to_le_bytes());
    bytes.extend(text.as_bytes());
    for (mandarins, first) in classes {
        bytes.extend(u64::from(mandarins).to_le_bytes());
        bytes.extend(first.to_le_bytes());
    }
    bytes.extend(checksums.iter().flat_map(|checksum| checksum.to_le_bytes()));
    bytes
}

/// Where the cells begin after a header of so many bytes with its checksum.
fn cells_offset(header: usize) -> usize {
    (header + 4).next_multiple_of(ALIGNMENT)
}

/// The number of blocks of so many cells.
fn blocks(cells: u64) -> u64 {
    (2 * cells).div_ceil(BLOCK as u64)
}

impl Header {
    /// Reads the header of a file, and holds the length of the file against it.
    pub(crate) fn read(file: &File) -> Result<Self, TableError> {
        let length = file.metadata()?.len();
        let mut reader = BufReader::new(file);
        reader.seek(SeekFrom::Start(0))?;
        Self::read_from(&mut reader, length).map_err(|error| match error {
            TableError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                file_error("a table", "a file that ends within its header")
            }
            error => error,
        })
    }

    fn read_from(reader: &mut (impl Read + Seek), length: u64) -> Result<Self, TableError> {
        let mut magic = [0; 8];
        reader.read_exact(&mut magic).map_err(|_| file_error("a table", "a file of another kind"))?;
        if magic != *MAGIC {
            return Err(file_error("a table", "a file of another kind"));
        }
        let version = read_u32(reader)?;
        if !VERSIONS.contains(&version) {
            let [first, last] = VERSIONS;
            return Err(file_error(
                format!("a table of version {first} or {last}"),
                format!("one of version {version}"),
            ));
        }
        let state = match read_u32(reader)? {
            0 => State::Finished,
            1 => State::Checkpoint,
            _ => return Err(broken_header()),
        };
        let pebbles = read_u32(reader)?;
        reader.seek_relative(8)?;
        let text = read_u32(reader)?.min(MOST_TEXT);
        reader.seek_relative(8)?;
        let mut given = vec![0; text as usize];
        reader.read_exact(&mut given)?;
        let rules = String::from_utf8(given).ok().and_then(|text| read_rules(&text)).ok_or_else(broken_header)?;
        let (rules, index) = numbered(rules, pebbles).map_err(|_| broken_header())?;
        let count = blocks(index.cells());
        if 4 * count > length {
            return Err(broken_header());
        }
        reader.seek_relative(16 * index.classes().count() as i64)?;
        let checksums: Vec<_> = (0..count).map(|_| read_u32(reader)).collect::<Result<_, _>>()?;
        // What was read and passed over must be what would be written, byte by byte.
        let bytes = header_bytes(state, &rules, &index, &checksums);
        let mut given = vec![0; bytes.len()];
        reader.seek(SeekFrom::Start(0))?;
        reader.read_exact(&mut given)?;
        let checksum = crc32fast::hash(&bytes);
        if given != bytes || read_u32(reader)? != checksum {
            return Err(broken_header());
        }
        let offset = cells_offset(bytes.len());
        let mut filling = vec![0; offset - bytes.len() - 4];
        reader.read_exact(&mut filling)?;
        if filling.iter().any(|&byte| byte != 0) {
            return Err(broken_header());
        }
        let expected = offset as u64 + 2 * index.cells();
        if length != expected {
            return Err(file_error(format!("{expected} bytes"), format!("{length}")));
        }
        Ok(Self { state, rules, index, checksums, offset, checksum })
    }

    /// That it is of these rules and so many pebbles.
    pub(crate) fn expect(&self, rules: &DuelRules, pebbles: u32) -> Result<(), TableError> {
        if self.rules == *rules && self.index.pebbles() == pebbles {
            return Ok(());
        }
        let of = |rules: &DuelRules, pebbles| described(rules.rules(), pebbles);
        Err(file_error(of(rules, pebbles), of(&self.rules, self.index.pebbles())))
    }
}

fn broken_header() -> TableError {
    file_error("a header with the right checksum", "one that was changed")
}

fn read_rules(text: &str) -> Option<Rules> {
    if text.is_empty() { Some(Rules::default()) } else { Rules::parse(text).ok() }
}

fn read_u32(reader: &mut impl Read) -> Result<u32, TableError> {
    let mut bytes = [0; 4];
    reader.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Opens the file of a finished table; the last is the checksum of its header.
pub(crate) fn open(path: &Path) -> Result<(DuelRules, Index, Cells, u32), TableError> {
    let file = files::open(path)?;
    let header = Header::read(&file)?;
    if header.state == State::Checkpoint {
        return Err(file_error("a finished table", "the checkpoint of a build"));
    }
    let mapped = Mapped::new(&file, header.offset, header.checksums)?;
    Ok((header.rules, header.index, Cells::Mapped(mapped), header.checksum))
}

/// Reads the cells of a checkpoint, which must be of that table, into memory; each block is held against its checksum.
pub(crate) fn read_checkpoint(
    path: &Path,
    rules: &DuelRules,
    index: &Index,
    stop: &AtomicBool,
    mut put: impl FnMut(u64, Cell),
) -> Result<(), TableError> {
    let mut file = files::open(path)?;
    let header = Header::read(&file)?;
    header.expect(rules, index.pebbles())?;
    file.seek(SeekFrom::Start(header.offset as u64))?;
    let mut left = 2 * index.cells();
    let mut place = 0;
    let mut bytes = vec![0; BLOCK];
    for (block, &checksum) in header.checksums.iter().enumerate() {
        go_on(stop)?;
        let bytes = &mut bytes[..left.min(BLOCK as u64) as usize];
        file.read_exact(bytes)?;
        if crc32fast::hash(bytes) != checksum {
            return Err(damaged(block as u64));
        }
        for cell in bytes.chunks_exact(2) {
            put(place, Cell::from_bytes([cell[0], cell[1]]));
            place += 1;
        }
        left -= bytes.len() as u64;
    }
    Ok(())
}

/// [`TableError::Stopped`] once the flag is set.
pub(crate) fn go_on(stop: &AtomicBool) -> Result<(), TableError> {
    if stop.load(Ordering::Relaxed) { Err(TableError::Stopped) } else { Ok(()) }
}

pub(crate) fn damaged(block: u64) -> TableError {
    file_error("the right checksum of each block", format!("another of block {block}"))
}

/// The name under which a file is written before it gets its own: hidden, in the same directory.
fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.unfinished"))
}

/// Whether an open file still has that name.
#[cfg(unix)]
fn has_name(file: &File, name: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let opened = file.metadata()?;
    Ok(fs::symlink_metadata(name).is_ok_and(|named| (named.dev(), named.ino()) == (opened.dev(), opened.ino())))
}

/// Elsewhere an open file cannot be renamed.
#[cfg(not(unix))]
fn has_name(_: &File, name: &Path) -> io::Result<bool> {
    fs::exists(name)
}

/// Writes cells to a file, which is there in the end with all of them, or not at all. Cells that change meanwhile are
/// written as they are when it is their turn.
pub(crate) fn write(
    path: &Path,
    state: State,
    (rules, index): (&DuelRules, &Index),
    stop: &AtomicBool,
    cell: impl Fn(u64) -> Cell,
) -> Result<(), TableError> {
    let name = unfinished(path);
    // What it leads to, if it is a link, is not this build's.
    if fs::symlink_metadata(&name).is_ok_and(|about| !about.is_file()) {
        return Err(files::not_regular().into());
    }
    let file = File::options().create(true).truncate(false).write(true).open(&name)?;
    // Another build of the same table, by mistake: do not write into its file, nor, when it has finished after this one
    // opened it, into the table, which may be mapped.
    if file.try_lock().is_err() || !has_name(&file, &name)? {
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process writes this table").into());
    }
    let mut written = write_cells(&file, state, (rules, index), stop, cell);
    if written.is_ok() {
        written = fs::rename(&name, path).map_err(TableError::Io);
    }
    if written.is_err() {
        let _ = fs::remove_file(&name);
    }
    written?;
    Ok(bring_directory_to_disk(path)?)
}

fn write_cells(
    mut file: &File,
    state: State,
    (rules, index): (&DuelRules, &Index),
    stop: &AtomicBool,
    cell: impl Fn(u64) -> Cell,
) -> Result<(), TableError> {
    let cells = index.cells();
    let mut checksums = vec![0; blocks(cells) as usize];
    let offset = cells_offset(header_bytes(state, rules, index, &checksums).len());
    file.set_len(0)?;
    file.seek(SeekFrom::Start(offset as u64))?;
    let mut bytes = Vec::with_capacity(BLOCK);
    for (block, checksum) in checksums.iter_mut().enumerate() {
        go_on(stop)?;
        let first = (block * BLOCK / 2) as u64;
        bytes.clear();
        bytes.extend((first..cells.min(first + BLOCK as u64 / 2)).flat_map(|place| cell(place).bytes()));
        *checksum = crc32fast::hash(&bytes);
        file.write_all(&bytes)?;
    }
    file.seek(SeekFrom::Start(0))?;
    let header = header_bytes(state, rules, index, &checksums);
    file.write_all(&header)?;
    file.write_all(&crc32fast::hash(&header).to_le_bytes())?;
    Ok(file.sync_all()?)
}

/// Where directories can be opened, so that the new name outlasts a power failure.
fn bring_directory_to_disk(path: &Path) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}
