//! A command of the operator's with everything that it starts: ended together when no caller waits for it any more.
//!
//! A command in; it runs in a process group of its own. A command that has ended by itself may leave others running.

use std::io;
use tokio::process::{Child, Command};

/// Ends the group of a command when it is dropped, unless the command has ended by itself.
#[derive(Debug)]
pub struct CommandGroup {
    id: Option<u32>,
}

impl CommandGroup {
    /// Starts a command. The group has to be dropped before the child, whose number is then still its own.
    pub fn spawn(command: &mut Command) -> io::Result<(Child, CommandGroup)> {
        #[cfg(unix)]
        command.process_group(0);
        let child = command.kill_on_drop(true).spawn()?;
        let id = child.id();
        Ok((child, CommandGroup { id }))
    }

    /// The command has ended by itself.
    pub fn has_ended(&mut self) {
        self.id = None;
    }
}

impl Drop for CommandGroup {
    #[cfg(unix)]
    fn drop(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = self.id.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(Err(error)) = group.map(|group| kill_process_group(group, Signal::KILL)) {
            tracing::debug!(target: "aqueduct::agents", %error, "the processes of a command were not ended");
        }
    }

    #[cfg(not(unix))]
    fn drop(&mut self) {}
}
