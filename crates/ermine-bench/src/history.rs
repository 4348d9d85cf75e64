//! A real history told as events: what it comes to, however it is cut into pages and
//! whatever is killed.

mod check;
mod event;
mod killed;
mod log;
mod model;
mod replayed;

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

pub(crate) use self::killed::child;
use self::log::History;
use self::model::Counting;
pub(crate) use self::model::Model;
use self::replayed::{PROJECTION, import, open, rows};
use crate::Result;
use crate::place::Place;

const PAGES: [usize; 4] = [1, 7, 100, 1_000];

/// How many events are appended in a unit.
const UNIT: usize = 64;

pub(crate) async fn run(folder: &Path, store: Option<&str>, model: Model) -> Result<()> {
    let history = History::read(folder)?;
    let contents = history.contents();
    let changes: usize = contents.values().sum();
    println!(
        "{} events in {} streams, {changes} contents, {} ghost terms",
        history.lines.len(),
        history.last.len(),
        history.ghosts.len()
    );
    let directory = tempfile::tempdir()?;
    let mut expected: Option<Vec<String>> = None;
    for page in PAGES {
        let place = Place::fresh(store, directory.path());
        let found = replay(&place, &history, &contents, page, model.clone()).await;
        place.remove().await?;
        same(&mut expected, found?, &format!("pages of {page}"))?;
    }
    if !matches!(model, Model::Cheap(_)) {
        return Ok(());
    }
    let place = Place::fresh(store, directory.path());
    let found = killed::by_signal(&place, folder, &history).await;
    place.remove().await?;
    same(&mut expected, found?, "processes that were killed")?;
    if let Place::File(file) = Place::fresh(store, directory.path()) {
        let found = killed::in_commits(&file, folder).await?;
        same(&mut expected, found, "commits that were cut off")?;
    }
    println!("every replay came to the same rows");
    Ok(())
}

fn same(expected: &mut Option<Vec<String>>, found: Vec<String>, what: &str) -> Result<()> {
    match expected {
        Some(expected) if *expected != found => {
            let other = expected
                .iter()
                .zip(&found)
                .find(|(one, other)| one != other);
            Err(format!("{what} came to other rows: {other:?}").into())
        }
        _ => {
            *expected = Some(found);
            Ok(())
        }
    }
}

/// A whole replay in pages of a size, everything that must be so, and the same after a rebuild.
async fn replay(
    place: &Place,
    history: &History,
    contents: &HashMap<String, usize>,
    page: usize,
    model: Model,
) -> Result<Vec<String>> {
    let model = Counting::new(model);
    let store = open(place, &model).await?;
    let begun = Instant::now();
    import(&store, history, UNIT).await?;
    let imported = begun.elapsed();
    let begun = Instant::now();
    let daemon = store.daemon().page_size(page);
    daemon.run_until_caught_up().await?;
    let replayed = begun.elapsed();
    let texts = model.texts();
    if let Some((text, _)) = texts
        .iter()
        .find(|(text, times)| contents.get(*text) < Some(times))
    {
        let start: String = text.chars().take(60).collect();
        return Err(format!("pages of {page}: {start:?} was embedded too often").into());
    }
    // A page of one leaves no content out.
    if page == 1 && texts != *contents {
        return Err("pages of 1: not every content was embedded once".into());
    }
    check::is_final(&store, history).await?;
    check::finds_no_ghosts(&store, history).await?;
    let before = rows(&store).await?;
    let begun = Instant::now();
    daemon.rebuild(PROJECTION).await?;
    let rebuilt = begun.elapsed();
    let again: usize = model.texts().values().sum();
    if again > 0 {
        return Err(format!("pages of {page}: the rebuild had {again} texts embedded").into());
    }
    check::is_final(&store, history).await?;
    check::finds_no_ghosts(&store, history).await?;
    let after = rows(&store).await?;
    same(&mut Some(before), after.clone(), "the rebuild")?;
    println!(
        "pages of {page}: {} texts embedded, none by the rebuild; appended in {:.2} s, projected in {:.2} s, rebuilt in {:.2} s",
        texts.values().sum::<usize>(),
        imported.as_secs_f64(),
        replayed.as_secs_f64(),
        rebuilt.as_secs_f64()
    );
    Ok(after)
}
