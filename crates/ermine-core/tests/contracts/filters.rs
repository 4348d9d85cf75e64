use ermine_core::{
    Column, ColumnType, ErrorKind, Expr, Filter, IdType, MAX_FILTER_DEPTH, ScalarType, Schema,
    Value,
};

struct Note;
const N: Column<Note, u64> = Column::new("n");
const RATIO: Column<Note, f64> = Column::new("ratio");
const TITLE: Column<Note, String> = Column::new("title");
const TAGS: Column<Note, Vec<String>> = Column::new("tags");

fn schema() -> Schema {
    Schema::builder("notes", "id", IdType::I64)
        .column("n", ColumnType::Scalar(ScalarType::U64))
        .column("ratio", ColumnType::Scalar(ScalarType::F64))
        .column("title", ColumnType::Scalar(ScalarType::Text))
        .column("tags", ColumnType::List(ScalarType::Text))
        .build()
        .unwrap()
}

fn kind(filter: Filter<Note>) -> Option<ErrorKind> {
    filter.expr().check(&schema()).err().map(|e| e.kind())
}

#[test]
fn fitting_filters_pass() {
    assert_eq!(kind(N.eq(9) & N.lt(u64::MAX) & RATIO.ge(1)), None);
    assert_eq!(kind(TITLE.starts_with("100%") | !TITLE.contains("_")), None);
    assert_eq!(
        kind(TAGS.contains("db") & TAGS.contains_all(Vec::<&str>::new())),
        None
    );
    assert_eq!(kind(Column::<Note, i64>::new("id").is_in([1, 2])), None);
}

#[test]
fn a_value_of_another_type_is_refused_naming_both() {
    let expr = Expr::Compare {
        field: "n".into(),
        op: ermine_core::Compare::Eq,
        value: Value::Text("1".into()),
    };
    let error = expr.check(&schema()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    let message = error.to_string();
    assert!(
        message.contains("u64") && message.contains("text"),
        "{message}"
    );
    assert_eq!(kind(N.eq(-1)), Some(ErrorKind::TypeMismatch));
    assert_eq!(kind(RATIO.lt(f64::NAN)), Some(ErrorKind::TypeMismatch));
    let wrong = Column::<Note, String>::new("tags").eq("db");
    assert_eq!(kind(wrong), Some(ErrorKind::TypeMismatch));
    let wrong = Column::<Note, Vec<String>>::new("title").contains("db");
    assert_eq!(kind(wrong), Some(ErrorKind::TypeMismatch));
}

#[test]
fn a_name_that_is_no_field_is_refused_wherever_it_stands() {
    let name = "author') = 'alice' OR 1=1 --";
    let filter = N.eq(1) & !(N.eq(2) | Column::<Note, String>::new(name).eq("x"));
    assert_eq!(kind(filter), Some(ErrorKind::UnknownField));
    assert_eq!(
        kind(Column::<Note, String>::new(name).is_null()),
        Some(ErrorKind::UnknownField)
    );
}

#[test]
fn expressions_survive_their_json_and_unknown_nodes_are_named() {
    let filter = N.between(1, u64::MAX) & !(TAGS.contains_any(["a", "b"]) | TITLE.is_null());
    let json = serde_json::to_string(filter.expr()).unwrap();
    assert_eq!(&serde_json::from_str::<Expr>(&json).unwrap(), filter.expr());
    let error = serde_json::from_str::<Expr>(r#"{"sounds_like":{"field":"n"}}"#).unwrap_err();
    assert!(error.to_string().contains("sounds_like"), "{error}");
}

#[test]
fn the_text_form_keeps_the_grouping() {
    let filter = (N.eq(1) | N.eq(2)) & !(N.eq(3) & RATIO.gt(0.5));
    assert_eq!(
        filter.expr().to_string(),
        "(n = 1 or n = 2) and not (n = 3 and ratio > 0.5)"
    );
}

#[test]
fn a_filter_nested_too_deeply_is_refused_and_a_long_one_is_not() {
    let nested = |levels: usize| {
        (0..levels).fold(N.eq(1), |filter, level| {
            if level % 2 == 0 {
                filter & N.ne(2)
            } else {
                filter | N.eq(3)
            }
        })
    };
    assert_eq!(kind(nested(MAX_FILTER_DEPTH - 1)), None);
    assert_eq!(
        kind(nested(MAX_FILTER_DEPTH)),
        Some(ErrorKind::InvalidOption)
    );
    let long = (0..5_000).fold(N.eq(1), |filter, _| filter & N.ne(2));
    assert_eq!(kind(long), None);
}

#[test]
fn an_expression_nested_deeper_than_the_stack_is_dropped() {
    let mut negated = Expr::Constant(true);
    let mut mixed = Expr::Constant(true);
    for _ in 0..300_000 {
        negated = Expr::Not(Box::new(negated));
        mixed = mixed.and(Expr::Constant(true)).or(Expr::Constant(false));
    }
    drop(negated);
    drop(mixed);
}

#[test]
fn operands_may_be_references() {
    let (n, ratio) = (&7_u64, &0.5_f64);
    assert_eq!(N.ge(n).expr(), N.ge(7).expr());
    assert_eq!(RATIO.lt(ratio).expr(), RATIO.lt(0.5).expr());
    let wanted = [1_u64, 2];
    assert_eq!(N.is_in(wanted.iter()).expr(), N.is_in([1, 2]).expr());
}
