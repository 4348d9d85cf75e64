//! Options of the command line.

use std::path::Path;

use ermine::StaticModel;

use crate::Result;
use crate::history::{self, Model};
use crate::shared::{self, Soak};

/// Takes an option and its value out of the arguments.
pub(crate) fn take<'a>(arguments: &mut Vec<&'a str>, name: &str) -> Result<Option<&'a str>> {
    let Some(at) = arguments.iter().position(|argument| *argument == name) else {
        return Ok(None);
    };
    let value = arguments.get(at + 1).copied();
    let value = value.ok_or_else(|| format!("{name} wants a value"))?;
    arguments.drain(at..at + 2);
    Ok(Some(value))
}

pub(crate) async fn soak(mut arguments: Vec<&str>, store: Option<&str>) -> Result<()> {
    let data = take(&mut arguments, "--data")?;
    let model = match take(&mut arguments, "--model")? {
        None => Model::cheap(),
        Some("bundled") => Model::Bundled(StaticModel::bundled()),
        Some(other) => return Err(format!("{other:?} is no model; `bundled` is").into()),
    };
    let lease = take(&mut arguments, "--lease")?;
    let daemons = take(&mut arguments, "--daemons")?.unwrap_or("2");
    match (arguments.as_slice(), data) {
        (["history"], Some(folder)) => history::run(Path::new(folder), store, model).await,
        (["history"], None) => Err("name the history: --data DIR".into()),
        (["daemon"], None) | (["daemon", _], None) => {
            let seconds = arguments.get(1).unwrap_or(&"30");
            let soak = Soak {
                seconds: seconds.parse()?,
                daemons: daemons.parse()?,
                lease: lease.map(str::parse).transpose()?,
                store,
            };
            shared::run(soak).await
        }
        _ => Err("`soak` takes `history --data DIR` or `daemon [SECONDS]`".into()),
    }
}
