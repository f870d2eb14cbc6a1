//! Tests of `body`.

use super::{MAX_START, read_all, read_start};
use bytes::Bytes;
use futures::{StreamExt, stream};

/// PEERS 7: a body without end is given up, or left where enough of it has come.
#[tokio::test]
async fn bodies_are_bounded() {
    let endless = || stream::repeat_with(|| Ok(Bytes::from_static(&[b'x'; 1_000])));
    assert!(read_all(endless(), 10_000).await.is_err());
    assert!(read_all(endless().take(10), 10_000).await.is_ok());
    let begun = read_start(endless()).await;
    assert!((MAX_START..MAX_START + 1_000).contains(&begun.len()), "{}", begun.len());
    tokio::time::pause();
    assert_eq!(read_start(endless().take(1).chain(stream::pending())).await.len(), 1_000);
}
