//! `cargo xtask docs`: the documentation as a site, from the pages that `docs/SUMMARY.md` names.
//!
//! In: the pages, `docs/book.toml`, and mdBook, which is built into `.tools/` the first time. Out: `target/site/html`, in
//! which every link and every anchor leads somewhere, nothing is loaded from elsewhere, and the search knows every page.
//! Not part of CI, because building mdBook takes minutes; that the pages are true is.

mod links;
mod pages;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repo;

const MDBOOK: &str = "0.5.4";

/// Files beside the pages that they show or link to.
const ASSETS: &[&str] = &["docs/images", "examples"];

/// Builds the site and checks it.
pub fn build(root: &Path) -> Result<()> {
    let mdbook = install(root)?;
    let site = root.join("target/site");
    if site.exists() {
        std::fs::remove_dir_all(&site)?;
    }
    stage(root, &site)?;
    run(Command::new(mdbook).arg("build").arg(&site))?;
    let html = site.join("html");
    let problems = links::check(&html)?;
    if !problems.is_empty() {
        bail!("the site has links that lead nowhere:\n{}", problems.join("\n"));
    }
    println!("{}", html.join("index.html").display());
    Ok(())
}

/// The pages with links as the site needs them, and the files that they show.
fn stage(root: &Path, site: &Path) -> Result<()> {
    let source = site.join("src");
    let decisions = pages::decisions(&repo::files(root)?);
    let summary = pages::Summary::read(&repo::read(&root.join("docs/SUMMARY.md"))?, &decisions)?;
    for folder in ASSETS {
        copy_files(&root.join(folder), &source.join(folder))?;
    }
    for page in summary.pages() {
        let text = repo::read(&root.join(page))?;
        write(
            &source.join(pages::on_the_site(page)),
            &summary.staged(page, &text, |path| root.join("examples").join(path).exists()),
        )?;
    }
    write(&source.join("SUMMARY.md"), summary.text())?;
    for file in ["book.toml", "site.css"] {
        write(&site.join(file), &repo::read(&root.join("docs").join(file))?)?;
    }
    Ok(())
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let path = entry?.path();
        if let (true, Some(name)) =
            (path.is_file() && !repo::has_extension(&path.to_string_lossy(), "md"), path.file_name())
        {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// mdBook with its search and nothing else.
fn install(root: &Path) -> Result<PathBuf> {
    let folder = root.join(".tools/mdbook");
    let program = folder.join("bin/mdbook");
    let version = Command::new(&program).arg("--version").output();
    if version
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == format!("mdbook v{MDBOOK}"))
    {
        return Ok(program);
    }
    let words = [
        "install",
        "mdbook",
        "--locked",
        "--no-default-features",
        "--features",
        "search",
        "--version",
        MDBOOK,
    ];
    run(Command::new("cargo").args(words).arg("--root").arg(&folder))?;
    Ok(program)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?} cannot be started"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}
