//! A file that declares an operation, as YAML and as JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;

use aqueduct_adapter_files::operation_file::read;

fuzz_target!(|text: &str| {
    read("get_stock.operation.yaml", text);
    read("get_stock.operation.json", text);
});
