//! Variable-length integers: seven bits a byte, least significant first.

use crate::TextError;

/// Appends `value` in one to ten bytes.
pub(crate) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8 & 0x7f) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed value, small magnitudes in few bytes.
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, ((value << 1) ^ (value >> 63)) as u64);
}

/// Reads an encoding from its start, never past its end.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
    what: &'static str,
}

impl<'a> Reader<'a> {
    /// A reader whose errors name `what` is read.
    pub(crate) fn new(bytes: &'a [u8], what: &'static str) -> Self {
        Self {
            bytes,
            offset: 0,
            what,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.offset >= self.bytes.len()
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.offset)
    }

    /// The error that something here is wrong.
    pub(crate) fn corrupt(&self, detail: &'static str) -> TextError {
        TextError::Corrupt {
            what: self.what,
            detail,
            offset: self.offset,
        }
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Result<u64, TextError> {
        match self.bytes.get(self.offset) {
            Some(&byte) if byte < 0x80 => {
                self.offset += 1;
                Ok(u64::from(byte))
            }
            _ => self.long_u64(),
        }
    }

    fn long_u64(&mut self) -> Result<u64, TextError> {
        let mut value = 0u64;
        let mut shift = 0u32;
        loop {
            let Some(&byte) = self.bytes.get(self.offset) else {
                return Err(self.corrupt("it ends inside a number"));
            };
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || (shift == 63 && bits > 1) {
                return Err(self.corrupt("a number is too large"));
            }
            self.offset += 1;
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            shift += 7;
        }
    }

    pub(crate) fn i64(&mut self) -> Result<i64, TextError> {
        let value = self.u64()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, TextError> {
        let value = self.u64()?;
        u32::try_from(value).map_err(|_| self.corrupt("a count or position is too large"))
    }

    /// A number of bytes that follow: checked against what is left.
    #[inline]
    pub(crate) fn length(&mut self) -> Result<usize, TextError> {
        let value = self.u64()?;
        match usize::try_from(value) {
            Ok(length) if length <= self.remaining() => Ok(length),
            _ => Err(self.corrupt("a part is longer than what is left")),
        }
    }

    #[inline]
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], TextError> {
        let end = self.offset.checked_add(length);
        let Some(part) = end.and_then(|end| self.bytes.get(self.offset..end)) else {
            return Err(self.corrupt("a part is longer than what is left"));
        };
        self.offset += length;
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_round_trip(a: u64, b: i64, c in 0u64..300) {
            let mut bytes = Vec::new();
            put(&mut bytes, a);
            put_signed(&mut bytes, b);
            put(&mut bytes, c);
            let mut reader = Reader::new(&bytes, "test");
            prop_assert_eq!(reader.u64(), Ok(a));
            prop_assert_eq!(reader.i64(), Ok(b));
            prop_assert_eq!(reader.u64(), Ok(c));
            prop_assert!(reader.is_empty());
        }
    }

    #[test]
    fn eleven_bytes_are_refused() {
        assert!(Reader::new(&[0xff; 11], "test").u64().is_err());
        assert!(Reader::new(&[0x80], "test").u64().is_err());
    }
}
