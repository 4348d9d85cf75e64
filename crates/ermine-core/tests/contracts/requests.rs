use std::sync::Arc;

use ermine_core::{
    Accuracy, ErrorKind, IdType, Include, Metric, Page, Schema, Scope, Target, Tenancy, TenantId,
    TenantScope, VectorLeg, VectorRequest,
};

fn request(tenancy: Tenancy, tenants: TenantScope) -> VectorRequest {
    let schema = Schema::builder("notes", "id", IdType::I64)
        .tenancy(tenancy)
        .vector("v", 3, Metric::Cosine)
        .build()
        .unwrap();
    VectorRequest {
        target: Target {
            schema: Arc::new(schema),
            scope: Scope::live(tenants),
            filter: None,
        },
        leg: VectorLeg {
            field: 0,
            query: [1.0, 0.0, 0.0].into(),
            metric: Metric::Cosine,
            accuracy: Accuracy::Exact,
            max_distance: None,
        },
        page: Page::default(),
        include: Include::default(),
    }
}

fn kind(request: &VectorRequest) -> Option<ErrorKind> {
    request.check().err().map(|e| e.kind())
}

#[test]
fn a_scope_must_fit_the_tenancy() {
    let acme = || TenantScope::One(TenantId::new("acme").unwrap());
    assert_eq!(kind(&request(Tenancy::None, TenantScope::Untenanted)), None);
    assert_eq!(kind(&request(Tenancy::Conjoined, acme())), None);
    assert_eq!(kind(&request(Tenancy::Conjoined, TenantScope::All)), None);
    let untenanted = request(Tenancy::Conjoined, TenantScope::Untenanted);
    assert_eq!(kind(&untenanted), Some(ErrorKind::Tenancy));
    assert_eq!(
        kind(&request(Tenancy::None, acme())),
        Some(ErrorKind::Tenancy)
    );
    assert!(TenantId::new("").is_err());
}

#[test]
fn a_limit_of_ten_thousand_is_the_largest() {
    let mut request = request(Tenancy::None, TenantScope::Untenanted);
    request.page = Page::first(10_000);
    assert_eq!(kind(&request), None);
    request.page = Page::first(10_001);
    assert_eq!(kind(&request), Some(ErrorKind::InvalidOption));
}

#[test]
fn the_query_vector_is_judged_even_when_nothing_is_asked() {
    let mut request = request(Tenancy::None, TenantScope::Untenanted);
    request.page = Page::first(0);
    request.leg.query = [1.0, 0.0].into();
    assert_eq!(kind(&request), Some(ErrorKind::WrongDimensions));
    request.leg.query = [0.0, 0.0, 0.0].into();
    assert_eq!(kind(&request), Some(ErrorKind::InvalidVector));
    request.leg.metric = Metric::L1;
    assert_eq!(kind(&request), None);
}
