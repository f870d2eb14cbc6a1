//! Tests of `source_name`.

use super::of;
use aqueduct_operations::naming::is_adapter_name;

/// A short title is the name; else the file's name without what every such file is called; else the host.
#[test]
fn title_then_file_then_host() {
    for (title, place, name) in [
        ("Swagger Petstore", "x/shop.json", "swagger-petstore"),
        ("Stripe API", "stripe.com.json", "stripe-api"),
        ("1Password Connect", "", "api-1password-connect"),
        ("GitHub v3 REST API", "x/api.github.com.json", "api-github-com"),
        ("The whole API of the shop", "/srv/shop-openapi.yaml", "shop"),
        ("The whole API of the shop", "/srv/shop.openapi.v3.json", "shop"),
        ("The whole API of the shop", "https://shop.example/v3/api-docs", "shop-example"),
        ("The whole API of the shop", "https://www.shop.example/openapi.json?x=1", "shop-example"),
        ("The whole API of the shop", "https://cdn.example/specs/orders.yaml", "orders"),
        ("The whole API of the shop", "openapi.yaml", "the-whole-api-of-the-shop"),
        ("Internationalisierungsdienst", "dienst.yaml", "dienst"),
        ("\u{9867}\u{5ba2}", "kunden.json", "kunden"),
        ("\u{9867}\u{5ba2}", "", "api"),
        ("", "", "api"),
        ("x", "", "api"),
    ] {
        assert_eq!(of(title, place), name, "{title} {place}");
        assert!(is_adapter_name(name));
    }
    assert!(is_adapter_name(&of(&"long title ".repeat(20), "")));
}
