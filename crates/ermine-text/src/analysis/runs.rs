//! Runs of scripts that are indexed as overlapping pairs of characters.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::fold::fold;
use super::normal::Normal;
use super::{Role, Token, cut};

/// A character of a run: an extended grapheme cluster, folded.
pub(super) struct Unit {
    text: String,
    range: Range<usize>,
}

/// The characters of a run that begins at `start` of the normalised text.
pub(super) fn units(normal: &Normal<'_>, run: &str, start: usize) -> Vec<Unit> {
    run.grapheme_indices(true)
        .filter_map(|(at, cluster)| {
            let text = fold(cluster);
            let range = normal.original(start + at..start + at + cluster.len());
            (!text.is_empty()).then_some(Unit { text, range })
        })
        .collect()
}

/// Emits the pairs of a run, and its single characters where they are terms.
pub(super) fn emit_run(units: &[Unit], role: Role, start: u32, emit: &mut dyn FnMut(Token)) {
    let lone = units.len() == 1;
    for (index, unit) in units.iter().enumerate() {
        let position = start.saturating_add(u32::try_from(index).unwrap_or(u32::MAX));
        if lone || role == Role::Document {
            let mut term = unit.text.clone();
            cut(&mut term);
            emit(Token {
                term,
                position,
                range: unit.range.clone(),
                counted: lone,
            });
        }
        if let Some(next) = units.get(index + 1) {
            let mut term = format!("{}{}", unit.text, next.text);
            cut(&mut term);
            emit(Token {
                term,
                position,
                range: unit.range.start..next.range.end,
                counted: true,
            });
        }
    }
}
