//! A cursor that a client gives back: ours, changed, or anything.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct_dispatch::cursor::{CursorKey, CursorPosition, Fingerprint};

fuzz_target!(|input: (&str, u16, u8)| {
    let (text, place, change) = input;
    let Ok(key) = CursorKey::new([7; 32]) else { return };
    let bound = Fingerprint([1; 8]);
    assert!(key.open(text, &bound).is_err(), "somebody made a cursor without the key");
    let Ok(mut ours) = key.seal(&CursorPosition { number: 3, resume: None }, &bound).map(String::into_bytes)
    else {
        return;
    };
    let place = usize::from(place) % ours.len();
    let before = std::mem::replace(&mut ours[place], change);
    let is_taken = key.open(&String::from_utf8_lossy(&ours), &bound).is_ok();
    assert_eq!(is_taken, before == change, "a changed cursor was taken, or ours was not");
});
