//! `cargo xtask dist --check`: each package is installed from its file into an empty place, and runs the sample there.
//!
//! In: what was made. Out: a line for each way to install, or the first one that does not work. What is not on this machine (a
//! builder of images, systemd's own judge) is told, and the rest is checked.

mod names;
mod probe;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::program::{cargo, output, run as run_command};
use super::{Release, contents::SHELLS};
use crate::clients;
use probe::runs_the_sample;

/// What starts Python packages.
const UV: &[&str] = &["uv==0.13.*"];
/// The worst mark, of 100, that systemd may give to the service; the unit has 10.
const WORST_EXPOSURE: &str = "15";

/// Checks all of them.
pub fn run(release: &Release<'_>, profile: &str, made: &[PathBuf; 5]) -> Result<()> {
    let [archive, debian, npm, wheel, _sbom] = made;
    let folder = release.folder.join("check");
    let place = |name: &str| {
        let place = folder.join(name);
        fs::create_dir_all(&place).map(|()| place)
    };
    step("checksums", || {
        run_command(
            Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&release.folder),
        )
    })?;
    step("archive", || in_an_empty_directory(release, archive, &place("archive")?))?;
    step("Debian package", || from_debian(release, debian, &place("debian")?))?;
    step("npm package", || with_npx(release, npm, &place("npm")?))?;
    step("wheel", || with_uvx(release, wheel, &place("wheel")?))?;
    step("image", || as_an_image(release, &place("image")?))?;
    step("cargo install", || with_cargo(release, profile, &place("cargo")?))?;
    fs::remove_dir_all(folder)?;
    println!("everything that was made can be installed");
    Ok(())
}

fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("-- {name}");
    check().with_context(|| format!("the check of the {name} failed"))
}

/// The archive, in a directory that is the whole world to it.
fn in_an_empty_directory(release: &Release<'_>, archive: &Path, place: &Path) -> Result<()> {
    run_command(
        Command::new("tar").args(["--strip-components=1", "-xzf"]).arg(archive).arg("-C").arg(place),
    )?;
    for (shell, name) in SHELLS {
        is_there(&place.join("completions").join(shell).join(name))?;
    }
    is_there(&place.join("man/aqueduct-operator-approve.1"))?;
    is_there(&place.join("examples/todo-openapi.yaml"))?;
    is_there(&place.join("examples/weather-server.sh"))?;
    make_enterable(place)?;
    runs_the_sample(release, || inside(place, "/aqueduct"))?;
    names::are_found_without_modules(place, || inside(place, "/aqueduct"))
}

/// The Debian package, by Debian's own tool, in a root of its own.
fn from_debian(release: &Release<'_>, package: &Path, root: &Path) -> Result<()> {
    let database = root.join("var/lib/dpkg");
    for folder in ["info", "updates", "triggers"] {
        fs::create_dir_all(database.join(folder))?;
    }
    fs::write(database.join("status"), "")?;
    let mut dpkg = Command::new("dpkg");
    dpkg.arg(format!("--root={}", root.display())).args(["--force-not-root", "--force-script-chrootless"]);
    dpkg.args(["--log=/dev/null", "--install"]).arg(package).stdout(Stdio::null());
    run_command(&mut dpkg)?;
    is_there(&root.join("usr/share/man/man1/aqueduct-serve.1.gz"))?;
    make_enterable(root)?;
    runs_the_sample(release, || inside(root, "/usr/bin/aqueduct"))?;
    the_service_loads_its_sources(root)?;
    if !is_program("systemd-analyze") {
        println!("   the service was not judged: there is no systemd-analyze here");
        return Ok(());
    }
    let mut judge = Command::new("systemd-analyze");
    judge.args(["security", "--offline=true", "--no-pager", "--threshold", WORST_EXPOSURE]);
    let judgement = output(judge.arg(format!("--root={}", root.display())).arg("aqueduct.service"))?;
    println!("   {}", judgement.lines().last().unwrap_or_default().trim());
    Ok(())
}

/// The configuration as the service starts with it: with nothing to serve it says so; with a document beside the empty directory
/// it serves that, and then the file that is put into the directory too. Both are samples of the package.
fn the_service_loads_its_sources(root: &Path) -> Result<()> {
    let samples = root.join("usr/share/doc/aqueduct/examples");
    let config = root.join("etc/aqueduct/aqueduct.toml");
    let shipped = crate::repo::read(&config)?;
    let doctor = || {
        let words = ["doctor", "--config", "/etc/aqueduct/aqueduct.toml", "--format", "json"];
        let found = inside(root, "/usr/bin/aqueduct").args(words).output()?;
        Ok::<_, anyhow::Error>(format!(
            "{}{}",
            String::from_utf8_lossy(&found.stdout),
            String::from_utf8_lossy(&found.stderr)
        ))
    };
    let finds = |wanted: &str| {
        let found = doctor()?;
        if !found.contains(wanted) {
            bail!("the configuration of the service: '{wanted}' is not in {found}");
        }
        Ok(())
    };
    finds("holds no file named *-adapter.md")?;
    let document = "\n[sources.todos]\nfrom = \"/usr/share/doc/aqueduct/examples/todo-openapi.yaml\"\n";
    fs::write(&config, format!("{shipped}{document}"))?;
    finds("7 operations")?;
    fs::write(&config, shipped)?;
    fs::copy(samples.join("todo-adapter.md"), root.join("etc/aqueduct/sources/todo-adapter.md"))?;
    finds("5 operations")
}

/// The npm package, as a client starts it. npm takes a path for a package only if it begins with a dot.
fn with_npx(release: &Release<'_>, package: &Path, place: &Path) -> Result<()> {
    let name = package.file_name().context("a package without a name")?.to_string_lossy();
    fs::copy(package, place.join(&*name))?;
    runs_the_sample(release, || {
        let mut npx = Command::new("npx");
        npx.args(["--yes", &format!("./{name}")]).current_dir(place);
        npx.env("npm_config_cache", place.join("cache"));
        npx
    })
}

/// The wheel, as a client starts it, by both of its names.
fn with_uvx(release: &Release<'_>, package: &Path, place: &Path) -> Result<()> {
    let tools = release.root.join(".tools/uv");
    clients::install_python(&tools, UV)?;
    let started_as = |name: &str| {
        let mut uvx = Command::new(tools.join("bin/uvx"));
        uvx.arg("--from").arg(package).arg(name).current_dir(place).env("UV_CACHE_DIR", place.join("cache"));
        uvx
    };
    runs_the_sample(release, || started_as("aqueduct"))?;
    runs_the_sample(release, || started_as("aqueduct-mcp"))
}

/// The image, built from nothing and started as the user that it names.
fn as_an_image(release: &Release<'_>, place: &Path) -> Result<()> {
    if !is_program("buildah") {
        println!(
            "   the image was not built: there is no buildah here. The archive ran with nothing beside it"
        );
        return Ok(());
    }
    let buildah = |words: &[&str]| {
        let mut command = Command::new("buildah");
        command.args(["--storage-driver", "vfs", "--root"]).arg(place.join("storage"));
        command.arg("--runroot").arg(place.join("run")).args(words);
        command
    };
    let context = release.folder.join("image");
    output(buildah(&["build", "--isolation", "chroot", "--tag", "aqueduct"]).arg(context))?;
    output(&mut buildah(&["from", "--name", "sample", "aqueduct"]))?;
    let run = ["run", "--isolation", "chroot", "sample", "--", "/aqueduct"];
    let outcome = runs_the_sample(release, || buildah(&run));
    output(&mut buildah(&["rm", "sample"]))?;
    output(&mut buildah(&["rmi", "aqueduct"]))?;
    outcome
}

/// What `cargo install` makes of the checkout: a usual program, not a static one.
fn with_cargo(release: &Release<'_>, profile: &str, place: &Path) -> Result<()> {
    let mut cargo = cargo(release.root);
    cargo.args(["install", "--locked", "--quiet", "--no-track", "--profile", profile]);
    cargo.arg("--path").arg(release.root.join("crates/cli")).arg("--root").arg(place);
    run_command(&mut cargo)?;
    runs_the_sample(release, || Command::new(place.join("bin/aqueduct")))
}

/// The sources of random numbers, which every machine and container has.
const RANDOM: [&str; 2] = ["dev/random", "dev/urandom"];
/// Gives them to a directory, and makes it the whole world.
const ENTER: &str = r#"mount --bind /dev/random "$0/dev/random" && mount --bind /dev/urandom "$0/dev/urandom" &&
    exec chroot "$0" "$@""#;

/// Starts a program that sees this directory and nothing above it.
fn inside(root: &Path, program: &str) -> Command {
    let is_root = output(Command::new("id").arg("-u")).is_ok_and(|user| user.trim() == "0");
    let mut command = Command::new("unshare");
    command.args(if is_root { &["--mount"][..] } else { &["--mount", "--user", "--map-root-user"] });
    command.args(["sh", "-c", ENTER]).arg(root).arg(program);
    command
}

/// A directory that a program can be put into.
fn make_enterable(root: &Path) -> Result<()> {
    fs::create_dir_all(root.join("dev"))?;
    for path in RANDOM {
        fs::write(root.join(path), "")?;
    }
    Ok(())
}

fn is_there(path: &Path) -> Result<()> {
    if !path.is_file() {
        bail!("{} is missing", path.display());
    }
    Ok(())
}

fn is_program(name: &str) -> bool {
    let mut command = Command::new(name);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
