/** The usage text of `mcp`. */
export const mcpUsage = `  countersign mcp [--url <https://app.example.com>] [--key <key>]

  An MCP server over standard input and output. Its tool request_approval asks the people of a running server, and returns
  their answer; list_approvals and show_approval read. No tool approves or denies, and the user of the key cannot answer
  its own requests. --url: the address of the server, by default COUNTERSIGN_URL. Give the agent a key of its own, in
  COUNTERSIGN_KEY. The server needs the setting agentRequests. Needs the package @modelcontextprotocol/sdk.
  Exit code: 0 the client has disconnected, 2 wrong arguments.`;
