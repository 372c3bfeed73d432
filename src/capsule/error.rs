/// Why a file is no capsule that can be used, or why none can be made.
#[derive(Debug, thiserror::Error)]
pub enum CapsuleError {
    /// It is refused: where in it, and what is wrong.
    #[error("{0}")]
    Refused(String),
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl CapsuleError {
    pub fn refused(message: impl Into<String>) -> Self {
        Self::Refused(message.into())
    }
}
