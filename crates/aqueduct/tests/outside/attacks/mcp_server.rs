//! An MCP server among others: tools that claim to only read, schemas that never end, questions without number, and addresses inside
//! the house.

mod bombs;
