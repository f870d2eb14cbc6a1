//! Schemas of a source, as its operations show them: outlines of parameters, and declared types for the objects in them.
//!
//! A schema and where it stands in; a `Param`, or the name of a type, out. When all operations are known, `finish` gives
//! one level of fields for each name. What requests need is followed all the way; of answers only the outermost type may
//! be, because a document has thousands. Every kind of source has this reader, with a resolver of its own.

mod type_table;

use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, Shape, ValueKind};
use aqueduct_operations::types::{TypeBody, TypeDef};
use aqueduct_schema::{ObjectSchema, Outline, OutlineReader, SchemaMember, SchemaMembers, SchemaResolver};
use serde_json::Value;
use type_table::TypeTable;
pub use type_table::TypeUse;

/// More values are not shown.
const MOST_VALUES: usize = 100;

/// How a kind of source shows fields.
#[derive(Debug, Clone, Copy)]
pub struct FieldStyle {
    /// Shortens a description.
    pub describe: fn(&str) -> String,
    /// Defaults are filled in before a call, so that what has one is never missing.
    pub fills_defaults: bool,
}

/// The reader of a source's schemas.
#[derive(Debug)]
pub struct SchemaReader<R: SchemaResolver> {
    /// Follows references.
    pub resolver: R,
    style: FieldStyle,
    outlines: OutlineReader<R>,
    types: TypeTable<R>,
}

impl<R: SchemaResolver> SchemaReader<R> {
    /// A reader that follows references with this resolver.
    pub fn new(resolver: R, style: FieldStyle) -> SchemaReader<R> {
        let (outlines, types) = (OutlineReader::default(), TypeTable::default());
        SchemaReader { resolver, style, outlines, types }
    }

    /// What introspection shows of a schema.
    pub fn outline(&mut self, schema: &Value, from: &R::Location) -> Outline<R::Location> {
        self.outlines.of(&self.resolver, schema, from)
    }

    /// The fields of an object.
    pub fn members(&self, schema: &Value, from: &R::Location) -> SchemaMembers<R::Location> {
        SchemaMembers::of(&self.resolver, schema, from)
    }

    /// The name of the type that an object has. One without a name of its own is called after where it stands.
    pub fn type_name(
        &mut self,
        object: &ObjectSchema<R::Location>,
        called: &str,
        need: TypeUse,
    ) -> Option<String> {
        self.types.name_of(&self.resolver, object, called, need, 0)
    }

    /// A parameter with the shape of an outline. `owner` is what it belongs to, for the names of types.
    pub fn param(&mut self, owner: &str, name: &str, outline: &Outline<R::Location>) -> Param {
        let mut param = Param::new(name, outline.shape.kind.clone());
        param.shape = outline.shape.clone();
        let object = outline.object.as_ref();
        param.shape.reference =
            object.and_then(|object| self.type_name(object, &format!("{owner} {name}"), TypeUse::Request));
        param.sensitive = matches!(&param.shape.format, Some(Format::Other(name)) if name == "password");
        param
    }

    /// Describes all types.
    pub fn finish(mut self) -> Vec<TypeDef> {
        // What requests need may lead to more of the same, and to a type that answers had already.
        while self.define_all(TypeUse::Request) {}
        self.define_all(TypeUse::Answer);
        self.types.entries.into_iter().filter_map(|entry| entry.definition).collect()
    }

    /// Describes the types of this use in their order; true when there was one.
    fn define_all(&mut self, need: TypeUse) -> bool {
        let (mut index, mut changed) = (0, false);
        while let Some(entry) = self.types.entries.get(index) {
            if entry.need == need && entry.definition.is_none() {
                let definition = self.definition(index);
                self.types.entries[index].definition = Some(definition);
                changed = true;
            }
            index += 1;
        }
        changed
    }

    fn definition(&mut self, index: usize) -> TypeDef {
        let entry = &self.types.entries[index];
        let owner = TypeOwner { name: entry.name.clone(), need: entry.need, depth: entry.depth };
        let object = entry.object.clone();
        let Some(found) = self.resolver.resolve(&object.schema, &object.location) else {
            return TypeDef::new(owner.name, None, TypeBody::Object(Vec::new()));
        };
        let text = found.value.get("description").and_then(Value::as_str);
        let description = text.map(self.style.describe);
        let members = self.members(&object.schema, &object.location);
        let branches = ["oneOf", "anyOf"].iter().find_map(|key| found.value.get(key)?.as_array());
        let body = match branches.filter(|_| members.list.is_empty()).cloned() {
            Some(branches) => {
                let location = found.location;
                TypeBody::Union(self.alternatives(&owner, &branches, &location))
            }
            None => {
                let list = members.list.iter();
                let fields = list.map(|member| self.field(&owner, member, members.chooses.as_ref()));
                TypeBody::Object(fields.collect())
            }
        };
        TypeDef::new(owner.name, description, body)
    }

    fn field(
        &mut self,
        owner: &TypeOwner,
        member: &SchemaMember<R::Location>,
        chooses: Option<&(String, Vec<Box<str>>)>,
    ) -> Param {
        let outline = self.outline(&member.schema, &member.location);
        let mut field = Param::new(&member.name, outline.shape.kind.clone());
        field.shape = outline.shape;
        field.shape.reference =
            outline.object.and_then(|object| self.inner_type(&object, owner, &member.name));
        let text = outline.description.as_deref().map(self.style.describe);
        field.description = text.filter(|text| !text.is_empty());
        if self.style.fills_defaults {
            field.default = outline.default.filter(|value| field.shape.kind.accepts(value));
        }
        field.required = member.is_required && field.default.is_none();
        if let Some((property, values)) = chooses {
            if *property == member.name {
                with_values(&mut field.shape, values);
            }
            if let Some(condition) = member.condition(property) {
                let own = field.description.take().map(|own| format!("{own} ")).unwrap_or_default();
                field.description = Some(format!("{own}({condition})"));
            }
        }
        field
    }

    /// The type of a field: any for requests, for answers only one that is described anyway.
    fn inner_type(
        &mut self,
        object: &ObjectSchema<R::Location>,
        owner: &TypeOwner,
        name: &str,
    ) -> Option<String> {
        match owner.need {
            TypeUse::Request => {
                let called = format!("{} {name}", owner.name);
                self.types.name_of(&self.resolver, object, &called, owner.need, owner.depth + 1)
            }
            TypeUse::Answer => self.types.known_name(&self.resolver, object),
        }
    }

    fn alternatives(&mut self, owner: &TypeOwner, branches: &[Value], location: &R::Location) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (number, branch) in (1..).zip(branches) {
            let outline = self.outline(branch, location);
            let inner = outline.object.filter(|_| !matches!(outline.shape.kind, ValueKind::Array(_)));
            let declared =
                inner.and_then(|object| self.inner_type(&object, owner, &format!("option {number}")));
            let name = declared.unwrap_or_else(|| match outline.shape.kind {
                ValueKind::Array(_) => "array".to_owned(),
                ValueKind::Union(_) => "object".to_owned(),
                plain => plain.to_string(),
            });
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// The type whose fields are described.
struct TypeOwner {
    name: String,
    need: TypeUse,
    /// How many types without a name of their own it stands in.
    depth: usize,
}

/// Puts the values that choose a type into a shape of text that has none of its own; true when it did.
pub fn with_values(shape: &mut Shape, values: &[Box<str>]) -> bool {
    let is_open = shape.allowed.is_none() && shape.kind == ValueKind::String && shape.pattern.is_none();
    if !is_open || values.is_empty() || values.len() > MOST_VALUES {
        return false;
    }
    shape.allowed = Some(values.iter().map(|value| Value::from(&**value)).collect());
    true
}
