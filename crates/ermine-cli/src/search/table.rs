//! Matches for people.

use std::io::{self, Write};

use ermine::text::ParsedQuery;
use ermine_core::Metric;

use super::excerpt::{Excerpt, Marks, one_line};
use super::found::Hit;
use super::{Shown, explain};
use crate::arguments::Mode;
use crate::schema::field;

impl Shown<'_> {
    /// Writes the matches, and with `explain` how they were found.
    pub(crate) fn as_table(
        &self,
        out: &mut dyn Write,
        marks: Marks,
        explain: bool,
    ) -> io::Result<()> {
        let hits = &self.found.hits;
        if hits.is_empty() {
            writeln!(out, "nothing found in `{}`", self.collection.name())?;
        } else {
            writeln!(out, "{}", self.heading())?;
        }
        let terms = self.terms();
        for (at, hit) in hits.iter().enumerate() {
            writeln!(out)?;
            self.hit(out, marks, at + 1, hit, &terms)?;
            if explain {
                for leg in &hit.legs {
                    writeln!(out, "      {}", explain::contribution(leg))?;
                }
            }
        }
        // Why there is nothing is said unasked.
        let legs = &self.found.outcome.legs;
        if explain || hits.is_empty() {
            writeln!(out)?;
            for leg in legs {
                writeln!(out, "{}", explain::leg(leg))?;
            }
        }
        Ok(())
    }

    /// What was searched, and which way its figures run.
    fn heading(&self) -> String {
        let mode = self.query.mode;
        let ranked = match mode {
            Mode::Text => "BM25 score: larger is better".to_owned(),
            Mode::Hybrid => "fused score: larger is better".to_owned(),
            Mode::Vector => {
                let field = self.collection.schema().vectors().first();
                let metric = field.map_or(Metric::default(), |field| field.metric());
                format!("{metric} distance: smaller is closer")
            }
        };
        let name = self.collection.name();
        format!("{} search of `{name}`, best first; {ranked}", mode.name())
    }

    /// The terms whose words are marked.
    pub(super) fn terms(&self) -> Vec<String> {
        let style = self.query.text_style();
        let parsed = ParsedQuery::parse(self.collection.analyzer(), &self.query.text, style);
        parsed.terms.into_iter().map(|term| term.term).collect()
    }

    /// The text a match is shown by: the last declared, which is the longest of those
    /// that an import declares.
    pub(super) fn excerpt(&self, hit: &Hit, terms: &[String]) -> Excerpt {
        let field = self.collection.schema().text().last();
        let text = field.map_or("", |field| hit.text(field.name()));
        Excerpt::of(self.collection.analyzer(), text, terms)
    }

    fn hit(
        &self,
        out: &mut dyn Write,
        marks: Marks,
        rank: usize,
        hit: &Hit,
        terms: &[String],
    ) -> io::Result<()> {
        let names = [field::TITLE, field::HEADING].map(|name| hit.text(name));
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        let title = match names.as_slice() {
            [] => hit.document.id.to_string(),
            names => names.join(" › "),
        };
        writeln!(out, "{rank:>3}.  {}", marks.strong(&one_line(&title)))?;
        let line = hit.document.get(field::LINE).and_then(|line| line.as_u64());
        let place = match (hit.text(field::FILE), line) {
            ("", _) => hit.document.id.to_string(),
            (file, Some(line)) => format!("{file}:{line}"),
            (file, None) => file.to_owned(),
        };
        let figure = explain::figure(hit.figure);
        writeln!(out, "      {}  {figure}", one_line(&place))?;
        let excerpt = self.excerpt(hit, terms).marked(marks);
        if !excerpt.trim().is_empty() {
            writeln!(out, "      {excerpt}")?;
        }
        Ok(())
    }
}
