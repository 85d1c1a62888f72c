import { createOpenAI } from '@ai-sdk/openai';
import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import type { ServerSettings } from 'countersign/http/server';
import type { FlowPlugin } from 'countersign/plugin';
import { imports } from 'countersign/plugins/imports';
import { type ResponsesSettings, responses } from 'countersign/plugins/responses';
import { createFetchHandler } from 'countersign/sse/server';
import type { Script } from 'countersign/testing';
import OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { openDemoMcp } from '../../app/_mcp/client.ts';
import type { Principal } from '../../lib/protocol/index.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { ada, countingTools, flowFixture } from './flow-fixture.ts';

/**
 * One tool of each kind, and some that fail, in addition to the counting ones. `multiply` runs on a real MCP server.
 */
async function gatewayTools() {
  const counting = countingTools();
  const { ran } = counting;
  const mcp = await openDemoMcp();
  onTestFinished(() => mcp.close());
  let attempts = 0;
  const query = z.object({ query: z.string() });
  const tools: ToolSet = {
    ...counting.tools,
    multiply: mcp.tools.multiply,
    file_search: tool({
      inputSchema: query,
      execute: async () => [{ file: 'docs/index.md', heading: 'Start', excerpt: 'Begin here.', score: 2 }],
    }),
    web_search: tool({
      inputSchema: query,
      execute: async () => [{ url: 'https://example.com/moon', title: 'Moon', snippet: 'It is far.' }],
    }),
    broken: tool({
      inputSchema: z.object({}),
      execute: async (): Promise<string> => {
        throw new Error('The service is down.');
      },
    }),
    flaky: tool({
      inputSchema: z.object({}),
      execute: async () => {
        attempts += 1;
        if (attempts === 1) throw Object.assign(new Error('Unavailable.'), { status: 503 });
        return `Well at attempt ${attempts}.`;
      },
    }),
  };
  return { tools, ran };
}

type GatewaySettings = Partial<FlowSettings> & {
  /** Settings of the dialect, and of its server. */
  readonly handler?: ResponsesSettings & Partial<ServerSettings>;
  readonly plugins?: readonly FlowPlugin[];
};

/** A flow behind `/v1` on a loopback port until the end of the test, and clients for it. */
export async function responsesGateway(script: Script, settings: GatewaySettings = {}) {
  const { handler = {}, ...flowSettings } = settings;
  const { tools, ran } = await gatewayTools();
  // A scenario with its own tools has no `flaky` tool.
  const toolDetails = flowSettings.tools ? {} : { flaky: { idempotent: true } };
  const fixture = flowFixture(script, {
    ...{ tools, toolDetails, logger: silent, plugins: [imports()], ...flowSettings },
  });
  const { serverTools = 'mcp_call', serverLabel, model, maxTurns, ...server } = handler;
  const served = await serve({
    fetch: createFetchHandler(fixture.flow, {
      authorize: principalOf,
      logger: silent,
      dialects: [responses({ serverTools, serverLabel, model, maxTurns })],
      ...server,
    }),
  });
  onTestFinished(async () => {
    await served.close();
    await fixture.flow.close();
    await fixture.store.close();
  });
  const baseURL = `${served.url}/v1`;
  const apiKey = 'ada';
  return {
    ...fixture,
    ran,
    url: `${baseURL}/responses`,
    /** OpenAI's own client. */
    openai: new OpenAI({ apiKey, baseURL, maxRetries: 0 }),
    /** The AI SDK's provider. */
    provider: createOpenAI({ apiKey, baseURL }),
    baseURL,
    /** A request without any client. */
    post: (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${baseURL}/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, ...headers },
        body: JSON.stringify(body),
      }),
  };
}

/** In these tests a bearer key identifies the user. */
function principalOf(request: Request): Principal | null {
  const key = request.headers.get('authorization')?.replace('Bearer ', '');
  if (!key) return null;
  return key === 'ada' ? ada : { id: key, name: key };
}

/** The faults here are intended, and the tests check what clients receive. */
const silent = { warn: () => {}, error: () => {} };
