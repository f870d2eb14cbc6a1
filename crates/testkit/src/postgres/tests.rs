//! Tests of `postgres`.

use super::Postgres;

#[test]
fn a_server_takes_a_crash_and_leaves_nothing() {
    let server = Postgres::start();
    let url = server.database();
    let name = url.rsplit('/').next().unwrap();
    server.sql(name, "CREATE TABLE kept (n INT); INSERT INTO kept VALUES (1)");
    server.crash();
    server.restart();
    server.sql(name, "INSERT INTO kept SELECT n + 1 FROM kept");
    let directory = server.directory().to_owned();
    drop(server);
    assert!(!directory.exists());
}
