//! The tour.

use crate::import_git::Repository;
use crate::support::{Place, Ran};

#[test]
fn the_tour_searches_three_ways_and_can_be_repeated() {
    let place = Place::new();
    let first = place.run(&["demo"]).succeeded();
    assert!(place.exists("ermine-demo.db"));
    for expected in [
        " --mode vector ",
        "cosine distance: smaller is closer",
        " --mode text ",
        "BM25 score: larger is better",
        " --filter '",
        "fused score: larger is better",
        " contributes ",
        "vector leg: exact",
        "Go on with",
    ] {
        assert!(first.contains(expected), "{expected}: {first}");
    }
    assert!(!first.contains("nothing found"), "{first}");
    assert!(first.contains("No git history"), "{first}");
    let second = place.run(&["demo"]);
    let nothing = second.err.lines().find(|line| line.contains("projected"));
    assert_eq!(nothing, None, "there is nothing to wait for");
    let second = second.succeeded();
    assert!(
        second.contains("0 new") && second.contains("0 texts embedded"),
        "{second}"
    );
    let tour = |out: &str| out.split_once("\n\n").unwrap().1.to_owned();
    assert_eq!(tour(&first), tour(&second));
}

#[test]
fn the_tour_replays_the_history_of_the_repository_it_is_run_from() {
    let place = Place::new();
    let repository = Repository::new(&place, "clone");
    repository.write("crates/ermine-cli/src/demo/source.rs", "// Ermine's own.\n");
    repository.write("docs/guide.md", "# Guide\n\nSoft deletes were planned.\n");
    repository.commit("Plan");
    repository.write(
        "docs/guide.md",
        "# Guide\n\nA soft delete hides a tenant's scores.\n",
    );
    repository.commit("Deliver");
    let demo = |folder: &str| {
        let mut command = place.command(&["demo"]);
        command.env("CARGO_MANIFEST_DIR", place.path(folder));
        Ran::of(command.output().unwrap()).succeeded()
    };
    let first = demo("clone/crates/ermine-cli");
    for expected in [
        "2 commits of ",
        "`history`: 2 events: 2 new, 0 known; 1 text embedded",
    ] {
        assert!(first.contains(expected), "{expected}: {first}");
    }
    assert!(!first.contains("nothing found"), "{first}");
    let second = demo("clone/crates/ermine-cli");
    assert!(
        second.contains("2 events: 0 new, 2 known; 0 texts embedded"),
        "{second}"
    );
    // Superseded text finds nothing.
    let planned = [
        "search",
        "planned",
        "--mode",
        "text",
        "--store",
        "ermine-demo.db",
    ];
    assert!(place.run(&planned).succeeded().contains("nothing found"));
}

#[test]
fn a_repository_without_a_commit_gives_the_pages_as_they_are() {
    let place = Place::new();
    let repository = Repository::new(&place, "clone");
    repository.write("crates/ermine-cli/src/demo/source.rs", "// Ermine's own.\n");
    let mut command = place.command(&["demo", "--store", "../demo.db"]);
    command.current_dir(place.path("clone"));
    let said = Ran::of(command.output().unwrap()).succeeded();
    assert!(
        said.contains("No git history") && said.contains("does not have any commits"),
        "{said}"
    );
}

#[test]
fn the_commands_the_tour_shows_do_what_it_did() {
    let place = Place::new();
    let tour = place.run(&["demo"]).succeeded();
    let commands: Vec<&str> = tour
        .lines()
        .filter_map(|line| line.strip_prefix("$ ermine "))
        .collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        let arguments = words(command);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let out = place.run(&arguments).succeeded();
        assert!(tour.contains(out.trim_end()), "{command}: {out}");
    }
}

/// The words of a shell command with simple quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            (' ', None) => words.push(String::new()),
            (c, _) => words.last_mut().unwrap().push(c),
        }
    }
    words
}
