//! Reads an encoded forward record without decoding what is not asked for.

use std::cmp::Ordering;

use super::encode::{VERSION, WHAT, read_positions};
use crate::TextError;
use crate::varint::Reader;

/// A forward record in its stored bytes.
///
/// For scans of documents that no segment holds yet: looking up terms passes over the positions of all, and stops
/// where the sorted terms have gone by.
///
/// ```
/// use ermine_text::{Analyzer, EncodedRecord, Language};
///
/// let analyzer = Analyzer::new(Language::None);
/// let bytes = analyzer.analyze_document(&[Some("Pool"), Some("db pool, db timeouts")]).encode();
/// let record = EncodedRecord::new(&bytes)?;
/// assert_eq!(record.len(), 5);
/// assert_eq!(record.lookup("db")?, Some(vec![0, 2]));
/// assert_eq!(record.lookup_all(&["db", "moon"])?, [vec![0, 2], vec![]]);
/// # Ok::<(), ermine_text::TextError>(())
/// ```
#[derive(Debug, Clone)]
pub struct EncodedRecord<'a> {
    fields: usize,
    len: u64,
    count: usize,
    body: Reader<'a>,
}

impl<'a> EncodedRecord<'a> {
    /// Reads the head of a record that [`ForwardRecord::encode`](crate::ForwardRecord::encode) wrote.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] if the head is not one.
    pub fn new(bytes: &'a [u8]) -> Result<Self, TextError> {
        let mut body = Reader::new(bytes, WHAT);
        if body.u64()? != VERSION {
            return Err(body.corrupt("its version is unknown"));
        }
        let fields = usize::try_from(body.u64()?)
            .map_err(|_| body.corrupt("it has impossibly many fields"))?;
        let len = body.u64()?;
        // A term takes more than one byte, so their number is bounded by what is left.
        let count = body.length()?;
        if count > 0 && fields > body.remaining() {
            return Err(body.corrupt("it has impossibly many fields"));
        }
        Ok(Self {
            fields,
            len,
            count,
            body,
        })
    }

    /// How many text fields the document's type has.
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// The document's length in terms.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The terms, from the first.
    pub fn terms(&self) -> EncodedTerms<'a> {
        EncodedTerms {
            fields: self.fields,
            left: self.count,
            previous: None,
            reader: self.body.clone(),
        }
    }

    /// How often each field holds the term; `None` if none does.
    ///
    /// # Errors
    ///
    /// As [`lookup_all`](Self::lookup_all).
    pub fn lookup(&self, term: &str) -> Result<Option<Vec<u32>>, TextError> {
        let counts = self.lookup_all(&[term])?.pop();
        Ok(counts.filter(|counts| !counts.is_empty()))
    }

    /// The counts per field of each of `sorted`, in one pass; empty for a term that the document lacks.
    ///
    /// `sorted` must be ascending by bytes: terms out of order may be reported as lacking.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] where a part exceeds the bytes, or a term that is found occurs in no field. Terms that are
    /// passed over are not judged otherwise: that they are text, and in order, is for [`terms`](Self::terms) to tell.
    pub fn lookup_all<T: AsRef<str>>(&self, sorted: &[T]) -> Result<Vec<Vec<u32>>, TextError> {
        let mut found = vec![Vec::new(); sorted.len()];
        let mut wanted = found.iter_mut().zip(sorted);
        let Some(mut next) = wanted.next() else {
            return Ok(found);
        };
        let mut reader = self.body.clone();
        for _ in 0..self.count {
            let length = reader.length()?;
            let term = reader.take(length)?;
            let counts = reader.clone();
            for _ in 0..self.fields {
                reader.u64()?;
            }
            let positions = reader.length()?;
            reader.take(positions)?;
            loop {
                match order(term, next.1.as_ref().as_bytes()) {
                    Ordering::Less => break,
                    Ordering::Equal => *next.0 = read_counts(counts.clone(), self.fields)?,
                    Ordering::Greater => {}
                }
                next = match wanted.next() {
                    Some(next) => next,
                    None => return Ok(found),
                };
            }
        }
        if !reader.is_empty() {
            return Err(reader.corrupt(TRAILING));
        }
        Ok(found)
    }
}

/// The order of two terms. Most differ in their first byte, which is told without a call.
#[inline]
fn order(a: &[u8], b: &[u8]) -> Ordering {
    match a.first().cmp(&b.first()) {
        Ordering::Equal => a.cmp(b),
        different => different,
    }
}

fn read_counts(mut reader: Reader<'_>, fields: usize) -> Result<Vec<u32>, TextError> {
    let counts: Vec<u32> = (0..fields)
        .map(|_| reader.u32())
        .collect::<Result<_, _>>()?;
    if counts.iter().all(|count| *count == 0) {
        return Err(reader.corrupt(NOWHERE));
    }
    Ok(counts)
}

const TRAILING: &str = "bytes follow the last term";
const NOWHERE: &str = "a term occurs in no field";

/// The terms of an [`EncodedRecord`], ascending.
#[derive(Debug, Clone)]
pub struct EncodedTerms<'a> {
    fields: usize,
    left: usize,
    previous: Option<&'a str>,
    reader: Reader<'a>,
}

impl<'a> EncodedTerms<'a> {
    /// The next term, or `None` after the last.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`]: terms that are no UTF-8 or not ascending, counts of nothing, parts that exceed the
    /// bytes, or bytes after the last term.
    pub fn advance(&mut self) -> Result<Option<EncodedTerm<'a>>, TextError> {
        let Some(left) = self.left.checked_sub(1) else {
            if !self.reader.is_empty() {
                return Err(self.reader.corrupt(TRAILING));
            }
            return Ok(None);
        };
        self.left = left;
        let length = self.reader.length()?;
        let term = std::str::from_utf8(self.reader.take(length)?)
            .map_err(|_| self.reader.corrupt("a term is not UTF-8"))?;
        if self.previous.is_some_and(|previous| previous >= term) {
            return Err(self.reader.corrupt("its terms are not ascending"));
        }
        self.previous = Some(term);
        let counts = self.reader.clone();
        let mut some = false;
        for _ in 0..self.fields {
            some |= self.reader.u32()? > 0;
        }
        if !some {
            return Err(self.reader.corrupt(NOWHERE));
        }
        let length = self.reader.length()?;
        let positions = Reader::new(self.reader.take(length)?, WHAT);
        Ok(Some(EncodedTerm {
            term,
            fields: self.fields,
            counts,
            positions,
        }))
    }
}

impl<'a> Iterator for EncodedTerms<'a> {
    type Item = Result<EncodedTerm<'a>, TextError>;

    /// Like [`EncodedTerms::advance`]; ends after the first error.
    fn next(&mut self) -> Option<Self::Item> {
        let item = self.advance().transpose();
        if !matches!(item, Some(Ok(_))) {
            self.left = 0;
            self.reader = Reader::new(&[], WHAT);
        }
        item
    }
}

/// One term of an [`EncodedRecord`].
#[derive(Debug, Clone)]
pub struct EncodedTerm<'a> {
    term: &'a str,
    fields: usize,
    counts: Reader<'a>,
    positions: Reader<'a>,
}

impl<'a> EncodedTerm<'a> {
    /// The term.
    pub fn term(&self) -> &'a str {
        self.term
    }

    /// How often each text field holds it.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`]; none that reading the term would not have reported.
    pub fn counts(&self) -> Result<Vec<u32>, TextError> {
        let mut reader = self.counts.clone();
        (0..self.fields).map(|_| reader.u32()).collect()
    }

    /// The positions in all fields, one field after the other.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] if they are not as many as the counts say.
    pub fn positions(&self) -> Result<Vec<u32>, TextError> {
        let mut reader = self.positions.clone();
        let positions = read_positions(&mut reader, &self.counts()?)?;
        if !reader.is_empty() {
            return Err(reader.corrupt("there are more positions than the counts say"));
        }
        Ok(positions)
    }
}
