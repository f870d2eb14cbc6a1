//! The audit: whole when no one touched it, and whatever somebody did to it is found.

use crate::support::{Place, asker, call, count_events, issue, on_both_engines, refusal, settle};
use aqueduct_store::audit::{AuditEntry, AuditFilter, AuditProblem};
use aqueduct_store::{CallKey, Requester, Store};
use std::time::Duration;

on_both_engines!(
    whole_when_untouched,
    every_change_is_found,
    a_cut_after_the_last_seal_is_found_by_the_head,
    a_line_of_another_chain,
    set_back_with_its_seals,
    sealed_by_number_and_by_time,
    remembered_as_soon_as_it_is_sealed,
    sealed_at_the_end,
    searched,
    refused_without_end,
    one_caller_takes_no_line_of_another,
    an_outage_leaves_every_caller_its_share,
    an_outage_is_told_afterwards,
    says_what_it_was_compared_with,
    exported,
    odd_texts_stay_what_they_are,
    many_writers_make_one_chain,
);

async fn fill(store: &Store, lines: usize) {
    for index in 0..lines {
        let line = AuditEntry::new("OPERATION_DENIED", "denied").because(format!("line {index}"));
        store.append_audit(vec![line]).await.unwrap();
    }
}

async fn problems(store: &Store) -> Vec<AuditProblem> {
    store.verify_audit().await.unwrap().problems
}

async fn whole_when_untouched(mut place: Place) {
    place.settings.limits.lines_per_seal = 4;
    let store = place.open();
    assert!(store.verify_audit().await.unwrap().is_whole());
    fill(&store, 10).await;
    let report = store.verify_audit().await.unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!((report.lines, report.seals, report.sealed_through), (10, 2, 8));
}

async fn every_change_is_found(mut place: Place) {
    place.settings.limits.lines_per_seal = 4;
    let store = place.open();
    fill(&store, 12).await;
    let swap = "UPDATE audit SET seq = -1 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3; \
                UPDATE audit SET seq = 3 WHERE seq = -1;";
    let copy = "CREATE TABLE kept AS SELECT * FROM audit; CREATE TABLE kept_seals AS SELECT * FROM audit_seals; \
                CREATE TABLE kept_head AS SELECT * FROM audit_head;";
    let back = "DELETE FROM audit; INSERT INTO audit SELECT * FROM kept; \
                DELETE FROM audit_seals; INSERT INTO audit_seals SELECT * FROM kept_seals; \
                DELETE FROM audit_head; INSERT INTO audit_head SELECT * FROM kept_head;";
    place.tamper(copy);
    let changed = |seq| AuditProblem::Changed { seq };
    let missing = |from, to| AuditProblem::Missing { from, to };
    let cases: Vec<(&str, AuditProblem)> = vec![
        ("UPDATE audit SET outcome = 'allowed' WHERE seq = 5", changed(5)),
        ("UPDATE audit SET detail = NULL WHERE seq = 1", changed(1)),
        ("UPDATE audit SET at = at + 1 WHERE seq = 8", changed(8)),
        ("UPDATE audit SET approver = 'olga' WHERE seq = 3", changed(3)),
        ("UPDATE audit SET mac = '00' WHERE seq = 3", changed(3)),
        ("DELETE FROM audit WHERE seq = 6", missing(6, 6)),
        ("DELETE FROM audit WHERE seq <= 3", missing(1, 3)),
        ("DELETE FROM audit WHERE seq > 6", missing(7, 12)),
        (swap, changed(2)),
        ("UPDATE audit_seals SET through = 5 WHERE number = 1", AuditProblem::SealChanged { number: 1 }),
        ("UPDATE audit_seals SET mac = '00' WHERE number = 2", AuditProblem::SealChanged { number: 2 }),
        ("DELETE FROM audit_seals WHERE number = 2", AuditProblem::SealMissing { number: 2 }),
        ("DELETE FROM audit_seals WHERE number = 3", AuditProblem::SealMissing { number: 3 }),
        ("DELETE FROM audit; DELETE FROM audit_seals", missing(1, 12)),
        ("UPDATE audit_head SET mac = '00'", AuditProblem::HeadChanged),
        ("UPDATE audit_head SET seq = 11", AuditProblem::HeadChanged),
    ];
    for (tampering, problem) in cases {
        place.tamper(tampering);
        let found = problems(&store).await;
        assert!(found.contains(&problem), "{tampering}: {found:?}");
        place.tamper(back);
        assert_eq!(problems(&store).await, [], "{tampering}");
    }
}

async fn a_cut_after_the_last_seal_is_found_by_the_head(place: Place) {
    let store = place.open();
    fill(&store, 5).await;
    place.tamper("DELETE FROM audit WHERE seq > 3");
    assert_eq!(problems(&store).await, [AuditProblem::Missing { from: 4, to: 5 }]);
}

/// A line that was written once, in a state that was then set back, is no line of what was written instead, though it has its place and
/// the key made its code.
async fn a_line_of_another_chain(place: Place) {
    let store = place.open();
    fill(&store, 4).await;
    place.tamper("CREATE TABLE h AS SELECT * FROM audit_head;");
    let line = |detail: &str| vec![AuditEntry::new("OPERATION_DENIED", "denied").because(detail)];
    store.append_audit(line("nothing happened")).await.unwrap();
    place.tamper(
        "CREATE TABLE a AS SELECT * FROM audit WHERE seq = 5; DELETE FROM audit WHERE seq = 5; \
         DELETE FROM audit_head; INSERT INTO audit_head SELECT * FROM h;",
    );
    store.append_audit(line("everything was deleted")).await.unwrap();
    store.append_audit(line("and more")).await.unwrap();
    assert_eq!(problems(&store).await, []);
    place.tamper("DELETE FROM audit WHERE seq = 5; INSERT INTO audit SELECT * FROM a;");
    assert_eq!(problems(&store).await, [AuditProblem::Changed { seq: 6 }]);
}

/// A whole earlier state is put back: only this machine's own file knows better.
async fn set_back_with_its_seals(mut place: Place) {
    place.settings.limits.lines_per_seal = 4;
    let store = place.open();
    fill(&store, 6).await;
    place.tamper(
        "CREATE TABLE a AS SELECT * FROM audit; CREATE TABLE s AS SELECT * FROM audit_seals; \
         CREATE TABLE h AS SELECT * FROM audit_head;",
    );
    fill(&store, 6).await;
    let seal = store.seal_audit().await.unwrap().unwrap();
    assert_eq!(seal.through, 12);
    assert!(store.verify_audit().await.unwrap().is_whole());
    place.tamper(
        "DELETE FROM audit; INSERT INTO audit SELECT * FROM a; \
         DELETE FROM audit_seals; INSERT INTO audit_seals SELECT * FROM s; \
         DELETE FROM audit_head; INSERT INTO audit_head SELECT * FROM h;",
    );
    assert_eq!(problems(&store).await, [AuditProblem::SetBack { number: seal.number }]);
}

async fn sealed_by_number_and_by_time(mut place: Place) {
    place.settings.limits.lines_per_seal = 10;
    let store = place.open();
    fill(&store, 9).await;
    assert_eq!(store.status().await.unwrap().sealed_through, 0);
    fill(&store, 1).await;
    assert_eq!(store.status().await.unwrap().sealed_through, 10);
    fill(&store, 1).await;
    store.maintain().await.unwrap();
    assert_eq!(store.status().await.unwrap().sealed_through, 10);
    place.clock.advance(Duration::from_secs(60));
    store.maintain().await.unwrap();
    assert_eq!(store.status().await.unwrap().sealed_through, 11);
    assert!(store.verify_audit().await.unwrap().is_whole());
}

async fn searched(place: Place) {
    let store = place.open();
    fill(&store, 3).await;
    let token = issue(&store, "s1", vec![call("delete_book")]).await;
    refusal(&store, &token, "s1", call("delete_book")).await;
    let find = |text: &str| AuditFilter { text: Some(text.to_owned()), ..AuditFilter::default() };
    assert_eq!(store.audit_lines(find("DELETE_book"), 10).await.unwrap().len(), 3);
    assert_eq!(store.audit_lines(find("line 1"), 10).await.unwrap().len(), 1);
    assert_eq!(store.audit_lines(find("%"), 10).await.unwrap().len(), 0);
    assert_eq!(store.audit_lines(find("delete' OR 1=1 --"), 10).await.unwrap().len(), 0);
    let of_session = AuditFilter { session: Some("s1".to_owned()), ..AuditFilter::default() };
    let lines = store.audit_lines(of_session.clone(), 10).await.unwrap();
    let events: Vec<&str> = lines.iter().map(|line| line.entry.event.as_str()).collect();
    assert_eq!(events, ["TOKEN_ISSUED", "TOKEN_VALIDATED", "CALL_FINISHED"]);
    let after = AuditFilter { after: Some(lines[0].seq), ..of_session.clone() };
    assert_eq!(store.audit_lines(after, 1).await.unwrap()[0].seq, lines[1].seq);
    let before = AuditFilter { before: Some(lines[2].seq), ..of_session };
    let latest = store.latest_audit_lines(before, 10).await.unwrap();
    assert_eq!(latest, [lines[1].clone(), lines[0].clone()], "newest first");
    let json = serde_json::to_value(&lines[0]).unwrap();
    assert_eq!(json["operation"], "delete_book");
    assert_eq!(json["rule"], "danger");
}

async fn odd_texts_stay_what_they_are(place: Place) {
    let store = place.open();
    let odd = "a\r\nTOKEN_ISSUED \u{202e}\"'; DROP TABLE audit; -- \u{1f980}";
    store.append_audit(vec![AuditEntry::new("X", "x").because(odd)]).await.unwrap();
    store.append_audit(vec![AuditEntry::new("X", "x").because("nul \0 nul")]).await.unwrap();
    store.append_audit(vec![AuditEntry::new("X", "x").because("ä".repeat(5000))]).await.unwrap();
    let lines = store.audit_lines(AuditFilter::default(), 10).await.unwrap();
    assert_eq!(lines[0].entry.detail.as_deref(), Some(odd));
    assert_eq!(lines[1].entry.detail.as_deref(), Some("nul \u{fffd} nul"));
    assert_eq!(lines[2].entry.detail.as_ref().unwrap().chars().count(), 1000);
    assert!(store.verify_audit().await.unwrap().is_whole());
}

async fn many_writers_make_one_chain(mut place: Place) {
    place.settings.limits.lines_per_seal = 7;
    let stores = [place.open(), place.open(), place.open()];
    let writers: Vec<_> =
        stores.iter().cloned().map(|store| tokio::spawn(async move { fill(&store, 40).await })).collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let report = stores[0].verify_audit().await.unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!((report.lines, report.sealed_through), (120, 119));
}

/// A seal that comes with a line is remembered at once: a store that is set back before the next look is found out.
async fn remembered_as_soon_as_it_is_sealed(mut place: Place) {
    place.settings.limits.lines_per_seal = 4;
    let store = place.open();
    fill(&store, 4).await;
    let kept = std::fs::read_to_string(place.settings.seal_file.as_ref().unwrap()).unwrap();
    assert!(kept.contains("\"number\":1") && kept.contains("\"through\":4"), "{kept}");
}

async fn sealed_at_the_end(place: Place) {
    let store = place.open();
    fill(&store, 3).await;
    store.close(Duration::from_secs(5)).await;
    let report = store.verify_audit().await.unwrap();
    assert_eq!((report.is_whole(), report.seals, report.sealed_through), (true, 1, 3));
    store.close(Duration::from_secs(5)).await;
    assert_eq!(store.verify_audit().await.unwrap().seals, 1, "there is nothing more to seal");
}

/// S12: a client that is denied without end has a line a minute for a call and a rule, and a count; other parameters are another call; a person's no is always there.
async fn refused_without_end(place: Place) {
    let store = place.open();
    let denied = |session: &str, operation: &str| AuditEntry {
        rule: Some("policy rule 1".to_owned()),
        ..AuditEntry::new("OPERATION_DENIED", "denied").by(&asker(session)).about(&call(operation))
    };
    for _ in 0..1000 {
        store.note_audit(denied("s1", "a"));
    }
    store.note_audit(denied("s1", "b"));
    store.note_audit(denied("s2", "a"));
    let other_params = CallKey { params: "p2".to_owned(), ..call("a") };
    store.note_audit(denied("s1", "a").about(&other_params));
    for _ in 0..3 {
        store.note_audit(AuditEntry { approver: Some("person".to_owned()), ..denied("s1", "a") });
    }
    place.clock.advance(Duration::from_secs(61));
    store.note_audit(denied("s1", "a"));
    settle(&store).await;
    assert_eq!(count_events(&store, "OPERATION_DENIED").await, 8);
    let filter = AuditFilter { event: Some("REPEATED".to_owned()), ..AuditFilter::default() };
    let counted = store.audit_lines(filter, 10).await.unwrap();
    assert_eq!(counted.len(), 1);
    let line = &counted[0].entry;
    assert_eq!(line.detail.as_deref(), Some("OPERATION_DENIED came 999 more times within a minute"));
    assert_eq!((line.session.as_deref(), line.operation.as_deref()), (Some("s1"), Some("a")));
    assert!(line.params.as_ref().is_some_and(|code| code != "p1"), "{line:?}");
    assert!(store.verify_audit().await.unwrap().is_whole());
}

/// A refusal of this caller that is like no other of it.
fn denied_to(caller: &str, number: usize) -> AuditEntry {
    let asker = Requester { session: format!("s{}", number % 7), caller: caller.to_owned() };
    let call = CallKey { params: format!("p{number}"), ..call("a") };
    AuditEntry::new("OPERATION_DENIED", "denied").by(&asker).about(&call)
}

async fn lines_of(store: &Store, event: &str, caller: &str) -> Vec<AuditEntry> {
    let filter = AuditFilter { event: Some(event.to_owned()), ..AuditFilter::default() };
    let lines = store.audit_lines(filter, 1_000_000).await.unwrap().into_iter().map(|line| line.entry);
    lines.filter(|line| line.caller.as_deref() == Some(caller)).collect()
}

/// S12: a client that is refused ten thousand different calls a minute has a thousand lines and a count, and takes none from others.
async fn one_caller_takes_no_line_of_another(place: Place) {
    let store = place.open();
    for number in 0..12_000 {
        store.note_audit(denied_to("mallory", number));
    }
    store.note_audit(denied_to("alice", 1));
    place.clock.advance(Duration::from_secs(61));
    store.note_audit(denied_to("alice", 2));
    settle(&store).await;
    assert_eq!(lines_of(&store, "OPERATION_DENIED", "alice").await.len(), 2);
    assert_eq!(lines_of(&store, "OPERATION_DENIED", "mallory").await.len(), 1_000);
    let dropped = lines_of(&store, "LINES_DROPPED", "mallory").await;
    let told: Vec<_> = dropped.iter().map(|line| line.detail.as_deref().unwrap()).collect();
    assert_eq!(told, ["11000 more refusals within a minute have no line each"]);
    assert_eq!(count_events(&store, "LINES_DROPPED").await, 1);
    store.note_audit(denied_to("mallory", 1));
    settle(&store).await;
    assert_eq!(lines_of(&store, "OPERATION_DENIED", "mallory").await.len(), 1_001);
}

/// S12: while nothing can be written, one caller fills what waits, and others have their lines all the same; the rest is counted.
async fn an_outage_leaves_every_caller_its_share(place: Place) {
    let store = place.open();
    fill(&store, 1).await;
    place.tamper("ALTER TABLE audit_head RENAME TO away");
    for minute in 0..12 {
        (0..1_000).for_each(|number| store.note_audit(denied_to("mallory", minute * 1_000 + number)));
        place.clock.advance(Duration::from_secs(61));
    }
    (0..3).for_each(|number| store.note_audit(denied_to("alice", number)));
    store.append_audit(vec![AuditEntry::new("X", "x")]).await.unwrap_err();
    place.tamper("ALTER TABLE away RENAME TO audit_head");
    while store.append_audit(vec![AuditEntry::new("X", "x")]).await.is_err() {}
    while lines_of(&store, "LINES_DROPPED", "mallory").await.is_empty() {
        settle(&store).await;
    }
    assert_eq!(lines_of(&store, "OPERATION_DENIED", "alice").await.len(), 3);
    let written = lines_of(&store, "OPERATION_DENIED", "mallory").await.len();
    assert!((9_000..12_000).contains(&written), "{written}");
    let dropped = lines_of(&store, "LINES_DROPPED", "mallory").await;
    let told: Vec<_> = dropped.iter().map(|line| line.detail.as_deref().unwrap()).collect();
    assert_eq!(told, [format!("{} refusals could not be written", 12_000 - written)]);
    assert!(store.verify_audit().await.unwrap().is_whole());
}

/// What could not be written while the store was away is written when it is back, and that it was away too.
async fn an_outage_is_told_afterwards(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("a")]).await;
    let redeemed = crate::support::redeem(&store, &token, "s1", call("a")).await;
    let aqueduct_store::confirmations::Redemption::Redeemed(started) = redeemed else { panic!() };
    place.tamper("ALTER TABLE audit_head RENAME TO away");
    store.append_audit(vec![AuditEntry::new("X", "x")]).await.unwrap_err();
    assert!(store.is_lost());
    started.finish("success", None);
    settle(&store).await;
    place.tamper("ALTER TABLE away RENAME TO audit_head");
    while store.append_audit(vec![AuditEntry::new("X", "x")]).await.is_err() {}
    settle(&store).await;
    assert_eq!(count_events(&store, "CALL_FINISHED").await, 1);
    let filter = AuditFilter { event: Some("STORE_LOST".to_owned()), ..AuditFilter::default() };
    let told = store.audit_lines(filter, 10).await.unwrap();
    assert!(told[0].entry.detail.as_ref().unwrap().contains("requests failed"), "{told:?}");
    assert!(store.verify_audit().await.unwrap().is_whole());
    assert_eq!(store.status().await.unwrap().running_calls, 0);
}

/// Without a remembered seal it is unknown whether the whole was set back: the report says which it was.
async fn says_what_it_was_compared_with(mut place: Place) {
    let store = place.open();
    fill(&store, 3).await;
    assert_eq!(store.verify_audit().await.unwrap().remembered, None);
    store.seal_audit().await.unwrap();
    assert_eq!(store.verify_audit().await.unwrap().remembered, Some(1));
    place.settings.seal_file = None;
    assert_eq!(place.open().verify_audit().await.unwrap().remembered, None);
}

async fn exported(place: Place) {
    let store = place.open();
    let mut file = Vec::new();
    store.export(&mut file).await.unwrap();
    assert_eq!(count_events(&store, "STORE_EXPORTED").await, 1);
    assert!(String::from_utf8(file).unwrap().contains("STORE_EXPORTED"));
    assert_eq!(lines_of(&store, "STORE_EXPORTED", "local").await.len(), 1);
}
