import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serverFrom, serverOptions } from '../../../cli/approvals/server.ts';
import { type Command, UsageError } from '../../../cli/command.ts';
import { isRecord, parseJson } from '../../../protocol/index.ts';
import { createApprovalServer } from './approval-server.ts';
import { loadSdk } from './load-sdk.ts';

/**
 * Serves MCP over standard input and output until the client disconnects. Then its open requests stay open: the client can
 * connect again, and ask for their outcome.
 *
 * @returns 0
 * @throws UsageError for wrong arguments, and without the MCP SDK
 * @source ADR 0044
 */
export const mcpCommand: Command = async (args, terminal) => {
  const server = serverFrom(parseArguments(args), terminal);
  const { McpServer, StdioServerTransport } = await loadSdk();
  let isGone = false;
  const mcp = createApprovalServer(McpServer, server, await version(), () => isGone);
  const disconnected = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  // The client may be gone before its input ends.
  process.stdout.on('error', () => {});
  await mcp.connect(new StdioServerTransport());
  await disconnected;
  isGone = true;
  await mcp.close();
  return 0;
};

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: serverOptions }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Of the package, whose source is deeper than its built files. */
async function version(): Promise<string> {
  let file = new URL('package.json', import.meta.url);
  for (let above = new URL('../package.json', file); !existsSync(file) && above.href !== file.href; ) {
    file = above;
    above = new URL('../package.json', file);
  }
  const description = parseJson(await readFile(file, 'utf8'));
  return isRecord(description) && typeof description.version === 'string' ? description.version : '0';
}
