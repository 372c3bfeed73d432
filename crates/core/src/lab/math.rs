//! Transcendental functions that give the same bits on every machine.
//!
//! The standard library takes `exp`, `ln` and `powf` from the platform's C library, which picks other variants on other
//! processors; their last digits differ. These are from the pure-Rust `libm`, and `clippy.toml` refuses the methods of
//! `f64` in this crate. Square roots are exact everywhere and stay methods.

/// e to the power of x.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// The natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// The logarithm to the base 2.
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// x to the power of y.
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// To the bit: these are what every machine must give.
    #[test]
    fn bits_are_fixed() {
        assert_eq!(exp(1.0).to_bits(), 0x4005_bf0a_8b14_576a);
        assert_eq!(ln(3.0).to_bits(), 0x3ff1_93ea_7aad_030a);
        assert_eq!(log2(9.0).to_bits(), 0x4009_5c01_a39f_bd68);
        assert_eq!(powf(2.0, 0.5).to_bits(), std::f64::consts::SQRT_2.to_bits());
        assert_eq!(powf(0.9, 2.0), 0.9 * 0.9);
    }
}
