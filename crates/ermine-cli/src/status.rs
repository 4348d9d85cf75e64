//! `ermine status`.

mod count;

use std::io::{Write, stdout};

use ermine_core::{Declaration, Schema};
use serde_json::{Value as Json, json};

use crate::address::Address;
use crate::arguments::{Status, StatusFormat};
use crate::failure::{Failure, Finished};
use crate::opening;
use crate::suggest::list;
use count::Counts;

/// Shows what a store holds.
pub(crate) fn run(arguments: &Status) -> Result<Finished, Failure> {
    let address = arguments.store.address()?;
    let connected = opening::existing(&address)?;
    let counted: Vec<(&Declaration, Counts)> = connected
        .declarations
        .iter()
        .map(|declaration| {
            let counts = Counts::of(&connected.engine, declaration)?;
            Ok((declaration, counts))
        })
        .collect::<Result<_, Failure>>()?;
    // A database server's size is not the store's alone.
    let size = match &address {
        Address::File(file) => Some(file.size()),
        Address::Server(_) => None,
    };
    let mut out = stdout().lock();
    match arguments.format {
        StatusFormat::Json => {
            let collections: Vec<Json> = counted.iter().map(|(d, c)| as_json(d, c)).collect();
            let status = json!({
                "store": address.to_string(),
                "bytes": size,
                "collections": collections,
            });
            writeln!(out, "{status:#}")?;
        }
        StatusFormat::Table => {
            let size = size.map(|bytes| format!("  {}", in_units(bytes)));
            writeln!(out, "{address}{}", size.unwrap_or_default())?;
            if counted.is_empty() {
                writeln!(out, "\nno collections; import with `ermine import FOLDER`")?;
            }
            for (declaration, counts) in &counted {
                writeln!(out)?;
                write_collection(&mut out, declaration, counts)?;
            }
        }
    }
    out.flush()?;
    Ok(Finished::Whole)
}

fn write_collection(
    out: &mut dyn Write,
    declaration: &Declaration,
    counts: &Counts,
) -> std::io::Result<()> {
    let schema = &declaration.schema;
    writeln!(out, "{schema}")?;
    let deleted = match counts.deleted {
        Some(deleted) => format!(", and {deleted} deleted"),
        None => String::new(),
    };
    writeln!(out, "  documents  {}{deleted}", counts.documents)?;
    let texts: Vec<String> = text_fields(schema);
    if !texts.is_empty() {
        let texts = list(texts.iter().map(String::as_str));
        writeln!(out, "  text       {texts}, language {}", schema.language())?;
    }
    let vectors = schema
        .vectors()
        .iter()
        .zip(&counts.vectors)
        .zip(&declaration.models);
    for ((field, vectors), model) in vectors {
        let model = match model {
            Some(model) => format!("by {model}"),
            None => "given by the application".to_owned(),
        };
        writeln!(
            out,
            "  vectors    `{}`: {} present, {} absent; {} dimensions, {}, {model}",
            field.name(),
            vectors.present,
            vectors.absent,
            field.dimensions(),
            field.metric(),
        )?;
    }
    let columns: Vec<String> = columns(schema);
    if !columns.is_empty() {
        writeln!(
            out,
            "  filters    {}",
            list(columns.iter().map(String::as_str))
        )?;
    }
    Ok(())
}

fn text_fields(schema: &Schema) -> Vec<String> {
    let field = |field: &ermine_core::TextFieldSchema| match field.weight() {
        1.0 => field.name().to_owned(),
        weight => format!("{} ×{weight}", field.name()),
    };
    schema.text().iter().map(field).collect()
}

fn columns(schema: &Schema) -> Vec<String> {
    let columns = schema.columns().iter();
    columns
        .map(|c| format!("{} ({})", c.name(), c.column_type()))
        .collect()
}

fn as_json(declaration: &Declaration, counts: &Counts) -> Json {
    let schema = &declaration.schema;
    let vectors = schema
        .vectors()
        .iter()
        .zip(&counts.vectors)
        .zip(&declaration.models);
    let vectors: Vec<Json> = vectors
        .map(|((field, vectors), model)| {
            json!({
                "field": field.name(),
                "dimensions": field.dimensions(),
                "metric": field.metric().as_str(),
                "from": field.from(),
                "model": model.as_ref().map(ToString::to_string),
                "present": vectors.present,
                "absent": vectors.absent,
            })
        })
        .collect();
    let columns = schema.columns().iter();
    let columns: Vec<Json> = columns
        .map(|c| json!({ "field": c.name(), "type": c.column_type().to_string() }))
        .collect();
    let texts = schema.text().iter();
    let texts: Vec<Json> = texts
        .map(|t| json!({ "field": t.name(), "weight": t.weight() }))
        .collect();
    json!({
        "name": schema.name(),
        "documents": counts.documents,
        "deleted": counts.deleted,
        "language": schema.language(),
        "text": texts,
        "vectors": vectors,
        "columns": columns,
    })
}

fn in_units(bytes: u64) -> String {
    let units = ["kB", "MB", "GB"];
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for larger in units {
        if value < 1_000.0 {
            break;
        }
        value /= 1_000.0;
        unit = larger;
    }
    match unit {
        "bytes" => format!("{bytes} bytes"),
        unit => format!("{value:.1} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_said_in_units() {
        assert_eq!(in_units(999), "999 bytes");
        assert_eq!(in_units(1_500), "1.5 kB");
        assert_eq!(in_units(2_000_000), "2.0 MB");
        assert_eq!(in_units(3_000_000_000_000), "3000.0 GB");
    }
}
