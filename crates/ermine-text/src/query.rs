//! Queries: what a search box's contents mean (rule T7).

mod web;

use std::collections::BTreeMap;

use crate::Analyzer;

/// How a query's text is read (rule T7). No string fails in either style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TextStyle {
    /// Any term matches, and nothing is an operator.
    #[default]
    Plain,
    /// All words must match, in any field; `or` between alternatives; `-word` excludes.
    Web,
}

/// A term of a query, with how often the analysed query holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTerm {
    /// The term.
    pub term: String,
    /// What T12 calls `q`.
    pub count: u32,
}

/// The term, so that a list of them can be looked up or highlighted as it is.
impl AsRef<str> for QueryTerm {
    fn as_ref(&self) -> &str {
        &self.term
    }
}

/// Which documents a query finds, before exclusions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Matching {
    /// Those with any of the query's terms.
    Any,
    /// Those with all terms of one alternative at least. No alternative, no document.
    Alternatives(Vec<Vec<String>>),
}

/// A query, parsed and analysed.
///
/// ```
/// use ermine_text::{Analyzer, Language, Matching, ParsedQuery, TextStyle};
///
/// let analyzer = Analyzer::new(Language::English);
/// let query = ParsedQuery::parse(&analyzer, "pool timeouts or multi-agent -mars", TextStyle::Web);
/// assert_eq!(query.matching, Matching::Alternatives(vec![
///     vec!["pool".into(), "timeout".into()],
///     vec!["agent".into(), "multi".into()],
/// ]));
/// assert_eq!(query.excluded, [["mar"]]);
/// assert_eq!(query.positive_text, "pool timeouts multi-agent");
/// assert!(query.matches(|term| term == "pool" || term == "timeout"));
/// assert!(!query.matches(|term| term == "pool"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsedQuery {
    /// The terms that score, sorted by their bytes and distinct: those of every alternative, and no excluded ones.
    pub terms: Vec<QueryTerm>,
    /// Which documents match.
    pub matching: Matching,
    /// A document that holds all terms of one of these sets is excluded, from every leg of a hybrid; all text fields
    /// count here, searched or not. Sets are sorted, distinct and never empty.
    pub excluded: Vec<Vec<String>>,
    /// The words without operators and exclusions: what a hybrid embeds.
    pub positive_text: String,
}

impl ParsedQuery {
    /// Reads a query.
    ///
    /// **Plain**: the terms of the text; its positive text is the text as given, with U+0000 as a space.
    ///
    /// **Web**: words are set apart by white space and U+0000. A word that analyses to several terms means all of them;
    /// one that analyses to nothing, as a stop word does, is left out. `or` in any case separates alternatives, and is
    /// ignored at either end or beside another. `-` excludes where it begins a word; alone it is ignored. Exclusions
    /// alone find nothing.
    ///
    /// # Limitation
    ///
    /// Phrases are not matched as phrases yet. `"a b"` (straight or curly quotes, to the end where it is not closed)
    /// means all of its words in any order, and `-"a b"` excludes the documents that hold all of them. Inside quotes
    /// nothing is an operator.
    pub fn parse(analyzer: &Analyzer, text: &str, style: TextStyle) -> Self {
        match style {
            TextStyle::Plain => plain(analyzer, text),
            TextStyle::Web => web::parse(analyzer, text),
        }
    }

    /// Whether the query can find nothing whatever the documents: nothing is left of it after analysis.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a document matches, before exclusions; `has` tells whether a *searched* field of it, of weight above 0,
    /// holds a term.
    pub fn matches(&self, mut has: impl FnMut(&str) -> bool) -> bool {
        match &self.matching {
            Matching::Any => self.terms.iter().any(|query| has(&query.term)),
            Matching::Alternatives(alternatives) => alternatives
                .iter()
                .any(|terms| terms.iter().all(|term| has(term))),
        }
    }

    /// Whether a document is excluded; `has` tells whether *any* text field of it holds a term.
    pub fn excludes(&self, mut has: impl FnMut(&str) -> bool) -> bool {
        self.excluded
            .iter()
            .any(|terms| terms.iter().all(|term| has(term)))
    }

    /// All terms whose postings a search reads, those of exclusions too: sorted by their bytes and distinct.
    pub fn all_terms(&self) -> Vec<&str> {
        let mut terms: Vec<&str> = self.terms.iter().map(|query| query.term.as_str()).collect();
        terms.extend(self.excluded.iter().flatten().map(String::as_str));
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

fn plain(analyzer: &Analyzer, text: &str) -> ParsedQuery {
    ParsedQuery {
        terms: counted(analyzer.analyze_query(text)),
        matching: Matching::Any,
        excluded: Vec::new(),
        positive_text: text.replace('\0', " "),
    }
}

/// Distinct terms in sorted order, with their counts.
fn counted(terms: impl IntoIterator<Item = String>) -> Vec<QueryTerm> {
    let mut counts = BTreeMap::<String, u32>::new();
    for term in terms {
        let count = counts.entry(term).or_default();
        *count = count.saturating_add(1);
    }
    counts
        .into_iter()
        .map(|(term, count)| QueryTerm { term, count })
        .collect()
}
