//! From names and defaults to the legs of a request.

use ermine_core::{
    Error, ErrorKind, Metric, QueryTerm, Result, Schema, TextFieldSchema, TextLeg, TextQuery,
    VectorFieldSchema,
};
use ermine_text::{ParsedQuery, TextStyle};

use crate::collection::Opened;

/// What a text leg is made of.
pub(crate) struct TextSearched<'a> {
    pub(crate) text: &'a str,
    pub(crate) style: TextStyle,
    pub(crate) fields: Option<Vec<&'a str>>,
    pub(crate) weights: Option<&'a [f64]>,
    pub(crate) language: Option<&'a str>,
}

/// The text leg, and the words of it that are embedded.
///
/// Refused: fields that are not declared (rule T6) and another language than
/// the declared one (rule T1). Weights are judged with the request (rule T8).
pub(crate) fn text_leg(opened: &Opened, searched: &TextSearched<'_>) -> Result<(TextLeg, String)> {
    let schema = &opened.schema;
    if let Some(language) = searched.language
        && language != schema.language()
    {
        return Err(Error::new(
            ErrorKind::InvalidOption,
            format!(
                "the text of `{schema}` is analysed in the language {:?}, and the search names {language:?}; leave the language out",
                schema.language()
            ),
        ));
    }
    let fields: Vec<usize> = match &searched.fields {
        Some(names) => names
            .iter()
            .map(|name| schema.text_field(name))
            .collect::<Result<_>>()?,
        None => (0..schema.text().len()).collect(),
    };
    let weights = match searched.weights {
        Some(weights) => weights.to_vec(),
        None => {
            let declared = fields.iter().filter_map(|field| schema.text().get(*field));
            declared.map(TextFieldSchema::weight).collect()
        }
    };
    let parsed = ParsedQuery::parse(&opened.analyzer, searched.text, searched.style);
    let leg = TextLeg {
        query: TextQuery {
            terms: parsed
                .terms
                .into_iter()
                .map(|term| QueryTerm {
                    term: term.term,
                    count: term.count,
                })
                .collect(),
            matching: matching(parsed.matching)?,
            excluded: parsed.excluded,
        },
        fields,
        weights,
    };
    Ok((leg, parsed.positive_text))
}

fn matching(matching: ermine_text::Matching) -> Result<ermine_core::Matching> {
    match matching {
        ermine_text::Matching::Any => Ok(ermine_core::Matching::Any),
        ermine_text::Matching::Alternatives(all) => Ok(ermine_core::Matching::Alternatives(all)),
        other => Err(Error::new(
            ErrorKind::Unsupported,
            format!("this version cannot search by {other:?}"),
        )),
    }
}

/// The place of a vector field, and the metric it is searched by (rules V2, V3, V14).
pub(crate) fn vector_field(
    schema: &Schema,
    name: Option<&str>,
    metric: Option<Metric>,
) -> Result<(usize, Metric)> {
    let place = schema.vector_field(name)?;
    let declared = schema.vectors().get(place).map(VectorFieldSchema::metric);
    Ok((place, metric.or(declared).unwrap_or_default()))
}
