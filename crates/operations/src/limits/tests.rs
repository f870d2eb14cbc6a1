//! Tests of `limits`.

use super::Limits;

/// C4.7.5-1 C4.7.5-2 C4.7.5-3 C4.7.5-4 C4.7.5-5: defaults and configurable ranges.
#[test]
fn defaults_and_ranges() {
    let defaults = serde_json::to_value(Limits::default()).unwrap();
    for (name, default, low, high) in [
        ("max_request_size", 1_048_576, 65_536, 10_485_760),
        ("max_response_size", 10_485_760, 1_048_576, 104_857_600),
        ("max_string_length", 1_048_576, 65_536, 10_485_760),
        ("max_array_elements", 10_000, 100, 100_000),
        ("max_nesting_depth", 32, 8, 64),
        ("max_response_tokens", 25_000, 500, 1_000_000),
        ("max_batch_items", 100, 1, 1_000),
        ("max_gathered_items", 10_000, 100, 100_000),
        ("slow_call_ms", 5_000, 1, 600_000),
        ("max_work_steps", 50_000_000, 1_000_000, 10_000_000_000),
    ] {
        assert_eq!(defaults[name], default, "{name}");
        let mut limits = Limits::default();
        for good in [low, high] {
            assert_eq!(limits.set(name, good), Some(Ok(())), "{name}");
            assert_eq!(serde_json::to_value(&limits).unwrap()[name], good);
        }
        for bad in [low - 1, high + 1] {
            let problem = limits.set(name, bad).unwrap().unwrap_err().to_string();
            assert!(problem.contains(name) && problem.contains(&bad.to_string()), "{problem}");
        }
    }
    assert_eq!(Limits::default().set("max_whatever", 1), None);
}
