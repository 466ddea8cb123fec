//! The file of a certificate.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use oanquan_core::{Position, Rules};

use crate::files;

use super::{Bound, Carried, Certificate, CertificateError, Claim, Decision, Ground, Spot};

/// What a certificate begins with. The line ends show a transfer as text.
pub const MAGIC: [u8; 8] = *b"oaqc\r\n\x1a\n";
/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

/// Bytes before the header: magic, version, length of the header, length of what is packed, checksum of all that follows.
const FIXED: usize = 8 + 4 + 4 + 8 + 4;
/// The most bytes that a header may have.
const MAX_HEADER: u32 = 1 << 20;
/// The most decisions that a file may have.
const MAX_DECISIONS: usize = 1 << 32;
/// How many times their packed bytes decisions may be, beyond the first so many bytes. Sorted ones without doubles come to
/// about 7 times; zlib would allow 1000, by which a small file could fill the memory.
const MOST_TIMES: u64 = 64;
const ALWAYS_UNPACKED: u64 = 1 << 24;

/// How many files this process has begun to write.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

impl Certificate {
    /// The bytes of its file.
    ///
    /// # Errors
    /// [`CertificateError::NoClaim`] when there is none.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CertificateError> {
        let ground = self.ground()?;
        let header = self.header();
        let packed = pack(&ground, &self.decisions)?;
        let mut crc = Crc::new();
        crc.update(header.as_bytes());
        crc.update(&packed);
        let mut bytes = Vec::with_capacity(FIXED + header.len() + packed.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend((packed.len() as u64).to_le_bytes());
        bytes.extend(crc.sum().to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(packed);
        Ok(bytes)
    }

    /// Reads the bytes of a file; whether it proves its claims is for [`verify`](super::verify()).
    ///
    /// # Errors
    /// [`CertificateError`] that says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CertificateError> {
        let (header, packed) = envelope(bytes)?;
        let (rules, claims, count) = read_header(header)?;
        let first = claims.first().ok_or(CertificateError::NoClaim)?;
        let decisions = unpack(&Ground::of(&first.position), packed, count)?;
        Ok(Self { rules, claims, decisions })
    }

    /// Writes the file: under a hidden name beside it first, so that there is never half of one.
    ///
    /// # Errors
    /// [`CertificateError::Io`] with what the system said.
    pub fn write(&self, path: &Path) -> Result<u64, CertificateError> {
        let bytes = self.to_bytes()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // One for each call, since threads may write the same certificate at the same time.
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let hidden = path.with_file_name(format!(".{name}.{}.{number}.part", std::process::id()));
        let written = File::create(&hidden)
            .and_then(|mut file| file.write_all(&bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&hidden, path));
        if written.is_err() {
            // What is left of it is of no use; that it cannot be removed is not the first thing that failed.
            let _ = fs::remove_file(&hidden);
        }
        written?;
        Ok(bytes.len() as u64)
    }

    /// Reads a file, as [`from_bytes`](Self::from_bytes).
    ///
    /// # Errors
    /// [`CertificateError`] that says what is wrong with it.
    pub fn read(path: &Path) -> Result<Self, CertificateError> {
        let mut bytes = Vec::new();
        files::open(path)?.read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// The game of its claims.
    pub(super) fn ground(&self) -> Result<Ground, CertificateError> {
        self.claims.first().map(|claim| Ground::of(&claim.position)).ok_or(CertificateError::NoClaim)
    }

    fn header(&self) -> String {
        let mut lines = vec![format!("rules {}", self.rules), format!("decisions {}", self.decisions.len())];
        lines.extend(self.claims.iter().map(|claim| format!("claim {claim}")));
        lines.join("\n") + "\n"
    }
}

/// The header and the packed decisions, once lengths and checksum are right.
fn envelope(bytes: &[u8]) -> Result<(&str, &[u8]), CertificateError> {
    let begins = bytes.len().min(MAGIC.len());
    if bytes[..begins] != MAGIC[..begins] {
        return Err(CertificateError::Magic);
    }
    let number = |from: usize| bytes.get(from..from + 4)?.try_into().ok().map(u32::from_le_bytes);
    let version = number(8).ok_or(CertificateError::Truncated)?;
    if version != VERSION {
        return Err(CertificateError::Version(version));
    }
    let header = number(12).ok_or(CertificateError::Truncated)?;
    let packed = bytes.get(16..24).and_then(|bytes| bytes.try_into().ok().map(u64::from_le_bytes));
    let (packed, expected) = packed.zip(number(24)).ok_or(CertificateError::Truncated)?;
    let rest = &bytes[FIXED..];
    let length = packed.saturating_add(header.into());
    if header > MAX_HEADER || (rest.len() as u64) < length {
        return Err(CertificateError::Truncated);
    }
    if rest.len() as u64 > length {
        return Err(CertificateError::Packed(format!("expected {length} bytes, got {}", rest.len())));
    }
    let mut crc = Crc::new();
    crc.update(rest);
    if crc.sum() != expected {
        return Err(CertificateError::Checksum { expected, given: crc.sum() });
    }
    let (header, packed) = rest.split_at(header as usize);
    let text = std::str::from_utf8(header)
        .map_err(|error| CertificateError::Header { line: 1, reason: format!("expected UTF-8: {error}") })?;
    Ok((text, packed))
}

/// Rules, claims, and how many decisions there are.
fn read_header(header: &str) -> Result<(Rules, Vec<Claim>, usize), CertificateError> {
    let lines: Vec<_> = header.strip_suffix('\n').unwrap_or(header).split('\n').collect();
    let claimed = lines.len().saturating_sub(2);
    let mut lines = lines.into_iter().enumerate().map(|(index, line)| (index + 1, line));
    let mut field = |name: &str| {
        let (line, text) = lines.next().unwrap_or((0, ""));
        let value = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value
            .map(|value| (line, value))
            .ok_or_else(|| CertificateError::Header { line, reason: format!("expected \"{name} ...\", got {text:?}") })
    };
    let (_, rules) = field("rules")?;
    let rules = Rules::parse(rules).map_err(CertificateError::Rules)?;
    if rules.sides != 2 {
        return Err(CertificateError::Sides(rules.sides));
    }
    let (line, count) = field("decisions")?;
    let count = whole_number(count).filter(|&count: &usize| count <= MAX_DECISIONS).ok_or_else(|| {
        CertificateError::Header {
            line,
            reason: format!("expected a number of decisions up to {MAX_DECISIONS}, got {count:?}"),
        }
    })?;
    let mut claims = Vec::new();
    for _ in 0..claimed {
        let (line, text) = field("claim")?;
        claims.push(claim(text, rules).map_err(|reason| CertificateError::Header { line, reason })?);
    }
    Ok((rules, claims, count))
}

/// Reads what follows `claim`.
fn claim(text: &str, rules: Rules) -> Result<Claim, String> {
    let mut words = text.splitn(3, ' ');
    let word = words.next().unwrap_or_default();
    let bound = Bound::ALL.into_iter().find(|bound| bound.name() == word);
    let bound = bound.ok_or_else(|| format!("expected lower, upper, lower-at-most or upper-at-least, got {word:?}"))?;
    let value = words.next().unwrap_or_default();
    let value = whole_number(value).ok_or_else(|| format!("expected a whole number of 32 bits, got {value:?}"))?;
    let position = Position::parse(words.next().unwrap_or_default(), rules).map_err(|error| error.to_string())?;
    if position.is_over() {
        return Err(format!("expected a position in play, got {position}"));
    }
    Ok(Claim { position, bound, value })
}

/// Reads digits, after a minus perhaps, but not after a plus.
fn whole_number<T: FromStr>(text: &str) -> Option<T> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// How many bytes a decision has before packing.
fn width(ground: &Ground) -> usize {
    let carried = match ground.carried() {
        Carried::Nothing => 0,
        Carried::Funds => 4,
        Carried::Margin => 8,
    };
    ground.rules().ring() + 1 + carried + 2 + 2 + 1
}

/// The bytes of a decision: the pebbles of the ring; mandarins + 4 * ban; funds and margin (i32) where they are carried;
/// value (i16); rank (u16); action.
fn row(ground: &Ground, decision: &Decision, bytes: &mut Vec<u8>) {
    let Decision { spot, value, rank, action } = decision;
    bytes.extend(&spot.pebbles[..ground.rules().ring()]);
    bytes.push(spot.mandarins | spot.ban << 2);
    if ground.carried() != Carried::Nothing {
        bytes.extend(spot.funds.to_le_bytes());
    }
    if ground.carried() == Carried::Margin {
        bytes.extend(spot.margin.to_le_bytes());
    }
    bytes.extend(value.to_le_bytes());
    bytes.extend(rank.to_le_bytes());
    bytes.push(*action);
}

fn read_row(ground: &Ground, bytes: &[u8]) -> Decision {
    let ring = ground.rules().ring();
    let mut rest = bytes.iter().copied();
    let mut next = || rest.next().unwrap_or_default();
    let mut spot = Spot::default();
    for place in &mut spot.pebbles[..ring] {
        *place = next();
    }
    let state = next();
    (spot.mandarins, spot.ban) = (state & 3, state >> 2);
    if ground.carried() != Carried::Nothing {
        spot.funds = i32::from_le_bytes([next(), next(), next(), next()]);
    }
    if ground.carried() == Carried::Margin {
        spot.margin = i32::from_le_bytes([next(), next(), next(), next()]);
    }
    let value = i16::from_le_bytes([next(), next()]);
    let rank = u16::from_le_bytes([next(), next()]);
    Decision { spot, value, rank, action: next() }
}

/// The decisions column by column, byte 0 of each first, as one zlib stream: sorted rows have columns that hardly change.
fn pack(ground: &Ground, decisions: &[Decision]) -> std::io::Result<Vec<u8>> {
    let width = width(ground);
    let mut rows = Vec::with_capacity(width * decisions.len());
    for decision in decisions {
        row(ground, decision, &mut rows);
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut column = Vec::with_capacity(decisions.len());
    for place in 0..width {
        column.clear();
        column.extend(rows.iter().skip(place).step_by(width));
        encoder.write_all(&column)?;
    }
    encoder.finish()
}

fn unpack(ground: &Ground, packed: &[u8], count: usize) -> Result<Vec<Decision>, CertificateError> {
    let width = width(ground);
    let expected = width as u64 * count as u64;
    let most = ALWAYS_UNPACKED.max(MOST_TIMES * packed.len() as u64);
    if expected > most {
        let bytes = packed.len();
        let reason = format!("expected at most {most} bytes in {bytes} packed ones, got {count} decisions of {width}");
        return Err(CertificateError::Packed(reason));
    }
    let mut columns = Vec::new();
    let mut decoder = ZlibDecoder::new(packed);
    // One byte more than expected is enough to see that there are too many.
    (&mut decoder)
        .take(expected + 1)
        .read_to_end(&mut columns)
        .map_err(|error| CertificateError::Packed(error.to_string()))?;
    if columns.len() as u64 != expected {
        let got = if columns.len() as u64 > expected { String::from("more") } else { columns.len().to_string() };
        return Err(CertificateError::Packed(format!("expected {expected} bytes, got {got}")));
    }
    if decoder.total_in() != packed.len() as u64 {
        return Err(CertificateError::Packed(format!("expected {} bytes packed, got more", decoder.total_in())));
    }
    let mut bytes = vec![0; width];
    let mut decisions = Vec::with_capacity(count);
    for index in 0..count {
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = columns[place * count + index];
        }
        decisions.push(read_row(ground, &bytes));
    }
    Ok(decisions)
}
