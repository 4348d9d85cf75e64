//! Why a model file cannot be loaded.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a model file cannot be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModelError {
    /// The file could not be read; the source says why.
    Read {
        /// The path that was given.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The bytes do not begin as a model file does.
    NotAModel,
    /// The file is in a version of the format that this library does not read.
    Version {
        /// The version in the file.
        found: u32,
        /// The version that is read.
        supported: u32,
    },
    /// The file is cut short, or longer than its header says.
    Size {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
    /// The content is not what its hash says: the file was damaged or edited.
    Hash,
    /// The file contradicts its own format.
    Malformed(&'static str),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, .. } => write!(f, "cannot read the model file {}", path.display()),
            Self::NotAModel => {
                f.write_str("not an Ermine static model: the magic bytes are missing")
            }
            Self::Version { found, supported } => write!(
                f,
                "the model file has format version {found} and this library reads version {supported}"
            ),
            Self::Size { found, expected } => write!(
                f,
                "the model file has {found} bytes where {expected} are expected; fetch or build it again"
            ),
            Self::Hash => f.write_str(
                "the model file does not match its own SHA-256; fetch or build it again",
            ),
            Self::Malformed(what) => write!(f, "the model file is malformed: {what}"),
        }
    }
}

impl std::error::Error for ModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}
