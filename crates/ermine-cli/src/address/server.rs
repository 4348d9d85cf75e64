//! The URL of a PostgreSQL store.

use std::fmt;

/// The URL of a PostgreSQL database. It is shown without its password.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Server {
    url: String,
}

impl Server {
    pub(crate) fn at(url: impl Into<String>) -> Self {
        Self { url: url.into() }
    }

    /// The whole of it, for connecting.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, parameters) = match self.url.split_once('?') {
            Some((place, parameters)) => (place, Some(parameters)),
            None => (self.url.as_str(), None),
        };
        // The last @ ends the account: a password may hold others, unescaped.
        match place.rsplit_once('@') {
            Some((account, host)) => {
                let named = account.split_once("//").map_or(account, |(_, named)| named);
                let user = named.split_once(':').map_or(named, |(user, _)| user);
                write!(f, "postgres://{user}@{host}")?;
            }
            None => f.write_str(place)?,
        }
        let shown = parameters.unwrap_or_default().split('&');
        let shown = shown.filter(|parameter| !parameter.is_empty());
        let mut before = '?';
        for parameter in shown.filter(|parameter| !parameter.starts_with("password=")) {
            write!(f, "{before}{parameter}")?;
            before = '&';
        }
        Ok(())
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, shown) in [
            ("postgres://localhost/notes", "postgres://localhost/notes"),
            ("postgres://me@host:5/notes", "postgres://me@host:5/notes"),
            ("postgres://me:secret@host/x", "postgres://me@host/x"),
            ("postgresql://me:se@cr:et@host", "postgres://me@host"),
            (
                "postgres://host/x?password=secret&application_name=a&user=me",
                "postgres://host/x?application_name=a&user=me",
            ),
            ("postgres://host/x?password=secret", "postgres://host/x"),
            ("postgres://me@%2Frun%2Fpg/x", "postgres://me@%2Frun%2Fpg/x"),
        ] {
            let server = Server::at(url);
            assert_eq!(server.to_string(), shown);
            assert!(!format!("{server:?}").contains("secret"));
            assert_eq!(server.url(), url);
        }
    }
}
