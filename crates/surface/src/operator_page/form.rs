//! Fields of a form or of a query, read once each.
//!
//! Text in `application/x-www-form-urlencoded` in; the value of a field that stands there once out. One that stands there twice is
//! no value: code that checks the first and code that uses the second would see different ones.

/// The fields.
#[derive(Debug)]
pub struct Form(Vec<FormField>);

#[derive(Debug)]
struct FormField {
    name: String,
    value: String,
}

impl Form {
    /// Reads them.
    pub fn read(text: &[u8]) -> Form {
        let field = |(name, value)| FormField { name, value };
        Form(form_urlencoded::parse(text).into_owned().map(field).collect())
    }

    /// The value of a field.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut found = self.0.iter().filter(|field| field.name == name);
        let FormField { value, .. } = found.next()?;
        if found.next().is_some() { None } else { Some(value) }
    }

    /// The value of a field that says something.
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.value(name).map(str::trim).filter(|value| !value.is_empty())
    }
}
