//! From what was declared to declarations, or a refusal.

use std::any::TypeId;
use std::collections::HashSet;
use std::sync::Arc;

use ermine_core::{
    Declaration, DynEmbeddingProvider, Error, ErrorKind, Result, Schema, VectorFieldSchema,
};
use ermine_text::{Analyzer, Language};

use super::FieldProvider;

/// A type as the builder was told of it.
pub(super) struct Declared {
    pub(super) type_id: Option<TypeId>,
    pub(super) schema: Result<Schema>,
}

/// A type that can be opened.
pub(super) struct Checked {
    pub(super) type_id: Option<TypeId>,
    pub(super) declaration: Declaration,
    pub(super) analyzer: Analyzer,
    pub(super) providers: Vec<Option<usize>>,
}

/// Every type that is to be opened, and the providers their fields refer to by place.
pub(super) struct Declarations {
    pub(super) checked: Vec<Checked>,
    pub(super) providers: Vec<Arc<dyn DynEmbeddingProvider>>,
}

pub(super) fn declare(
    declared: Vec<Declared>,
    default_provider: &Option<Arc<dyn DynEmbeddingProvider>>,
    field_providers: Vec<FieldProvider>,
) -> Result<Declarations> {
    let types = declared
        .into_iter()
        .map(|Declared { type_id, schema }| Ok((type_id, Arc::new(schema?))))
        .collect::<Result<Vec<_>>>()?;
    let mut names = HashSet::new();
    for (_, schema) in &types {
        if !names.insert(schema.name()) {
            return Err(Error::new(
                ErrorKind::Declaration,
                format!(
                    "two types are named `{schema}`; each needs a name of its own, and is declared once"
                ),
            ));
        }
    }
    check_field_providers(&types, &field_providers)?;

    let default_place = default_provider.is_some().then_some(0);
    let own_begin = usize::from(default_provider.is_some());
    let mut checked = Vec::new();
    for (type_id, schema) in types {
        let mut providers = Vec::new();
        let mut models = Vec::new();
        for field in schema.vectors() {
            let own = field_providers
                .iter()
                .position(|own| own.collection == schema.name() && own.field == field.name());
            let (place, provider) = match own {
                Some(at) => (
                    Some(own_begin + at),
                    field_providers.get(at).map(|own| &own.provider),
                ),
                None => (default_place, default_provider.as_ref()),
            };
            let fits = fit(&schema, field, provider)?;
            providers.push(place.filter(|_| fits));
            models.push(provider.filter(|_| fits).map(|p| p.identity().clone()));
        }
        let analyzer = analyzer(&schema)?;
        checked.push(Checked {
            type_id,
            declaration: Declaration {
                analyzer: if schema.text().is_empty() {
                    String::new()
                } else {
                    analyzer.identity()
                },
                schema,
                models,
            },
            analyzer,
            providers,
        });
    }
    let own = field_providers.into_iter().map(|own| own.provider);
    Ok(Declarations {
        checked,
        providers: default_provider.iter().cloned().chain(own).collect(),
    })
}

/// Whether a field is embedded by a provider; refused where a field that is
/// embedded from text has none of its length (rule D11).
fn fit(
    schema: &Schema,
    field: &VectorFieldSchema,
    provider: Option<&Arc<dyn DynEmbeddingProvider>>,
) -> Result<bool> {
    let identity = provider.map(|provider| provider.identity());
    let fits = identity.is_some_and(|identity| identity.dimensions == field.dimensions());
    if fits || field.from().is_none() {
        return Ok(fits);
    }
    let (kind, has) = match identity {
        Some(identity) => (
            ErrorKind::WrongDimensions,
            format!("the provider is {identity}"),
        ),
        None => (
            ErrorKind::NoProvider,
            "the store has no provider".to_owned(),
        ),
    };
    Err(Error::new(
        kind,
        format!(
            "`{schema}.{}` is embedded from text into {} dimensions, and {has}; open the store with a provider of {} dimensions for it",
            field.name(),
            field.dimensions(),
            field.dimensions()
        ),
    ))
}

/// Refuses a provider for a field that is not declared, for one that has
/// another, and of another length.
fn check_field_providers(
    types: &[(Option<TypeId>, Arc<Schema>)],
    field_providers: &[FieldProvider],
) -> Result<()> {
    let mut seen = HashSet::new();
    for FieldProvider {
        collection,
        field,
        provider,
    } in field_providers
    {
        let Some((_, schema)) = types.iter().find(|(_, schema)| schema.name() == collection) else {
            return Err(Error::new(
                ErrorKind::UnknownCollection,
                format!(
                    "a provider is given for `{collection}.{field}`, and no type `{collection}` is declared"
                ),
            ));
        };
        let place = schema.vector_field(Some(field))?;
        if !seen.insert((collection, field)) {
            return Err(Error::new(
                ErrorKind::Declaration,
                format!("two providers are given for `{collection}.{field}`; leave one out"),
            ));
        }
        let identity = provider.identity();
        if let Some(declared) = schema.vectors().get(place)
            && declared.dimensions() != identity.dimensions
        {
            return Err(Error::new(
                ErrorKind::WrongDimensions,
                format!(
                    "`{collection}.{field}` has {} dimensions and the provider given for it is {identity}",
                    declared.dimensions()
                ),
            ));
        }
    }
    Ok(())
}

fn analyzer(schema: &Schema) -> Result<Analyzer> {
    let language: Language = schema
        .language()
        .parse()
        .map_err(|e: ermine_text::TextError| {
            Error::new(ErrorKind::Declaration, format!("`{schema}`: {e}"))
        })?;
    Ok(Analyzer::new(language))
}
