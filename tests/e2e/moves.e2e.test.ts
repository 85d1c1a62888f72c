import '../support/dom.ts';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { act, renderHook } from '@testing-library/react';
import { isToolUIPart, type UIMessage } from 'ai';
import type { ApprovalFlow } from 'countersign';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serve } from '../../lib/testing/server/serve.ts';
import { waitFor } from '../support/wait-for.ts';

/** The apps of the guide, before and after its diffs. */
const root = resolve(import.meta.dirname, '../..');
const apps = join(root, 'tests/support/moves');
const guide = join(root, 'docs/guides/move-from-native-approvals.md');
const shapes = ['stream-text', 'agent', 'approval-route'] as const;

type Chat = ReturnType<typeof import('../support/moves/stream-text/page.ts').useAssistant>;

/** What an app of the guide exports, before or after. */
type App = {
  readonly handle: (request: Request) => Promise<Response>;
  readonly useAssistant: (id: string, origin: string, messages?: UIMessage[]) => Chat;
  readonly payments: readonly string[];
  readonly decide?: typeof import('../support/moves/approval-route/page.ts').decide;
  readonly chats?: Map<string, UIMessage[]>;
  readonly flow?: ApprovalFlow;
  readonly importChats?: () => Promise<void>;
};

let folder: string;
/** Modules are loaded once, so flows are closed after all tests. */
const flows = new Set<ApprovalFlow>();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-moves-'));
  vi.stubEnv('DATABASE', ':memory:');
  // Packages as in an app: those of this project, and this one.
  mkdirSync(join(folder, 'node_modules/@ai-sdk'), { recursive: true });
  for (const name of ['ai', 'zod', 'react', '@ai-sdk/react']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  symlinkSync(root, join(folder, 'node_modules/countersign'));
  for (const state of ['before', 'after']) cpSync(apps, join(folder, state), { recursive: true });
  const diffs = [...readFileSync(guide, 'utf8').matchAll(/^```diff\n(--- a\/[\s\S]*?)^```$/gm)];
  expect(diffs).toHaveLength(shapes.length);
  for (const [, diff = ''] of diffs) apply(diff);
});
afterAll(async () => {
  for (const flow of flows) await flow.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Applies a diff of the guide as `git apply` does: every line of context must be there. */
function apply(diff: string): void {
  const file = join(folder, 'change.diff');
  writeFileSync(file, diff);
  const cwd = join(folder, 'after');
  execFileSync('git', ['apply', file], { cwd, env: { ...process.env, GIT_CEILING_DIRECTORIES: cwd } });
}

async function load(state: 'before' | 'after', shape: (typeof shapes)[number]): Promise<App> {
  const files = ['server', 'page', 'tools', ...(shape === 'approval-route' ? ['chats'] : [])];
  const modules: object[] = [];
  // One after the other: loaded at once under two names, a module can run twice, and `payments` is then another array.
  for (const name of files) {
    modules.push(await import(pathToFileURL(join(folder, state, shape, `${name}.ts`)).href));
  }
  const app: App = Object.assign({}, ...modules);
  if (app.flow) flows.add(app.flow);
  return app;
}

/** The app's server, and its page with `useChat`. */
async function open({ handle, useAssistant, chats }: App, id: string, messages?: UIMessage[]) {
  const server = await serve({ fetch: handle });
  onTestFinished(() => server.close());
  const { result, unmount } = renderHook(() => useAssistant(id, server.url, messages));
  onTestFinished(unmount);
  const calls = () => result.current.messages.flatMap(({ parts }) => parts.filter(isToolUIPart));
  return {
    url: server.url,
    say: (text: string) => act(() => result.current.sendMessage({ text })),
    answer: (id: string, approved: boolean) =>
      act(async () => result.current.addToolApprovalResponse({ id, approved })),
    question: () =>
      waitFor(() => {
        const call = calls().find(({ state }) => state === 'approval-requested');
        return call?.approval?.id ?? expect.fail('No approval is requested.');
      }),
    /** What the server has stored: the app's own table before, the flow's chat after. */
    stored: async () => {
      const response = await fetch(`${server.url}/api/chat/${id}`).catch(() => undefined);
      return response?.ok ? response.text() : JSON.stringify(chats?.get(id));
    },
    text: () =>
      result.current.messages
        .flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')))
        .join(' '),
  };
}

const states = ['before', 'after'] as const;

describe.each(shapes)('the %s app of the guide', (shape) => {
  it.each(states.flatMap((state) => [true, false].map((approved) => [state, approved] as const)))(
    '%s: pays if approved (%s)',
    async (state, approved) => {
      const app = await load(state, shape);
      const id = `${state}-${approved}`;
      const page = await open(app, id);
      const paid = app.payments.length;
      await page.say('Pay Alice 30.');
      const approvalId = await page.question();
      expect(app.payments).toHaveLength(paid);

      if (app.decide) await app.decide(page.url, { id, approvalId, approved });
      else await page.answer(approvalId, approved);
      await expect
        .poll(async () => (app.decide ? page.stored() : page.text()))
        .toMatch(approved ? /Done: paid/ : /Done: not paid/);
      expect(app.payments.slice(paid)).toEqual(approved ? ['Alice 30'] : []);
    },
  );
});

it('brings the chats of the app with an approval route along, with an open approval', async () => {
  const before = await load('before', 'approval-route');
  const after = await load('after', 'approval-route');
  const old = await open(before, 'moving');
  await old.say('Pay Alice 30.');
  await old.question();
  const stored = await waitFor(() => before.chats?.get('moving') ?? expect.fail('Not stored yet.'));
  after.chats?.set('moving', JSON.parse(JSON.stringify(stored)));
  const paid = [before, after].map(({ payments }) => payments.length);

  await after.importChats?.();
  await after.importChats?.();
  const page = await open(after, 'moving', stored);
  const view = await (await fetch(`${page.url}/api/chat/moving`)).json();
  expect(view.messages[0]).toEqual(stored[0]);
  await after.decide?.(page.url, { id: 'moving', approvalId: view.open, approved: true });
  await expect.poll(page.stored).toContain('Done: paid');
  const [paidThere = 0, paidHere = 0] = paid;
  expect([before.payments.length, after.payments.length]).toEqual([paidThere, paidHere + 1]);
});
