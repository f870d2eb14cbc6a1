//! The keys of `trust` and of `danger_patterns`: what the author claims, and what the author warns of.
//!
//! Levels decide; everything else is kept and shown by `adapter_info`.

use super::WORDS;
use aqueduct_documents::keys::ValueForm::{
    Any, Block, Either, Filled, Flag, Like, List, Map, Number, OneOf, Text, Whole,
};
use aqueduct_documents::keys::{KeyBlock, ValueForm, optional, required};
use aqueduct_operations::trust::TrustLevel;

const LEVEL: ValueForm = OneOf(TrustLevel::NAMES);
const COUNT: ValueForm = Whole(0, i64::MAX);
/// A day, or a moment with its offset.
const TIME: ValueForm = Like(concat!(
    r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
    r"([Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d))?$",
));
const BASE64: ValueForm = Like(r"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$");

pub(super) static TRUST: KeyBlock =
    KeyBlock::new("trust", "How far the adapter is trusted: its author's claim").keys(&[
        required("level", LEVEL, "The level", "Trust level is required"),
        optional("verified_by", Text, "Who verified it"),
        optional("verified_at", TIME, "When, ISO 8601"),
        optional("verification_date", TIME, "Another name of verified_at"),
        optional("generated_at", TIME, "When it was generated, ISO 8601"),
        optional("generated_by", Text, "What generated it"),
        optional("validated_at", TIME, "When it was validated, ISO 8601"),
        optional("validated_by", Text, "What validated it"),
        optional("validation_report", Block(&VALIDATION_REPORT), "What the validation found"),
        optional("promoted_from", LEVEL, "The level before"),
        optional("promotion_history", List(&Block(&PROMOTION)), "Every change of the level, oldest first"),
        optional("certification", Block(&CERTIFICATION), "Who certified it"),
        optional(
            "operation_overrides",
            Map(&Block(&OVERRIDE)),
            "Operations that are trusted less than the rest, by name",
        ),
        optional("delegated_from", Block(&DELEGATION), "Who vouches for it"),
        optional("composite", Flag, "It stands for several APIs"),
        optional("components", List(&Block(&COMPONENT)), "The APIs it stands for; the lowest level counts"),
        optional("effective_level", LEVEL, "The lowest level of these"),
    ]);

static VALIDATION_REPORT: KeyBlock = KeyBlock::new("validation_report", "What the validation found").keys(&[
    optional("tests_passed", COUNT, "Tests that passed"),
    optional("tests_total", COUNT, "Tests that were run"),
    optional("endpoints_verified", COUNT, "Operations that were called"),
    optional("coverage_percent", Number, "How much of the API was tested, 0 to 100"),
    optional("last_api_response", Any, "When the API last answered, or what it said"),
]);

static PROMOTION: KeyBlock = KeyBlock::new("promotion", "One change of the level").keys(&[
    required("from", LEVEL, "The level before", "The level before is required"),
    required("to", LEVEL, "The level after", "The level after is required"),
    required("at", TIME, "When, ISO 8601", "The time of the change is required"),
    required("by", Filled, "Who or what changed it", "Who changed it is required"),
    optional("reason", Text, "Why it was changed"),
]);

static CERTIFICATION: KeyBlock = KeyBlock::new("certification", "Who certified the adapter").keys(&[
    required("authority", Filled, "Who certified it", "The authority is required"),
    required(
        "signature",
        BASE64,
        "The signature, base64; it is shown, not verified",
        "The signature is required",
    ),
    required("certificate_id", Filled, "The certificate", "The certificate's id is required"),
    required("issued_at", TIME, "Since when, ISO 8601", "The time of issue is required"),
    required("expires_at", TIME, "Until when, ISO 8601", "The time of expiry is required"),
    required("scope", WORDS, "What was certified, such as all_operations", "The scope is required"),
]);

static OVERRIDE: KeyBlock =
    KeyBlock::new("trust_override", "An operation that is trusted less than the rest").keys(&[
        required("level", LEVEL, "The level", "Trust level is required"),
        optional("reason", Text, "Why the level is so"),
    ]);

static DELEGATION: KeyBlock = KeyBlock::new("delegation", "Who vouches for the adapter").keys(&[
    required("authority", Filled, "Who vouches", "The authority is required"),
    optional("scope", Either(&[Filled, WORDS]), "For what"),
]);

static COMPONENT: KeyBlock = KeyBlock::new("component", "One of several APIs").keys(&[
    required("api", Filled, "The API", "The API is required"),
    required("level", LEVEL, "How far it is trusted", "Trust level is required"),
]);

const PATTERNS: ValueForm = List(&Like(r"^[a-z0-9_*-]{1,128}$"));

pub(super) static DANGER_PATTERNS: KeyBlock = KeyBlock::new("danger_patterns", "More names that mean danger")
    .keys(&[
        optional("dangerous", PATTERNS, "Patterns of dangerous names"),
        optional("forbidden", PATTERNS, "Patterns of forbidden names"),
    ]);
