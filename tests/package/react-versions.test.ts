// depends on: lib/react lib/client
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { rowsOfThisRun } from '../support/matrix.ts';
import { linkLibrary } from './support/installed.ts';
import { run } from './support/run.ts';

const { ai, zod, '@ai-sdk/react': aiReact, react: ownReact } = manifest.devDependencies;

/** Renders every part as a server does, and prints what React complained of. */
const program = `
import { ApprovalCard, ApprovalInbox, ToolCard, ToolTimeline, WordsProvider, useApprovalChat,
  useApprovalInbox, useToolTimeline } from 'countersign/react';
import { createSseTransport, sendAutomaticallyWhen } from 'countersign/sse';
import { createElement as h, StrictMode, version } from 'react';
import { renderToString } from 'react-dom/server';

const complaints = [];
console.error = console.warn = (...words) => complaints.push(words.map(String).join(' '));

const question = {
  id: 'q1', chatId: 'chat', toolCallId: 'c1', toolName: 'pay', title: 'Pay', input: { to: 'Alice', amount: 30 },
  description: 'Pay Alice 30.', risk: 'high', askedBy: { id: 'ada', name: 'Ada' }, deadline: '2099-01-01T00:00:00Z',
  position: { index: 1, of: 2 }, state: 'open', mayAnswer: true, mayEdit: true, mayRemember: true,
};
const call = { toolCallId: 'c1', toolName: 'pay', title: 'Pay', state: 'done', input: question.input, output: 'ok' };
const at = '2026-01-01T00:00:00.000Z';
const timeline = {
  chatId: 'chat', status: 'idle', turns: [{ turn: 1, startedAt: at, text: 'Pay Alice' }],
  spans: [{ id: 's1', runId: 'r1', turn: 1, kind: 'tool', label: 'Paying', startedAt: at, endedAt: at,
    durationMs: 0, state: 'completed' }],
  summary: { questions: 1, approved: 1, denied: 0, withdrawn: 0, waitingMs: 5, modelMs: 5, toolMs: 5, calls: 1,
    retries: 0, failures: 0 },
};
const transport = createSseTransport();

function Chat() {
  const chat = useApprovalChat({ transport, sendAutomaticallyWhen });
  return h('p', null, chat.phase);
}
function Inbox() {
  return h(ApprovalInbox, { inbox: useApprovalInbox() });
}
function Timeline() {
  useToolTimeline('chat');
  return h(ToolTimeline, { timeline });
}
const html = renderToString(
  h(StrictMode, null,
    h(WordsProvider, { words: { card: { approve: 'Genehmigen' } } },
      h(ApprovalCard, { question, onAnswer: () => undefined }), h(ToolCard, { call }), h(Chat), h(Inbox), h(Timeline),
    ),
  ),
);
console.log(JSON.stringify({ version, complaints, html }));
`;

describe('the React parts, rendered on a server', () => {
  it.each(rowsOfThisRun(['18.3.1', ownReact], (version) => version === ownReact))(
    'render without warnings in React %s',
    async (react) => {
      const folder = await mkdtemp(join(tmpdir(), 'countersign-react-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const others = { ai, zod, '@ai-sdk/react': aiReact, react, 'react-dom': react };
      const dependencies = { countersign: `file:${inject('tarball')}`, ...others };
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
      await writeFile(join(folder, 'program.js'), program);
      if (react === ownReact) await linkLibrary(folder, Object.keys(others));
      else await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
      const said = await run(process.execPath, ['program.js'], { cwd: folder });
      const { version, complaints, html } = JSON.parse(said);
      expect(complaints).toEqual([]);
      expect(version).toBe(react);
      for (const words of ['Pay Alice 30.', 'Genehmigen', 'idle', 'Paying']) expect(html).toContain(words);
    },
  );
});
