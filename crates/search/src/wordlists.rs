//! The lists of English words that the ranking knows: what carries no meaning, how words bend, what verbs ask for.
//!
//! Constants only, each a text of words with spaces between them; `text.rs`, `verbs.rs` and `query.rs` make sets of them.

/// Words that say nothing about an operation.
pub const STOP: &str = "\
    a about across after again all already also always am among an and any anybody anyone anything are \
    aren around as at away back be because been before being between bit both bunch but by can cannot \
    certain could couple current d did didn do does doesn doing don done down during each even ever \
    every everybody everyone everything existing few first five for four from get gets getting give \
    given go going got had has hasn have haven having he hello her here hers hi him his how i if in \
    inside into is isn it its just keep keeps know let lets like ll lot lots m made make makes many may \
    me might mine more most much must my need needed needs never new no nobody nor not now of off ok on \
    once one only onto or other our ours out over own own's particular per please quite re really right s \
    same say says second see seen several shall she should since single so some somebody someone \
    something soon specific still stuff such t tell than thank thanks that the their theirs them then \
    there these they thing things this those three to today tomorrow tonight too two under until up us \
    use used using ve very via want wanted wants was wasn way we were what when where which while who \
    whom whose why will with within without won would would'd yesterday yet you your yours";

/// Words whose base no rule finds, and short forms: each before its base.
pub const IRREGULAR: &[(&str, &str)] = &[
    ("people", "person"),
    ("children", "child"),
    ("indices", "index"),
    ("indexes", "index"),
    ("statuses", "status"),
    ("addresses", "address"),
    ("data", "data"),
    ("media", "media"),
    ("aliases", "alias"),
    ("news", "news"),
    ("keys", "key"),
    ("ran", "run"),
    ("sent", "send"),
    ("built", "build"),
    ("bought", "buy"),
    ("sold", "sell"),
    ("paid", "pay"),
    ("lost", "lose"),
    ("found", "find"),
    ("written", "write"),
    ("wrote", "write"),
    ("taken", "take"),
    ("took", "take"),
    ("chosen", "choose"),
    ("chose", "choose"),
    ("given", "give"),
    ("gave", "give"),
    ("kept", "keep"),
    ("held", "hold"),
    ("shown", "show"),
    ("made", "make"),
    ("left", "leave"),
    ("went", "go"),
    ("gone", "go"),
    ("began", "begin"),
    ("begun", "begin"),
    ("stolen", "steal"),
    ("broken", "break"),
    ("hidden", "hide"),
    ("drew", "draw"),
    ("spent", "spend"),
    ("thrown", "throw"),
    ("repo", "repository"),
    ("repos", "repository"),
    ("org", "organization"),
    ("orgs", "organization"),
    ("organisation", "organization"),
    ("organisations", "organization"),
    ("config", "configuration"),
    ("configs", "configuration"),
    ("env", "environment"),
    ("envs", "environment"),
    ("auth", "authentication"),
    ("info", "information"),
    ("docs", "document"),
    ("doc", "document"),
    ("licence", "license"),
    ("licences", "license"),
    ("cancelled", "cancel"),
    ("canceled", "cancel"),
    ("cancelling", "cancel"),
    ("cancellation", "cancel"),
    ("colour", "color"),
    ("colours", "color"),
    ("favourite", "favorite"),
    ("favourites", "favorite"),
    ("labelled", "label"),
    ("labelling", "label"),
    ("enrol", "enroll"),
    ("catalogue", "catalog"),
    ("cheque", "check"),
    ("behaviour", "behavior"),
    ("analyse", "analyze"),
    ("analysed", "analyze"),
    ("param", "parameter"),
    ("params", "parameter"),
    ("prefs", "preference"),
    ("pref", "preference"),
    ("perms", "permission"),
    ("perm", "permission"),
    ("admins", "administrator"),
    ("admin", "administrator"),
    ("app", "application"),
    ("apps", "application"),
    ("msg", "message"),
    ("msgs", "message"),
    ("pwd", "password"),
    ("img", "image"),
    ("imgs", "image"),
    ("stats", "statistic"),
    ("stat", "statistic"),
    ("num", "number"),
    ("acct", "account"),
    ("addr", "address"),
    ("tx", "transaction"),
    ("txn", "transaction"),
    ("txns", "transaction"),
    ("dir", "directory"),
    ("dirs", "directory"),
    ("del", "delete"),
    ("desc", "description"),
    ("ref", "reference"),
    ("refs", "reference"),
    ("db", "database"),
];

/// Endings that are not a British `-ise`.
pub const KEEP_ISE: &str = "\
    wise raise raised promise promised promises advise advised revise revised exercise exercises \
    otherwise enterprise enterprises precise premise premises surprise expertise franchise noise arising \
    raising rising advertising advertise merchandise disguise supervise comprise compromised compromise";

/// Nouns in `-ing` that are words of their own.
pub const KEEP_ING: &str = "\
    accounting billing booking branding bring building closing during engineering evening finding \
    funding heading hosting issuing king landing listing mapping marketing meaning meeting morning \
    networking nothing onboarding opening outstanding pairing pending posting pricing rating recording \
    reporting ring routing scaling screening setting shipping spending spring string thing trading \
    training voicing warning";

/// Words that keep an ending such as `-tion` or `-ment`.
pub const KEEP_SUFFIX: &str = "\
    action application assignment attachment attestation authorization collection comment configuration \
    connection department deployment discussion document environment extension function information \
    installation location notification option organization payment permission position production region \
    section session statement station subscription table transaction variable version";

/// Stems in names and paths that tell no operation from another.
pub const GENERIC: &str = "\
    api endpoint id ids json name v1 v2 v3";

/// Verbs, each group with what it asks for: list, get, create, update, delete, act. A later group replaces an earlier one.
pub const VERBS: &[(&str, [f32; 6])] = &[
    ("list enumerate browse", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("search find query lookup", [1.0, 0.4, 0.0, 0.0, 0.0, 0.0]),
    ("show view display see inspect look describe print", [0.6, 0.6, 0.0, 0.0, 0.0, 0.0]),
    ("get fetch retrieve read obtain grab load", [0.6, 0.8, 0.0, 0.0, 0.0, 0.0]),
    ("check verify determine whether test validate", [0.0, 0.6, 0.0, 0.0, 0.0, 0.6]),
    ("download export dump", [0.3, 1.0, 0.0, 0.0, 0.0, 0.0]),
    ("what which who whose where how did does", [0.5, 0.5, 0.0, 0.0, 0.0, 0.0]),
    ("count", [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
    (
        "create new open start generate register build provision launch setup initiate begin \
         compose write draft insert publish issue",
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.3],
    ),
    ("add attach append include assign invite grant", [0.0, 0.0, 0.9, 0.6, 0.0, 0.3]),
    (
        "submit upload post send push trigger run execute dispatch request apply import",
        [0.0, 0.0, 0.8, 0.0, 0.0, 0.8],
    ),
    (
        "update change modify edit rename adjust alter replace set configure customize switch move \
         convert turn mark adapt amend revise patch bump increase decrease extend fix correct",
        [0.0, 0.0, 0.15, 1.0, 0.0, 0.3],
    ),
    ("close reopen archive unarchive resolve dismiss promote demote", [0.0, 0.0, 0.0, 1.0, 0.2, 0.7]),
    (
        "delete remove erase wipe kick drop destroy purge discard clear trash revoke unassign detach \
         unlink uninstall unfollow unstar unsubscribe unblock unpin deregister expel evict withdraw",
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.3],
    ),
    ("cancel stop abort terminate end kill halt", [0.0, 0.0, 0.2, 0.0, 0.6, 1.0]),
    ("enable activate allow permit lock freeze block pause suspend hold", [0.0, 0.0, 0.5, 0.6, 0.0, 0.7]),
    ("disable deactivate prevent forbid unlock", [0.0, 0.0, 0.0, 0.4, 0.7, 0.6]),
    (
        "accept approve decline reject confirm finalize capture void pay refund transfer rerun restart \
         retry redeliver resend resume sync merge fork star follow watch subscribe reverse advance",
        [0.0, 0.0, 0.7, 0.5, 0.0, 1.0],
    ),
    ("save store put keep record", [0.0, 0.0, 0.6, 0.8, 0.0, 0.0]),
    (
        "obliterate annihilate nuke scrap dispose eliminate shred forget unsubscribe leave quit \
         unregister disconnect unset rollback oust boot bin",
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.4],
    ),
    (
        "hand put place register sign enroll onboard introduce establish define propose file report log \
         raise spin bring upgrade book schedule order buy charge bill invoice notify alert announce tag \
         label comment reply respond react link connect mint produce prepare construct deploy ship \
         release upvote",
        [0.0, 0.0, 0.8, 0.3, 0.0, 0.5],
    ),
    (
        "retitle reassign reschedule restrict limit prioritize reorder relabel protect hide unhide \
         publicize reset rotate refresh regenerate renew toggle tweak improve enlarge shrink resize \
         reduce raise lower exclude bypass require enforce make",
        [0.0, 0.0, 0.3, 0.8, 0.0, 0.6],
    ),
    (
        "compare diff calculate compute estimate preview count measure summarize monitor track analyze \
         review audit know",
        [0.5, 0.8, 0.0, 0.0, 0.0, 0.2],
    ),
    (
        "suspend unsuspend reactivate reinstate restore undelete recover reverse undo redo replay repeat \
         relaunch revive unarchive redact anonymize",
        [0.0, 0.0, 0.3, 0.5, 0.3, 1.0],
    ),
];

/// Verbs that are as often nouns: they ask for something only where a verb can stand.
pub const NOUN_VERBS: &str = "\
    label tag comment reply report log file release order book charge bill invoice review link record \
    request issue star fork watch post schedule transfer refund merge run build test check draft start \
    export import search query count register block lock hold patch dispatch follow subscribe track \
    monitor preview estimate measure audit alert ship place sign put hand end push apply limit";

/// Verbs of every API: they weigh little as words.
pub const GENERIC_VERBS: &str = "\
    list enumerate browse find lookup show view display see inspect look describe print get fetch \
    retrieve read obtain grab load determine create make new open generate begin initiate setup add \
    append include insert update change modify edit adjust alter replace set configure switch turn mark \
    amend revise fix correct delete remove erase wipe kick drop destroy purge discard clear trash save \
    store keep what which who whose where how did does whether give put hand bring place obliterate \
    annihilate nuke scrap dispose eliminate shred require know";

/// The verb by which each class is asked for, and the commonest others.
pub const CLASS_VERBS: &str = "\
    list show create update change delete remove";

/// Noun-verbs that are verbs only before a determiner.
pub const NOUNS_FIRST: &str = "\
    label tag comment reply report log file release order book charge bill invoice review link record \
    request issue star fork watch post schedule transfer refund block lock hold patch limit";

/// Services that are no words of the language: who names one that is not here means none that is.
pub const SERVICES: &str = "\
    airtable asana auth0 bitbucket calendly circleci clickup cloudflare confluence datadog digitalocean docusign dropbox facebook \
    freshdesk github gitlab gmail grafana heroku hubspot instagram jenkins jira kubernetes linkedin linode mailchimp mailgun mastodon \
    mixpanel netlify okta onedrive opsgenie pagerduty paypal pipedrive quickbooks salesforce sendgrid servicenow sharepoint shopify \
    soundcloud splunk spotify todoist trello twilio typeform vercel vimeo whatsapp woocommerce wordpress youtube zapier zendesk";

/// What stands before a noun.
pub const DETERMINERS: &str = "\
    a all an another any each every her him his it its me my new one our some somebody someone that the \
    their them these this those three two us your";

/// First words of a question that is answered by yes or no.
pub const QUESTION_FIRST: &str = "\
    am are can did do does has have is was were";

/// Words after which a verb can stand.
pub const VERB_PREDECESSORS: &str = "\
    and can could i must please should then they to we will would you";

/// Words that show that a text is English.
pub const ENGLISH_FUNCTION: &str = "\
    a all an and are by create delete for from get how i in is it its list my not of on or our please \
    show that the this to update we what which who with";

/// Small words of other languages.
pub const FUNCTION_WORDS: &[(&str, &str)] = &[
    (
        "de",
        "der die das den dem des ein eine einen einem einer und oder für von vom mit auf aus bei nach zu zum zur im ist sind nicht alle wie ich mein meine unser unsere bitte per an als dass wird",
    ),
    (
        "fr",
        "le la les un une des du de et ou pour par avec dans sur est sont ne pas mon ma mes notre nos comment je à au aux ce cette toutes tous",
    ),
    (
        "es",
        "el la los las un una unos de del y o para por con en es son no mi mis nuestro nuestra cómo como yo al a este esta todos todas",
    ),
    (
        "pt",
        "o a os as um uma de do da dos das e ou para por com em no na nos nas é são não meu minha nosso nossa como eu ao este esta todos todas",
    ),
    (
        "it",
        "il lo la i gli le un una di del della dei delle e o per da con in nel nella è sono non mio mia nostro nostra come io al alla questo questa tutti tutte",
    ),
    (
        "nl",
        "de het een en of voor van met op uit bij naar te in is zijn niet mijn onze ons hoe ik aan dit deze alle",
    ),
    ("ru", "и в на с по для из к у от не как мой наш все что это"),
];

/// The columns of `data/languages.txt` after the first.
pub const LANGUAGES: [&str; 10] = ["de", "fr", "es", "pt", "it", "nl", "ru", "ja", "zh", "ko"];
