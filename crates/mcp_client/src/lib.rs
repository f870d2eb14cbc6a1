//! Other MCP servers, over stdio and streamable HTTP: started, connected to, listed, called, restarted, and never left
//! behind.
