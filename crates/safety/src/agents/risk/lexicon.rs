//! Words by what they do, in several languages.
//!
//! A word in, its effect out. English verbs are known in their plain form, with -s and with -ing; other languages by the stems of
//! their words. To add a word, add it to its line.

use super::super::folded_text::{FoldedText, words_of};
use aho_corasick::AhoCorasick;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What a word does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum WordAction {
    /// Speaks or thinks of something, and touches nothing.
    Talks,
    Looks,
    Runs,
    /// Does something unknown.
    Changes,
    Writes,
    Deploys,
    Sends,
    Stops,
    Grants,
    Pays,
    /// Pays where money is spoken of, else moves something.
    PaysOrMoves,
    Removes,
    Destroys,
    Harms,
}

impl WordAction {
    /// How much it weighs by itself.
    pub(super) fn points(self) -> i64 {
        match self {
            WordAction::Talks | WordAction::Looks => 4,
            WordAction::Runs => 10,
            WordAction::Changes | WordAction::Writes | WordAction::PaysOrMoves => 12,
            WordAction::Sends => 20,
            WordAction::Deploys => 28,
            WordAction::Stops => 28,
            WordAction::Grants => 34,
            WordAction::Pays => 38,
            WordAction::Removes => 40,
            WordAction::Destroys => 52,
            WordAction::Harms => 70,
        }
    }

    /// What a person is told.
    pub(super) fn about(self) -> &'static str {
        match self {
            WordAction::Talks => "It speaks of something",
            WordAction::Looks => "It reads",
            WordAction::Runs => "It runs something",
            WordAction::Changes => "It does something whose effect is not known",
            WordAction::Writes | WordAction::PaysOrMoves => "It changes something",
            WordAction::Sends => "It sends something out",
            WordAction::Deploys => "It changes what others use",
            WordAction::Stops => "It stops or disables something",
            WordAction::Grants => "It changes who may do what",
            WordAction::Pays => "It moves money",
            WordAction::Removes => "It deletes something",
            WordAction::Destroys => "It destroys something for good",
            WordAction::Harms => "It attacks or deceives",
        }
    }

    /// What it is where money is spoken of, or not.
    pub(super) fn given(self, is_about_money: bool) -> WordAction {
        match self {
            WordAction::PaysOrMoves if is_about_money => WordAction::Pays,
            WordAction::PaysOrMoves => WordAction::Writes,
            effect => effect,
        }
    }

    /// How much less it weighs when it is done to scratch files and the like.
    pub(super) fn less_for_scratch(self) -> i64 {
        match self {
            WordAction::Destroys => 30,
            WordAction::Removes | WordAction::Stops | WordAction::Deploys | WordAction::Grants => 20,
            _ => 0,
        }
    }
}

#[rustfmt::skip]
const ENGLISH: &[(WordAction, &[&str])] = &[
    (WordAction::Talks, &[
        "search", "find", "look", "check", "explain", "describe", "summarize", "summarise", "review", "analyze", "analyse", "compare", "grep", "measure",
        "draft", "document", "preview", "simulate", "estimate", "calculate", "verify", "validate", "lint", "test", "translate", "tell", "discuss", "think",
        "consider", "research", "learn", "ask", "answer", "quote", "highlight", "study", "examine", "report", "outline", "brainstorm", "plan", "warn", "teach",
        "illustrate", "mention", "define", "proofread", "lookup", "detect", "identify", "count", "audit", "decide", "wonder", "remember", "note",
    ]),
    (WordAction::Looks, &[
        "read", "list", "get", "show", "view", "inspect", "browse", "fetch", "query", "open", "display", "monitor", "scan", "see", "diff", "profile",
        "trace", "watch", "confirm", "select", "parse",
    ]),
    (WordAction::Runs, &["launch", "invoke", "trigger", "compile", "build", "spawn", "eval", "schedule", "install", "download", "import", "clone", "pull"]),
    (WordAction::Writes, &[
        "write", "edit", "update", "create", "save", "modify", "rename", "move", "commit", "add", "set", "change", "patch", "append", "insert",
        "replace", "configure", "migrate", "merge", "rewrite", "alter", "upsert", "restore", "copy", "assign", "close", "archive", "tag", "apply",
        "put", "store", "format", "sort", "refactor", "fix", "enable", "sync", "upgrade", "downgrade", "rotate", "encrypt", "restart", "reindex",
    ]),
    (WordAction::Deploys, &["deploy", "release", "publish", "rollout", "redeploy", "rollback", "ship", "promote"]),
    (WordAction::Sends, &["send", "email", "mail", "post", "upload", "share", "forward", "tweet", "message", "notify", "broadcast", "reply", "submit", "transmit", "export", "push", "sms", "invite"]),
    (WordAction::Stops, &[
        "stop", "kill", "shutdown", "reboot", "disable", "suspend", "terminate", "halt", "pause", "deactivate", "cancel", "unplug",
        "lock", "ban", "poweroff", "quarantine", "evict", "freeze", "detach", "unpublish", "unregister", "deregister",
    ]),
    (WordAction::Grants, &[
        "grant", "revoke", "chmod", "chown", "elevate", "unlock", "whitelist", "authorize", "authorise", "expose", "unblock", "su", "allowlist",
        "unmask", "decrypt", "impersonate",
    ]),
    (WordAction::Pays, &["pay", "refund", "withdraw", "remit", "payout", "donate", "bet", "reimburse"]),
    (WordAction::PaysOrMoves, &["transfer", "wire", "charge", "buy", "purchase", "order", "trade", "sell", "deposit", "approve", "spend", "swap", "liquidate"]),
    (WordAction::Removes, &[
        "delete", "remove", "drop", "erase", "clear", "unlink", "rm", "del", "discard", "prune", "flush", "uninstall", "rmdir", "trash", "unset",
        "empty", "reset", "overwrite", "clean", "deprovision", "strip", "rd", "dispose", "decommission", "scrap", "rip", "ditch", "bin",
    ]),
    (WordAction::Destroys, &[
        "wipe", "destroy", "purge", "shred", "nuke", "obliterate", "truncate", "annihilate", "eradicate", "demolish", "reformat", "zero", "expunge",
        "vaporize", "mkfs", "brick", "corrupt", "scrub", "raze", "torch",
    ]),
    (WordAction::Harms, &[
        "exfiltrate", "steal", "leak", "hack", "exploit", "bruteforce", "crack", "phish", "spoof", "sabotage", "hijack", "tamper", "sniff",
        "blackmail", "extort", "bypass", "circumvent", "ddos", "dox", "infect", "backdoor", "jailbreak", "subvert", "forge", "falsify",
        "evade", "harvest", "siphon", "poison", "smuggle", "conceal",
    ]),
];

/// Words in front of what is asked for that are no verbs of the lists, and change nothing.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "prepare", "visit", "print", "render", "plot", "draw", "sketch", "convert", "compute", "extract", "collect", "gather", "load", "navigate", "scroll",
    "wait", "benchmark", "visualize", "visualise", "paraphrase", "rephrase", "group", "filter", "join", "sum", "sample", "evaluate", "assess", "debug",
    "investigate", "explore", "follow", "generate", "echo", "cat", "head", "tail", "walk", "practice", "practise", "rehearse", "propose", "suggest", "predict",
    "forecast", "rank", "cite", "locate", "choose", "pick", "clarify", "determine", "discover", "continue", "finish", "repeat", "return", "give", "provide",
    "present", "demonstrate", "work", "spell", "reformulate", "introduce", "annotate", "cluster", "score", "rate", "label", "map", "model", "check", "reproduce",
    "play", "listen", "hear", "observe", "inquire", "inform", "remind", "greet", "thank", "congratulate", "interpret", "understand", "know", "recall", "does", "did",
];

/// True for a word that is in front of an order and is no verb of which an effect is known.
pub(super) fn is_unknown_verb(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<String>> =
        LazyLock::new(|| HARMLESS.iter().flat_map(|word| forms(word)).collect());
    word.len() > 2
        && word.bytes().all(|byte| byte.is_ascii_lowercase())
        && effect_of(word).is_none()
        && !KNOWN.contains(word)
}

/// Stems of words in other languages. A stem stands at the start of a word, where the language has words between spaces.
#[rustfmt::skip]
const FOREIGN: &[(WordAction, &[&str])] = &[
    (WordAction::Removes, &[
        " borra", " borre", " borro", " elimin", " suprim", " vacia ", " vaciar", " quita", " effac", " supprim", " enlev", " lösch", " loesch", " gelösch", " entfern",
        " cancell", " rimuov", " apag", " exclu", " remov", " verwijder", " wis ", " wissen", " удал", " сотр", " стир", " стереть", " очист", " usuń", " usun", " skasuj", " kasow",
        " sil ", " siliyor", " silmek", " silin", " smaž", " smaz", " radera", " ta bort", " slett", " poista", " töröl", " șterge", " sterge", " διαγρ", " видал", " xoa ", " xóa", " hapus", " tanggal",
        "删除", "刪除", "清空", "移除", "削除", "消去", "삭제", "제거", "지우", "지워", "حذف", "امسح", "مسح", "हटा", "मिटा", "ลบ", "מחק", "למחוק",
    ]),
    (WordAction::Destroys, &[
        " destruy", " destrui", " arras", " détrui", " detrui", " zerstör", " zerstoer", " vernicht", " formatier", " distrugg", " vernietig", " уничтож", " отформат", " zniszcz", " yok et", " sıfırla",
        "格式化", "销毁", "摧毁", "破壊", "抹除", "初期化", "파괴", "포맷", "دمر", "تدمير", "नष्ट",
    ]),
    (WordAction::Sends, &[
        " envía", " envia", " enviar", " manda ", " envoi", " envoy", " sende ", " senden", " schick", " verschick", " invia", " отправ", " перешл", " wyśl", " wyslij", " gönder", " gonder", " stuur", " skicka",
        "发送", "發送", "上传", "送信", "送って", "보내", "전송", "أرسل", "ارسل", "भेज", "kirim",
    ]),
    (WordAction::Stops, &[
        " desactiv", " deteng", " detener", " apaga ", " désactiv", " arrêt", " arret", " abschalt", " deaktivier", " stoppe ", " herunterfahr", " disattiv", " spegn", " deslig", " desativ", " отключ", " останов", " выключ", " wyłącz", " zatrzym",
        " kapat", " durdur", " uitschakel", "关闭", "停止", "禁用", "停用", "無効", "シャットダウン", "중지", "비활성", "끄", "أوقف", "عطل", "تعطيل", "बंद",
    ]),
    (WordAction::Pays, &[
        " transfier", " paga ", " pagar", " virement", " payer", " paie ", " überweis", " ueberweis", " bezahl", " trasferi", " bonific", " transfir", " переведи", " перевести", " оплат", " przelej", " zapłać", " havale", " öde ",
        "转账", "轉帳", "支付", "付款", "汇款", "送金", "振り込", "振込", "송금", "이체", "결제", "حول", "تحويل",
    ]),
    (WordAction::Grants, &[
        " otorg", " conced", " accord", " octroi", " gewähr", " berechtig", " конфер", " выдай права", " предостав", "授予", "授权", "権限を付与", "권한", "منح",
    ]),
    (WordAction::Harms, &[
        " roba ", " robar", " filtra ", " filtrar", " vol", " stehl", " umgeh", " ruba ", " rouba", " укра", " взлом", " обойд", " обойти", " ukrad", " çal ", "窃取", "偷", "绕过", "泄露", "盗", "回避", "훔", "우회", "유출", "سرق", "اختراق", "चोरी",
    ]),
];

static VERBS: LazyLock<HashMap<String, WordAction>> = LazyLock::new(|| {
    let mut verbs = HashMap::new();
    for (effect, words) in ENGLISH {
        for word in *words {
            for form in forms(word) {
                verbs.entry(form).or_insert(*effect);
            }
        }
    }
    verbs
});

struct Stems {
    automaton: Option<AhoCorasick>,
    effects: Vec<WordAction>,
}

static STEMS: LazyLock<Stems> = LazyLock::new(|| {
    let (mut stems, mut effects) = (Vec::new(), Vec::new());
    for (effect, words) in FOREIGN {
        for word in *words {
            let folded = words_of(&FoldedText::of(word).plain);
            let start = if word.starts_with(' ') { " " } else { "" };
            let end = if word.ends_with(' ') { " " } else { "" };
            stems.push(format!("{start}{}{end}", folded.trim()));
            effects.push(*effect);
        }
    }
    Stems { automaton: AhoCorasick::new(&stems).ok(), effects }
});

/// The effect of an English word.
pub(super) fn effect_of(word: &str) -> Option<WordAction> {
    VERBS.get(word).copied()
}

/// The effects of words of other languages in a text whose words have a space around each.
pub(super) fn foreign_effects(text: &str) -> Vec<WordAction> {
    let found = STEMS.automaton.iter().flat_map(|automaton| automaton.find_overlapping_iter(text));
    found.filter_map(|found| STEMS.effects.get(found.pattern().as_usize()).copied()).collect()
}

/// `delete`, `deletes`, `deleting`; `drop`, `drops`, `dropping`.
fn forms(word: &str) -> Vec<String> {
    let stem = word.strip_suffix('e').filter(|stem| !stem.ends_with('e')).unwrap_or(word);
    let mut forms = vec![word.to_owned(), format!("{word}s"), format!("{word}es"), format!("{stem}ing")];
    let mut last = word.chars().rev();
    let (Some(end), Some(vowel)) = (last.next(), last.next()) else { return forms };
    if !"aeiouwyx".contains(end) && "aeiou".contains(vowel) {
        forms.push(format!("{word}{end}ing"));
    }
    forms
}
