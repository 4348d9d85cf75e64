//! Matches for programs.

use std::io::{self, Write};

use ermine_core::{Figure, Id, LegHit, LegOutcome};
use serde_json::{Map, Value as Json, json};

use super::found::Hit;
use super::{Shown, explain};

impl Shown<'_> {
    /// Writes one object.
    pub(crate) fn as_json(&self, out: &mut dyn Write, explain: bool) -> io::Result<()> {
        let mut object = json!({
            "collection": self.collection.name(),
            "query": self.query.text,
            "mode": self.query.mode.name(),
            "filter": self.query.filter,
            "hits": self.hits(explain).collect::<Vec<_>>(),
        });
        if explain && let Some(object) = object.as_object_mut() {
            object.insert("legs".to_owned(), self.legs());
        }
        writeln!(out, "{object:#}")
    }

    /// Writes an object for each match, and with `explain` one for the legs.
    pub(crate) fn as_json_lines(&self, out: &mut dyn Write, explain: bool) -> io::Result<()> {
        for hit in self.hits(explain) {
            writeln!(out, "{hit}")?;
        }
        if explain {
            writeln!(out, "{}", json!({ "legs": self.legs() }))?;
        }
        Ok(())
    }

    fn hits(&self, explain: bool) -> impl Iterator<Item = Json> {
        let terms = self.terms();
        let ranks = 1_usize..;
        let hits = self.found.hits.iter().zip(ranks);
        hits.map(move |(hit, rank)| self.hit_json(hit, rank, &terms, explain))
    }

    fn hit_json(&self, hit: &Hit, rank: usize, terms: &[String], explain: bool) -> Json {
        let excerpt = self.excerpt(hit, terms);
        let mut object = Map::new();
        let mut set = |name: &str, value: Json| object.insert(name.to_owned(), value);
        set("rank", json!(rank));
        set("id", id(&hit.document.id));
        if let Some(tenant) = &hit.tenant {
            set("tenant", json!(tenant.as_str()));
        }
        let (name, value) = figure(hit.figure);
        set(name, value);
        set("snippet", json!(excerpt.plain()));
        set("highlights", json!(excerpt.found()));
        set("document", Json::Object(hit.document.fields.clone()));
        if explain {
            set("legs", hit.legs.iter().map(leg_hit).collect());
        }
        Json::Object(object)
    }

    fn legs(&self) -> Json {
        self.found.outcome.legs.iter().map(leg).collect()
    }
}

fn id(id: &Id) -> Json {
    match id {
        Id::I64(id) => json!(id),
        Id::U64(id) => json!(id),
        Id::Text(id) => json!(id),
        Id::Uuid(id) => json!(id.to_string()),
    }
}

/// The direction is in the name: a larger score, a smaller distance is better.
fn figure(figure: Figure) -> (&'static str, Json) {
    match figure {
        Figure::Score(score) => ("score", json!(score.value())),
        Figure::Distance(distance) => ("distance", json!(distance.value())),
    }
}

fn leg_hit(hit: &LegHit) -> Json {
    let (name, value) = figure(hit.figure);
    json!({
        "leg": explain::kind(hit.kind),
        "rank": hit.rank,
        name: value,
        "weight": hit.weight,
        "contribution": hit.contribution,
    })
}

fn leg(outcome: &LegOutcome) -> Json {
    json!({
        "leg": explain::kind(outcome.kind),
        "plan": explain::plan(outcome.plan),
        "filter": explain::filter_place(outcome.filter),
        "rows_read": outcome.rows_read,
        "returned": outcome.returned,
        "empty": outcome.empty.map(explain::empty),
    })
}
