//! What types, fields and events may be called: the rules of a schema, told at the
//! place of the mistake.

/// The longest name, in bytes, of a type or a field.
const LONGEST: usize = 48;

/// What forbids `name` as the name of a document type.
pub(crate) fn collection_problem(name: &str) -> Option<String> {
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    (!fits || name.len() > LONGEST).then(|| {
        format!(
            "{name:?} cannot name a document type: use a lower-case letter, then lower-case letters, digits and `_`, {LONGEST} bytes at most"
        )
    })
}

/// The longest name, in bytes, of an event type.
const LONGEST_EVENT: usize = 100;

/// What forbids `name` as the name of an event type, or as the prefix of some.
pub(crate) fn event_problem(name: &str) -> Option<String> {
    let problem = if name.is_empty() {
        "it is empty".to_owned()
    } else if name.len() > LONGEST_EVENT {
        format!("it is longer than {LONGEST_EVENT} bytes")
    } else if name.chars().any(|c| c.is_control() || c.is_whitespace()) {
        "it holds white space or a control character".to_owned()
    } else if name == "ermine" || name.starts_with("ermine.") {
        "names that begin with `ermine.` are Ermine's own".to_owned()
    } else {
        return None;
    };
    Some(format!("{name:?} cannot name an event type: {problem}"))
}

/// What forbids `name` as the name of a field.
pub(crate) fn field_problem(name: &str) -> Option<String> {
    let problem = if name.is_empty() {
        "it is empty".to_owned()
    } else if name.len() > LONGEST {
        format!("it is longer than {LONGEST} bytes")
    } else if name.chars().any(char::is_control) {
        "it holds a control character".to_owned()
    } else {
        return None;
    };
    Some(format!("{name:?} cannot name a field: {problem}"))
}
