//! Constraint Documentation: what introspection says of values is enforced, and what is enforced is said.
//!
//! Values that break one constraint each are sent to operations that change nothing; fields that cannot change, to what the run made.

use crate::lifecycle::ReadOnlyChange;
use crate::report::TestReport;
use crate::sample_value;
use crate::suite::Run;
use crate::verdict::Check;

const NO_CONSTRAINTS: &str = "no operation that may be called documents a constraint";

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    let mut enforced =
        Check::new("Constraints are enforced with structured errors", "X-conf-67", NO_CONSTRAINTS);
    let mut disclosed =
        Check::new("Constraints are disclosed in introspection guidance", "X-conf-67", NO_CONSTRAINTS);
    for operation in run.catalog.operations.iter().filter(|operation| operation.is_safe()) {
        for parameter in &operation.parameters {
            for (constraint, value) in sample_value::wrong(parameter) {
                let mut params = run.listed.request(operation);
                params.insert(parameter.name.clone(), value);
                let answer = run.conversation.operate(operation, params).await;
                let name = format!("{}-{}-{constraint}", operation.name, parameter.name);
                run.evidence.borrow_mut().constraint(&name, true, &answer);
                let problem = || {
                    format!(
                        "'{}' of '{}' takes a value that its {constraint} forbids.",
                        parameter.name, operation.name
                    )
                };
                enforced.expect(answer.is_failure(), problem, &answer);
                disclosed.examine();
            }
        }
    }
    fixed_fields(run, &mut enforced, &mut disclosed);
    vec![
        enforced.finish("Values that introspection forbids are refused."),
        disclosed.finish("What is refused is documented."),
    ]
}

/// Fields that cannot be changed are refused, and introspection leaves them out of those that can. Where it says nothing of fields, a
/// server may take a change or leave it, but one that refuses it should have said so.
fn fixed_fields(run: &Run<'_>, enforced: &mut Check, disclosed: &mut Check) {
    for change in run.histories.iter().filter_map(|history| history.read_only.as_ref()) {
        let ReadOnlyChange { field, is_documented, before, answer: refused, after } = change;
        if *is_documented {
            let is_unchanged = !after.is_success() || after.data()[field] == *before;
            let problem = || format!("'{field}' is not offered for a change, and was changed.");
            enforced.examine();
            if !is_unchanged || !refused.is_failure() {
                enforced.fail("X-conf-33", &problem(), Some(refused));
            }
        } else if !refused.is_failure() {
            continue;
        }
        disclosed.examine();
        if !is_documented {
            disclosed.warn(
                "X-conf-33",
                &format!("'{field}' cannot be changed, and nothing says so."),
                Some(refused),
            );
        }
        run.evidence.borrow_mut().constraint(&format!("read-only-{field}"), *is_documented, refused);
    }
}
