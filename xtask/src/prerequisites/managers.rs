//! Package managers of systems, and the commands by which they install. The first that a machine has is used.

/// How a system installs packages.
#[derive(Debug)]
pub struct Manager {
    /// The program.
    pub program: &'static str,
    /// Only root may install with it.
    pub needs_root: bool,
    /// What is run first, so that packages are found.
    pub refresh: Option<&'static [&'static str]>,
    /// What installs the packages that are named after it.
    pub install: &'static [&'static str],
}

/// The managers. The packages of a tool are in this order.
pub const MANAGERS: [Manager; 5] = [
    Manager {
        program: "apt-get",
        needs_root: true,
        refresh: Some(&["apt-get", "update", "-qq"]),
        install: &["apt-get", "install", "-y", "-qq", "--no-install-recommends"],
    },
    Manager { program: "dnf", needs_root: true, refresh: None, install: &["dnf", "install", "-y"] },
    Manager {
        program: "pacman",
        needs_root: true,
        refresh: None,
        install: &["pacman", "-Sy", "--noconfirm"],
    },
    Manager { program: "apk", needs_root: true, refresh: None, install: &["apk", "add"] },
    Manager { program: "brew", needs_root: false, refresh: None, install: &["brew", "install"] },
];
