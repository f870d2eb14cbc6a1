//! Phrases that weigh whatever else is said: attempts to talk the evaluation down, to hide something, to order it about.
//!
//! Folded text in; the phrases that it has out. Modifiers weigh only beside something that acts.

use super::phrase_set::PhraseSet;
use std::sync::LazyLock;

/// A phrase that was found.
#[derive(Debug)]
pub(super) struct Phrase {
    pub points: i64,
    pub about: &'static str,
    /// It orders the evaluator; talking of it is no excuse.
    pub is_order: bool,
    pattern: &'static str,
}

const fn order(points: i64, about: &'static str, pattern: &'static str) -> Phrase {
    Phrase { points, about, is_order: true, pattern }
}

const fn phrase(points: i64, about: &'static str, pattern: &'static str) -> Phrase {
    Phrase { points, about, is_order: false, pattern }
}

#[rustfmt::skip]
static PHRASES: &[Phrase] = &[
    order(80, "It tells the evaluation to ignore its rules", r"(?:ignore|disregard|forget|override|bypass)\W+(?:\w+\W+){0,4}(?:instruction|rule|guideline|prompt|directive|restriction|safeguard|safety|polic)"),
    order(70, "It tells the evaluation what to decide", r"(?:set|return|report|rate|mark|score|classify|treat|consider)\W+(?:\w+\W+){0,5}(?:risk|score|tier|continue)\W+(?:\w+\W+){0,3}(?:0|zero|low|true|safe|advisory|minimal|none)\b|continue\W{0,4}true|risk\s*(?:score)?\s*[:=]\s*0\b"),
    order(60, "It claims another role", r"(?:developer|god|debug|dan|admin|maintenance|unrestricted) mode\b|jailbreak|you are now|act as (?:an? )?(?:unrestricted|root|admin)|new (?:system )?(?:instruction|prompt)s?\b|system (?:prompt|override)\b|<\s*/?\s*system\s*>|\[\s*system\s*\]"),
    phrase(66, "It switches off or gets round a safeguard", r"(?:disable|disabl|turn(?:s|ed|ing)? off|switch(?:es|ed|ing)? off|bypass|circumvent|skip|evade|disarm|deactivat|suspend|kill|stop|silence|mut(?:e|ing)|remov|weaken|work(?:ing)? around|get(?:ting)? around|unload|uninstall|defeat|avoid(?:ing)?)\w*\W+(?:\w+\W+){0,5}(?:safety|security|audit|logging|logger|monitor|antivirus|firewall|alert|approval|confirmation|review|guard|mfa|2fa|two.factor|detection|sandbox|safeguard|gatekeeper|defender|selinux|edr|protection|authenticat|authoriz|permission check|rate limit|encryption|tls|certificate|interlock|alarm|filter)"),
    phrase(68, "It removes traces", r"(?:clear|eras|delet|wip|remov|purg|scrub|destroy|truncat|tamper|falsif|rotat\w* away|edit|alter|rewrit)\w*\W+(?:\w+\W+){0,5}(?:audit (?:log|trail)|logs?\b|history|traces?\b|tracks|evidence|event log|syslog|journal)"),
    phrase(64, "It hides what is done", r"(?:without|avoid)\W+(?:\w+\W+){0,3}(?:notic|trace|detect|being seen|leaving|logging|log\b|audit|knowing)|cover(?:ing)? (?:my|our|the|your)? ?tracks|so (?:that )?(?:nobody|no one|the user (?:does ?n.?t|never|won.?t))|(?:don.?t|do not|never)\W+(?:tell|inform|report|log|mention|alert|notify|let)\W+(?:\w+\W+){0,3}(?:user|anyone|operator|admin|human|owner|them|team|security|know)"),
    phrase(72, "It takes data or secrets away", r"(?:exfiltrat|steal|leak|siphon|harvest|dump)\w*\W+(?:\w+\W+){0,6}(?:data|password|credential|secret|token|key|database|customer|hash|memory|cookie|record|file)"),
    phrase(58, "It opens a way in", r"(?:add|creat|install|plant|leav|insert|open|set)\w*\W+(?:\w+\W+){0,5}(?:backdoor|reverse shell|hidden (?:admin|user|account)|secret account|persistence|authorized.keys|superuser|web ?shell)"),
    phrase(44, "It makes something open to everyone", r"(?:mak|set|chang|switch|flip)\w*\W+(?:\w+\W+){0,6}(?:public|world.(?:readable|writable)|open to (?:everyone|the internet|anyone))|0\.0\.0\.0/0|open(?:ing)?\W+(?:\w+\W+){0,3}ports?\b|allow(?:ing)?\W+(?:\w+\W+){0,4}(?:any|all|every)\w*\W+(?:ip|origin|traffic|host|access|inbound)"),
    phrase(40, "It changes a password or a key of somebody", r"(?:reset|chang|replac|rotat|set)\w*\W+(?:\w+\W+){0,4}(?:password|credential|mfa|2fa|recovery (?:email|code))"),
    phrase(45, "It gives administrators' rights", r"(?:add|mak|promot|giv|grant|elevat|escalat|assign)\w*\W+(?:\w+\W+){0,6}(?:admin|root|superuser|owner|sudo|privilege|full access|full control)"),
    phrase(40, "It wears out a service", r"(?:flood|spam|ddos|hammer|overload|brute.?forc)\w*"),
    phrase(60, "It copies itself or goes on without end", r"(?:replicat|copy|spawn|clon)\w*\W+(?:\w+\W+){0,3}(?:myself|itself|yourself)|escape (?:the )?(?:sandbox|container)|break out of|(?:prevent|resist)\w*\W+(?:\w+\W+){0,3}(?:shutdown|being shut|termination)|without (?:ever )?stopping"),
    phrase(45, "It signs or agrees for a person", r"(?:sign|accept|agree)\w*\W+(?:\w+\W+){0,4}(?:contract|agreement|lease|terms|loan|mortgage|will\b)|on behalf of (?:the )?(?:ceo|user|owner|customer|patient)|as the (?:ceo|cfo|owner)"),
    phrase(50, "It sets a deletion or a shutdown in motion", r"(?:schedul|request|trigger|start|initiat|perform|order|authoriz|begin)\w*\W+(?:\w+\W+){0,5}(?:deletion|removal|destruction|termination|shutdown|wipe|purge|erasure)"),
    phrase(38, "It ends an account or a contract", r"(?:clos|cancel|terminat|suspend|ban|deactivat|fir)\w*\W+(?:\w+\W+){0,4}(?:accounts?\b|subscriptions?\b|contracts?\b|employees?\b|staff\b|customers?\b|domains?\b|users?\b)"),
];

#[rustfmt::skip]
static MODIFIERS: &[Phrase] = &[
    phrase(14, "It is to be done by force or without asking", r"--force\b|\bforce\b|--yes\b|\s-y\b|--no-verify|-auto-approve\b|--override\b|\boverrid\w*|no(?:n|-)?(?:interactive|confirm)|without\W+(?:\w+\W+){0,2}(?:ask|confirm|approv|prompt|permission|review|warn|backup|back)\w*|skip\w*\W+(?:\w+\W+){0,2}(?:confirm|prompt|check|test|review|backup)|no questions|no (?:backup|undo|confirmation)"),
    phrase(12, "It cannot be undone", r"permanent|irrevers|irrevocab|forever|unrecoverab|for good\b|cannot be undone|no way back|beyond recovery|hard.delet|definitiv|endgültig|безвозврат|навсегда|永久|完全に|영구"),
    phrase(8, "It claims to be harmless or allowed, which is not for it to say", r"\bis (?:completely |totally |perfectly |100% )?(?:safe|harmless|fine|ok|okay|approved|authorized|routine|reversible)\b|trust me|pre.?approved|already (?:approved|authorized|confirmed|agreed|cleared)|(?:user|admin|operator|boss|owner|manager|ceo|security) (?:has |have )?(?:approved|authorized|confirmed|agreed|okayed|said|wants|signed)|just (?:a )?test|only a (?:test|drill)|nothing (?:to worry|dangerous|bad)|no risk|low.risk|risk.free|harmless|perfectly safe|not dangerous|read.only (?:operation|action)"),
    phrase(8, "It is urgent", r"urgent|immediately|right now|asap|no time|before anyone|quick(?:ly)? before"),
];

static PHRASE_SET: LazyLock<Option<PhraseSet>> = LazyLock::new(|| set(PHRASES));
static MODIFIER_SET: LazyLock<Option<PhraseSet>> = LazyLock::new(|| set(MODIFIERS));

fn set(phrases: &[Phrase]) -> Option<PhraseSet> {
    PhraseSet::of(phrases.iter().map(|phrase| phrase.pattern))
}

/// The phrases of a text.
pub(super) fn in_text(folded: &str) -> Vec<&'static Phrase> {
    found(&PHRASE_SET, PHRASES, folded)
}

/// The modifiers of a text.
pub(super) fn modifiers_in(folded: &str) -> Vec<&'static Phrase> {
    found(&MODIFIER_SET, MODIFIERS, folded)
}

fn found(set: &Option<PhraseSet>, phrases: &'static [Phrase], text: &str) -> Vec<&'static Phrase> {
    let found = set.iter().flat_map(|set| set.found(text));
    found.filter_map(|index| phrases.get(index)).collect()
}

/// How all of them are written.
#[cfg(test)]
pub(super) fn patterns() -> impl Iterator<Item = &'static str> {
    PHRASES.iter().chain(MODIFIERS).map(|phrase| phrase.pattern)
}
