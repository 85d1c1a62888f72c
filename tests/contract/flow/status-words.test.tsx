import '../../support/dom.ts';
import { cleanup, render } from '@testing-library/react';
import type { FlowSettings, ToolDetails } from 'countersign';
import {
  ApprovalCard,
  type CallState,
  type CallView,
  loadChat,
  PersonProvider,
  ToolCard,
} from 'countersign/react';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { uiMessageChunks } from 'countersign/views';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callsOf } from '../../../lib/client/chat/chat-items.ts';
import { initialLiveParts, reduceLiveParts } from '../../../lib/client/chat/live/live-parts.ts';
import { parseQuestion } from '../../../lib/client/question.ts';
import { barrier } from '../../support/barrier.ts';
import { ada, countingTools, questionIn } from '../../support/flow-fixture.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';
import { serveFixture } from '../../support/serve-fixture.ts';

const pay = { call: 'pay', id: 'c1', input: { to: 'Alice', amount: 30 } };
const small = { to: 'Alice', amount: 10 };
const described: ToolDetails = {
  describe: () => 'Pay Alice 30 USD.',
  summarize: () => ({ summary: 'Paid Alice 30 USD', resultCount: 1 }),
};

/** What differs from a chat that asks for one payment, which succeeds. */
type Case = {
  /** What the tool does at its end. */
  readonly end?: () => unknown;
  readonly calls?: ScriptedStep;
  readonly settings?: Partial<FlowSettings>;
  readonly details?: ToolDetails;
};

/**
 * A chat whose first message makes a payment; nobody is asked about one of up to 20. Its tool waits for `lift`, and then
 * does what `end` does. Nothing waits for the clock but what the test lets pass.
 */
async function started({
  end = () => ({ paid: 30 }),
  calls = [pay],
  settings,
  details = described,
}: Case = {}) {
  const { tools } = countingTools();
  const { wait, lift } = barrier();
  const execute = async () => {
    await wait;
    return end();
  };
  const needsApproval = ({ amount }: { amount: number }) => amount > 20;
  const clock = fakeClock();
  const { chat, flow, api } = await serveFixture([calls, [{ text: 'Done.' }], [{ text: 'Later.' }]], {
    tools: { ...tools, pay: { ...tools.pay, needsApproval, execute } } as never,
    toolDetails: { pay: details },
    clock,
    ...settings,
  });
  onTestFinished(() => {
    lift();
    clock.advance(1_000);
    cleanup();
  });
  const page = chat();
  const { say } = page;
  return {
    ...{ ...page, flow, api, lift, clock },
    /** Answers the question of the first message. */
    answer: async (approved: boolean) => page.answer(questionIn(await say('Pay.')), approved),
    isLogged: (type: string) =>
      expect.poll(async () => (await page.events()).some((event) => event.type === type)).toBe(true),
  };
}

type Started = Awaited<ReturnType<typeof started>>;

/** The call as a page shows it that has just loaded the chat and follows its run, until it has this state. */
async function afterReload({ flow, api, id }: Started, state: CallState): Promise<CallView | undefined> {
  const loaded = await loadChat(id, { api });
  if (loaded.type !== 'loaded') throw new Error('The chat was not loaded.');
  const { messages, run } = loaded.chat;
  let live = initialLiveParts(loaded.chat);
  const call = () => callsOf(messages, live).get('c1');
  const stream = run.status === 'idle' ? null : await flow.chats.resume({ chatId: id, principal: ada });
  if (!stream) return call();
  for await (const part of uiMessageChunks(stream)) {
    live = reduceLiveParts(live, { type: 'received', part });
    if (call()?.state === state) break;
  }
  return call();
}

/** What a card says without being opened, to the person with this id. */
function summaryOf(call: CallView | undefined, id: string): string {
  const card = <PersonProvider id={id}>{call && <ToolCard call={call} />}</PersonProvider>;
  return render(card).container.querySelector('summary')?.textContent ?? '';
}

const runs = ({ lift, answer }: Started) => {
  lift();
  return answer(true);
};

const startsToRun = async ({ answer, isLogged }: Started) => {
  void answer(true);
  await isLogged('tool-started');
};

const failing = (message: string, fields = {}) => ({
  end: () => {
    throw Object.assign(new Error(message), fields);
  },
});

type Row = [
  name: string,
  happens: (page: Started) => unknown,
  state: CallState,
  words: (by: string) => string,
  given?: Case,
];

const asked = 'Pay Alice 30 USD. Pay · ';
const time = '[time]';

const rows: readonly Row[] = [
  ['running', startsToRun, 'running', (by) => `${asked}RunningApproved by ${by}, ${time}`],
  ['done', runs, 'done', (by) => `Paid Alice 30 USD Pay · DoneApproved by ${by}, ${time}`],
  [
    'failed',
    runs,
    'failed',
    (by) => `${asked}FailedNo money.Approved by ${by}, ${time}`,
    failing('No money.'),
  ],
  [
    'of unknown outcome',
    runs,
    'unknown',
    (by) => `${asked}Outcome unknownThe bank hung up.Approved by ${by}, ${time}`,
    failing('The bank hung up.', { code: 'ECONNRESET' }),
  ],
  [
    'retrying',
    async ({ lift, say, clock, isLogged }) => {
      lift();
      void say('Pay.');
      await clock.timer(1_000);
      await isLogged('tool-retrying');
    },
    'retrying',
    () => 'Pay Retrying',
    {
      ...failing('Busy.', { status: 503 }),
      calls: [{ ...pay, input: small }],
      settings: { retry: {} },
      details: { ...described, idempotent: true },
    },
  ],
  [
    'withheld',
    ({ lift, say }) => {
      lift();
      return say('Pay.');
    },
    'withheld',
    () => 'Pay DoneThe result appears after the last answer.0 ms',
    {
      calls: [
        { ...pay, input: small },
        { ...pay, id: 'c2' },
      ],
      details: {},
    },
  ],
  ['denied', (page) => page.answer(false), 'denied', (by) => `${asked}Not runDenied by ${by}, ${time}`],
  [
    'denied by a rule',
    (page) => page.say('Pay.'),
    'denied',
    () => 'Pay Not runDenied by a rule: No payments today.',
    { settings: { toolApproval: { pay: { type: 'denied', reason: 'No payments today.' } } as never } },
  ],
  [
    'expired',
    async ({ say, clock, flow, resume }) => {
      await say('Pay.');
      clock.advance(1_000);
      await flow.recover();
      await resume();
    },
    'withdrawn',
    () => `${asked}Not runDenied: no answer in time`,
    { settings: { deadlineMs: 1_000 } },
  ],
  [
    'withdrawn by a message',
    async ({ say }) => {
      await say('Pay.');
      await say('Never mind.');
    },
    'withdrawn',
    () => `${asked}Not runCancelled by a new message`,
  ],
  [
    'withdrawn by a stop',
    async ({ say, stop }) => {
      await say('Pay.');
      await stop();
    },
    'withdrawn',
    () => `${asked}Not runCancelled: the run was stopped`,
  ],
  [
    'stopped while it ran',
    async (page) => {
      await startsToRun(page);
      const stopped = page.stop();
      await page.clock.timer(500);
      page.clock.advance(500);
      await stopped;
      await page.isLogged('tool-failed');
    },
    'unknown',
    (by) =>
      `${asked}Outcome unknownthe run was stopped and the tool did not end in time.Approved by ${by}, ${time}`,
    { settings: { stopGraceMs: 500 } },
  ],
  [
    'not run because its tool is paused',
    async ({ flow, say }) => {
      await flow.tools.pause({ principal: ada, tool: 'pay', reason: 'The bank reports errors.' });
      await say('Pay.');
    },
    'failed',
    () => 'Pay FailedNot run: pay is paused. The bank reports errors.',
    { calls: [{ ...pay, input: small }] },
  ],
];

const always = new Set(['running', 'of unknown outcome', 'withheld', 'expired']);

describe('what the card of a call says, after a reload, is what the log has', () => {
  it.each(rowsOfThisRun(rows, ([name]) => always.has(name)))(
    '%s',
    async (_, happens, state, words, given) => {
      const page = await started(given);
      await happens(page);
      const call = await afterReload(page, state);
      expect(call?.state).toBe(state);
      const said = (id: string) => summaryOf(call, id).replace(/(?<=ed by (you|Ada), ).*$/, time);
      expect(said('ada')).toBe(words('you'));
      expect(said('ben')).toBe(words('Ada'));
    },
  );
});

describe('the card of a question', () => {
  it('says that its tool is paused, and why, as long as it is', async () => {
    // jsdom has none.
    Element.prototype.scrollIntoView = () => undefined;
    const { say, flow, api } = await started();
    const approvals = api.replace(/chat$/, 'approvals');
    await say('Pay.');
    const said = async () => {
      const open = await (await fetch(`${approvals}?state=open`)).json();
      const question = parseQuestion(open.approvals[0]);
      if (!question) throw new Error('There is no question.');
      const { container } = render(<ApprovalCard question={question} onAnswer={() => {}} />);
      return container.querySelector('[data-countersign="card-paused"]')?.textContent;
    };
    expect(await said()).toBeUndefined();
    await flow.tools.pause({ principal: ada, tool: 'pay', reason: 'The bank reports errors.' });
    expect(await said()).toBe(
      'Paused: The bank reports errors. You can deny this request, or approve it when the pause ends.',
    );
    await flow.tools.unpause({ principal: ada, tool: 'pay' });
    expect(await said()).toBeUndefined();
  });
});
