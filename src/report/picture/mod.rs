//! Drawings as PDF and PNG. A program that was built without the feature `pictures` says so.

#[cfg(not(feature = "pictures"))]
mod absent;
#[cfg(feature = "pictures")]
mod drawn;

#[cfg(not(feature = "pictures"))]
pub use absent::{pdf, png};
#[cfg(feature = "pictures")]
pub use drawn::{pdf, png};
