//! "Did you mean": the known name nearest to one that is not known.

/// The name of `known` that `name` is most likely a slip of: at most one
/// insertion, deletion, replacement or swap for every three letters.
pub(crate) fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let allowed = name.chars().count().div_ceil(3);
    known
        .into_iter()
        .map(|other| (edits(&name, &other.to_lowercase()), other))
        .filter(|(edits, _)| *edits <= allowed)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, other)| other)
}

/// The number of single-letter edits between two words, a swap of neighbours being one.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut above = row.clone();
    let mut last = None;
    for (i, ca) in a.chars().enumerate() {
        let before = std::mem::replace(&mut above, std::mem::take(&mut row));
        row.push(i + 1);
        for (j, cb) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let mut best = (at(&above, j) + usize::from(ca != *cb))
                .min(at(&above, j + 1) + 1)
                .min(at(&row, j) + 1);
            let swapped = j > 0 && last == Some(*cb) && b.get(j - 1) == Some(&ca);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        last = Some(ca);
    }
    row.last().copied().unwrap_or_default()
}

/// `a`, `b` and `c`, for messages.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_count_single_letters_and_swaps() {
        assert_eq!(edits("year", "year"), 0);
        assert_eq!(edits("yaer", "year"), 1);
        assert_eq!(edits("yer", "year"), 1);
        assert_eq!(edits("yeaar", "year"), 1);
        assert_eq!(edits("", "year"), 4);
        assert_eq!(edits("tag", ""), 3);
    }

    #[test]
    fn the_nearest_name_is_meant_and_a_far_one_is_not() {
        let known = ["year", "tags", "heading"];
        assert_eq!(closest("yaer", known), Some("year"));
        assert_eq!(closest("Headng", known), Some("heading"));
        assert_eq!(closest("author", known), None);
    }

    #[test]
    fn lists_read_as_prose() {
        assert_eq!(list([]), "none");
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
