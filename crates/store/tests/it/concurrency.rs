//! Many at once: of any number of redemptions of one token, and of claims of one yes, one succeeds.

use crate::support::{Place, ask, asker, call, issue, on_both_engines, redeem_request};
use aqueduct_store::Store;
use aqueduct_store::approvals::{ApprovalDecision, Claim, ClaimTerms};
use aqueduct_store::confirmations::{IssueRequest, Redemption};
use proptest::prelude::Rng;
use proptest::test_runner::{Config, TestRunner};
use secrecy::SecretString;
use std::time::Duration;

on_both_engines!(pairs_of_redemptions, sixteen_redemptions_of_one, claims_of_one_yes, any_order_of_a_plan);

/// How many of these redemptions succeed.
async fn successes(stores: &[Store], tries: usize, token: &SecretString, session: &str) -> usize {
    let tries: Vec<_> = (0..tries)
        .map(|index| {
            let store = stores[index % stores.len()].clone();
            let request = redeem_request(token, session, call("a"));
            tokio::spawn(async move { store.redeem_token(request).await.unwrap() })
        })
        .collect();
    let mut count = 0;
    for one in tries {
        if let Redemption::Redeemed(started) = one.await.unwrap() {
            started.finish("success", None);
            count += 1;
        }
    }
    count
}

async fn pairs_of_redemptions(place: Place) {
    let stores = [place.open(), place.open(), place.open()];
    for index in 0..60 {
        // Each pair is a session of its own, so that no limit hides anything.
        let session = format!("s{index}");
        let token = issue(&stores[0], &session, vec![call("a")]).await;
        assert_eq!(successes(&stores, 2, &token, &session).await, 1, "pair {index}");
    }
    assert!(stores[1].verify_audit().await.unwrap().is_whole());
}

async fn sixteen_redemptions_of_one(mut place: Place) {
    place.settings.limits.failures_per_minute = 1000;
    let stores = [place.open(), place.open(), place.open(), place.open()];
    let token = issue(&stores[0], "s1", vec![call("a")]).await;
    assert_eq!(successes(&stores, 16, &token, "s1").await, 1);
}

async fn claims_of_one_yes(place: Place) {
    let stores = [place.open(), place.open(), place.open()];
    for index in 0..10 {
        let session = format!("s{index}");
        let approval = ask(&stores[0], &session, vec![call("a")]).await;
        let yes = ApprovalDecision::Approve { usable_for: Duration::from_secs(60) };
        stores[1].decide_approval(&approval.id, yes, "olga").await.unwrap();
        let claims: Vec<_> = (0..6)
            .map(|index| {
                let (store, session) = (stores[index % 3].clone(), session.clone());
                tokio::spawn(async move {
                    store.claim_approval(&asker(&session), &call("a"), ClaimTerms::default()).await.unwrap()
                })
            })
            .collect();
        let mut count = 0;
        for claim in claims {
            if let Claim::Claimed { call, .. } = claim.await.unwrap() {
                call.finish("success", None);
                count += 1;
            }
        }
        assert_eq!(count, 1);
    }
}

/// Whatever is in a plan, and in whatever order it is called: each call runs as often as it is in it, and no more.
async fn any_order_of_a_plan(mut place: Place) {
    place.settings.limits.failures_per_minute = 1000;
    let store = place.open();
    let mut runner = TestRunner::new(Config::default());
    let random = runner.rng();
    for round in 0..15 {
        let names = ["a", "b", "c"];
        let mut pick = |most: usize| -> Vec<&str> {
            let count = 1 + random.next_u32() as usize % most;
            (0..count).map(|_| names[random.next_u32() as usize % names.len()]).collect()
        };
        let (plan, tries) = (pick(5), pick(9));
        let session = format!("s{round}");
        let request = IssueRequest {
            calls: plan.iter().map(|name| call(name)).collect(),
            ..crate::support::request(&session, Vec::new())
        };
        let token = issue(&store, &session, request.calls).await;
        for name in names {
            let (planned, tried) = (count(&plan, name), count(&tries, name));
            let mut done = 0;
            for _ in 0..tried {
                let result = store.redeem_token(redeem_request(&token, &session, call(name))).await.unwrap();
                if let Redemption::Redeemed(started) = result {
                    started.finish("success", None);
                    done += 1;
                }
            }
            assert_eq!(done, planned.min(tried), "{name} of {plan:?}, tried {tries:?}");
        }
    }
}

fn count(names: &[&str], name: &str) -> usize {
    names.iter().filter(|other| **other == name).count()
}
