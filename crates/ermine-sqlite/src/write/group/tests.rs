use std::time::Duration;

use super::*;

fn database() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    catalog::prepare(&connection, Duration::ZERO).unwrap();
    connection
        .execute_batch("CREATE TABLE t (n INTEGER PRIMARY KEY)")
        .unwrap();
    connection
}

fn begin(connection: &Connection) -> Result<()> {
    connection
        .execute_batch("BEGIN IMMEDIATE")
        .map_err(storage("beginning"))
}

fn insert(connection: &Connection, n: i64) -> Result<()> {
    connection
        .execute("INSERT INTO t VALUES (?1)", [n])
        .map(drop)
        .map_err(storage("inserting"))
}

fn stored(connection: &Connection) -> Vec<i64> {
    let mut statement = connection.prepare("SELECT n FROM t ORDER BY n").unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(std::result::Result::unwrap).collect()
}

#[test]
fn a_unit_that_fails_or_panics_fails_alone_and_leaves_nothing() {
    let connection = database();
    let result = run(&connection, &[1, 2, 1, 3, 4], &mut begin, &mut |c, n| {
        insert(c, 10 + n)?;
        if *n == 3 {
            panic!("unit 3");
        }
        insert(c, *n)
    });
    let commits: Vec<_> = result.items.iter().map(|r| r.as_ref().ok()).collect();
    let (one, none) = (Some(&(1, ())), None);
    assert_eq!(commits, [one, one, none, none, one]);
    assert!(
        result.items[3]
            .as_ref()
            .unwrap_err()
            .to_string()
            .contains("unit 3")
    );
    assert_eq!(stored(&connection), [1, 2, 4, 11, 12, 14]);
    assert_eq!(catalog::commits(&connection).unwrap(), 1);
}

#[test]
fn an_error_that_ends_the_transaction_fails_the_culprit_only() {
    let connection = database();
    let result = run(&connection, &[1, 2, 3], &mut begin, &mut |c, n| {
        insert(c, *n)?;
        if *n == 2 {
            c.execute_batch("ROLLBACK").unwrap();
            return Err(Error::new(ErrorKind::Storage, "the disk is full"));
        }
        Ok(())
    });
    assert!(result.items[0].is_ok() && result.items[1].is_err() && result.items[2].is_ok());
    assert_eq!(stored(&connection), [1, 3]);
    assert!(connection.is_autocommit());
}

#[test]
fn a_unit_that_cannot_be_undone_is_not_committed_with_the_others() {
    let connection = database();
    let result = run(&connection, &[1, 2, 3], &mut begin, &mut |c, n| {
        insert(c, *n)?;
        if *n == 2 {
            // Its savepoint is gone, so that there is nothing to go back to.
            c.execute_batch("RELEASE unit").unwrap();
            return Err(Error::new(ErrorKind::Conflict, "no"));
        }
        Ok(())
    });
    assert!(result.items[0].is_ok() && result.items[2].is_ok());
    assert!(result.items[1].as_ref().is_err_and(Error::is_conflict));
    assert_eq!(stored(&connection), [1, 3]);
}

#[test]
fn everybody_is_told_the_causes_of_a_failure_that_all_share() {
    let connection = database();
    let result = run(
        &connection,
        &[1, 2],
        &mut |connection| {
            connection
                .execute_batch("SELECT * FROM nowhere")
                .map_err(storage("beginning"))
        },
        &mut |_, _| Ok(()),
    );
    for item in result.items {
        let error = item.unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("no such table: nowhere"), "{cause}");
    }
}

#[test]
fn a_group_of_failures_commits_nothing() {
    let connection = database();
    let result = run(&connection, &[1, 2], &mut begin, &mut |_, _| {
        Err::<(), _>(Error::new(ErrorKind::Conflict, "no"))
    });
    assert!(
        result
            .items
            .iter()
            .all(|r| r.as_ref().is_err_and(Error::is_conflict))
    );
    assert_eq!(catalog::commits(&connection).unwrap(), 0);
    assert!(connection.is_autocommit());
}

#[test]
fn nobody_is_told_of_success_when_the_commit_fails() {
    let connection = database();
    connection
        .execute_batch(
            "PRAGMA foreign_keys = ON;
             CREATE TABLE child (n INTEGER REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)",
        )
        .unwrap();
    let result = run(&connection, &[1, 2], &mut begin, &mut |c, n| {
        insert(c, *n)?;
        c.execute("INSERT INTO child VALUES (99)", [])
            .map(drop)
            .map_err(storage("inserting"))
    });
    for item in result.items {
        assert_eq!(item.unwrap_err().kind(), ErrorKind::OutcomeUnknown);
    }
    assert_eq!(result.connection, ConnectionState::Doubtful);
}
