//! Importing a repository's history.

use std::process::Command;

use serde_json::Value as Json;

use crate::support::{Place, Ran, ids};

on_each_store! {
    a_repositorys_history_comes_to_its_present_pages,
    what_was_committed_since_is_appended,
    a_path_and_a_name_choose_what_is_imported_and_what_it_is_called,
    a_history_that_was_written_anew_is_refused,
    a_merge_brings_its_pages_at_once,
    a_shallow_clone_is_imported_with_a_warning,
    a_version_that_is_no_text_is_named_and_passed_over,
    what_is_no_repository_is_refused_and_so_is_a_missing_git,
}

/// A repository in a folder of its own, beside the store.
pub(crate) struct Repository<'a> {
    place: &'a Place,
    name: &'a str,
}

impl<'a> Repository<'a> {
    pub(crate) fn new(place: &'a Place, name: &'a str) -> Self {
        std::fs::create_dir_all(place.path(name)).unwrap();
        let repository = Self { place, name };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
            .args([
                "-c",
                "commit.gpgsign=false",
                "-c",
                "protocol.file.allow=always",
            ])
            .args(arguments)
            .current_dir(self.place.path(self.name));
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    pub(crate) fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        self.place.write(&format!("{}/{file}", self.name), bytes);
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }
}

const GUIDE: &str = "# Guide\n\nConnections are opened lazily.\n\nThey are counted, and the counts are kept beside them.\n";

/// A repository with some history of its pages.
fn with_history(place: &Place) -> Repository<'_> {
    let repository = Repository::new(place, "manual");
    repository.write("docs/guide.md", GUIDE);
    repository.write("README.md", "# Manual\n\nStart with the guide.\n");
    repository.write("src/lib.rs", "// No page.\n");
    repository.commit("Begin");
    repository.write("docs/guide.md", GUIDE.replace("lazily", "at midnight"));
    repository.write("docs/soup.md", "Simmer gently.\n");
    repository.commit("Revise");
    repository.git(&["mv", "docs/guide.md", "docs/pools.md"]);
    repository.commit("Rename");
    std::fs::remove_file(place.path("manual/docs/soup.md")).unwrap();
    repository.commit("Forget");
    repository
}

fn import(place: &Place, options: &[&str]) -> Ran {
    place.run(&[&["import", "--git", "manual"][..], options].concat())
}

fn found(place: &Place, arguments: &[&str]) -> Vec<Json> {
    let search = ["search", "--format", "jsonl"];
    place.run(&[&search[..], arguments].concat()).json_lines()
}

fn a_repositorys_history_comes_to_its_present_pages(place: &Place) {
    with_history(place);
    let said = import(place, &[]).succeeded();
    // Recorded thrice, revised, renamed, forgotten.
    assert!(
        said.contains("`history`: 6 events: 6 new, 0 known; 2 texts embedded"),
        "{said}"
    );
    let hits = found(place, &["opened at midnight"]);
    assert_eq!(ids(&hits)[0], "manual/docs/guide.md");
    let document = &hits[0]["document"];
    assert_eq!(document["file"], "docs/pools.md");
    assert_eq!(document["title"], "Guide");
    for gone in ["lazily", "simmer"] {
        assert_eq!(found(place, &[gone, "--mode", "text"]).len(), 0, "{gone}");
    }
}

fn what_was_committed_since_is_appended(place: &Place) {
    let repository = with_history(place);
    import(place, &[]).succeeded();
    let again = import(place, &[]).succeeded();
    assert!(
        again.contains("6 events: 0 new, 6 known; 0 texts embedded"),
        "{again}"
    );
    repository.write(
        "docs/pools.md",
        "# Pools\n\nConnections are opened at noon.\n",
    );
    // Another page where a forgotten one was.
    repository.write("docs/soup.md", "Serve cold.\n");
    repository.commit("Go on");
    let more = import(place, &[]).succeeded();
    assert!(
        more.contains("9 events: 3 new, 6 known; 2 texts embedded"),
        "{more}"
    );
    let hits = found(place, &["serve cold", "--mode", "text"]);
    assert_eq!(ids(&hits), ["manual/docs/soup.md#2"]);
    let hits = found(place, &["pools", "--mode", "text"]);
    assert_eq!(ids(&hits), ["manual/docs/guide.md"]);
}

fn a_path_and_a_name_choose_what_is_imported_and_what_it_is_called(place: &Place) {
    with_history(place);
    import(place, &["--path", "docs", "--as", "m"]).succeeded();
    assert_eq!(
        ids(&found(place, &["guide", "--mode", "text"])),
        ["m/docs/guide.md"]
    );
    let line = import(place, &["--path", "dcos"]).refused();
    assert!(line.contains("at or below `dcos`"), "{line}");
}

fn a_history_that_was_written_anew_is_refused(place: &Place) {
    let repository = with_history(place);
    import(place, &[]).succeeded();
    repository.git(&["checkout", "--quiet", "--orphan", "other"]);
    repository.write("README.md", "# Manual\n\nStart elsewhere.\n");
    repository.commit("Begin again");
    let ran = import(place, &[]);
    assert_eq!(ran.code, 2, "{ran:?}");
    for part in ["`manual/README.md`", "says something else", "written anew"] {
        assert!(ran.err.contains(part), "{ran:?}");
    }
}

fn a_merge_brings_its_pages_at_once(place: &Place) {
    let repository = with_history(place);
    repository.git(&["checkout", "--quiet", "-b", "aside"]);
    repository.write("docs/tea.md", "Steep it.\n");
    repository.commit("Steep");
    repository.write("docs/tea.md", "Steep it twice.\n");
    repository.commit("Steep again");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--no-ff", "--message", "Merge", "aside"]);
    let said = import(place, &[]).succeeded();
    assert!(said.contains("7 events"), "{said}");
    assert_eq!(found(place, &["steep twice", "--mode", "text"]).len(), 1);
}

fn a_shallow_clone_is_imported_with_a_warning(place: &Place) {
    let repository = with_history(place);
    let url = format!("file://{}", place.path("manual").display());
    let clone = place.path("clone");
    repository.git(&[
        "clone",
        "--quiet",
        "--depth",
        "1",
        &url,
        clone.to_str().unwrap(),
    ]);
    let ran = place.run(&["import", "--git", "clone"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("is a shallow clone"), "{ran:?}");
    assert!(ran.out.contains("2 events: 2 new"), "{ran:?}");
}

fn a_version_that_is_no_text_is_named_and_passed_over(place: &Place) {
    let repository = with_history(place);
    repository.write("docs/pools.md", b"caf\xe9\n");
    repository.commit("Break");
    let ran = import(place, &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.err.contains("skipped docs/pools.md at ") && ran.err.contains("not UTF-8"),
        "{ran:?}"
    );
    assert_eq!(found(place, &["midnight", "--mode", "text"]).len(), 1);
}

fn what_is_no_repository_is_refused_and_so_is_a_missing_git(place: &Place) {
    let line = place.run(&["import", "--git", "nowhere"]).refused();
    assert!(line.contains("nowhere is no folder"), "{line}");
    std::fs::create_dir(place.path("manual")).unwrap();
    let ran = place
        .command(&["import", "--git", "manual"])
        .env("GIT_CEILING_DIRECTORIES", place.path(""))
        .output();
    let line = Ran::of(ran.unwrap()).refused();
    assert!(line.contains("not a git repository"), "{line}");
    let ran = place
        .command(&["import", "--git", "manual"])
        .env("PATH", "")
        .output();
    let line = Ran::of(ran.unwrap()).refused();
    assert!(line.contains("the program git is not found"), "{line}");
    place.made_nothing();
}
