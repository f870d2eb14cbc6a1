//! The names that a platform has in the kinds of packages.
//!
//! In: what this task runs on. Out: the names, or an error where no packages are made. A new platform is a new row.

use anyhow::{Result, bail};

/// A platform that packages are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Platform {
    /// As Rust and the archive call it.
    pub target: &'static str,
    /// As Debian calls it.
    pub debian: &'static str,
    /// As Node calls its processor.
    pub npm_cpu: &'static str,
    /// As wheels call it: a static program runs with every C library.
    pub wheel_tags: &'static [&'static str],
}

const PLATFORMS: &[(&str, &str, Platform)] = &[
    (
        "linux",
        "x86_64",
        Platform {
            target: "x86_64-linux",
            debian: "amd64",
            npm_cpu: "x64",
            wheel_tags: &["manylinux2014_x86_64", "musllinux_1_1_x86_64"],
        },
    ),
    (
        "linux",
        "aarch64",
        Platform {
            target: "aarch64-linux",
            debian: "arm64",
            npm_cpu: "arm64",
            wheel_tags: &["manylinux2014_aarch64", "musllinux_1_1_aarch64"],
        },
    ),
];

impl Platform {
    /// The one that this task runs on.
    pub fn of_this_machine() -> Result<Platform> {
        use std::env::consts::{ARCH, OS};
        let found = PLATFORMS.iter().find(|(os, arch, _)| (*os, *arch) == (OS, ARCH));
        match found {
            Some((_, _, platform)) => Ok(*platform),
            None => bail!("packages are made on Linux, x86_64 or aarch64, and not on {OS} {ARCH}"),
        }
    }
}
