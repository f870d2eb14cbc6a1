//! Tests of `shared_reads`.

use super::SharedReads;
use crate::cache::key::tests::any_key;
use crate::error::UpstreamError;

fn read(number: u64) -> impl Future<Output = super::SharedOutcome> {
    std::future::ready(Err(UpstreamError::TooLarge { limit: 0, actual: number }))
}

/// Who joined in time gets the outcome; who comes when it is there reads anew, even while others still hold it.
#[tokio::test]
async fn nobody_joins_a_read_that_is_over() {
    let shared_reads = SharedReads::default();
    let [first, second] = [(); 2].map(|()| shared_reads.join(any_key(1), 0));
    assert_eq!(first.outcome(read(1)).await.unwrap_err(), read(1).await.unwrap_err());
    let late = shared_reads.join(any_key(1), 0);
    assert_eq!(late.outcome(read(2)).await.unwrap_err(), read(2).await.unwrap_err());
    assert_eq!(second.outcome(read(3)).await.unwrap_err(), read(1).await.unwrap_err());
    assert_eq!(shared_reads.count(), 0);
}

#[tokio::test]
async fn the_last_one_to_leave_takes_it_off_the_list() {
    let shared_reads = SharedReads::default();
    let [first, second, other] =
        [(1, 0), (1, 0), (1, 1)].map(|(key, since)| shared_reads.join(any_key(key), since));
    drop(first);
    assert_eq!(shared_reads.count(), 2);
    drop((second, other));
    assert_eq!(shared_reads.count(), 0);
}
