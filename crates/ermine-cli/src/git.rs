//! The history of a repository's Markdown files, read by the program `git`.

mod blobs;
mod log;
mod pages;
mod repository;

pub(crate) use log::Commit;
pub(crate) use pages::Pages;
pub(crate) use repository::Repository;
