//! Tests of `work`.

use super::{Meter, WorkStop};

#[test]
fn steps_are_counted_and_parts_are_no_more_than_the_whole() {
    let meter = Meter::new(10);
    assert_eq!((meter.spend(4), meter.spend(6)), (Ok(()), Ok(())));
    assert_eq!(meter.spend(1), Err(WorkStop::Spent(10)));
    let meter = Meter::new(10);
    let part = meter.part(3);
    assert_eq!((part.spend(3), part.spend(1)), (Ok(()), Err(WorkStop::Spent(3))));
    assert_eq!(meter.part(30).limit(), 10);
    let other = meter.part(3);
    meter.stopper().stop();
    assert_eq!((meter.spend(1), other.spend(1)), (Err(WorkStop::Stopped), Err(WorkStop::Stopped)));
}
