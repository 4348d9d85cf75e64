//! The tour.

use crate::support::Place;

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
    let second = place.run(&["demo"]).succeeded();
    assert!(
        second.contains("0 new, 0 changed,") && second.contains("0 texts embedded"),
        "{second}"
    );
    let tour = |out: &str| out.split_once("\n\n").unwrap().1.to_owned();
    assert_eq!(tour(&first), tour(&second));
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
