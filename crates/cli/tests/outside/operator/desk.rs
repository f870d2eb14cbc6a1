//! A server whose dangerous calls an operator approves, its API, and its operator.

use crate::outside::harness::{Place, Ran, Server, TOKEN, code, inside, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::path::PathBuf;

pub const PASSPHRASE: &str = "correct horse battery\n";

/// The three of them.
pub struct Desk {
    pub api: FakeApi,
    pub server: Server,
    /// Where the operator runs commands: the server's state is in it.
    pub place: Place,
}

impl Desk {
    /// In front of the shop.
    pub async fn open(arguments: &[&str]) -> Desk {
        let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
        let with_mode = [&["--confirmation", "operator"], arguments].concat();
        Desk::of(Place::new(), api, &shop(), &with_mode).await
    }

    /// In front of an adapter file in this place.
    pub async fn of(place: Place, api: FakeApi, source: &str, arguments: &[&str]) -> Desk {
        Desk::with_variables(place, api, source, arguments, &[("SHOP_TOKEN", TOKEN)]).await
    }

    /// The same with these variables.
    pub async fn with_variables(
        place: Place,
        api: FakeApi,
        source: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Desk {
        let state = state_of(&place).display().to_string();
        let base_url = api.base_url();
        let mut all = vec![source, "--base-url", &base_url, "--state-dir", &state];
        all.extend(arguments);
        let set = place
            .run(&["operator", "init", "--state-dir", &state, "--passphrase-stdin"], &[], PASSPHRASE)
            .await;
        assert_eq!(set.code, 0, "{set:?}");
        let mut server = Server::start(&all, variables);
        server.open().await;
        Desk { api, server, place }
    }

    /// What the operator does.
    pub async fn operator(&self, arguments: &[&str]) -> Ran {
        self.operator_with(arguments, PASSPHRASE).await
    }

    pub async fn operator_with(&self, arguments: &[&str], input: &str) -> Ran {
        let state = state_of(&self.place).display().to_string();
        let mut all = vec!["operator"];
        all.extend(arguments);
        all.extend(["--state-dir", &state, "--passphrase-stdin"]);
        self.place.run(&all, &[], input).await
    }

    pub async fn delete(&mut self, params: Value) -> Value {
        self.server.call("mcp_aql_delete", "delete_order", params).await
    }

    /// A call of the one tool, with these arguments.
    pub async fn raw(&mut self, arguments: Value) -> Value {
        inside(&self.server.call_raw("mcp_aql", arguments).await)
    }

    pub fn sent(&self) -> usize {
        self.api.requests().len()
    }
}

pub fn state_of(place: &Place) -> PathBuf {
    place.path().join("state")
}

pub fn approval_id(asked: &Value) -> String {
    assert_eq!(code(asked), "CONFIRMATION_REQUIRED", "{asked}");
    let details = &asked["error"]["details"];
    assert!(details.get("confirmation_token").is_none() && asked.get("confirmation").is_none(), "{asked}");
    details["approval_id"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned()
}
