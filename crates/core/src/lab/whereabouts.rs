//! Where a long computation is, for people who wait for it.

use super::words::thousands;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Shares of a phase are told at most this often.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// Tells phases, and how much of a phase is done: "measuring queries 640/1,000". It changes nothing of what is computed.
#[derive(Clone)]
pub struct Whereabouts {
    tell: Arc<dyn Fn(&str) + Send + Sync>,
    phase: Arc<Mutex<(String, Instant)>>,
}

impl fmt::Debug for Whereabouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Whereabouts")
    }
}

impl Whereabouts {
    /// Calls `tell` with every phase that is entered, and now and then within one.
    pub fn new(tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { tell: Arc::new(tell), phase: Arc::new(Mutex::new((String::new(), Instant::now()))) }
    }

    /// A phase begins.
    pub fn enter(&self, phase: &str) {
        if let Ok(mut now) = self.phase.lock() {
            *now = (phase.to_string(), Instant::now());
        }
        (self.tell)(phase);
    }

    /// So much of the phase is done. Told now and then, so that it may be called often.
    pub fn reached(&self, done: usize, of: usize) {
        let Ok(mut now) = self.phase.lock() else { return };
        if now.1.elapsed() >= TELL_EVERY {
            now.1 = Instant::now();
            (self.tell)(&format!("{} {}/{}", now.0, thousands(done), thousands(of)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_with_their_phase_and_not_too_often() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        let whereabouts = Whereabouts::new(move |text| heard.lock().unwrap().push(text.to_string()));
        whereabouts.enter("measuring queries");
        (0..100).for_each(|done| whereabouts.reached(done, 1000));
        std::thread::sleep(TELL_EVERY);
        whereabouts.reached(640, 1000);
        assert_eq!(*told.lock().unwrap(), ["measuring queries", "measuring queries 640/1,000"]);
    }
}
