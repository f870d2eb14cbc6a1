//! `cargo xtask dist`: what a release of this machine's platform is made of, in `target/dist`.
//!
//! In: the checkout, and what stands in `packaging`. Out: the static program in an archive, as a Debian package, an npm package, a
//! Python wheel and the context of an image, with an SBOM and checksums. `--check` installs each from its file into an empty place
//! and lets it run the sample there; `--crates` packages every crate as `cargo publish` would. `--profile dev` is for trying this
//! task out: its program is large and slow.

mod archive;
mod check;
mod contents;
mod crates;
mod debian;
mod npm;
mod platform;
mod program;
mod sbom;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use contents::Contents;
use platform::Platform;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    profile: String,
    then: Then,
}

/// What follows the making.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    Nothing,
    Check,
    Crates,
}

impl Options {
    /// Reads the words after `dist`.
    pub fn of(words: &[&str]) -> Result<Options> {
        let mut options = Options { profile: "release".to_owned(), then: Then::Nothing };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--check" => options.then = Then::Check,
                "--crates" => options.then = Then::Crates,
                "--profile" => {
                    let name = words.next().context("--profile takes the name of a profile")?;
                    options.profile = (*name).to_owned();
                }
                other => bail!("dist has no option '{other}'; it has --check, --crates and --profile NAME"),
            }
        }
        Ok(options)
    }
}

/// A release as it is made: where, for what, and which.
pub struct Release<'a> {
    /// The checkout.
    pub root: &'a Path,
    /// Where everything goes.
    pub folder: PathBuf,
    /// What it runs on.
    pub platform: Platform,
    /// Its version.
    pub version: String,
    /// The time that files carry, in seconds since 1970.
    pub time: u64,
}

/// Makes the packages, and does what is asked beyond that.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    if options.then == Then::Crates {
        return crates::check(root);
    }
    let folder = target_folder()?.join("dist");
    let release = Release {
        root,
        folder: folder.clone(),
        platform: Platform::of_this_machine()?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: time_of_the_files(root)?,
    };
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    let program = program::build(&release, &options.profile)?;
    let contents = Contents::collect(&release, &program)?;
    let made = [
        archive::make(&release, &contents)?,
        debian::make(&release, &contents)?,
        npm::make(&release, &contents)?,
        wheel::make(&release, &contents)?,
        contents.write_sbom(&release)?,
    ];
    write_checksums(&folder, &made)?;
    image_context(&release, &contents)?;
    for path in &made {
        let size = fs::metadata(path)?.len();
        println!("{:>11} bytes  {}", size, path.display());
    }
    if options.then == Then::Check {
        check::run(&release, &options.profile, &made)?;
    }
    Ok(())
}

/// Where cargo builds: this task was built there itself.
fn target_folder() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let folder = program.ancestors().nth(2).context("this task is not where cargo builds")?;
    Ok(folder.to_owned())
}

/// The time of the last commit, or what the environment says, so that the same sources make the same files.
fn time_of_the_files(root: &Path) -> Result<u64> {
    #[expect(clippy::disallowed_methods, reason = "the usual way to ask a packager for a fixed time")]
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return given.parse().context("SOURCE_DATE_EPOCH is a number of seconds");
    }
    let output = Command::new("git")
        .args(["log", "-1", "--format=%ct"])
        .current_dir(root)
        .output()
        .context("git is needed for the time of the files; or set SOURCE_DATE_EPOCH")?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().context("no time of the last commit; set SOURCE_DATE_EPOCH")
}

/// One line for each file, as `sha256sum --check` reads it.
fn write_checksums(folder: &Path, files: &[PathBuf]) -> Result<()> {
    let names = files.iter().filter_map(|path| path.file_name());
    let lines = program::output(Command::new("sha256sum").args(names).current_dir(folder))?;
    fs::write(folder.join("SHA256SUMS"), lines)?;
    Ok(())
}

/// Everything that the image is built of, and nothing else.
fn image_context(release: &Release<'_>, contents: &Contents) -> Result<()> {
    let folder = release.folder.join("image");
    fs::create_dir_all(folder.join("state"))?;
    contents.program.write_below(&folder)?;
    fs::copy(release.root.join("packaging/container/Containerfile"), folder.join("Containerfile"))?;
    Ok(())
}

/// The bytes of a file that this task has made, or that the checkout has.
#[expect(clippy::disallowed_methods, reason = "tasks read the checkout itself, not a user's sources")]
fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// A file of `packaging` with what stands between `@` filled in.
fn filled(release: &Release<'_>, template: &str, values: &[(&str, &str)]) -> Result<String> {
    let mut text = crate::repo::read(&release.root.join("packaging").join(template))?;
    for (name, value) in values {
        text = text.replace(&format!("@{name}@"), value);
    }
    let is_name = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    if let Some(left) = text.split('@').find(is_name) {
        bail!("packaging/{template}: nothing is known of @{left}@");
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
