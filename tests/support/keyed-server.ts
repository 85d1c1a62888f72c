import type { ToolSet } from 'ai';
import type { FlowSettings } from 'countersign';
import { createBearerIdentity } from 'countersign/http/server';
import type { FlowPlugin } from 'countersign/plugin';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { remembered } from 'countersign/plugins/remembered';
import { type Script, scriptedModel, startFlowServer } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { countingTools } from './flow-fixture.ts';

/** Bearer keys of the people and programs of these tests. */
export const keys = {
  ada: 'ada-key-0123456789',
  ben: 'ben-key-0123456789',
  agent: 'agent-key-0123456789',
  otherAgent: 'other-agent-key-0123456789',
};

/** Ada is a manager, Ben has no role, and the agents have the role `agent`. */
const users = [
  { name: 'Ada', key: keys.ada, role: 'manager' },
  { name: 'Ben', key: keys.ben },
  { name: 'Build agent', key: keys.agent, role: 'agent' },
  { name: 'Other agent', key: keys.otherAgent, role: 'agent' },
];

/**
 * A real server that identifies its callers by bearer keys, whose managers answer requests of agents. It closes with the
 * test.
 */
export async function keyedServer(
  settings: Partial<FlowSettings> & {
    readonly script?: Script;
    readonly plugins?: readonly FlowPlugin[];
  } = {},
) {
  const { script = [], ...given } = settings;
  const { tools, ran } = countingTools();
  const server = await startFlowServer({
    model: scriptedModel(script),
    tools: tools as ToolSet,
    plugins: [agentRequests({ approvers: ({ role }) => role === 'manager' }), remembered()],
    authorize: createBearerIdentity(users),
    ...given,
  });
  onTestFinished(() => server.close());

  /** Sends a request as one of the users. */
  async function send(key: string, method: string, path: string, body?: unknown, headers: object = {}) {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  return { ...server, send, ran };
}

/** A running server with keys. @see keyedServer */
export type KeyedServer = Awaited<ReturnType<typeof keyedServer>>;

/** Lets a user ask a question by a message to the model of the flow, and returns it. */
export async function askedBy({ send, url }: KeyedServer, key: string, chatId = 'chat') {
  const message = { id: `user-${chatId}`, role: 'user', parts: [{ type: 'text', text: 'Pay Alice.' }] };
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: chatId, trigger: 'submit-message', message }),
  });
  await response.text();
  const { body } = await send(key, 'GET', `/approvals?chatId=${chatId}`);
  return body.approvals[0];
}
