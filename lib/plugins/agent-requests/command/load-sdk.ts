import { UsageError } from '../../../cli/command.ts';

/**
 * Loads the MCP SDK on demand, so that other users need not install it.
 *
 * @throws UsageError if it is not installed
 */
export async function loadSdk() {
  try {
    const [{ McpServer }, { StdioServerTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/mcp.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ]);
    return { McpServer, StdioServerTransport };
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    const text =
      'This command needs the package @modelcontextprotocol/sdk. Run: npm install @modelcontextprotocol/sdk@1';
    throw new UsageError(text, { cause });
  }
}
