//! Waits for the end of the process that started this one.
//!
//! The parent's process number comes in, and the call returns when that process is this one's parent no more: told
//! by the system on Linux, found by looking again elsewhere.

use rustix::process::{Pid, getppid};
use std::time::Duration;

/// Returns when the parent is gone; at once when it already is.
pub(crate) fn wait_for_end(parent: i32) {
    let Some(parent) = Pid::from_raw(parent) else { return };
    #[cfg(target_os = "linux")]
    if wait_by_descriptor(parent) {
        return;
    }
    while getppid() == Some(parent) {
        pause();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "without a descriptor for it the system tells of no parent's end"
)]
fn pause() {
    std::thread::sleep(Duration::from_millis(100));
}

/// Waits without waking up in between; false when the system cannot do that.
#[cfg(target_os = "linux")]
fn wait_by_descriptor(parent: Pid) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{PidfdFlags, pidfd_open};
    let Ok(descriptor) = pidfd_open(parent, PidfdFlags::empty()) else { return false };
    // Opened after the parent died, it could be another process of the same number.
    while getppid() == Some(parent) {
        let mut watched = [PollFd::new(&descriptor, PollFlags::IN)];
        match poll(&mut watched, None) {
            Ok(_) => return true,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
    true
}
