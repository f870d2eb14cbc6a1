//! The Debian package: the program, its pages and completions where Debian has them, and a service that is not started by itself.
//!
//! The files of `packaging/debian` are laid out as they will be installed, and Debian's own tool packs them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::contents::{Contents, Entry};
use super::{Release, archive, filled, program, read};

/// Where each shell looks for completions.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash/aqueduct", "usr/share/bash-completion/completions/aqueduct"),
    ("zsh/_aqueduct", "usr/share/zsh/vendor-completions/_aqueduct"),
    ("fish/aqueduct.fish", "usr/share/fish/vendor_completions.d/aqueduct.fish"),
];

/// Makes it.
pub fn make(release: &Release<'_>, contents: &Contents) -> Result<PathBuf> {
    let laid_out = release.folder.join("debian");
    let mut entries = installed(release, contents)?;
    let size: usize = entries.iter().map(|entry| entry.bytes.len().div_ceil(1024)).sum();
    let values = [
        ("VERSION", release.version.as_str()),
        ("ARCHITECTURE", release.platform.debian),
        ("INSTALLED_SIZE", &size.to_string()),
    ];
    entries.push(Entry::text("DEBIAN/control", filled(release, "debian/control", &values)?));
    entries.push(Entry::text("DEBIAN/conffiles", of_packaging(release, "conffiles")?));
    for script in ["postinst", "prerm"] {
        entries.push(Entry::executable(format!("DEBIAN/{script}"), of_packaging(release, script)?));
    }
    for entry in &entries {
        entry.write_below(&laid_out)?;
    }
    fs::create_dir_all(laid_out.join("etc/aqueduct/sources"))?;
    for folder in folders_of(&laid_out)? {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    }
    let path = release.folder.join(format!("aqueduct_{}_{}.deb", release.version, release.platform.debian));
    let mut pack = Command::new("dpkg-deb");
    pack.args(["--build", "--root-owner-group", "-Zxz", "-z1"]).arg(&laid_out).arg(&path);
    // The tool gives files this time.
    program::output(pack.env("SOURCE_DATE_EPOCH", release.time.to_string()))?;
    fs::remove_dir_all(laid_out)?;
    Ok(path)
}

/// The files as they will be on the machine.
fn installed(release: &Release<'_>, contents: &Contents) -> Result<Vec<Entry>> {
    let mut entries = vec![
        contents.program.below("usr/bin"),
        Entry::text("usr/lib/systemd/system/aqueduct.service", of_packaging(release, "aqueduct.service")?),
        Entry::text("etc/aqueduct/aqueduct.toml", of_packaging(release, "aqueduct.toml")?),
        contents.sbom.below("usr/share/doc/aqueduct"),
        Entry::text("usr/share/doc/aqueduct/copyright", copyright(contents)),
    ];
    entries.extend(contents.examples.iter().map(|sample| sample.below("usr/share/doc/aqueduct/examples")));
    // Credentials go into it.
    let environment = of_packaging(release, "environment")?;
    entries.push(Entry { mode: 0o600, ..Entry::text("etc/aqueduct/environment", environment) });
    for page in &contents.pages {
        let packed = archive::compressed(&page.bytes)?;
        entries.push(Entry::text(format!("usr/share/man/man1/{}.gz", page.path), packed));
    }
    for (ours, theirs) in COMPLETIONS {
        entries.extend(
            contents
                .completions
                .iter()
                .filter(|script| script.path == *ours)
                .map(|script| script.at(*theirs)),
        );
    }
    Ok(entries)
}

fn of_packaging(release: &Release<'_>, name: &str) -> Result<Vec<u8>> {
    read(&release.root.join("packaging/debian").join(name))
}

/// Both licences in the one file in which Debian has them.
fn copyright(contents: &Contents) -> Vec<u8> {
    let mut text = b"Aqueduct is licensed under Apache-2.0 or MIT, as you choose. What it is made of, with licences, is in sbom.cdx.json.\n\n".to_vec();
    for licence in &contents.licences {
        text.extend_from_slice(&licence.bytes);
        text.push(b'\n');
    }
    text
}

fn folders_of(folder: &PathBuf) -> Result<Vec<PathBuf>> {
    let mut found = vec![folder.clone()];
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.extend(folders_of(&entry.path())?);
        }
    }
    Ok(found)
}
