use ermine_core::{
    ColumnType, Compare, Direction, ErrorKind, Expr, OrderBy, ScalarType, Schema, Value,
};
use ermine_sql::{Sql, Sqlite, Tables, push_filter, push_order};
use proptest::prelude::*;
use proptest::sample::select;
use rusqlite::{Connection, params_from_iter};

use crate::evaluate::passes;
use crate::rows::{Bind, Row, database, row, scalar, schema, text};

fn scalars() -> Vec<(String, ScalarType)> {
    let mut fields = vec![("id".to_owned(), ScalarType::I64)];
    for column in schema().columns() {
        if let ColumnType::Scalar(scalar) = column.column_type() {
            fields.push((column.name().to_owned(), scalar));
        }
    }
    fields
}

fn leaf() -> BoxedStrategy<Expr> {
    let op = select(vec![
        Compare::Eq,
        Compare::Ne,
        Compare::Lt,
        Compare::Le,
        Compare::Gt,
        Compare::Ge,
    ]);
    let compare = select(scalars()).prop_flat_map(move |(field, kind)| {
        (op.clone(), scalar(kind)).prop_map(move |(op, value)| Expr::Compare {
            field: field.clone(),
            op,
            value,
        })
    });
    let between = select(scalars()).prop_flat_map(|(field, kind)| {
        (scalar(kind), scalar(kind)).prop_map(move |(low, high)| Expr::Between {
            field: field.clone(),
            low,
            high,
        })
    });
    let one_of = select(scalars()).prop_flat_map(|(field, kind)| {
        prop::collection::vec(scalar(kind), 0..3).prop_map(move |values| Expr::In {
            field: field.clone(),
            values,
        })
    });
    let any_field: Vec<String> = std::iter::once("id".to_owned())
        .chain(schema().columns().iter().map(|c| c.name().to_owned()))
        .collect();
    let is_null = select(any_field).prop_map(|field| Expr::IsNull { field });
    let named = || "meta.\"s\" name".to_owned();
    let texts = (text(), any::<bool>()).prop_map(move |(text, prefix)| match prefix {
        true => Expr::StartsWith {
            field: named(),
            prefix: text,
        },
        false => Expr::Contains {
            field: named(),
            text,
        },
    });
    let lists = vec![("tags", ScalarType::Text), ("numbers", ScalarType::U64)];
    let lists = (select(lists), any::<bool>()).prop_flat_map(|((field, kind), any_of)| {
        prop::collection::vec(scalar(kind), 0..4).prop_map(move |values| {
            let field = field.to_owned();
            match any_of {
                true => Expr::ContainsAny { field, values },
                false => Expr::ContainsAll { field, values },
            }
        })
    });
    let constant = any::<bool>().prop_map(Expr::Constant);
    prop_oneof![4 => compare, 2 => between, 2 => one_of, 1 => is_null, 3 => texts, 4 => lists, 1 => constant]
        .boxed()
}

fn expr() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Expr::And),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Expr::Or),
            inner.prop_map(|e| Expr::Not(Box::new(e))),
        ]
    })
}

fn select_ids(connection: &Connection, sql: &Sql) -> Vec<i64> {
    let mut statement = connection.prepare(sql.text()).unwrap();
    statement
        .query_map(params_from_iter(sql.values().iter().map(Bind)), |row| {
            row.get(0)
        })
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

fn found(connection: &Connection, schema: &Schema, filter: &Expr) -> Vec<i64> {
    let mut sql = Sql::new(&Sqlite);
    sql.push(format!(
        "SELECT d.id FROM {} AS d WHERE ",
        Tables::of(schema).documents
    ));
    push_filter(&mut sql, schema, filter).unwrap();
    push_order(&mut sql, schema, &[]).unwrap();
    select_ids(connection, &sql)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_rows_a_filter_finds_are_those_that_pass_it(
        rows in prop::collection::vec(row(), 0..12),
        filters in prop::collection::vec(expr(), 12),
    ) {
        let schema = schema();
        let connection = database(&rows);
        for filter in filters {
            filter.check(&schema).unwrap();
            let expected: Vec<i64> = (0i64..)
                .zip(&rows)
                .filter(|(id, row)| passes(&schema, &filter, *id, row))
                .map(|(id, _)| id)
                .collect();
            prop_assert_eq!(found(&connection, &schema, &filter), expected, "{}", filter);
        }
    }

    #[test]
    fn an_order_is_absent_first_and_its_reverse_absent_last(
        rows in prop::collection::vec(row(), 0..12),
        (field, _) in select(scalars()),
        descending: bool,
    ) {
        let schema = schema();
        let connection = database(&rows);
        let direction = if descending { Direction::Descending } else { Direction::Ascending };
        let mut sql = Sql::new(&Sqlite);
        sql.push(format!("SELECT d.id FROM {} AS d", Tables::of(&schema).documents));
        push_order(&mut sql, &schema, &[OrderBy { field: field.clone(), direction }]).unwrap();
        let key = |id: i64, row: &Row| {
            let at = schema.columns().iter().position(|c| c.name() == field);
            at.map_or(Some(Value::I64(id)), |at| row[at].clone())
        };
        let mut expected: Vec<i64> = (0i64..).take(rows.len()).collect();
        expected.sort_by(|a, b| {
            let value = |id: &i64| key(*id, &rows[usize::try_from(*id).unwrap()]);
            let order = match (value(a), value(b)) {
                (Some(a), Some(b)) => a.compare(&b).unwrap(),
                (a, b) => a.is_some().cmp(&b.is_some()),
            };
            if descending { order.reverse() } else { order }
        });
        prop_assert_eq!(select_ids(&connection, &sql), expected);
    }
}

#[test]
fn an_operator_nobody_knows_is_refused_by_name() {
    let filter = Expr::Not(Box::new(Expr::Extension {
        name: "within_km".into(),
        field: "n".into(),
        operands: vec![],
    }));
    let refused = push_filter(&mut Sql::new(&Sqlite), &schema(), &filter).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unsupported);
    assert!(refused.to_string().contains("`within_km`"), "{refused}");
}

#[test]
fn a_name_that_is_no_field_is_refused() {
    let filter = Expr::IsNull {
        field: "author') = 'alice' OR 1=1 --".into(),
    };
    let refused = push_filter(&mut Sql::new(&Sqlite), &schema(), &filter).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::UnknownField);
}

#[test]
fn thousands_of_operands_are_one_statement() {
    let connection = database(&[]);
    let equal = |n| Expr::Compare {
        field: "n".into(),
        op: Compare::Eq,
        value: Value::I64(n),
    };
    let filter = Expr::Or((0..5_000).map(equal).collect());
    assert!(found(&connection, &schema(), &filter).is_empty());
    let all = Expr::ContainsAll {
        field: "numbers".into(),
        values: (0..2_000).map(Value::U64).collect(),
    };
    assert!(found(&connection, &schema(), &all).is_empty());
}
