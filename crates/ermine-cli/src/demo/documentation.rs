//! The repository's documentation, as part of the program.
//!
//! `documentation/` holds links to the files, so that they are in the package, too,
//! when one is made.

macro_rules! documentation {
    ($($name:literal from $link:literal;)*) => {
        /// Files by their names in the repository.
        pub(super) const DOCUMENTATION: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../documentation/", $link)))),*];
    };
}

documentation! {
    "ARCHITECTURE.md" from "ARCHITECTURE.md";
    "CHANGELOG.md" from "CHANGELOG.md";
    "CONTRIBUTING.md" from "CONTRIBUTING.md";
    "README.md" from "README.md";
    "crates/ermine-cli/README.md" from "crates/ermine-cli.md";
    "crates/ermine-core/README.md" from "crates/ermine-core.md";
    "crates/ermine-embed/README.md" from "crates/ermine-embed.md";
    "crates/ermine-macros/README.md" from "crates/ermine-macros.md";
    "crates/ermine-store/README.md" from "crates/ermine-store.md";
    "docs/measurements.md" from "docs/measurements.md";
    "docs/metrics.md" from "docs/metrics.md";
    "docs/program.md" from "docs/program.md";
    "docs/semantics.md" from "docs/semantics.md";
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::DOCUMENTATION;

    fn markdown_in(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries
            .filter(|path| path.extension().is_some_and(|e| e == "md"))
            .collect()
    }

    #[test]
    fn it_is_all_of_the_repositorys_pages() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut pages = markdown_in(&root);
        pages.extend(markdown_in(&root.join("docs")));
        for krate in fs::read_dir(root.join("crates")).unwrap() {
            let readme = krate.unwrap().path().join("README.md");
            pages.extend(readme.exists().then_some(readme));
        }
        let mut expected: Vec<(String, String)> = pages
            .iter()
            .map(|page| {
                let name = page.strip_prefix(&root).unwrap().to_str().unwrap();
                (name.replace('\\', "/"), fs::read_to_string(page).unwrap())
            })
            .collect();
        expected.sort();
        let included = DOCUMENTATION
            .iter()
            .map(|(name, text)| ((*name).into(), (*text).into()));
        let included: Vec<(String, String)> = included.collect();
        let names = |pages: &[(String, String)]| -> Vec<String> {
            pages.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(
            names(&included),
            names(&expected),
            "add what is new to the list above"
        );
        assert!(included == expected);
    }
}
