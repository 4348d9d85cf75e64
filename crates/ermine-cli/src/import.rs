//! `ermine import`.

mod events;
mod git;
mod history;
mod importer;
mod progress;
mod surplus;
mod text_file;
mod writer;

use std::io::{Write, stdout};

pub(crate) use git::Replay;
pub(crate) use history::{History, Replayed};
pub(crate) use importer::{Importer, counted};
pub(crate) use progress::Progress;
pub(crate) use surplus::Imported;

use crate::arguments::Import;
use crate::failure::{Failure, Finished};
use crate::files::{self, Naming, Skipped};
use crate::model::{self, Counted};
use crate::{jsonl, opening, schema};

/// Imports the files named, and says what became of them.
pub(crate) fn run(arguments: &Import) -> Result<Finished, Failure> {
    if let Some(file) = &arguments.events {
        return events::run(file, arguments);
    }
    if let Some(repository) = &arguments.git.repository {
        return git::run(repository, arguments);
    }
    let address = arguments.store.address()?;
    address.may_be_made()?;
    let naming = Naming::of(&address)?;
    let mut found = files::find(&arguments.paths, &naming)?;
    let language = arguments.language;
    let fields = &arguments.lines.fields;
    let wanted = schema::for_import(&[], &arguments.collection, language, fields)?;
    let lines = jsonl::check(std::mem::take(&mut found.lines), &arguments.lines, &wanted)?;
    found.skipped.extend(lines.skipped);

    let connected = opening::made(&address)?;
    let stored = &connected.declarations;
    let schema = schema::for_import(stored, &arguments.collection, language, fields)?;
    let provider = Counted::new(model::bundled());
    let store = connected.for_import(schema, provider.clone())?;

    let length: u64 = found.texts.values().map(|file| file.length).sum();
    let progress = Progress::over(length + lines.bytes);
    let mut importer = Importer::new(&store, &arguments.collection, progress)?;
    for (name, file) in &found.texts {
        match files::read_text(&file.path) {
            Ok(text) => importer.add_text(name, &text, file.format)?,
            Err(why) => {
                importer.pass_over(file.length);
                let path = file.path.clone();
                found.skipped.push(Skipped { path, why });
            }
        }
    }
    for path in &lines.files {
        for document in jsonl::documents(path, &arguments.lines)? {
            let document = document?;
            importer.add(document.record, document.bytes)?;
        }
    }
    importer.flush()?;
    let files = importer.files();
    importer.remove_surplus(&Imported::below(&found.roots, &naming, &found.skipped))?;
    let counts = importer.finish();

    let said = counts.said(
        &arguments.collection,
        files + lines.files.len(),
        provider.texts(),
    );
    writeln!(stdout().lock(), "{said}")?;
    for Skipped { path, why } in &found.skipped {
        eprintln!("ermine: skipped {}: {why}", path.display());
    }
    Ok(match found.skipped.as_slice() {
        [] => Finished::Whole,
        _ => Finished::InPart,
    })
}
