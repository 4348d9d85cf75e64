//! The rows a filter left, by document number.

/// A set of document numbers: what a search's filter allows.
///
/// Kept as a bitmap where the numbers lie close enough together, and sorted otherwise.
///
/// ```
/// use ermine_scan::DocSet;
/// let allowed = DocSet::from_iter([7, 3, 7]);
/// assert!(allowed.contains(3) && allowed.contains(7) && !allowed.contains(4));
/// assert_eq!(allowed.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocSet {
    len: usize,
    form: Form,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    Sorted(Vec<i64>),
    /// Bit `i` of the words says whether `first + i` is in the set.
    Bitmap {
        first: i64,
        words: Vec<u64>,
    },
}

impl Default for Form {
    fn default() -> Self {
        Self::Sorted(Vec::new())
    }
}

/// A bitmap this small is taken however few documents are in it (128 KiB).
const ALWAYS_BITMAP_WORDS: usize = 16 * 1024;

impl DocSet {
    /// Whether `doc` is in the set.
    pub fn contains(&self, doc: i64) -> bool {
        match &self.form {
            Form::Sorted(docs) => docs.binary_search(&doc).is_ok(),
            Form::Bitmap { first, words } => {
                let Some((word, bit)) = place(*first, doc) else {
                    return false;
                };
                words.get(word).is_some_and(|w| w >> bit & 1 == 1)
            }
        }
    }

    /// How many documents are in the set.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The word and the bit of `doc` in a bitmap that starts at `first`.
fn place(first: i64, doc: i64) -> Option<(usize, u32)> {
    let offset = doc.checked_sub(first)?;
    let word = usize::try_from(offset / 64).ok()?;
    Some((word, u32::try_from(offset % 64).ok()?))
}

impl FromIterator<i64> for DocSet {
    fn from_iter<I: IntoIterator<Item = i64>>(docs: I) -> Self {
        let mut docs: Vec<i64> = docs.into_iter().collect();
        docs.sort_unstable();
        docs.dedup();
        let len = docs.len();
        let span = docs
            .first()
            .zip(docs.last())
            .and_then(|(first, last)| Some((*first, place(*first, *last)?.0 + 1)));
        let form = match span {
            // No larger than the sorted form, or small anyway.
            Some((first, words)) if words <= len.max(ALWAYS_BITMAP_WORDS) => {
                let mut bitmap = vec![0_u64; words];
                for (word, bit) in docs.iter().filter_map(|doc| place(first, *doc)) {
                    if let Some(word) = bitmap.get_mut(word) {
                        *word |= 1 << bit;
                    }
                }
                Form::Bitmap {
                    first,
                    words: bitmap,
                }
            }
            _ => Form::Sorted(docs),
        };
        Self { len, form }
    }
}
