//! From names and defaults to the legs of a request.

use ermine_core::{
    Accuracy, Error, ErrorKind, Metric, QueryTerm, Result, Schema, TextFieldSchema, TextLeg,
    TextQuery, VectorFieldSchema,
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

/// What a vector leg ranks by, but for the vector itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VectorSearched {
    /// The place of the field.
    pub(crate) field: usize,
    pub(crate) metric: Metric,
    pub(crate) accuracy: Accuracy,
}

/// The vector field that is searched, by which metric and how accurately: as
/// declared where the search says nothing (rules V2, V3, V10, V14).
pub(crate) fn vector_field(
    schema: &Schema,
    name: Option<&str>,
    metric: Option<Metric>,
    accuracy: Option<Accuracy>,
) -> Result<VectorSearched> {
    let place = schema.vector_field(name)?;
    let declared = schema.vectors().get(place);
    let declared_metric = declared.map(VectorFieldSchema::metric).unwrap_or_default();
    let metric = metric.unwrap_or(declared_metric);
    let accuracy = if metric == declared_metric {
        accuracy.or(declared.map(VectorFieldSchema::accuracy))
    } else {
        Some(Accuracy::Exact)
    };
    Ok(VectorSearched {
        field: place,
        metric,
        accuracy: accuracy.unwrap_or_default(),
    })
}
