//! Room for what a search remembers, taken piece by piece.

/// Pieces that are laid out between two questions whether to go on.
const STRIDE: usize = 1 << 15;

/// Equal pieces of memory to begin with, as many as fit.
pub(super) struct Room<T> {
    pieces: Vec<T>,
    /// How many there are to be.
    count: usize,
    empty: T,
}

impl<T: Copy> Room<T> {
    /// One piece, with room reserved for at most so many bytes; `None` if there is none.
    pub(super) fn new(bytes: usize, empty: T) -> Option<Self> {
        let count = (bytes / size_of::<T>()).max(1);
        let mut pieces = Vec::new();
        pieces.try_reserve_exact(count).ok()?;
        pieces.push(empty);
        Some(Self { pieces, count, empty })
    }

    /// Takes all of it, which can take seconds, while it is told to go on; what it has then does as well.
    pub(super) fn lay_out(&mut self, go_on: impl Fn() -> bool) {
        while self.pieces.len() < self.count && go_on() {
            self.pieces.resize(self.count.min(self.pieces.len() + STRIDE), self.empty);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The piece for what has these well mixed bits.
    #[inline]
    pub(super) fn place(&self, mixed: u64) -> usize {
        ((u128::from(mixed) * self.pieces.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> Option<&T> {
        self.pieces.get(place)
    }

    #[inline]
    pub(super) fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        self.pieces.get_mut(place)
    }
}
