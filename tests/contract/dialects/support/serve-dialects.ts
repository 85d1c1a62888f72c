import type { ApprovalFlow, FlowSettings } from 'countersign';
import { createUpgradeHandler } from 'countersign/bidi/server';
import { chatSocket } from 'countersign/plugins/chat-socket';
import { toolEvents } from 'countersign/plugins/tool-events';
import { twoStepStream } from 'countersign/plugins/two-step-stream';
import { createFetchHandler } from 'countersign/sse/server';
import type { Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import type { Logger, Principal } from '../../../../lib/protocol/index.ts';
import { serve } from '../../../../lib/testing/server/serve.ts';
import { ada, flowFixture } from '../../../support/flow-fixture.ts';
import { userHeader } from '../../../support/serve-fixture.ts';

/** What a test may set: the flow's settings, and what the dialects' servers take. */
export type DialectSettings = Partial<FlowSettings> & {
  readonly maxResultBytes?: number;
  /** Sees what the servers log. */
  readonly serverLogger?: Logger;
};

/** A scripted flow behind every dialect at once, on one loopback port, until the test has finished. */
export async function serveDialects(script: Script, settings: DialectSettings = {}) {
  const { maxResultBytes, serverLogger, ...flowSettings } = settings;
  const fixture = flowFixture(script, { logger: silent, ...flowSettings });
  onTestFinished(async () => {
    await fixture.flow.close();
    await fixture.store.close();
  });
  const url = await serveInDialects(fixture.flow, { maxResultBytes, serverLogger });
  return { ...fixture, url };
}

/** Serves any flow likewise; gives the address. Closed before what the test opened earlier. */
export async function serveInDialects(
  flow: ApprovalFlow,
  settings: Pick<DialectSettings, 'maxResultBytes' | 'serverLogger'> = {},
): Promise<string> {
  const dialects = [chatSocket({ maxResultBytes: settings.maxResultBytes }), toolEvents(), twoStepStream()];
  const server = { authorize, logger: settings.serverLogger ?? silent, dialects };
  const sockets = createUpgradeHandler(flow, { ...server, limits: { bodyBytes: 256 * 1024 } });
  const served = await serve({ upgrade: sockets.handleUpgrade, fetch: createFetchHandler(flow, server) });
  onTestFinished(async () => {
    await sockets.close();
    await served.close();
  });
  return served.url;
}

/** Headers of a JSON request, as a given user. Without one, requests are Ada's. */
export function jsonHeaders(user?: string): Record<string, string> {
  return { 'content-type': 'application/json', ...(user === undefined ? {} : { [userHeader]: user }) };
}

/** Answers a question over HTTP; gives the status and the body. */
export async function answerOverHttp(url: string, approvalId: string, body: object, user?: string) {
  const response = await fetch(`${url}/api/approvals/${approvalId}`, {
    method: 'POST',
    headers: jsonHeaders(user),
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const silent: Logger = { warn: () => {}, error: () => {} };

function authorize(request: Request): Principal {
  const id = request.headers.get(userHeader);
  return id === null ? ada : { id, name: id };
}
