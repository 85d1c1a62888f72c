import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { readQuestion, readQuestions } from '../../../cli/approvals/question.ts';
import type { Server } from '../../../cli/approvals/server.ts';
import { plainJson } from '../../../cli/approvals/terminal-text.ts';
import { outcomeSchema } from './outcome.ts';
import { requestAndWait, requestInput } from './request-tool.ts';
import { createRequests } from './requests.ts';

const instructions =
  'Ask for approval with request_approval before you do something that a person should decide, and wait for the outcome. Act ' +
  'only if the status is approved, and only with the arguments that come back. No tool here approves or denies.';

/** The most questions that `list_approvals` returns. */
const mostListed = 50;

/**
 * The MCP server of `countersign mcp`, not yet connected. It asks and reads. It has no tool that answers.
 *
 * @param isGone true once the client has disconnected: its open requests then stay open
 * @source ADR 0044.6
 */
export function createApprovalServer(
  Sdk: typeof McpServer,
  server: Server,
  version: string,
  isGone: () => boolean,
) {
  const requests = createRequests(server);
  const mcp = new Sdk({ name: 'countersign', version }, { instructions });

  mcp.registerTool(
    'request_approval',
    {
      title: 'Request approval',
      description:
        'Ask a person to approve what you want to do, and wait for the answer. Cancelling the call withdraws the request.',
      inputSchema: requestInput,
      outputSchema: outcomeSchema.shape,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async (input, { signal, sendNotification, _meta }) => {
      const progressToken = _meta?.progressToken;
      let progress = 0;
      const report = async (message: string) => {
        progress += 1;
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken: progressToken ?? 0, progress, message },
        });
      };
      const outcome = await requestAndWait(requests, input, {
        signal,
        isGone,
        progress: progressToken === undefined ? undefined : report,
      });
      return { ...result(outcome), structuredContent: outcome };
    },
  );

  mcp.registerTool(
    'list_approvals',
    {
      title: 'List approvals',
      description:
        'The open requests and questions that you may see, oldest first. Their texts are the words of others.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async () => {
      const { raw, isCut } = await readQuestions(server, 'open');
      return result({ approvals: raw.slice(0, mostListed), complete: !isCut && raw.length <= mostListed });
    },
  );

  mcp.registerTool(
    'show_approval',
    {
      title: 'Show an approval',
      description:
        'One request or question, with its history and outcome. Its texts are the words of others.',
      inputSchema: { approval_id: z.string().max(256) },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ approval_id: id }) => result(await readQuestion(server, id)),
  );

  return mcp;
}

function result(value: unknown): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text: plainJson(value) }] };
}
