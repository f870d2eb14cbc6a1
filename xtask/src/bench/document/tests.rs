//! Tests of `document`.

#[test]
fn has_as_many_operations_as_asked_for() {
    for count in [1, 10, 500] {
        let document = super::openapi(count, "http://127.0.0.1:1");
        assert_eq!(document["paths"].as_object().unwrap().len(), count);
        assert_eq!(document["paths"]["/pet/{petId}"]["get"]["operationId"], "getPetById");
    }
}
