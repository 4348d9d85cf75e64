//! Packed vector blocks and exact scans for Ermine; knows no database.
