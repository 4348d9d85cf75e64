//! The contents of files, from one `git cat-file` for all of them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use crate::failure::Failure;

/// Reads contents by their id.
pub(crate) struct Blobs {
    child: Child,
    /// `None` when nothing more is asked.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Blobs {
    pub(super) fn of(mut child: Child) -> Result<Self, Failure> {
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = output.ok_or_else(|| Failure::new("git has no output"))?;
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// The contents with this id.
    pub(super) fn read(&mut self, id: &str) -> Result<Vec<u8>, Failure> {
        let read = self.try_read(id);
        let read = read.map_err(|error| Failure::new(format!("git cat-file, {id}: {error}")))?;
        read.ok_or_else(|| {
            Failure::new(format!(
                "the repository lacks the contents {id}; fetch them, as by `git fetch --refetch`, and import again"
            ))
        })
    }

    fn try_read(&mut self, id: &str) -> io::Result<Option<Vec<u8>>> {
        if let Some(input) = &mut self.input {
            writeln!(input, "{id}")?;
            input.flush()?;
        }
        let mut header = String::new();
        self.output.read_line(&mut header)?;
        let mut parts = header.split_whitespace().skip(1);
        let (Some("blob"), Some(size)) = (parts.next(), parts.next()) else {
            return Ok(None);
        };
        let size: usize = size.parse().map_err(io::Error::other)?;
        let mut bytes = vec![0; size + 1];
        self.output.read_exact(&mut bytes)?;
        // A line feed ends them.
        bytes.truncate(size);
        Ok(Some(bytes))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // Without input it ends, and nothing hangs on how.
        self.input = None;
        let _ = self.child.wait();
    }
}
