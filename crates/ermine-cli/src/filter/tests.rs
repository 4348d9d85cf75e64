//! The language, its mistakes, and that what an expression displays as reads back as it.

use ermine_core::{ColumnType, Compare, Expr, IdType, ScalarType, Schema, Timestamp, Value};
use proptest::prelude::*;
use uuid::Uuid;

use super::parse;

const ODD: [&str; 4] = ["a b", "it`s \"odd\"", "not", "9lives"];

fn schema() -> Schema {
    let scalar = ColumnType::Scalar;
    let mut builder = Schema::builder("notes", "id", IdType::Text)
        .column("year", scalar(ScalarType::I64))
        .column("size", scalar(ScalarType::U64))
        .column("rate", scalar(ScalarType::F64))
        .column("draft", scalar(ScalarType::Bool))
        .column("author.name", scalar(ScalarType::Text))
        .column("key", scalar(ScalarType::Uuid))
        .column("at", scalar(ScalarType::Timestamp))
        .column("tags", ColumnType::List(ScalarType::Text))
        .column("years", ColumnType::List(ScalarType::I64))
        .text("body", 1.0);
    for name in ODD {
        builder = builder.column(name, scalar(ScalarType::Text));
    }
    builder.build().unwrap()
}

fn read(text: &str) -> String {
    parse(&schema(), text)
        .map_err(|e| e.to_string())
        .unwrap()
        .to_string()
}

fn error(text: &str) -> String {
    parse(&schema(), text).unwrap_err().to_string()
}

#[test]
fn every_form_reads_as_its_expression() {
    for (written, meant) in [
        (
            "year >= 1960 and tags contains \"db\"",
            "year >= 1960 and tags contains \"db\"",
        ),
        ("year==1960", "year = 1960"),
        ("year <> 1960", "year != 1960"),
        (
            "year BETWEEN 1 AND 2 OR draft = true",
            "year between 1 and 2 or draft = true",
        ),
        ("year not in (1, 2)", "not year in [1, 2]"),
        ("year in []", "year in []"),
        ("size is not null", "not size is null"),
        (
            "not (draft = true or rate < 1e-3)",
            "not (draft = true or rate < 0.001)",
        ),
        (
            "author.name starts_with 'O\\'Brien'",
            "author.name starts_with \"O'Brien\"",
        ),
        ("author.name contains 'x'", "author.name contains \"x\""),
        (
            "tags contains any ['a', 'b']",
            "tags contains any [\"a\", \"b\"]",
        ),
        ("years contains all [1, 2]", "years contains all [1, 2]"),
        (
            "`a b` = 'x' and \"not\" = 'y'",
            "`a b` = \"x\" and `not` = \"y\"",
        ),
        ("`it``s \"odd\"` = 'x'", "`it``s \"odd\"` = \"x\""),
        ("true or false", "true or false"),
        (
            "at < '2026-11-30T21:18:12+01:00'",
            "at < 2026-11-30T20:18:12.000000Z",
        ),
        ("rate = 3", "rate = 3"),
        ("id = 'guide.md#3'", "id = \"guide.md#3\""),
    ] {
        assert_eq!(read(written), meant, "{written}");
    }
}

#[test]
fn and_binds_closer_than_or_and_not_closest() {
    let expr = parse(&schema(), "not draft = true and year = 1 or year = 2").unwrap();
    let Expr::Or(any) = &expr else {
        panic!("{expr}")
    };
    assert!(matches!(&any[0], Expr::And(all) if matches!(all[0], Expr::Not(_))));
}

#[test]
fn mistakes_point_at_their_column() {
    for (text, expected) in [
        (
            "year >= \"x\"",
            "filter, column 9: `year` is i64, but \"x\" is text\n  year >= \"x\"\n          ^^^",
        ),
        (
            "yaer = 1960",
            "filter, column 1: `notes` has no field `yaer`; did you mean `year`?\n  yaer = 1960\n  ^^^^",
        ),
        (
            "draft = true and tags = 'db'",
            "filter, column 18: `tags` is list of text, which `=` does not compare; ask what it `contains`\n  draft = true and tags = 'db'\n                   ^^^^",
        ),
        (
            "author.name = '茶' year",
            "filter, column 19: expected `and`, `or` or the end of the filter\n  author.name = '茶' year\n                     ^^^^",
        ),
        (
            "year =",
            "filter, column 7: expected a value of type i64, as 1960\n  year =\n        ^",
        ),
    ] {
        assert_eq!(error(text), expected);
    }
}

#[test]
fn mistakes_say_what_was_expected() {
    for (text, expected) in [
        ("", "expected a field"),
        (
            "year",
            "expected an operator after `year`, which is i64: = != <",
        ),
        ("year = 1.5", "`year` is i64, but 1.5 is f64"),
        ("year = '1960'", "is text; leave the quotes out"),
        ("year = 9223372036854775808", "is out of its range"),
        ("size = -1", "`size` is u64, but -1 is out of its range"),
        ("rate = inf", "`rate` is f64, but inf is not"),
        (
            "draft = yes",
            "`draft` is bool, but yes is not; write it as true",
        ),
        ("author.name = db", "is a bare word; write \"db\""),
        ("author.name = 3", "is an integer; write \"3\""),
        (
            "at = 'yesterday'",
            "is no timestamp; write it as \"2026-11-30T21:18:12Z\"",
        ),
        ("key = '12'", "is no uuid"),
        (
            "body contains 'x'",
            "`body` of `notes` is searched, not filtered",
        ),
        (
            "nothing_like_it = 1",
            "the fields that filter are `id`, `year`",
        ),
        ("year in 1960", "expected a list, as [1960]"),
        ("year in [1 2]", "expected `,` or `]`"),
        ("tags contains any 'a'", "expected a list, as [\"db\"]"),
        ("year contains 1", "only lists and text contain values"),
        ("author.name contains any ['a']", "not a list"),
        ("year starts_with 'a'", "only text starts with text"),
        ("year is 5", "expected `null` or `not null`"),
        ("year between 1 or 2", "expected `and` and the upper bound"),
        ("(year = 1", "expected `and`, `or` or `)`"),
        ("author.name = 'open", "the closing ' is missing"),
        ("author.name = 'a\\q'", "no such escape"),
        ("`year = 1", "the closing ` is missing"),
        (
            "in = 1",
            "one that is called in is written `in` in backquotes",
        ),
        (
            "author') = 'alice' OR 1=1 --",
            "`notes` has no field `author`",
        ),
    ] {
        let error = error(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn nesting_has_an_end() {
    assert!(error(&"(".repeat(100_000)).contains("nested deeper"));
    assert!(error(&"not ".repeat(100_000)).contains("nested deeper"));
}

fn values(scalar: ScalarType) -> BoxedStrategy<Value> {
    match scalar {
        ScalarType::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        ScalarType::I64 => any::<i64>().prop_map(Value::I64).boxed(),
        ScalarType::U64 => any::<u64>().prop_map(Value::U64).boxed(),
        ScalarType::F64 => {
            let finite = any::<f64>().prop_filter("finite", |v| v.is_finite());
            finite.prop_map(Value::F64).boxed()
        }
        ScalarType::Uuid => any::<u128>()
            .prop_map(|v| Value::Uuid(Uuid::from_u128(v)))
            .boxed(),
        ScalarType::Timestamp => (-62_000_000_000_000_000_i64..250_000_000_000_000_000)
            .prop_map(|v| Value::Timestamp(Timestamp::from_unix_micros(v).unwrap()))
            .boxed(),
        _ => any::<String>().prop_map(Value::Text).boxed(),
    }
}

fn predicates() -> impl Strategy<Value = Expr> {
    let columns: Vec<_> = schema()
        .columns()
        .iter()
        .map(|c| (c.name().to_owned(), c.column_type()))
        .collect();
    prop::sample::select(columns).prop_flat_map(|(field, column)| {
        let (ColumnType::Scalar(scalar) | ColumnType::List(scalar)) = column;
        let is_list = matches!(column, ColumnType::List(_));
        let is_text = !is_list && scalar == ScalarType::Text;
        let op = prop::sample::select(vec![
            Compare::Eq,
            Compare::Ne,
            Compare::Lt,
            Compare::Le,
            Compare::Gt,
            Compare::Ge,
        ]);
        let several = prop::collection::vec(values(scalar), 0..4);
        (
            0..5_u8,
            op,
            values(scalar),
            values(scalar),
            several,
            any::<String>(),
        )
            .prop_map(move |(form, op, value, high, values, text)| {
                let field = field.clone();
                match form {
                    0 => Expr::IsNull { field },
                    1 if is_list => Expr::ContainsAll { field, values },
                    _ if is_list => Expr::ContainsAny { field, values },
                    1 if is_text => Expr::StartsWith {
                        field,
                        prefix: text,
                    },
                    2 if is_text => Expr::Contains { field, text },
                    1 | 2 => Expr::Compare { field, op, value },
                    3 => Expr::Between {
                        field,
                        low: value,
                        high,
                    },
                    _ => Expr::In { field, values },
                }
            })
    })
}

fn expressions() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![8 => predicates(), 1 => any::<bool>().prop_map(Expr::Constant)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let several = || prop::collection::vec(inner.clone(), 2..5);
        prop_oneof![
            several().prop_map(Expr::And),
            several().prop_map(Expr::Or),
            inner.prop_map(|e| Expr::Not(Box::new(e))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_displayed_reads_back(expr in expressions()) {
        let text = expr.to_string();
        let read = parse(&schema(), &text).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(read, expr);
    }

    #[test]
    fn no_text_makes_reading_panic(text in any::<String>()) {
        if let Err(error) = parse(&schema(), &text) {
            prop_assert!(error.to_string().contains("column"));
        }
    }

    #[test]
    fn what_is_read_fits_the_schema(text in "(not )?(year|tags|rate|draft) (=|<|contains|in|is) (1|'a'|true|\\[1\\]|null)( and true)?") {
        if let Ok(expr) = parse(&schema(), &text) {
            prop_assert!(expr.check(&schema()).is_ok());
        }
    }
}
