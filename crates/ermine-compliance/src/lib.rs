//! The facts every Ermine store must pass, and the in-memory reference store that is their oracle.
