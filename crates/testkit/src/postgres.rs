//! A real PostgreSQL for tests: a server of its own in a temporary directory, gone with the process that started it.
//!
//! Its programs come from the system's package (`cargo xtask test` installs it). Without them a test fails and says so; it is never
//! left out. The server refuses to run as root, and then runs as the user `postgres`.

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A server. It is stopped when this is dropped, or when the process ends in whatever way.
#[derive(Debug)]
pub struct Postgres {
    directory: PathBuf,
    programs: PathBuf,
    port: u16,
    /// Stops the server when its standard input ends.
    guard: Child,
}

/// The server that the tests of one process share, started when it is first asked for.
pub fn shared() -> &'static Postgres {
    static SHARED: OnceLock<Postgres> = OnceLock::new();
    SHARED.get_or_init(Postgres::start)
}

impl Postgres {
    /// Starts a server.
    ///
    /// # Panics
    /// When PostgreSQL is not installed, or does not start.
    pub fn start() -> Postgres {
        Postgres::start_with("", &[])
    }

    /// Starts a server with more lines of configuration, and files beside them that only the server reads.
    ///
    /// # Panics
    /// When PostgreSQL is not installed, or does not start.
    pub fn start_with(configuration: &str, files: &[(&str, &str)]) -> Postgres {
        let programs = programs();
        let directory = tempfile::Builder::new().prefix("aqueduct-postgres-").tempdir();
        let directory = directory.expect("a temporary directory").keep();
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = port.expect("a free port").port();
        let data = directory.join("data");
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(&directory));
        }
        run(as_server_user(&programs.join("initdb"))
            .args(["--auth", "trust", "--username", "aqueduct", "--no-sync", "--encoding", "UTF8"])
            .args(["--locale", "C", "--pgdata"])
            .arg(&data));
        let file = std::fs::OpenOptions::new().append(true).open(data.join("postgresql.conf"));
        writeln!(
            file.expect("the configuration of the server"),
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = ''\n\
             max_connections = 200\nshared_buffers = 16MB\n{configuration}"
        )
        .expect("the configuration of the server is written");
        for (name, text) in files {
            let path = data.join(name);
            std::fs::write(&path, text).expect("a file of the server is written");
            run(Command::new("chmod").arg("600").arg(&path));
            if is_root() {
                run(Command::new("chown").arg("postgres").arg(&path));
            }
        }
        let guard = guard(&programs, &directory);
        let server = Postgres { directory, programs, port, guard };
        server.wait_until_it_answers();
        server
    }

    /// Makes a database; its address. Each test has its own.
    pub fn database(&self) -> String {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    /// The address of a database.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://aqueduct@127.0.0.1:{}/{database}", self.port)
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The directory with its files.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Runs statements in a database.
    pub fn sql(&self, database: &str, statements: &str) {
        run(self.psql(database).arg(statements));
    }

    /// Kills the server like a crash would.
    pub fn crash(&self) {
        let stopped = self.control(&["stop", "--mode", "immediate"]);
        assert!(stopped.status.success(), "{stopped:?}");
    }

    /// Kills all its processes with SIGKILL, at once.
    ///
    /// # Panics
    /// When it does not run.
    pub fn kill(&self) {
        let script =
            "server=$(head -n 1 \"$1\"); kill -9 \"$server\" $(cat \"/proc/$server/task/$server/children\")";
        run(Command::new("sh").args(["-c", script, "sh"]).arg(self.directory.join("data/postmaster.pid")));
    }

    /// Starts it again after a crash.
    pub fn restart(&self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        // Processes that were killed may not be gone yet, and what they share with them.
        while !self.control(&["start", "--wait"]).status.success() {
            assert!(Instant::now() < deadline, "PostgreSQL does not start; see {}", self.directory.display());
            pause();
        }
        self.wait_until_it_answers();
    }

    fn control(&self, arguments: &[&str]) -> Output {
        let mut command = as_server_user(&self.programs.join("pg_ctl"));
        command.args(arguments).arg("--pgdata").arg(self.directory.join("data"));
        command.arg("--log").arg(self.directory.join("log")).stdin(Stdio::null());
        command.output().expect("pg_ctl is started")
    }

    fn psql(&self, database: &str) -> Command {
        let mut command = Command::new(self.programs.join("psql"));
        let stop_at_errors = ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1"];
        command.args(stop_at_errors).arg(self.url(database)).arg("--command");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    fn wait_until_it_answers(&self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let answer = self.psql("postgres").arg("SELECT 1").stderr(Stdio::null()).status();
            if answer.is_ok_and(|status| status.success()) {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "PostgreSQL does not answer; see {}",
                self.directory.display()
            );
            pause();
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        self.guard.wait().ok();
    }
}

/// A process that starts the server, and stops it and removes its files when we end, killed or not.
fn guard(programs: &Path, directory: &Path) -> Child {
    let script = r#"
        "$1/pg_ctl" start --wait --silent --pgdata "$2/data" --log "$2/log" < /dev/null
        while read -r line; do :; done
        "$1/pg_ctl" stop --silent --mode immediate --pgdata "$2/data" < /dev/null
        # Its last processes may still write a file.
        rm -rf "$2" || { sleep 1; rm -rf "$2"; }
    "#;
    let mut command = as_server_user(Path::new("sh"));
    command.args(["-c", script, "sh"]).arg(programs).arg(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // A signal to the tests, such as an interrupt from the keyboard, must not end it before it has cleaned up.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().expect("a shell")
}

/// Where the programs are.
fn programs() -> PathBuf {
    let told = Command::new("pg_config").arg("--bindir").stderr(Stdio::null()).output();
    let told = told.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    let told = told.map(|text| PathBuf::from(text.trim()));
    let packaged = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut packaged: Vec<PathBuf> = packaged.map(|entry| entry.path().join("bin")).collect();
    packaged.sort();
    let found = told.into_iter().chain(packaged.into_iter().rev()).find(|path| path.join("initdb").exists());
    found.unwrap_or_else(|| {
        panic!("PostgreSQL is not installed, and this test needs it: `cargo xtask test` installs it, or `apt-get install postgresql`")
    })
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// A command of the user that the server may run as.
fn as_server_user(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]).arg(program);
    command.current_dir("/");
    command
}

fn run(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {said}");
}

#[expect(clippy::disallowed_methods, reason = "nothing tells when another process answers")]
fn pause() {
    std::thread::sleep(Duration::from_millis(50));
}

#[cfg(test)]
mod tests;
