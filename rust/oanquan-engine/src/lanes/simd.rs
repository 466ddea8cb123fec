//! Vectors of one byte for each game: what a step asks of a processor.

/// The operations of one processor on vectors of `GAMES` bytes. Whoever has a value of the type has asked whether the
/// processor can do them: that is why they are safe.
///
/// A *word* is eight bytes of a vector.
pub(super) trait Simd<const GAMES: usize>: Copy {
    /// A byte for each game.
    type Bytes: Copy;
    /// Some of the games.
    type Mask: Copy;

    fn load(self, from: &[u8; GAMES]) -> Self::Bytes;
    fn store(self, to: &mut [u8; GAMES], value: Self::Bytes);
    /// `from[part]`, in words.
    fn load_words(self, from: &Words<GAMES>, part: usize) -> Self::Bytes;
    /// Pairs of bytes as numbers of 16 bits. The bytes are interleaved in blocks of sixteen games: first come the first
    /// eight of each block, then the others.
    fn store_pairs(self, to: &mut [u16; GAMES], low: Self::Bytes, high: Self::Bytes);
    fn splat(self, byte: u8) -> Self::Bytes;
    fn splat_word(self, word: u64) -> Self::Bytes;

    fn add(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn sub(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn min(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn max(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn and(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn or(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn xor(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The bytes of a table by the lower four bits of an index; zero where its upper bit is set.
    fn look_up(self, table: &[u8; 16], index: Self::Bytes) -> Self::Bytes;

    fn add_words(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn mul_words(self, a: Self::Bytes, factor: u64) -> Self::Bytes;
    /// The products of the lower halves of the words.
    fn mul_halves(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn shl_words(self, a: Self::Bytes, bits: u32) -> Self::Bytes;
    fn shr_words(self, a: Self::Bytes, bits: u32) -> Self::Bytes;

    fn is_zero(self, a: Self::Bytes) -> Self::Mask;
    fn equal(self, a: Self::Bytes, b: Self::Bytes) -> Self::Mask;
    /// Where `a <= b`.
    fn at_most(self, a: Self::Bytes, b: Self::Bytes) -> Self::Mask;
    /// Where `a` has that one bit.
    fn has_bit(self, a: Self::Bytes, bit: u8) -> Self::Mask;
    fn select(self, mask: Self::Mask, yes: Self::Bytes, no: Self::Bytes) -> Self::Bytes;
    /// Zero outside of the mask.
    fn keep(self, mask: Self::Mask, a: Self::Bytes) -> Self::Bytes;
    /// `a + b` in the mask, `a` outside.
    fn add_where(self, mask: Self::Mask, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;

    /// All games or none.
    fn all(self, flag: bool) -> Self::Mask;
    fn both(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn either(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn without(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn any(self, mask: Self::Mask) -> bool;
    /// Bit g for game g.
    fn bits(self, mask: Self::Mask) -> u64;
    /// A mask as it is kept: 0xFF in the byte of each game.
    fn mask(self, bytes: Self::Bytes) -> Self::Mask;
    fn bytes(self, mask: Self::Mask) -> Self::Bytes;
}

/// A word for each game, in eight vectors: that of game g is in vector g % 8, where the g-th byte is in a vector of bytes.
/// So a byte of each word becomes a vector of bytes by shifts alone.
pub(super) type Words<const GAMES: usize> = [u64; GAMES];

/// Where the word of a game is in [`Words`].
pub(super) const fn word_of<const GAMES: usize>(game: usize) -> usize {
    game % 8 * (GAMES / 8) + game / 8
}
