//! A headless Chromium, spoken to in its own protocol over a pipe: JSON messages that end in a zero byte. No driver, no
//! socket, no port.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Chromium {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    last_id: u64,
    session: String,
    /// Messages of level error, uncaught exceptions, and requests for anything but files.
    pub complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    Light,
    Dark,
}

/// The program to run: `ANONLAB_CHROMIUM`, or the first of the usual names. None, with a message, where there is none; but
/// where CI is set that is a failure.
pub fn find() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("ANONLAB_CHROMIUM") {
        return Some(given.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|candidate| candidate.is_file());
    if found.is_none() {
        let message = "no Chromium here: scripts/install-chromium.sh installs it";
        assert!(std::env::var_os("CI").is_none_or(|ci| ci.is_empty() || ci == "false"), "{message}");
        eprintln!("skipped: {message}");
    }
    found
}

impl Chromium {
    pub fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // Chromium reads commands from descriptor 3 and writes answers to 4; the shell puts our pipes there.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null"#, "sh"])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let (sender, from) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while answers.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                if let Ok(value) = serde_json::from_slice(&message)
                    && sender.send(value).is_err()
                {
                    return;
                }
                message.clear();
            }
        });
        let mut chromium =
            Self { child, to, from, last_id: 0, session: String::new(), complaints: Vec::new(), _profile: profile };
        let target = chromium.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            chromium.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        chromium.session = attached["sessionId"].as_str().unwrap().to_string();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            chromium.call(&format!("{domain}.enable"), json!({}));
        }
        chromium
    }

    /// Sends a command and waits for its answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.to.write_all(&bytes).unwrap();
        let id = self.last_id;
        let answer = self.wait_for(method, |message| message["id"] == id);
        assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
        answer["result"].clone()
    }

    fn wait_for(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.from.recv_timeout(left).unwrap_or_else(|_| panic!("Chromium does not answer: {what}"));
            self.note(&message);
            if is_it(&message) {
                return message;
            }
        }
    }

    fn note(&mut self, message: &Value) {
        let parameters = &message["params"];
        let complaint = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => Some(parameters["exceptionDetails"].to_string()),
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => Some(parameters["entry"].to_string()),
            Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => Some(parameters["args"].to_string()),
            Some("Network.requestWillBeSent") => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                let local = ["file:", "data:", "about:"].iter().any(|scheme| url.starts_with(scheme));
                (!local).then(|| format!("asked for {url}"))
            }
            _ => None,
        };
        self.complaints.extend(complaint);
    }

    pub fn look(&mut self, width: u32, height: u32, scheme: Scheme) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 }),
        );
        let scheme = if scheme == Scheme::Dark { "dark" } else { "light" };
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
    }

    pub fn scripts(&mut self, on: bool) {
        self.call("Emulation.setScriptExecutionDisabled", json!({ "value": !on }));
    }

    pub fn open(&mut self, page: &Path) {
        let url = format!("file://{}", page.display());
        let answer = self.call("Page.navigate", json!({ "url": url }));
        assert!(answer.get("errorText").is_none(), "{url}: {}", answer["errorText"]);
        self.wait_for("the page", |message| message["method"] == "Page.loadEventFired");
    }

    /// The value of an expression on the page.
    pub fn ask(&mut self, expression: &str) -> Value {
        let answer = self
            .call("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }));
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// A picture of the first element that the selector finds.
    pub fn screenshot(&mut self, selector: &str, path: &Path) {
        use base64::Engine;
        let clip = self.ask(&format!(
            "(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect();
            return {{ x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: Math.min(b.height, 12000), scale: 1 }}; }})()"
        ));
        let parameters = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let picture = self.call("Page.captureScreenshot", parameters);
        let bytes = base64::engine::general_purpose::STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Its own processes go with it; what they leave behind is in the profile.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
