//! Tests of `signals`.

use super::ignores_hangup;

#[test]
fn the_mask_of_ignored_signals() {
    assert!(ignores_hangup("Name:\ta\nSigIgn:\t0000000000001001\n"));
    assert!(!ignores_hangup("SigBlk:\t0000000000000001\nSigIgn:\t0000000000001000\n"));
    assert!(!ignores_hangup("SigIgn:\tnonsense\n") && !ignores_hangup(""));
}
