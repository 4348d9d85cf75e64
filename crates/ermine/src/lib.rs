//! Documents and their embeddings in the database an application already runs, with one meaning of search.
