//! F: filters.

mod expressions;
mod lists;
mod logic;
mod names;
mod operators;
mod text_values;
mod types;

use crate::Fact;

pub(super) const FACTS: &[&[Fact]] = &[
    logic::FACTS,
    operators::FACTS,
    lists::FACTS,
    types::FACTS,
    text_values::FACTS,
    names::FACTS,
    expressions::FACTS,
];
