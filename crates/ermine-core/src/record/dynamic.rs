//! Documents of types made at run time.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::{Record, RecordParts, StoredRecord, VectorPart, body_of, source_text};
use crate::{
    ColumnType, Embedding, Error, ErrorKind, Id, IdType, Result, ScalarType, Schema, Timestamp,
    Value,
};

/// A document as JSON fields, for a schema made at run time.
///
/// A column `a.b` reads the member `b` of the object `a`, unless a member is
/// called `a.b`. A field that is missing or null is absent.
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicRecord {
    /// The id; it is written into the body under the schema's id name.
    pub id: Id,
    /// The fields, without id and vectors.
    pub fields: Map<String, Json>,
    /// Vector fields by name; those not named were not loaded.
    pub embeddings: BTreeMap<String, Embedding>,
}

impl DynamicRecord {
    /// A document with an id and no fields.
    pub fn new(id: impl Into<Id>) -> Self {
        Self {
            id: id.into(),
            fields: Map::new(),
            embeddings: BTreeMap::new(),
        }
    }

    /// Sets a field.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        self.fields.insert(name.into(), value.into());
        self
    }

    /// Sets a vector field.
    #[must_use]
    pub fn with_vector(mut self, name: impl Into<String>, vector: impl Into<Embedding>) -> Self {
        self.embeddings.insert(name.into(), vector.into());
        self
    }

    /// The field at `path`, where it is present and not null.
    pub fn get(&self, path: &str) -> Option<&Json> {
        let found = self.fields.get(path).or_else(|| {
            let (first, rest) = path.split_once('.')?;
            rest.split('.')
                .try_fold(self.fields.get(first)?, |at, step| at.get(step))
        })?;
        (!found.is_null()).then_some(found)
    }
}

impl crate::DocumentId for Id {
    type Kind = Id;
    // Only a hint: a dynamic collection's schema says what its ids are.
    const TYPE: IdType = IdType::Text;
    fn to_id(&self) -> Id {
        self.clone()
    }
    fn from_id(id: Id) -> Option<Self> {
        Some(id)
    }
}

impl Record for DynamicRecord {
    type Id = Id;

    fn id(&self) -> Id {
        self.id.clone()
    }

    fn to_parts(&self, schema: &Schema) -> Result<RecordParts> {
        let refuse = |field: &str, problem: String| {
            Error::new(
                ErrorKind::TypeMismatch,
                format!(
                    "document {} of `{schema}`: field `{field}`: {problem}",
                    self.id
                ),
            )
        };
        self.refuse_what_would_be_lost(schema, refuse)?;
        let text = |name: &str| match self.get(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.as_str())),
            Some(other) => Err(refuse(name, format!("expected text, got {other}"))),
        };
        let columns = schema
            .columns()
            .iter()
            .map(|column| {
                let Some(json) = self.get(column.name()) else {
                    return Ok(None);
                };
                column_value(column.column_type(), json)
                    .map(Some)
                    .ok_or_else(|| {
                        let expected = column.column_type();
                        refuse(column.name(), format!("expected {expected}, got {json}"))
                    })
            })
            .collect::<Result<_>>()?;
        let texts = schema
            .text()
            .iter()
            .map(|field| Ok(text(field.name())?.map(str::to_owned)))
            .collect::<Result<_>>()?;
        let vectors = schema
            .vectors()
            .iter()
            .map(|field| {
                let source = field
                    .from()
                    .map(|names| {
                        let parts: Vec<_> = names.iter().map(|n| text(n)).collect::<Result<_>>()?;
                        Ok::<_, Error>(source_text(parts))
                    })
                    .transpose()?;
                Ok(VectorPart {
                    embedding: self
                        .embeddings
                        .get(field.name())
                        .cloned()
                        .unwrap_or_default(),
                    source,
                })
            })
            .collect::<Result<_>>()?;
        let mut fields = self.fields.clone();
        fields.insert(schema.id_name().to_owned(), id_json(&self.id));
        Ok(RecordParts {
            id: self.id.clone(),
            body: body_of(schema, &self.id, &fields)?,
            columns,
            texts,
            vectors,
        })
    }

    fn from_stored(schema: &Schema, stored: StoredRecord) -> Result<Self> {
        let mut fields: Map<String, Json> =
            serde_json::from_str(&stored.body).map_err(|e| stored.body_error(schema, e))?;
        fields.remove(schema.id_name());
        let names = schema.vectors().iter().map(|v| v.name().to_owned());
        Ok(Self {
            id: stored.id,
            fields,
            embeddings: names.zip(stored.embeddings).collect(),
        })
    }
}

impl DynamicRecord {
    /// A vector under a name that is no vector field, a value under the name of
    /// one, and another id among the fields have no place in what is stored.
    fn refuse_what_would_be_lost(
        &self,
        schema: &Schema,
        refuse: impl Fn(&str, String) -> Error,
    ) -> Result<()> {
        for name in self.embeddings.keys() {
            schema.vector_field(Some(name))?;
        }
        for vector in schema.vectors() {
            if self.fields.contains_key(vector.name()) {
                return Err(refuse(
                    vector.name(),
                    "a vector is given with `with_vector`, not as a field".to_owned(),
                ));
            }
        }
        match self.fields.get(schema.id_name()) {
            Some(id) if *id != id_json(&self.id) => Err(refuse(
                schema.id_name(),
                format!("the id is given twice, and differs here: {id}"),
            )),
            _ => Ok(()),
        }
    }
}

fn id_json(id: &Id) -> Json {
    match id {
        Id::Uuid(id) => Json::from(id.to_string()),
        Id::Text(id) => Json::from(id.as_str()),
        Id::I64(id) => Json::from(*id),
        Id::U64(id) => Json::from(*id),
    }
}

fn column_value(column: ColumnType, json: &Json) -> Option<Value> {
    match (column, json) {
        (ColumnType::Scalar(scalar), json) => scalar_value(scalar, json),
        (ColumnType::List(scalar), Json::Array(items)) => items
            .iter()
            .filter(|item| !item.is_null())
            .map(|item| scalar_value(scalar, item))
            .collect::<Option<_>>()
            .map(Value::List),
        (ColumnType::List(_), _) => None,
    }
}

/// JSON has one number type: an integer field takes integers only, and a
/// floating-point field any number.
fn scalar_value(scalar: ScalarType, json: &Json) -> Option<Value> {
    Some(match scalar {
        ScalarType::Bool => Value::Bool(json.as_bool()?),
        ScalarType::I64 => Value::I64(json.as_i64()?),
        ScalarType::U64 => Value::U64(json.as_u64()?),
        ScalarType::F64 => Value::F64(json.as_f64()?),
        ScalarType::Text => Value::Text(json.as_str()?.to_owned()),
        ScalarType::Uuid => Value::Uuid(json.as_str()?.parse::<Uuid>().ok()?),
        ScalarType::Timestamp => Value::Timestamp(json.as_str()?.parse::<Timestamp>().ok()?),
    })
}
