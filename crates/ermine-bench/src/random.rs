//! The same choices on every machine.

/// xorshift64*.
pub(crate) struct Random(u64);

impl Random {
    /// A generator; `seed` is not 0.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of `items`; `None` where there are none.
    pub(crate) fn of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D);
        let at = (u128::from(bits) * items.len() as u128) >> 64;
        items.get(usize::try_from(at).ok()?)
    }

    /// Puts them in a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        let places: Vec<usize> = (0..items.len()).collect();
        for last in (1..items.len()).rev() {
            if let Some(other) = places.get(..=last).and_then(|places| self.of(places)) {
                items.swap(last, *other);
            }
        }
    }
}
