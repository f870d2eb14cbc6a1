//! Commands of shells, databases and clouds that do harm, by how they are written.
//!
//! Folded text in; the commands that it has out, each with its weight.

use super::phrase_set::PhraseSet;
use std::sync::LazyLock;

/// A command.
#[derive(Debug)]
pub(super) struct ShellCommand {
    pub points: i64,
    pub about: &'static str,
    /// Reading is what it does.
    pub reads: bool,
    pattern: &'static str,
}

const fn command(points: i64, about: &'static str, pattern: &'static str) -> ShellCommand {
    ShellCommand { points, about, reads: false, pattern }
}

const fn reading_command(points: i64, about: &'static str, pattern: &'static str) -> ShellCommand {
    ShellCommand { points, about, reads: true, pattern }
}

const DELETES_FILES: &str = "It deletes files and folders";
const DELETES_DATA: &str = "It deletes data of a database";
const WRECKS: &str = "It wrecks a disk or a system";
const CLOUD: &str = "It deletes resources of a cloud or a cluster";
const REMOTE_CODE: &str = "It runs code that comes from elsewhere";
const SECRETS: &str = "It touches files with credentials";
const GUARDS: &str = "It switches off a safeguard of the system";
const RIGHTS: &str = "It changes rights on files or accounts";
const HISTORY: &str = "It throws away work or shared history";
const OUT: &str = "It sends files or data out";

#[rustfmt::skip]
static COMMANDS: &[ShellCommand] = &[
    command(92, DELETES_FILES, r#"\brm\s+(?:-\S+\s+)*-\w*[rf]\S*\s+(?:-\S+\s+)*["']?(?:/|~|\*|\$home|/\*|\.\s|\.$|/etc|/usr|/var|/home|/boot|c:)"#),
    command(74, DELETES_FILES, r"\brm\s+(?:-\S+\s+)*-\w*(?:r\w*f|f\w*r)|\brm\s+-r\s+-f|\brm\s+-f\s+-r|\brm\s+--recursive|\brm\s+-r\b|\brmrf\b|\brimraf\b|\bunlink\s+-r"),
    command(72, DELETES_FILES, r"\bfind\s+\S+.*(?:-delete|-exec\s+rm)|\s-exec(?:dir)?\s+(?:\S*/)?(?:rm|shred|unlink)\s|remove-item\b.*-recurse|\b(?:rd|rmdir)\s+/s|\bdel\s+/[sfq]|\berase\s+/s|rmtree\s*\(|shutil\.rmtree|deltree|fs\.rm(?:sync)?\(|unlinksync"),
    command(95, WRECKS, r"\bmkfs(?:\.\w+)?\b|\bdd\s+.*of=/dev/|>\s*/dev/(?:sd|nvme|hd|disk)|\bformat\s+[a-z]:|\bshred\s+.*/dev/|:\s*\(\s*\)\s*\{.*\}\s*;?\s*:|\bwipefs\b|\bfdisk\b|\bdiskpart\b|\bparted\s|vssadmin\s+delete|cipher\s+/w|\bblkdiscard\b|cryptsetup\s+(?:luksformat|erase)|mv\s+/\S*\s+/dev/null|bcdedit|reg\s+delete\s+hk|echo\s+c\s*>\s*/proc/sysrq"),
    command(66, DELETES_FILES, r"\bshred\s+-|\btruncate\s+-s\s*0|>\s*/(?:etc|var|usr|boot)/\S+|\bcp\s+/dev/null\s"),
    command(88, DELETES_DATA, r"\bdrop\W+(?:table|database|schema|user|index|view|owned|tablespace|keyspace|collection)\b|\bdropdb\b|dropdatabase\(|\.drop\(\)|flushall|flushdb|\btruncate\s+table\b|\btruncate\s+\w+\s*(?:;|$)|deletemany\(\s*\{\s*\}|db\.dropdatabase|\bdroptable"),
    command(52, DELETES_DATA, r"\bdelete\s+from\s+\w+"),
    command(84, DELETES_DATA, r#"\bdelete\s+from\s+[\w.`"]+\s*(?:;|$|'|"|`|\)|where\s+(?:1\s*=\s*1|true|'?\d'?\s*=\s*'?\d))|or\s+'?1'?\s*=\s*'?1"#),
    command(64, DELETES_DATA, r#"\bupdate\s+[\w.`"]+\s+set\s+[^;]*?(?:;|$)"#),
    command(70, RIGHTS, r"\bgrant\s+all\b|\balter\s+user\b|\balter\s+role\b|\bcreate\s+user\b.*\bsuper|xp_cmdshell|\binto\s+outfile\b|load_file\("),
    command(82, CLOUD, r"terraform\s+(?:apply\s+)?-?-?destroy|terraform\s+destroy|pulumi\s+destroy|kubectl\s+delete\s+(?:ns|namespace|all|pv|pvc|crd|node|deploy)|kubectl\s+delete\s+.*--all|kubectl\s+drain|helm\s+(?:uninstall|delete)|cdk\s+destroy|serverless\s+remove|cloudformation\s+delete|ansible\b.*-m\s+shell.*rm"),
    command(55, CLOUD, r"kubectl\s+delete\s|kubectl\s+scale\s+.*replicas=0|docker\s+(?:system|volume|image|container)\s+prune|docker\s+(?:rm|rmi|volume rm)\b|heroku\s+(?:apps:destroy|pg:reset)"),
    command(78, CLOUD, r"aws\s+s3\s+(?:rm|rb)\b.*(?:--recursive|--force)|aws\s+s3\s+rb|aws\s+\S+\s+(?:delete|terminate|deregister|disable)-|gcloud\s+.*\bdelete\b|gsutil\s+(?:-m\s+)?rm\s+-r|az\s+\S+(?:\s+\S+)?\s+delete|gcloud\s+projects\s+delete|doctl\s+.*delete|firebase\s+.*delete|stop-logging|delete-trail|put-bucket-acl|schedule-key-deletion"),
    command(80, REMOTE_CODE, r"(?:curl|wget|fetch|invoke-webrequest|iwr)\b[^;\n]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|(?:curl|wget)\b[^;\n]*\|\s*(?:sudo\s+)?(?:python|perl|ruby|node|php)|(?:ba)?sh\s+<\s*\(\s*(?:curl|wget)|(?:ba)?sh\s+-c\s+.{0,3}\$\(\s*(?:curl|wget)|base64\s+(?:-d|--decode|-D)[^;\n]*\|\s*(?:sudo\s+)?(?:ba|z)?sh|iex\s*\(|invoke-expression|downloadstring|-enc(?:odedcommand)?\s+[\w+/=]{8,}|frombase64string|eval\s*\(\s*(?:atob|base64|compile|requests|urllib)|exec\s*\(\s*(?:base64|requests|urllib|codecs|bytes|compile)|\|\s*xxd\s+-r[^;\n]*\|\s*(?:ba)?sh|certutil\b.*(?:-urlcache|-decode)|mshta\s+http|regsvr32\s+.*http|__import__\(|pickle\.loads"),
    command(60, REMOTE_CODE, r"os\.system\(|subprocess\.\w+\(|child_process|\beval\s*\(|runtime\.exec|\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|pip\s+install\s+(?:--\S+\s+)*(?:git\+|http)|npm\s+install\s+http|curl\s+[^;\n]*&&\s*(?:sudo\s+)?(?:chmod|\./|ba?sh)|wget\s+[^;\n]*&&\s*(?:sudo\s+)?(?:chmod|\./|ba?sh)|--index-url\s+http|--extra-index-url\s+http"),
    command(95, REMOTE_CODE, r"/dev/(?:tcp|udp)/|\bnc\s+(?:-\w+\s+)*-\w*e|\bncat\b.*(?:-e|--exec|--sh-exec)|mkfifo\b.*\bnc\b|socat\b.*exec|bash\s+-i\s*>|msfvenom|meterpreter|mimikatz|hashcat|\bhydra\b\s|xmrig|sqlmap|responder\b\s+-i"),
    reading_command(76, SECRETS, r"/etc/shadow|/etc/sudoers|sam\s+hive|lsass|ntds\.dit|\.aws/credentials|\.ssh/(?:id_|authorized)|authorized_keys|id_(?:rsa|ed25519|ecdsa)\b|\.kube/config|\.gnupg|\.docker/config\.json|\.netrc|\.pgpass|wallet\.dat|login data\b|cookies\.sqlite|169\.254\.169\.254|metadata\.google|/proc/\S*/environ|\.git-credentials|secretsmanager\s+get|vault\s+(?:kv\s+get|read)|kubectl\s+get\s+secrets?"),
    reading_command(38, SECRETS, r"/etc/passwd|(?:^|[\s/'\x22`])\.env\b|\bprintenv\b|\benv\s*(?:\||>)|\.pem\b|\.p12\b|\.npmrc|\.pypirc|keyring"),
    command(76, GUARDS, r"iptables\s+(?:-f|--flush|-x|-p\s+\w+\s+accept)|ufw\s+(?:--force\s+)?(?:disable|reset)|nft\s+flush|setenforce\s+0|set-mppreference|defender|auditctl\s+-e\s*0|history\s+-c|unset\s+histfile|histsize=0|rm\s+\S*(?:bash_history|/var/log)|journalctl\s+--vacuum|wevtutil\s+cl|clear-eventlog|systemctl\s+(?:stop|disable|mask)\s+(?:auditd|firewalld|apparmor|rsyslog|fail2ban|falcon|clamav)|netsh\s+advfirewall\s+set\s+\w+\s+state\s+off|csrutil\s+disable|spctl\s+--master-disable|--disable-web-security|verify\s*=\s*false|node_tls_reject_unauthorized|stricthostkeychecking[= ]no|sslverify\s+false|chattr\s+-i|--privileged\b|--cap-add|allow_untrusted|dangerously"),
    command(62, RIGHTS, r"chmod\s+(?:-\w+\s+)*(?:0?777|a\+\w*w|\+s|u\+s|4755)|chown\s+-r|usermod\s+-\w*g\s*\w*(?:sudo|wheel|admin)|nopasswd|visudo|userdel|net\s+user\s+\S+\s+\S+\s+/add|net\s+localgroup\s+admin|passwd\s+root|useradd\b.*(?:sudo|wheel|-o\s+-u\s*0)|add-localgroupmember|setfacl|icacls\b.*everyone|takeown|gpasswd|create-access-key|attach-(?:user|role)-policy|cluster-admin|clusterrolebinding"),
    command(66, HISTORY, r"git\s+push\b[^;\n]*(?:--force\b|--force-with-lease|\s-f\b|--mirror|--delete|\s\+\w+)|git\s+filter-(?:branch|repo)|git\s+push\s+\S+\s+:\S+|git\s+reflog\s+expire|gh\s+repo\s+delete|git\s+update-ref\s+-d|bfg\b"),
    command(46, HISTORY, r"git\s+reset\s+--hard|git\s+clean\s+-\w*[fd]|git\s+branch\s+-d\b|git\s+stash\s+(?:drop|clear)|git\s+checkout\s+--?\s*\.|npm\s+unpublish|npm\s+publish|cargo\s+(?:publish|yank)|twine\s+upload|docker\s+push"),
    reading_command(74, OUT, r"curl\b[^;\n]*(?:-d|--data(?:-binary|-raw)?|-f|--form|-t|--upload-file)\s*\S*@|(?:cat|tar|env|printenv|mysqldump|pg_dump|history|ls|gzip|zip)\b[^;\n]*\|\s*(?:\w+\s*\|\s*)*(?:curl|nc|ncat|wget|mail|ssh|telnet|socat)\b|scp\s+(?:-\S+\s+)*\S+\s+\S+@\S+:|rsync\b[^;\n]*\S+@\S+:|(?:nslookup|dig|ping)\b[^;\n]*\$\(|\baws\s+s3\s+(?:cp|sync)\b[^;\n]*--acl\s+public|wget\s+--post-file|sendmail\b|mail\s+-s\b.*<"),
    command(48, "It stops a service or a machine", r"systemctl\s+(?:stop|disable|mask|kill)|\bshutdown\b\s+(?:-|/|now)|\b(?:init|telinit)\s+[06]\b|\bpoweroff\b|\bhalt\b\s*(?:-|$)|\bkill\s+-9|\bkillall\b|\bpkill\b|taskkill\s+/f|service\s+\S+\s+stop|stop-(?:service|computer)|sc\s+(?:stop|delete)\s|pm2\s+delete|crontab\s+-r|swapoff|launchctl\s+(?:unload|bootout)"),
    command(86, "It ends every process", r"\bkill\s+-9\s+-1|\bkillall\s+-9\s+-1|kill\s+-(?:kill|9)\s+(?:1\b|-1)"),
];

static SET: LazyLock<Option<PhraseSet>> =
    LazyLock::new(|| PhraseSet::of(COMMANDS.iter().map(|command| command.pattern)));

/// The same behind words that make them the means: "check the disk by calling ...".
static MEANS: LazyLock<Option<PhraseSet>> = LazyLock::new(|| {
    let behind = |command: &ShellCommand| {
        format!(
            r"\b(?:with|by|by means of|via|through|executing|calling|invoking|(?:output|result|response|return value)s?\s+of)\W{{1,3}}(?:{})",
            command.pattern
        )
    };
    let patterns: Vec<String> = COMMANDS.iter().map(behind).collect();
    PhraseSet::of(patterns.iter().map(String::as_str))
});

/// True when a command of a text is how something is to be done.
pub(super) fn are_means(folded: &str) -> bool {
    MEANS.iter().any(|set| !set.found(folded).is_empty())
}

/// The commands of a text.
pub(super) fn in_text(folded: &str) -> Vec<&'static ShellCommand> {
    let found = SET.iter().flat_map(|set| set.found(folded));
    found.filter_map(|index| COMMANDS.get(index)).collect()
}

/// How all of them are written.
#[cfg(test)]
pub(super) fn patterns() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|command| command.pattern)
}
