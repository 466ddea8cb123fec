//! Records read piece by piece are those of the whole text, whatever the pieces, and whatever stands between them.

use std::io::{self, Read};

use oanquan_core::record::Parts;
use oanquan_core::{Game, Position, Preset, Record, variants};
use oanquan_engine::GameStream;
use oanquan_engine::records::{BadRecord, Error, Place, Reader, Source, Step, Writer};

/// Gives a text in pieces of drawn sizes.
struct Pieces<'a> {
    left: &'a [u8],
    most: u64,
    stream: GameStream,
    draws: u32,
}

impl<'a> Pieces<'a> {
    fn new(left: &'a [u8], most: u64) -> Self {
        Self { left, most, stream: GameStream::new(most, 7), draws: 0 }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.draws += 1;
        if self.stream.draw(self.draws).is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = (1 + self.stream.draw(self.draws) % self.most) as usize;
        let length = length.min(into.len());
        self.left.read(&mut into[..length])
    }
}

/// Games by all presets, some broken off, some with comments and headers.
fn games(number: u64) -> Vec<Record> {
    let presets = variants::PRESETS.iter().map(Preset::rules).collect::<Vec<_>>();
    let record = |index: u64| {
        let stream = GameStream::new(3, index);
        let rules = presets[index as usize % presets.len()];
        let mut record = Record::new(Game::new(Position::start(rules)));
        let plies = stream.draw(0) % 90;
        for ply in 1..=plies as u32 {
            let moves: Vec<_> = record.game.position().legal_moves().collect();
            if record.game.is_over() || moves.is_empty() {
                break;
            }
            record.game.push(moves[(stream.draw(ply) % moves.len() as u64) as usize]).unwrap();
            if stream.draw(ply).is_multiple_of(17) {
                record.comments.push((ply as usize, format!("ăn \\ {{}} \n\n[Quan \"{ply}\"]")));
            }
        }
        record.headers.push(("Players".into(), format!("An \"{index}\" / Bình")));
        record
    };
    (0..number).map(record).collect()
}

fn written(records: &[Record]) -> String {
    let mut writer = Writer::new(Vec::new());
    for Record { game, headers, comments } in records {
        writer.write(&Parts { game, headers, comments }).unwrap();
    }
    String::from_utf8(writer.flush().unwrap().clone()).unwrap()
}

type Read1 = Result<(Place, String), BadRecord>;

fn all(source: impl Read) -> Vec<Read1> {
    collect(&mut Reader::new(source))
}

fn collect(reader: &mut Reader<impl Read>) -> Vec<Read1> {
    let mut found = Vec::new();
    loop {
        match reader.record(true) {
            Ok(Step::Found(place, record)) => found.push(Ok((place, record.to_string()))),
            Ok(Step::End) => return found,
            Ok(Step::Pending) => panic!("a source that may be waited for is not"),
            Err(Error::Bad(bad)) => found.push(Err(*bad)),
            Err(Error::Io(error)) => panic!("{error}"),
        }
    }
}

#[test]
fn whatever_the_pieces_the_records_are_those_of_the_whole_text() {
    let records = games(300);
    let text = written(&records);
    let whole: Vec<_> = Record::parse_all(&text).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(whole, records.iter().map(ToString::to_string).collect::<Vec<_>>());
    for most in [1, 3, 100, 5000, 1 << 20] {
        let read = all(Pieces::new(text.as_bytes(), most));
        let texts: Vec<_> = read.iter().map(|read| read.as_ref().unwrap().1.clone()).collect();
        assert_eq!(texts, whole, "in pieces of up to {most} bytes");
        for (number, read) in (1..).zip(read) {
            let (place, record) = read.unwrap();
            let lines = text[..place.offset as usize].split('\n').count() as u64;
            assert_eq!((place.number, place.line), (number, lines));
            assert!(text[place.offset as usize..].starts_with(&record));
        }
    }
}

#[test]
fn headers_are_those_of_the_records() {
    let text = written(&games(200));
    let mut reader = Reader::new(Pieces::new(text.as_bytes(), 999));
    let mut records = all(text.as_bytes()).into_iter();
    while let Step::Found(place, headers) = reader.headers(true).unwrap() {
        let (expected, record) = records.next().unwrap().unwrap();
        assert_eq!(place, expected);
        let lines: Vec<_> = record.lines().take_while(|line| line.starts_with('[')).collect();
        let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
        let said: Vec<_> = headers.iter().map(|(key, value)| format!("[{key} \"{}\"]", escaped(value))).collect();
        assert_eq!(said, lines);
        let mut again = Reader::new(&text.as_bytes()[place.offset as usize..]).beginning_at(place);
        assert!(
            matches!(again.record(true), Ok(Step::Found(found, read)) if found == place && read.to_string() == record)
        );
    }
    assert!(records.next().is_none());
}

#[test]
fn of_a_text_with_faults_all_that_is_good_is_read() {
    let good = |name: &str| format!("[Players \"{name}\"]\n\n1. a1+ b2- *");
    for (bad, line, column, message) in [
        ("[Players \"x\"]\n\n1. a1+ b1- *", 6, 8, "illegal move b1-: square b1 is empty"),
        ("[Players \"x\"]\n\n1. a1+ b9- *", 6, 9, "expected a square from 1 to 7"),
        ("[Players \"x\"]\n\n1. a1+ b2-", 8, 1, "expected a move or the result: a, b, draw, *, got \"[\""),
        ("[Players \"x\"]\n\n1. a1+ {b2- *", 6, 8, "expected a closing"),
        ("[Rules \"x\"]\n\n1. a1+ *", 4, 9, "unknown preset"),
        ("[Players x]\n\n1. a1+ *", 4, 10, "expected the value in double quotes, got \"x\""),
        ("[Players \"x\"]\n[Players \"y\"]\n\n1. a1+ *", 5, 1, "expected each header once, got Players again"),
        ("[Players \"x\"]", 6, 1, "expected each header once, got Players again"),
        ("[Players \"x\"]\n\n1. a1+ ] *", 6, 8, "expected"),
        ("nothing of the kind", 4, 1, "expected"),
        ("[Players \"x\"]\n\n2. a1+ *", 6, 1, "expected the number 1., got \"2.\""),
    ] {
        let text = format!("{}\n\n{bad}\n\n{}\n\n{}", good("An").replace("\n\n1.", "\n1."), good("Bình"), good("Chi"));
        for most in [1, 7, 1 << 20] {
            let found = all(Pieces::new(text.as_bytes(), most));
            let faults: Vec<_> = found.iter().filter_map(|found| found.as_ref().err()).collect();
            let names: Vec<_> = found.iter().filter_map(|found| found.as_ref().ok()).collect();
            let has = |name: &str| names.iter().any(|(_, record)| record.contains(name));
            if bad.contains('{') {
                // It closes with the end of the text only.
                assert!(has("\"An\""));
            } else {
                assert!(has("\"An\"") && has("Bình") && has("Chi"), "{bad}: {found:?}");
            }
            let first = faults[0];
            assert!(first.message.starts_with(message), "{bad}: {first}");
            if !bad.contains('{') {
                assert_eq!((first.line, first.column), (line, column), "{bad}: {first}");
            }
        }
    }
}

#[test]
fn several_games_in_a_line_and_one_that_is_wrong() {
    let found = all("1. a1+ * {Bình} 1. a1+ b1+ *  1. a2+ *".as_bytes());
    let [Ok(_), Err(bad), Ok((place, _))] = &found[..] else { panic!("{found:?}") };
    assert_eq!((bad.line, bad.column, bad.place.offset), (1, 24, 9));
    assert_eq!((place.number, place.offset, place.line), (3, 31, 1));
}

#[test]
fn what_is_not_text_is_told_and_passed_over() {
    let good = "[Players \"An\"]\n\n1. a1+ *\n\n";
    for wrong in [&b"\xff\xfe"[..], b"[Players \"\xc3\"]\n\n1. a1+ *", b"1. a1+ \xe1\xbb", b"\xff\n\n\xff\n\n"] {
        let text = [good.as_bytes(), wrong, b"\n\n", good.as_bytes(), good.as_bytes()].concat();
        for most in [1, 1 << 20] {
            let found = all(Pieces::new(&text, most));
            let places: Vec<_> =
                found.iter().filter_map(|found| found.as_ref().ok()).map(|(place, _)| *place).collect();
            let last = places.last().unwrap();
            assert_eq!(places.len(), 3, "{found:?}");
            assert_eq!(last.offset as usize, text.len() - good.len());
            let bad = found.iter().find_map(|found| found.as_ref().err()).unwrap();
            assert!(bad.message.starts_with("expected UTF-8, got the byte 0x"), "{bad}");
        }
    }
    let cut = all(b"1. a1+ * \xc3".as_slice());
    assert!(matches!(&cut[..], [Ok(_), Err(bad)] if bad.message == "expected UTF-8, got the byte 0xc3"));
}

#[test]
fn a_record_that_is_too_long_is_passed_over_in_bounded_memory() {
    let long = format!("[Players \"x\"]\n\n1. a1+ {{{}}} *", "y".repeat(5_000_000));
    let text = format!("{long}\n\n[Players \"An\"]\n\n1. a1+ *\n");
    let found = collect(&mut Reader::new(text.as_bytes()).with_most_bytes(1 << 20));
    let [Err(bad), Ok((_, record))] = &found[..] else { panic!("{}", found.len()) };
    assert_eq!(bad.message, "expected a record of at most 1048576 bytes, got a longer one");
    assert!(record.contains("An"));
    assert_eq!(all(text.as_bytes()).len(), 2);
}

#[test]
fn who_does_not_wait_gets_what_is_there() {
    let text = written(&games(3));
    let mut reader = Reader::new(text.as_bytes());
    assert!(matches!(reader.record(false), Ok(Step::Pending)));
    assert!(matches!(reader.record(true), Ok(Step::Found(..))));
    assert!(matches!(reader.record(false), Ok(Step::Found(..))));
    assert!(matches!(reader.record(false), Ok(Step::Found(..))));
    assert!(matches!(reader.record(false), Ok(Step::Pending)));
    assert!(matches!(reader.record(true), Ok(Step::End)));
}

#[test]
fn anything_at_all_comes_to_an_end() {
    let words =
        ["[", "]", "Players", " ", "\"", "\n", "\n\n", "1.", "a1+", "b2-", "{", "}", "\\", "*", "draw", "ă", "\r\n"];
    for number in 0..3000 {
        let stream = GameStream::new(11, number);
        let length = (stream.draw(0) % 60) as u32;
        let mut text: Vec<u8> =
            (1..=length).flat_map(|place| words[(stream.draw(place) % words.len() as u64) as usize].bytes()).collect();
        if stream.draw(99).is_multiple_of(4) && !text.is_empty() {
            let at = (stream.draw(98) % text.len() as u64) as usize;
            text[at] = stream.draw(97) as u8;
        }
        let whole = all(&text[..]);
        assert_eq!(whole, all(Pieces::new(&text, 3)));
        if let Ok(text) = std::str::from_utf8(&text) {
            let parsed = Record::parse_all(text);
            assert_eq!(parsed.is_ok(), whole.iter().all(Result::is_ok), "{text:?}");
            if let (Err(error), Some(Err(bad))) = (parsed, whole.iter().find(|read| read.is_err())) {
                assert_eq!(
                    (bad.line, bad.column, &bad.message),
                    (error.line as u64, error.column as u64, &error.message)
                );
            }
        }
    }
}

#[test]
fn what_is_compressed_is_read_alike() {
    let text = written(&games(50));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    assert_eq!(all(Source::new(&compressed[..])), all(text.as_bytes()));
    let mut reader = Reader::new(Source::new(&compressed[..compressed.len() / 2]));
    let error = loop {
        match reader.record(true) {
            Ok(Step::Found(..)) => {}
            other => break other,
        }
    };
    assert!(matches!(error, Err(Error::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof));
}

#[test]
fn rules_are_told_apart() {
    let texts: Vec<_> = (1..=30).map(|n| format!("[Rules \"pebbles={}\"]\n\n1. a1+ *\n", n % 9 + 2)).collect();
    let found = all(texts.join("\n").as_bytes());
    assert_eq!(found.len(), 30);
    assert!(found.iter().all(Result::is_ok), "{found:?}");
}
