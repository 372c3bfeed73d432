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
    found.or_else(|| skipped("no Chromium here: scripts/install-chromium.sh installs it"))
}

/// Nothing, with a message; but where CI is set that is a failure.
pub fn skipped<T>(message: &str) -> Option<T> {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci.is_empty() || ci == "false"), "{message}");
    eprintln!("skipped: {message}");
    None
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

    /// The page at a place or in a view that its address names. Not the page that is open: nothing would load.
    pub fn open_at(&mut self, page: &Path, fragment: &str) {
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.wait_for("an empty page", |message| message["method"] == "Page.loadEventFired");
        let url = format!("file://{}#{fragment}", page.display());
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for("the page", |message| message["method"] == "Page.loadEventFired");
    }

    /// Waits until the script has prepared all plots.
    pub fn settled(&mut self) {
        let end = Instant::now() + PATIENCE;
        while self.ask("document.documentElement.dataset.plots") != "ready" {
            assert!(Instant::now() < end, "the plots are not ready");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn press(&mut self, key: &str) {
        let text = if key == "Enter" { "\r" } else { "" };
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            other => panic!("no code for {other}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    pub fn mouse(&mut self, kind: &str, x: f64, y: f64, buttons: u32) {
        let button = if buttons == 1 { "left" } else { "none" };
        let event =
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": buttons });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// The page as it is laid out for printing, on a sheet so wide.
    pub fn look_on_paper(&mut self, width: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": 1_000, "deviceScaleFactor": 1, "mobile": false }),
        );
        self.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    }

    /// The page as a PDF on A4.
    pub fn print(&mut self) -> Vec<u8> {
        use base64::Engine;
        let answer =
            self.call("Page.printToPDF", json!({ "paperWidth": 8.27, "paperHeight": 11.69, "printBackground": true }));
        base64::engine::general_purpose::STANDARD.decode(answer["data"].as_str().unwrap()).unwrap()
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
