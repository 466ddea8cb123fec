//! Opening files that others may have put there.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Opens a file for reading. What is no file is refused: a pipe would be waited for, which no signal ends, and a device may
/// have no end.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let about = fs::metadata(path)?;
    if about.is_file() || about.is_dir() {
        // A directory gives the error of the system.
        return File::open(path);
    }
    Err(not_regular())
}

/// Says that something is no regular file.
pub(crate) fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "expected a regular file")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_opened() {
        for path in ["/dev/zero", "/dev/null"] {
            assert_eq!(open(Path::new(path)).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{path}");
        }
        assert_eq!(open(Path::new("/nonexistent")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(open(Path::new(file!())).or_else(|_| open(Path::new("src/files.rs"))).is_ok());
    }
}
