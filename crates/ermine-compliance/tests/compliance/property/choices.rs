//! Choosing by a list of numbers.

/// What is left of a case's numbers.
pub(super) struct Choices<'a>(std::slice::Iter<'a, u32>);

impl<'a> Choices<'a> {
    pub(super) fn of(numbers: &'a [u32]) -> Self {
        Self(numbers.iter())
    }

    pub(super) fn are_left(&self) -> bool {
        !self.0.as_slice().is_empty()
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0.next().map_or(0, |number| *number as usize % bound)
    }

    /// True once in `odds` times.
    pub(super) fn once_in(&mut self, odds: usize) -> bool {
        self.below(odds) == odds - 1
    }

    pub(super) fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// One of the values, half of the time of the first three: values that meet
    /// tell more than values that differ.
    pub(super) fn likely<T: Clone>(&mut self, values: &[T]) -> T {
        let few = values.get(..3).unwrap_or(values);
        match self.below(2) {
            0 => self.one_of(few),
            _ => self.one_of(values),
        }
    }

    /// Up to `most` things.
    pub(super) fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.below(most + 1);
        (0..count).map(|_| make(self)).collect()
    }
}
