use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Whether somebody asked the run to end (Ctrl-C, SIGTERM). Cells that run are killed, finished ones are in the store.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to SIGINT and SIGTERM. A second one ends the process at once.
    pub fn on_signals() -> std::io::Result<Self> {
        let interrupt = Self::default();
        for signal in [libc::SIGINT, libc::SIGTERM] {
            signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&interrupt.0))?;
            signal_hook::flag::register(signal, Arc::clone(&interrupt.0))?;
        }
        Ok(interrupt)
    }

    pub fn is_set(&self) -> bool {
        self.0.load(SeqCst)
    }

    /// Asks for the end, as a signal would.
    #[cfg(test)]
    pub fn set(&self) {
        self.0.store(true, SeqCst);
    }
}
