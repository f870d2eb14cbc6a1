//! Options, and the templates of packages.

use super::contents::{Contents, Entry, SHELLS, examples};
use super::{Options, Then, archive, debian, filled, npm, program, wheel};
use crate::repo;
use std::path::{Path, PathBuf};
use std::process::Command;

fn release(root: &Path) -> super::Release<'_> {
    super::Release {
        root,
        folder: PathBuf::new(),
        platform: super::Platform::of_this_machine().unwrap(),
        version: "1.2.3".to_owned(),
        time: 0,
    }
}

#[test]
fn options_are_read_and_others_refused() {
    let options = Options::of(&["--profile", "dev", "--check"]).unwrap();
    assert_eq!(options, Options { profile: "dev".to_owned(), then: Then::Check });
    assert!(Options::of(&["--chek"]).is_err());
    assert!(Options::of(&["--profile"]).is_err());
}

#[test]
fn everything_between_signs_is_filled_in() {
    let root = repo::root().unwrap();
    let values = [("VERSION", "1.2.3"), ("OS", "linux"), ("CPU", "x64")];
    let text = filled(&release(root), "npm/package.json", &values).unwrap();
    let package: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(package["version"], "1.2.3");
    assert_eq!(package["cpu"][0], "x64");
    assert!(filled(&release(root), "npm/package.json", &values[..1]).is_err());
}

/// What the pages on installing and on the first minutes say of each package; that they can be installed, `dist --check` tells.
#[test]
fn packages_hold_what_the_pages_say() {
    let (root, folder) = (repo::root().unwrap(), tempfile::tempdir().unwrap());
    let release = super::Release { folder: folder.path().to_owned(), ..release(root) };
    let completions = SHELLS.iter().map(|(shell, name)| Entry::text(format!("{shell}/{name}"), "complete"));
    let contents = Contents {
        program: Entry::executable("aqueduct", "program"),
        pages: vec![Entry::text("aqueduct-serve.1", "page")],
        completions: completions.collect(),
        licences: vec![Entry::text("LICENSE-MIT", "licence")],
        sbom: Entry::text("sbom.cdx.json", "{}"),
        examples: examples(&root.join("examples")).unwrap(),
    };
    let samples =
        ["README.md", "todo-adapter.md", "todo-openapi.yaml", "mcp-servers.json", "weather-server.sh"];
    let beside = ["man/aqueduct-serve.1", "completions/zsh/_aqueduct", "LICENSE-MIT", "sbom.cdx.json"];
    let tar = |path: &Path| listed(Command::new("tar").arg("-tzf").arg(path));
    let in_archive = tar(&archive::make(&release, &contents).unwrap());
    let in_npm = tar(&npm::make(&release, &contents).unwrap());
    let package = debian::make(&release, &contents).unwrap();
    let in_debian = listed(Command::new("dpkg-deb").arg("--contents").arg(package));
    let in_wheel = wheel::make(&release, &contents).unwrap();
    let in_wheel = listed(Command::new("python3").args(["-m", "zipfile", "-l"]).arg(in_wheel));
    for name in samples {
        assert!(in_archive.contains(&format!("/examples/{name}\n")), "{name} in {in_archive}");
        assert!(
            in_debian.contains(&format!("/usr/share/doc/aqueduct/examples/{name}\n")),
            "{name} in {in_debian}"
        );
    }
    for name in beside {
        assert!(in_archive.contains(&format!("/{name}\n")), "{name} in {in_archive}");
        assert!(in_npm.contains(&format!("package/{name}\n")), "{name} in {in_npm}");
    }
    for path in ["/usr/bin/aqueduct", "/etc/aqueduct/sources/", "/usr/share/man/man1/aqueduct-serve.1.gz"] {
        assert!(in_debian.contains(&format!("{path}\n")), "{path} in {in_debian}");
    }
    for path in
        ["scripts/aqueduct ", "scripts/aqueduct-mcp ", "man1/aqueduct-serve.1 ", "sboms/sbom.cdx.json "]
    {
        assert!(in_wheel.contains(path), "{path} in {in_wheel}");
    }
}

fn listed(command: &mut Command) -> String {
    program::output(command).unwrap()
}
