//! Tests of `write_timeout`.

use super::WriteTimeout;
use std::io::ErrorKind;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test(start_paused = true)]
async fn who_reads_slowly_is_waited_for_and_who_does_not_is_not() {
    let (here, mut client) = tokio::io::duplex(10);
    let mut server = WriteTimeout::new(here, Duration::from_secs(30));
    let reading = tokio::spawn(async move {
        let mut ten = [0; 10];
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_secs(20)).await;
            client.read_exact(&mut ten).await.unwrap();
        }
        client
    });
    server.write_all(&[7; 40]).await.unwrap();
    let client = reading.await.unwrap();
    tokio::time::sleep(Duration::from_secs(100)).await;
    let stuck = server.write_all(&[7; 40]).await.unwrap_err();
    assert_eq!(stuck.kind(), ErrorKind::TimedOut);
    drop(client);
}
