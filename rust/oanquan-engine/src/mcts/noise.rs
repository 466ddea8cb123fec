//! Noise at the root, for learners that play against themselves.

use crate::GameStream;

/// Noise of the symmetric Dirichlet distribution, mixed into the priors of the root: `(1 - fraction) p + fraction η`.
///
/// Drawn as quotients of gamma numbers (G. Marsaglia and W. W. Tsang, *A Simple Method for Generating Gamma Variables*,
/// 2000). It goes through logarithms of the system's library, which may differ from machine to machine in the last bits.
///
/// ```
/// use oanquan_engine::mcts::Noise;
/// assert!(Noise { alpha: 0.3, fraction: 0.25 }.fault().is_none());
/// assert_eq!(Noise { alpha: 0.0, fraction: 0.25 }.fault().unwrap(), "noise: expected alpha above 0 to 1000, got 0");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// The parameter of the distribution: the smaller, the more falls to few moves.
    pub alpha: f32,
    /// How much of the priors it replaces, 0 to 1.
    pub fraction: f32,
}

impl Noise {
    /// Why it is no noise: `None` for a good one.
    ///
    /// ```
    /// use oanquan_engine::mcts::Noise;
    /// assert!(Noise { alpha: 1.0, fraction: 2.0 }.fault().is_some());
    /// ```
    pub fn fault(&self) -> Option<String> {
        let Self { alpha, fraction } = *self;
        if !(alpha > 0.0 && alpha <= 1000.0) {
            return Some(format!("noise: expected alpha above 0 to 1000, got {alpha}"));
        }
        (!(0.0..=1.0).contains(&fraction)).then(|| format!("noise: expected a fraction of 0 to 1, got {fraction}"))
    }

    /// So many shares that sum to 1, with the draws of that stream.
    pub(super) fn shares(self, count: usize, stream: GameStream) -> Vec<f32> {
        let mut draws = Draws { stream, next: 0 };
        let alpha = f64::from(self.alpha);
        let numbers: Vec<f64> = (0..count).map(|_| draws.gamma(alpha)).collect();
        let all: f64 = numbers.iter().sum();
        // For a tiny alpha all may be too small for a double.
        let share = |number: f64| if all > 0.0 { number / all } else { 1.0 / count as f64 };
        numbers.into_iter().map(|number| share(number) as f32).collect()
    }
}

/// The draws of a stream, one after the other.
struct Draws {
    stream: GameStream,
    next: u32,
}

impl Draws {
    /// Between 0 and 1, neither of them.
    fn uniform(&mut self) -> f64 {
        let draw = self.stream.draw(self.next) >> 11;
        self.next += 1;
        (draw as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// By Box and Muller.
    fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// A gamma number of that shape and scale 1.
    fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let power = self.uniform().powf(1.0 / shape);
            return self.gamma(shape + 1.0) * power;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let normal = self.normal();
            let v = (1.0 + c * normal).powi(3);
            if v > 0.0 && self.uniform().ln() < 0.5 * normal * normal + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean 1 / n, and the variance of a Dirichlet distribution.
    #[test]
    fn shares_are_of_the_distribution() {
        for alpha in [0.03_f32, 0.3, 1.0, 10.0] {
            let (count, runs) = (10, 20_000);
            let (mut sum, mut squares) = (0.0, 0.0);
            for run in 0..runs {
                let shares = Noise { alpha, fraction: 1.0 }.shares(count, GameStream::new(1, run));
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                sum += f64::from(shares[0]);
                squares += f64::from(shares[0]).powi(2);
            }
            let mean = sum / runs as f64;
            let variance = squares / runs as f64 - mean * mean;
            let (n, alpha) = (count as f64, f64::from(alpha));
            let expected = (n - 1.0) / (n * n * (n * alpha + 1.0));
            assert!((mean - 1.0 / n).abs() < 4.0 * (expected / runs as f64).sqrt(), "{alpha}: mean {mean}");
            assert!((variance / expected - 1.0).abs() < 0.06, "{alpha}: variance {variance}, not {expected}");
        }
    }
}
