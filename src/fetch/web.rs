use crate::sources::DataError;
use std::path::PathBuf;
use std::time::Duration;
use ureq::Agent;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// The one place that talks to the network.
pub(super) struct Web {
    pub(super) agent: Agent,
}

impl Web {
    /// Certificates are those of `SSL_CERT_FILE` or `PIP_CERT`, where a machine has its own, else Mozilla's.
    pub fn new() -> Result<Self, DataError> {
        let mut config = Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(20)))
            .timeout_global(Some(Duration::from_secs(600)))
            .user_agent(concat!("anonlab/", env!("CARGO_PKG_VERSION")));
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(path) = variable("SSL_CERT_FILE").or_else(|| variable("PIP_CERT")) {
            let pem = std::fs::read(&path).map_err(|error| DataError::file(&path, error))?;
            let certificates = parse_pem(&pem).filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            });
            let tls = TlsConfig::builder().root_certs(RootCerts::from(certificates)).build();
            config = config.tls_config(tls);
        }
        Ok(Self { agent: config.build().new_agent() })
    }

    /// The body of the answer, if it is no longer than `limit`.
    pub fn get(&self, url: &str, limit: u64) -> Result<Vec<u8>, String> {
        let mut answer = self.agent.get(url).call().map_err(|error| error.to_string())?;
        answer.body_mut().with_config().limit(limit).read_to_vec().map_err(|error| match error {
            ureq::Error::BodyExceedsLimit(limit) => format!("more than {limit} bytes"),
            other => other.to_string(),
        })
    }
}
