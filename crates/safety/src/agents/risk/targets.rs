//! What an action is done to: systems that matter, everything at once, secrets, safeguards; or scratch files.
//!
//! The words of a text in; the targets that it names out, each with its weight.

use super::super::folded_text::{FoldedText, words_of};
use super::lexicon::WordAction;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// Something that an action may be done to.
#[derive(Debug)]
pub(super) struct ActionTarget {
    pub about: &'static str,
    pub points: i64,
    /// What it weighs when it is only looked at.
    pub points_when_read: i64,
    /// A command that names it is worse for it.
    pub raises_commands: bool,
    pub is_money: bool,
    /// What it adds where something is sent, or where rights are changed.
    points_out: i64,
    words: &'static [&'static str],
}

impl ActionTarget {
    /// What it adds to the weight of an effect.
    pub(super) fn points_for(&self, effect: WordAction) -> i64 {
        match effect {
            WordAction::Sends | WordAction::Grants => self.points_out,
            WordAction::Changes | WordAction::Writes | WordAction::Runs => self.points * 2 / 3,
            _ => self.points,
        }
    }
}

const PLAIN: ActionTarget = ActionTarget {
    about: "",
    points: 0,
    points_when_read: 0,
    raises_commands: false,
    is_money: false,
    points_out: 0,
    words: &[],
};

#[rustfmt::skip]
static TARGETS: &[ActionTarget] = &[
    ActionTarget { about: "It concerns production", points: 28, points_out: 18, raises_commands: true, words: &[
        " production ", " prod ", " live system", " live database", " live server", " live site", " live environment", " mainnet ", " produccion ", " produktion", " produzione ", " producao ",
        " продакшн", " прод ", " боев", " produkcj", "生产", "本番", "프로덕션", "운영 서버", "운영 데이터", "الإنتاج", " uretim ", " productie", "प्रोडक्शन", " üretim ",
    ], ..PLAIN },
    ActionTarget { about: "It concerns everything at once", points: 22, points_out: 16, raises_commands: true, words: &[
        " all ", " every ", " each ", " entire ", " whole ", " everything ", " everyone ", " everybody ", " any and all ", " complete ", " recursively ", " todos ", " todas ", " todo ", " toda ", " tous ", " toutes ", " tout ", " alle ", " allen ", " alles ", " sämtlich", " gesamte",
        " tutti ", " tutte ", " tutto ", " все ", " всё ", " всю ", " весь ", " всех ", " wszystk", " tüm ", " bütün ", " hepsi", " allemaal ", " alla ", "所有", "全部", "整个", "すべて", "全て", "全ユーザ", "모든", "전체", "جميع", "كل ", "सभी", "पूर", " semua ", " cada ", " entero", " entera", " mass ", " bulk ",
    ], ..PLAIN },
    ActionTarget { about: "It concerns backups", points: 26, points_out: 14, raises_commands: true, words: &[
        " backup", " snapshot", " recovery point", " disaster recovery", " copias de seguridad", " respaldo", " sauvegarde", " sicherung", " резервн", " бэкап", " kopie zapasow", "备份", "備份", "バックアップ", "백업", "نسخ", "बैकअप", " yedek", " shadow cop",
    ], ..PLAIN },
    ActionTarget { about: "It concerns a database or a disk", points: 16, points_out: 8, raises_commands: false, words: &[
        " database", " databases", " table ", " tables ", " schema ", " db ", " volume ", " volumes ", " disk ", " drive ", " partition", " bucket", " cluster", " filesystem", " file system", " hard drive", " registry ", " namespace", " collection ", " data warehouse", " server ", " servers ", " vm ", " instances ", " repo ", " repository", " repositories",
        " base de datos", " base de donn", " datenbank", " banco de dados", " basi di dati", " базу", " базы", " баз ", " таблиц", " диск", " bazę", " bazy", " veritaban", "数据库", "資料庫", "データベース", "サーバ", "服务器", "데이터베이스", "서버", "قاعدة", "قواعد", "डेटाबेस", " disco ", " disque", " festplatte", " tabla", " servidor", " serveur", " basis data",
    ], ..PLAIN },
    ActionTarget { about: "It concerns the system itself", points: 28, points_out: 20, points_when_read: 0, raises_commands: true, words: &[
        " system32 ", " windows ", " boot ", " kernel ", " root directory", " root filesystem", " home directory", " operating system", " bootloader", " bios ", " firmware ", " mbr ", " system files", " authorized keys ", " sudoers", " crontab ", " bashrc ", " etc ", " root folder", " dev sda", " firmware", " domain controller", " active directory", " dns records", " nameserver",
        "系统", "系統", "システム", "시스템",
    ], ..PLAIN },
    ActionTarget { about: "It concerns a raw disk", points: 36, points_out: 30, raises_commands: true, words: &[
        " dev sd", " dev hd", " dev vd", " dev xvd", " dev nvme", " dev disk", " dev mapper ", " dev mmcblk", " dev md", " physicaldrive",
    ], ..PLAIN },
    ActionTarget { about: "It concerns credentials", points: 32, points_out: 46, points_when_read: 36, raises_commands: true, words: &[
        " password", " passwords", " passwd ", " credential", " secret ", " secrets ", " private key", " api key", " api keys", " apikey", " access token", " access key", " ssh key", " id rsa ", " pem file", " env file", " dotenv ", " keychain", " seed phrase", " mnemonic ", " session cookie", " cookies ", " oauth token", " auth token", " service account key", " encryption key", " signing key", " shadow file", " etc shadow ", " kubeconfig ", " vault ", " bearer token", " aws credentials", " tokens ",
        " contraseñ", " clave api", " mot de passe", " mots de passe", " passwort", " passwörter", " kennwort", " kennwört", " parola", " parol", " senha", " парол", " учетные данные", " секретн", " haslo", " hasła", " hasło", " şifre", "密码", "密碼", "密钥", "パスワード", "비밀번호", "암호", "كلمات المرور", "كلمة المرور", "पासवर्ड", " kata sandi", " wachtwoord",
    ], ..PLAIN },
    ActionTarget { about: "It concerns people's data", points: 14, points_out: 24, points_when_read: 0, raises_commands: false, words: &[
        " customer", " customers ", " users ", " user data", " user accounts", " personal data", " pii ", " medical", " patient", " employee", " payroll ", " ssn ", " social security", " credit card", " contacts ", " subscribers", " client list", " clients ", " accounts ", " records ", " members ",
        " usuario", " clientes", " cliente", " utilisateur", " clients ", " benutzer", " kunden", " utenti", " clienti", " пользоват", " клиент", " użytkownik", " klient", " kullanıcı", " müşteri", "用户", "客户", "ユーザー", "顧客", "사용자", "고객", "المستخدمين", "العملاء", "उपयोगकर्ता", "ग्राहक", " pelanggan", " pengguna",
    ], ..PLAIN },
    ActionTarget { about: "It concerns a safeguard", points: 36, points_out: 30, raises_commands: true, words: &[
        " audit ", " audit log", " logging ", " access log", " firewall", " antivirus", " defender ", " selinux", " mfa ", " 2fa ", " two factor", " monitoring ", " alerting", " alerts ", " security ", " safety ", " guardrail", " safeguard", " intrusion", " rate limit", " approval", " code review", " branch protection", " encryption ", " tls verification", " certificate check", " ssl verif", " content filter", " sandbox ", " policy ", " policies ", " event logs", " safeguards", " authentication", " login check", " permission check", " csrf ", " waf ", " edr ", " detection",
        " cortafuegos", " registros de auditor", " pare feu", " journaux", " sicherheits", " protokoll", " überwachung", " межсетев", " журнал", " аудит", " защит", " безопасн", "防火墙", "防火牆", "审计", "监控", "日志", "ファイアウォール", "監査", "ログ", "보안", "방화벽", "로그", "감사", "جدار", "سجلات", "निगरानी", " güvenlik", " zabezpiecz",
    ], ..PLAIN },
    ActionTarget { about: "It concerns the shared history or the main branch", points: 16, points_out: 12, words: &[
        " main branch", " master branch", " git history", " origin main", " origin master", " release branch", " on main ", " on master ", " to main ", " to master ", " commit history", " all branches",
    ], ..PLAIN },
    ActionTarget { about: "It reaches beyond this place", points: 10, points_out: 22, words: &[
        " external ", " internet ", " public ", " publicly ", " third party", " competitor", " pastebin", " personal email", " personal account", " gmail ", " journalist", " press ", " unknown ", " attacker", " anonymous", " webhook ", " discord ", " telegram ", " ngrok ", " mailing list", " ftp ", " whole company", " transfer sh ", " my own server", " outside ", " dropbox ", " gist ", " world ", " 0 0 0 0 ", " offshore", " twitter ", " wikileaks",
    ], ..PLAIN },
    ActionTarget { about: "It concerns rights of administrators", points: 20, points_out: 28, words: &[
        " admin ", " administrator", " admins ", " root ", " superuser", " sudo ", " owner ", " owner role", " superadmin", " full access", " full control", " 777 ", " nopasswd ", " wildcard ", " privilege", " iam ", " anyone ", " unrestricted ", " cluster admin",
    ], ..PLAIN },
    ActionTarget { about: "It concerns money", points: 8, points_out: 10, is_money: true, words: &[
        " funds ", " money ", " payment", " invoice", " bank account", " usd ", " eur ", " euro", " dollar", " bitcoin", " btc ", " eth ", " usdt ", " wallet", " crypto", " savings", " treasury", " escrow ", " salary", " iban ", " paypal ", " stripe ", " gift card", " credit card", " dinero", " argent ", " geld ", " деньги", " денег", " рубл", "欧元", "美元", "资金", "お金", "万円", "만원", "달러", "دولار", " dolar", " shares ", " stock ", " options contract", " escudo", " pounds ", " brokerage", " gbp ", " ads budget", " ad budget",
    ], ..PLAIN },
    ActionTarget { about: "It would plant something harmful", points: 58, points_out: 58, words: &[
        " malware", " ransomware", " keylogger", " rootkit", " reverse shell", " backdoor", " trojan", " spyware", " botnet", " cryptominer", " crypto miner", " xmrig ", " payload ", " phishing", " deepfake", " virus ", " logic bomb", " worm ", " web shell", " webshell", " mimikatz", " fork bomb", " zip bomb", " fake login", " fake invoice", " exploit kit", " bind shell", " persistence ",
    ], ..PLAIN },
    ActionTarget { about: "It is physical", points: 30, points_out: 24, words: &[
        " valve", " reactor", " turbine", " pump ", " door lock", " doors ", " infusion", " pacemaker", " brakes", " power grid", " breaker ", " substation", " alarm system", " fire alarm", " sprinkler", " gas ", " chlorine", " insulin", " dosage", " dose ", " ventilator", " robot arm", " drone ", " furnace", " boiler", " elevator", " safety interlock", " interlock", " plc ", " scada", " traffic light", " oven ",
    ], ..PLAIN },
];

/// What is made to be thrown away.
#[rustfmt::skip]
const SCRATCH: &[&str] = &[
    " temp ", " tmp ", " temporary ", " cache ", " caches ", " cached ", " build ", " dist ", " node modules ", " draft ", " drafts ", " test ", " tests ", " testing ", " local ", " localhost ", " sandbox ", " staging ", " dev ", " development ", " scratch ",
    " fixture", " mock ", " demo ", " sample ", " example ", " my own ", " duplicate", " whitespace", " unused ", " import ", " imports ", " comment ", " comments ", " typo", " trailing ", " console log", " dead code", " todo ", " label ", " filter", " cart ", " playlist", " draft", " branch ", " feature branch", " pycache ", " target ", " artifacts ", " artefacts ", " pod ", " tooltip", " css ", " row selection", " selection ",
    " clipboard", " search box", " form field", " form ", " screen ", " stopwords", " stop words", " null ", " nulls ", " nan ", " column ", " columns ", " outlier", " lint ", " warning", " warnings ", " formatting", " field ", " line ", " lines ", " paragraph", " character", " variable", " parameter", " function ", " method ", " class ", " button", " modal", " timer", " dependency", " dependencies", " lock file", " lockfile", " stale ", " obsolete ", " deprecated ", " reminder", " alarm ", " bookmark", " shopping ", " item ", " string ", " buffer", " output ", " text ", " array ", " list entry", " token stream",
];

/// Texts, which are about things without touching them.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    " summary ", " report ", " documentation ", " docs ", " tests ", " test ", " post ", " article ", " note ", " notes ", " readme ", " comment ", " essay ",
    " story ", " guide ", " tutorial ", " proposal ", " outline ", " issue ", " ticket ", " docstring", " changelog ", " minutes ", " agenda ", " checklist ",
];

struct TargetFinder {
    automaton: Option<AhoCorasick>,
    targets: Vec<usize>,
}

static FINDER: LazyLock<TargetFinder> = LazyLock::new(|| {
    let (mut words, mut targets) = (Vec::new(), Vec::new());
    for (index, target) in TARGETS.iter().enumerate() {
        for word in target.words {
            words.push(folded(word));
            targets.push(index);
        }
    }
    TargetFinder { automaton: AhoCorasick::new(&words).ok(), targets }
});

static SCRATCH_FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(SCRATCH).ok());

static TEXT_FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(TEXTS).ok());

fn folded(word: &str) -> String {
    let words = words_of(&FoldedText::of(word).plain);
    let start = if word.starts_with(' ') { " " } else { "" };
    let end = if word.ends_with(' ') { " " } else { "" };
    format!("{start}{}{end}", words.trim())
}

/// The targets that a text names, each once.
pub(super) fn in_text(text: &str) -> Vec<&'static ActionTarget> {
    let words = words_of(text);
    let mut found: Vec<usize> = FINDER
        .automaton
        .iter()
        .flat_map(|automaton| automaton.find_overlapping_iter(&words))
        .filter_map(|found| FINDER.targets.get(found.pattern().as_usize()).copied())
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().filter_map(|index| TARGETS.get(index)).collect()
}

/// True when a text speaks of what is made to be thrown away.
pub(super) fn is_scratch(text: &str) -> bool {
    SCRATCH_FINDER.as_ref().is_some_and(|finder| finder.is_match(text))
}

/// True when a text speaks of a text.
pub(super) fn is_text(text: &str) -> bool {
    TEXT_FINDER.as_ref().is_some_and(|finder| finder.is_match(text))
}
