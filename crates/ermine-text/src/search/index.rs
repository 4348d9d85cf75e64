//! What one index holds of certain terms.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use crate::{EncodedRecord, Postings, Statistics, TextError};

/// Whether a document counts and is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    /// It does.
    Live,
    /// It is soft-deleted: it does not count, and is found by those who ask for such.
    Hidden,
}

/// Everything a search reads of one tenant's index, for certain terms.
///
/// A store hands in what it keeps, in any order: sealed segments with the terms' postings, records whose postings still
/// sit in a segment although they were replaced or deleted, hidden documents of segments, and the tail that no segment
/// holds. The sums are those of rule T12: over the live documents, whatever the search's own scope and filter; they are
/// the segments' sums, less the dead and the hidden, plus the live tail.
///
/// ```
/// use ermine_text::{Analyzer, Language, Liveness, TermIndex};
///
/// let analyzer = Analyzer::new(Language::None);
/// let mut index = TermIndex::new(vec!["moon".into(), "pool".into()], 1);
/// let record = analyzer.analyze_document(&[Some("pool, pool")]).encode();
/// index.add_to_tail(7, 2, &record, Liveness::Live)?;
/// assert_eq!((index.statistics().documents, index.df(0), index.df(1)), (1, 0, 1));
/// # Ok::<(), ermine_text::TextError>(())
/// ```
#[derive(Debug)]
pub struct TermIndex {
    terms: Vec<String>,
    fields: usize,
    documents: i128,
    total_len: i128,
    df: Vec<i128>,
    /// Each segment's postings: per term, where it has any.
    segments: BTreeMap<i64, Vec<Option<Vec<u8>>>>,
    dead: HashSet<(i64, i64)>,
    hidden: HashSet<i64>,
    /// Documents of segments that were taken out of the sums and not yet out of the
    /// terms' numbers of documents.
    uncounted: HashMap<i64, Vec<i64>>,
    tail: Vec<TailDocument>,
    read: u64,
}

#[derive(Debug)]
struct TailDocument {
    doc: i64,
    liveness: Liveness,
    len: u64,
    counts: Vec<Vec<u32>>,
}

/// A document that holds at least one of the terms.
#[derive(Debug, Clone, Copy)]
pub struct Holder<'a> {
    /// The document.
    pub doc: i64,
    /// Whether it counts.
    pub liveness: Liveness,
    /// Its length in terms.
    pub len: u64,
    counts: Counts<'a>,
}

/// Where a document's counts are read from, term by term.
#[derive(Debug, Clone, Copy)]
enum Counts<'a> {
    /// The postings of a segment, those of the document's terms standing at it.
    Postings(&'a [Option<Postings<'a>>]),
    /// A record of the tail.
    Record(&'a [Vec<u32>]),
}

impl Holder<'_> {
    /// The counts per field of the term at this place; empty where the document lacks it.
    pub fn counts(&self, term: usize) -> &[u32] {
        let counts = match self.counts {
            Counts::Postings(lists) => lists
                .get(term)
                .and_then(|list| list.as_ref()?.current())
                .filter(|posting| posting.doc == self.doc)
                .map(|posting| posting.counts),
            Counts::Record(counts) => counts.get(term).map(Vec::as_slice),
        };
        counts.unwrap_or_default()
    }
}

impl TermIndex {
    /// An index that holds nothing, for terms that are sorted and distinct, of a type with so many text fields.
    pub fn new(terms: Vec<String>, fields: usize) -> Self {
        Self {
            df: vec![0; terms.len()],
            terms,
            fields,
            documents: 0,
            total_len: 0,
            segments: BTreeMap::new(),
            dead: HashSet::new(),
            hidden: HashSet::new(),
            uncounted: HashMap::new(),
            tail: Vec::new(),
            read: 0,
        }
    }

    /// A sealed segment's sums.
    pub fn add_segment(&mut self, documents: u64, total_len: u64) {
        self.documents += i128::from(documents);
        self.total_len += i128::from(total_len);
    }

    /// A segment's postings of one of the terms, and how many they are.
    pub fn add_postings(&mut self, segment: i64, term: &str, df: u64, post: Vec<u8>) {
        let Ok(at) = self
            .terms
            .binary_search_by(|known| known.as_str().cmp(term))
        else {
            return;
        };
        let empty = || vec![None; self.terms.len()];
        let posts = self.segments.entry(segment).or_insert_with(empty);
        if let (Some(place), Some(sum)) = (posts.get_mut(at), self.df.get_mut(at)) {
            *place = Some(post);
            *sum += i128::from(df);
            self.read += df;
        }
    }

    /// A record whose postings sit in a segment, and which is no more.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] where the record is none.
    pub fn bury(
        &mut self,
        segment: i64,
        doc: i64,
        len: u64,
        record: &[u8],
    ) -> Result<(), TextError> {
        self.dead.insert((segment, doc));
        self.take_out(len, record)
    }

    /// A hidden document whose postings sit in a segment.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] where the record is none.
    pub fn hide(&mut self, doc: i64, len: u64, record: &[u8]) -> Result<(), TextError> {
        self.hidden.insert(doc);
        self.take_out(len, record)
    }

    /// A record whose postings sit in a segment, and which is no more: which terms it
    /// held, the postings tell. To be followed by [`count_out`](Self::count_out).
    pub fn bury_by_postings(&mut self, segment: i64, doc: i64, len: u64) {
        self.dead.insert((segment, doc));
        self.take_out_by_postings(segment, doc, len);
    }

    /// A hidden document whose postings sit in a segment: which terms it holds, the
    /// postings tell. To be followed by [`count_out`](Self::count_out).
    pub fn hide_by_postings(&mut self, segment: i64, doc: i64, len: u64) {
        self.hidden.insert(doc);
        self.take_out_by_postings(segment, doc, len);
    }

    fn take_out_by_postings(&mut self, segment: i64, doc: i64, len: u64) {
        self.read += 1;
        self.documents -= 1;
        self.total_len -= i128::from(len);
        self.uncounted.entry(segment).or_default().push(doc);
    }

    /// Takes what was taken out by postings out of the terms' numbers of documents, once
    /// all postings are handed in.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] where postings are none, with the document they were asked for.
    pub fn count_out(&mut self) -> Result<(), (i64, TextError)> {
        for (segment, mut out) in std::mem::take(&mut self.uncounted) {
            let Some(posts) = self.segments.get(&segment) else {
                continue;
            };
            out.sort_unstable();
            for (post, df) in posts.iter().zip(&mut self.df) {
                let Some(post) = post else { continue };
                let mut postings = Postings::new(post, self.fields);
                for doc in &out {
                    match postings.seek(*doc).map_err(|error| (*doc, error))? {
                        Some(posting) => *df -= i128::from(posting.doc == *doc),
                        None => break,
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes a record out of the sums that its segment put into them.
    fn take_out(&mut self, len: u64, record: &[u8]) -> Result<(), TextError> {
        self.read += 1;
        self.documents -= 1;
        self.total_len -= i128::from(len);
        let counts = EncodedRecord::new(record)?.lookup_all(&self.terms)?;
        for (counts, df) in counts.iter().zip(&mut self.df) {
            *df -= i128::from(!counts.is_empty());
        }
        Ok(())
    }

    /// A document that no segment holds.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] where the record is none.
    pub fn add_to_tail(
        &mut self,
        doc: i64,
        len: u64,
        record: &[u8],
        liveness: Liveness,
    ) -> Result<(), TextError> {
        self.read += 1;
        let counts = EncodedRecord::new(record)?.lookup_all(&self.terms)?;
        if liveness == Liveness::Live {
            self.documents += 1;
            self.total_len += i128::from(len);
            for (counts, df) in counts.iter().zip(&mut self.df) {
                *df += i128::from(!counts.is_empty());
            }
        }
        if counts.iter().any(|counts| !counts.is_empty()) {
            self.tail.push(TailDocument {
                doc,
                liveness,
                len,
                counts,
            });
        }
        Ok(())
    }

    /// The sums over the live documents.
    pub fn statistics(&self) -> Statistics {
        let positive = |sum: i128| u64::try_from(sum).unwrap_or(0);
        Statistics {
            documents: positive(self.documents),
            total_len: positive(self.total_len),
        }
    }

    /// In how many live documents the term at this place is.
    pub fn df(&self, term: usize) -> u64 {
        let sum = self.df.get(term).copied().unwrap_or(0);
        u64::try_from(sum).unwrap_or(0)
    }

    /// How many postings and records were handed in.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Calls `visit` with each document that holds any of the terms, once, until it breaks.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] where postings are none, with the document before them.
    pub fn for_each<B>(
        &self,
        mut visit: impl FnMut(Holder<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, (i64, TextError)> {
        for (segment, posts) in &self.segments {
            if let ControlFlow::Break(end) = self.walk(*segment, posts, &mut visit)? {
                return Ok(ControlFlow::Break(end));
            }
        }
        for document in &self.tail {
            let holder = Holder {
                doc: document.doc,
                liveness: document.liveness,
                len: document.len,
                counts: Counts::Record(&document.counts),
            };
            if let ControlFlow::Break(end) = visit(holder) {
                return Ok(ControlFlow::Break(end));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Document after document: at each, the terms whose postings stand there.
    fn walk<B>(
        &self,
        segment: i64,
        posts: &[Option<Vec<u8>>],
        visit: &mut impl FnMut(Holder<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, (i64, TextError)> {
        let mut lists: Vec<Option<Postings<'_>>> = posts
            .iter()
            .map(|post| post.as_ref().map(|post| Postings::new(post, self.fields)))
            .collect();
        let mut at = i64::MIN;
        for list in lists.iter_mut().flatten() {
            list.advance().map_err(|error| (at, error))?;
        }
        // The least document that any list stands at, and its length.
        let standing = |lists: &[Option<Postings<'_>>]| {
            let postings = lists.iter().flatten().filter_map(Postings::current);
            postings
                .map(|posting| (posting.doc, posting.len))
                .min_by_key(|(doc, _)| *doc)
        };
        while let Some((doc, len)) = standing(&lists) {
            at = doc;
            if !self.dead.contains(&(segment, doc)) {
                let holder = Holder {
                    doc,
                    liveness: if self.hidden.contains(&doc) {
                        Liveness::Hidden
                    } else {
                        Liveness::Live
                    },
                    len,
                    counts: Counts::Postings(&lists),
                };
                if let ControlFlow::Break(end) = visit(holder) {
                    return Ok(ControlFlow::Break(end));
                }
            }
            for list in lists.iter_mut().flatten() {
                if list.current().is_some_and(|posting| posting.doc == doc) {
                    list.advance().map_err(|error| (at, error))?;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
