//! The names by which corrections find operations, as they are before anything is corrected.
//!
//! A source in, its names out: kept for as long as the source is, because corrections that concern no source are found only when all
//! sources are there.

use aqueduct_operations::naming::namespaced;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::registry::LoadedSource;

/// The names of a source and its operations.
#[derive(Debug, Clone)]
pub struct SourceNames {
    /// That of the source.
    pub(super) source: String,
    /// Those of its operations, in their order.
    pub(super) operations: Vec<OperationNames>,
}

/// The names of one operation.
#[derive(Debug, Clone)]
pub(super) struct OperationNames {
    /// The public one, without the namespace.
    pub(super) name: String,
    /// Those in the document or on the other server.
    pub(super) origin: Option<OriginNames>,
}

/// What an operation is called where it comes from.
#[derive(Debug, Clone)]
pub(super) struct OriginNames {
    pub(super) name: String,
    pub(super) place: String,
}

impl SourceNames {
    /// Those of a source.
    pub fn of(loaded: &LoadedSource) -> SourceNames {
        let source = loaded.source.name.clone();
        SourceNames { source, operations: loaded.operations.iter().map(OperationNames::of).collect() }
    }

    /// Indices of the operations that fit.
    pub(super) fn positions(&self, is_meant: impl Fn(&OperationNames) -> bool) -> Vec<usize> {
        let all = self.operations.iter().enumerate();
        all.filter(|(_, operation)| is_meant(operation)).map(|(index, _)| index).collect()
    }

    /// The name of an operation with that of the source in front.
    pub(super) fn namespaced(&self, operation: &OperationNames) -> String {
        namespaced(&self.source, &operation.name)
    }
}

impl OperationNames {
    fn of(operation: &Operation) -> OperationNames {
        let origin = operation.origin.as_ref();
        OperationNames {
            name: operation.name.clone(),
            origin: origin
                .map(|origin| OriginNames { name: origin.name.clone(), place: origin.place.clone() }),
        }
    }
}
