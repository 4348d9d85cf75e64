//! Whose documents a session sees (rule D5).

use ermine_core::ErrorKind;

use crate::documents::{Note, Point};
use crate::spy::watched;
use crate::{refused, wait};

#[test]
fn an_empty_name_is_reported_by_the_first_read_and_by_commit() {
    let w = watched();
    let mut session = w.store.session("");
    refused(wait(session.load::<Note>(1)), ErrorKind::Tenancy);
    refused(wait(session.query::<Point>().count()), ErrorKind::Tenancy);
    refused(
        wait(session.search::<Note>().matching("x")),
        ErrorKind::Tenancy,
    );
    refused(wait(session.commit()), ErrorKind::Tenancy);
    session.store(&Note::new(1, "x"));
    refused(wait(session.commit()), ErrorKind::Tenancy);
    assert_eq!(
        (w.spy.commits(), w.spy.reads(), w.spy.searches()),
        (0, 0, 0)
    );
}

#[test]
fn without_a_tenant_a_type_that_has_them_is_refused() {
    let w = watched();
    let mut session = w.store.session_without_tenant();
    let message = refused(wait(session.load::<Note>(1)), ErrorKind::Tenancy);
    assert!(message.contains("notes"), "{message}");
    session.store(&Note::new(1, "x"));
    refused(wait(session.commit()), ErrorKind::Tenancy);
    session.store(&Point::new("p", [1.0, 2.0]));
    wait(session.commit()).unwrap();
}

#[test]
fn a_type_without_tenants_is_the_same_from_every_session() {
    let w = watched();
    let mut session = w.store.session("a");
    session.store(&Point::new("p", [1.0, 2.0]));
    wait(session.commit()).unwrap();
    for reader in [w.store.reader("b"), w.store.reader_without_tenant()] {
        assert!(wait(reader.load::<Point>("p")).unwrap().is_some());
    }
}

#[test]
fn crossing_tenants_is_explicit_and_every_match_says_whose_it_is() {
    let w = watched();
    for tenant in ["b", "a"] {
        let mut session = w.store.session(tenant);
        session.store(&Note::new(1, "pool"));
        session.store(&Note::new(2, "pool"));
        wait(session.commit()).unwrap();
    }
    assert_eq!(
        wait(w.store.reader("a").query::<Note>().count()).unwrap(),
        2
    );
    let all = w.store.across_tenants();
    let expected = [("a", 1), ("a", 2), ("b", 1), ("b", 2)];
    let owned = wait(all.query::<Note>()).unwrap();
    let found: Vec<_> = owned
        .iter()
        .map(|owned| (owned.tenant.as_ref().unwrap().as_str(), owned.document.id))
        .collect();
    assert_eq!(found, expected);
    let hits = wait(all.search::<Note>().matching("pool")).unwrap();
    let found: Vec<_> = hits
        .iter()
        .map(|hit| (hit.tenant.as_ref().unwrap().as_str(), hit.document.id))
        .collect();
    assert_eq!(found, expected);
}
