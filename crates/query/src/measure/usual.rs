//! What is usual in responses of APIs and in English prose and is one token: words, with or without a space in front,
//! and the signs of JSON.
//!
//! In: a run of letters or signs. Out: whether it is one of them. A word of up to twelve letters is a number, five
//! bits for a letter, so that looking it up compares one number.

use std::sync::LazyLock;

pub(super) const USUAL: &str = "\
    able about above abstract accept access accessible account accounts act action actions active actual \
    actually adapter add added adding additional address addresses adds admin after again against age \
    aggregate ago agree ahead air album alert alerts all allow allowed almost alone along already also \
    alternative although always among amount an and anger animal another answer any anything apache api \
    app appear append apple application applications apply apps archive are area argument arguments arm \
    army around array art article articles artist as ask assert assets associated association async at \
    attack attempt attention attribute attributes audio audit auth author auto available avatar avatars \
    avoid away baby back bad bag balance ball band bank bar base based basic basket batch bath battle be \
    bear beat beautiful because bed been before begin behavior behind being bell below best better \
    between big billing binary binding bird birth birthday bit black block blocks blog blood blue board \
    boat body bone book books boolean border born borrow both bottom box boy branch branches brand bread \
    break bridge bright bring broken brown buffer bug build building burn bus business busy but button \
    buy by byte bytes cache cake calendar call callback callbacks called calling calls came camera can \
    cancel cannot cap capital car card care carrier carry case cases castle cat catch categories \
    category cause cell center central certain certificate chain chair chance change changed changes \
    channel chapter character characters charge cheap check checks chief child children choice choose \
    chunk church circle city claims class classes clean clear client clock clone close closed cloth \
    cloud cluster coat code coffee cold collect collection college color column columns com come command \
    comment comments commit common community company compare complete completed component compression \
    compute computer condition conditions config confirm confirmation connect connecting connection \
    connections consider constant consume contain container contains content contents context continue \
    control controls convert converted cook cookie cool copies copy copyright core corn corner correct \
    cost could count country counts course court cover covered cow create created creating creation \
    credential credentials critical crop cross cry culture cup currency current currently cursor custom \
    customer customers cut damage dance danger dark dashboard data database dataset date daughter day \
    days dead deal death debug decision decode deep default defaults define defined defines definition \
    definitions degree delay delete deleted delivery department depend deploy deprecated depth describe \
    description desk desktop destination destroy detail details develop device devices die difference \
    different dir direct direction directory dirty disable disabled discount discover dispatch display \
    distance distribution divide do doc docs doctor document documents does dog domain done door double \
    down download downloads draft draw drawing dream dress drink drive driver drop dry due duplicate \
    duration during dust each ear early earn earth east easy eat edge education effect egg eight either \
    electric element elements else email empty en enable enabled encode encoding end endpoint enemy \
    energy engine ensure enter enterprise entity entries entry environment equal error errors escape \
    especially eu eur even event events ever every everyone everything example except exclusive execute \
    execution exercise exist existing exists expand expect expected experience explicit export express \
    expression extend extensions external extra extract eye eyes face fact factory fail failed failure \
    fair faith fall false family far farm fast father fault fear feature features feed feel feet fell \
    felt female few field fields fight figure file filename files fill film filter final finally find \
    fine finger finish finished fire firm first fish fit five fix fixed flag flags flat flight floor \
    flow flower fly folder follow followers following food foot for force foreign forest forget fork \
    form format formats forward found four frame free fresh friend friends from front fruit full fully \
    fun function functions future gain gallery game garden gas gate gave general generated generic get \
    getting gift girl git github give given glass global go goal gold gone good google got government \
    grand grant grass grave great greater green grey ground group groups grow growth guard guess guest \
    guide gun habit hair half hall hand handle handler handling hands hang happy hard harm has hash hat \
    hate have he head header headers health hear heard heart heat heavy height hello help her here \
    hidden hide high hill him hint his history hit hold hole holiday home hooks hope horse hospital host \
    hostname hot hotel hour hours house how however html http https hub human hunt hurt ice id idea \
    identifier identity if ignore ill image images implement import important in inch incident include \
    included includes including incorrect increase index industry info information initial input insert \
    inside install installed instance instead integer interest interesting interface internal into \
    invalid inventory invite invoice invoke io iron is issue issues it item items its job jobs join joy \
    json judge juice jump just justice keep key keyboard keys kick kill kind king knife know known label \
    labels lady lake land language languages large last late later latest latitude laugh law lay lead \
    leader leaf learn least leave left leg lend length less lesson let letter letters level levels \
    libraries library license lie life lift light like likes limit limited limits line lines link links \
    lion lip list listen lists little live living load loaded loader loading local location locations \
    lock locked log logging login logs long longitude look looks loop lose loss lost lot love low lower \
    luck machine made main make making male man manage manager many map maps march mark market master \
    match matches matching material matter max maximum may maybe me meal mean means measure media \
    medicine medium meet meeting member members memory men mention menu merge message messages meta \
    metadata metal method methods metrics middle might mile milk million min mind mine minimal minimum \
    minister minute minutes mirror miss missing mix mobile mode model models modern modified modify \
    module modules moment money monitor month months moon more most mother motion mouse mouth move \
    movement movie movies much mud multi multipart multiple music must my name named names namespace \
    nation national natural nature near neck need needed negative neighbor nest net network never new \
    news next nice night nine no node nodes noise non none nor north nose not note nothing notice \
    notification now null number numbers object objects of off offer office offset often oil old on once \
    one only onto open operation operations operator option optional options or orange order orders \
    ordinary org organization origin original other others otherwise ought our out output outside over \
    override own owned owner pack package packages padding page pages pain paint pair paper parameter \
    parameters params parent parse parsed part partial partition parts party pass passed passing \
    password past patch path paths patient pattern pay payload payment peace pen pending people per \
    perfect performance perhaps period permission permissions person personal phone photo photos pick \
    picture piece pig pilot pink pipe pipeline place plain plan planet plant plate platform play player \
    please point pointer policy pool poor pop popular population port position possible post postal \
    posts pot power practice pray prefer preferred prefix premium prepare present press pretty prevent \
    previous price primary print printer printing privacy private probably problem process processing \
    produce product products profile program progress project projects promise proof proper properties \
    property protect protocol prove provide provided proxy public publish published publisher pull pure \
    purpose push put quality quantity quarter queen queries query question quick quiet quite quota quote \
    race radio rain raise raised ran range rank rare rate rather rating raw re reach read reading reads \
    ready real really reason receive received recent record records red reduce ref reference references \
    refund region register registration registry regular related relation relative release remain \
    remaining remember remote remove removed rename rent repair repeat replace reply repo report repos \
    repository represent request requested requests require required requirements requires reserved \
    reset resolution resolve resource resources respect response rest result results return returned \
    returns reverse review revision rice rich ride right rights ring rise river road rock role roles \
    roll roof room root rope rough round route row rows rule rules run running runs runtime rush sad \
    safe said salary salt same sample sand sat save say scale scenario schema school science scope score \
    screen script sea search season seat second seconds secret section sections security see seed seen \
    select selected selection self sell send sending sense sent sentence sequence series serve server \
    service session sessions set setting settings seven severity sha shade shadow shake shall shape \
    share shared shares sharp she sheet shine ship shipping shirt shock shoe shoot shop shore short \
    should show shows side sign signal signature silver similar simple since sing single sit site six \
    size skill skin skip sky sleep slide slow small smooth snake snow so soap social soft software soil \
    some someone something sometimes son song soon sorry sort sound source sources south space spec \
    special specific speech speed spell spent split sport spread spring square stage stamp stand \
    standard star stars start started starting state statement station status stay steam steel step \
    steps stick still stock stone stood stop storage store stories storm story straight stream street \
    strength strict strike string strings strong structure structured student study style sub subject \
    subscription success such suggest suite summary summer sun support supported supports sure surface \
    sweet syntax system tab table tables tablet tag tags tail take talk target task tasks taste tax tea \
    teach teacher team teams tear tell temperature template temporary ten tent term terminal terms test \
    text than thank that the their them then there these they thin thing things think third this those \
    though thought thread threads three threshold through throw thus ticket tie tight time timeout \
    timestamp tiny tip title to today toe token tokens too tool tools top topic topics total touch tower \
    town toy track tracking trade train transaction transactions transfer translate transparent \
    transport travel tree trees trial trip true trust truth try tuple turn two type types under \
    unexpected union unique unit unknown unless unsupported until up update updated updates upload upon \
    upper uri url us usage usd use used user users uses using usual usually valid validate validation \
    valuable value values variable variant variants verification verified version versions very via \
    video view views visibility visible visit voice vote wait wake walk wall want wanted war warehouse \
    warm warn warning was wash watch water wave way we weak wealth weapon wear weather web week weeks \
    weight welcome well went were west wet what whatever wheel when where whether which while white who \
    whole whose why wide width wife wiki wild will win wind window wine wing winner winter wire wise \
    wish with within without woman women wonder wood word words work worker works world worth would wrap \
    wrapped write writing written wrong www xml yard year years yellow yes yet you young your zero zip \
    zone";

/// True when these signs are usual.
pub(super) fn are_usual_signs(signs: &[u8]) -> bool {
    matches!(
        signs,
        br#"":""#
            | br#"",""#
            | br#"":"#
            | br#",""#
            | br#"{""#
            | br#"":{""#
            | br#"":[""#
            | br#"},{""#
            | br#""},{""#
            | br#"},""#
            | br#""}"#
            | br#""]"#
            | br#"[""#
            | br#"{}"#
            | br#"[]"#
            | br#"://"#
    )
}

/// Longer words do not fit into the number.
const LONGEST: usize = 12;
/// More than twice as many slots as words, so that a word is found, or not, after one or two looks.
const SLOTS: usize = 4096;

static TABLE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut table = vec![0; SLOTS];
    for number in USUAL.split(' ').filter_map(|word| number(word.as_bytes())) {
        let place = free_or_equal(&table, number);
        table[place] = number;
    }
    table
});

/// True when these letters, whatever their case, are a usual word.
pub(super) fn is_usual_word(letters: &[u8]) -> bool {
    number(letters).is_some_and(|number| TABLE[free_or_equal(&TABLE, number)] == number)
}

fn number(letters: &[u8]) -> Option<u64> {
    let fold = |number, letter: &u8| number << 5 | u64::from(letter & 0x1f);
    (1..=LONGEST).contains(&letters.len()).then(|| letters.iter().fold(0, fold))
}

/// The slot of a number, or the one where it belongs.
fn free_or_equal(table: &[u64], number: u64) -> usize {
    let mut place = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
    while table[place] != 0 && table[place] != number {
        place = (place + 1) % SLOTS;
    }
    place
}
