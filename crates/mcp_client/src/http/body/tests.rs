//! Tests of `body`.

use super::{BEGINNING, beginning, whole};
use bytes::Bytes;
use futures::{StreamExt, stream};

/// PEERS 7: a body without end is given up, or left where enough of it has come.
#[tokio::test]
async fn bodies_are_bounded() {
    let endless = || stream::repeat_with(|| Ok(Bytes::from_static(&[b'x'; 1_000])));
    assert!(whole(endless(), 10_000).await.is_err());
    assert!(whole(endless().take(10), 10_000).await.is_ok());
    let begun = beginning(endless()).await;
    assert!((BEGINNING..BEGINNING + 1_000).contains(&begun.len()), "{}", begun.len());
    tokio::time::pause();
    assert_eq!(beginning(endless().take(1).chain(stream::pending())).await.len(), 1_000);
}
