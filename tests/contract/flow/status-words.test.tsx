import '../../support/dom.ts';
import { cleanup, render } from '@testing-library/react';
import { uiMessageChunks } from 'countersign';
import { type CallView, loadChat, PersonProvider, ToolCard } from 'countersign/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callsOf } from '../../../lib/client/chat/chat-items.ts';
import { initialLiveParts, reduceLiveParts } from '../../../lib/client/chat/live-parts.ts';
import { barrier } from '../../support/barrier.ts';
import { ada, countingTools, questionIn } from '../../support/flow-fixture.ts';
import { serveFixture } from '../../support/serve-fixture.ts';

const details = {
  describe: () => 'Pay Alice 30 USD.',
  summarize: () => ({ summary: 'Paid Alice 30 USD', resultCount: 1 }),
};

/** A chat that asks for one payment. Its tool waits for `lift`, and then does what `end` does. */
async function asked(end: () => unknown = () => ({ paid: 30 })) {
  const { tools } = countingTools();
  const { wait, lift } = barrier();
  const execute = async () => {
    await wait;
    return end();
  };
  const pay = { call: 'pay', id: 'c1', input: { to: 'Alice', amount: 30 } };
  const { chat, flow, api } = await serveFixture([[pay], [{ text: 'Done.' }], [{ text: 'Later.' }]], {
    tools: { ...tools, pay: { ...tools.pay, execute } } as never,
    toolDetails: { pay: details } as never,
  });
  onTestFinished(() => {
    lift();
    cleanup();
  });
  const page = chat();
  const question = questionIn(await page.say('Pay.'));
  return { ...page, flow, api, lift, answer: (approved: boolean) => page.answer(question, approved) };
}

type Asked = Awaited<ReturnType<typeof asked>>;

/** The call as a page shows it that has just loaded the chat and follows its run. */
async function afterReload({ flow, api, id }: Asked): Promise<CallView | undefined> {
  const loaded = await loadChat(id, { api });
  if (loaded.type !== 'loaded') throw new Error('The chat was not loaded.');
  const { messages, run } = loaded.chat;
  let live = initialLiveParts(loaded.chat);
  const stream = run.status === 'active' ? await flow.resume({ chatId: id, principal: ada }) : null;
  if (stream) {
    for await (const part of uiMessageChunks(stream)) {
      live = reduceLiveParts(live, { type: 'received', part });
      if (live.reports.get('c1')?.phase === 'started') break;
    }
  }
  return callsOf(messages, live).get('c1');
}

const runs = ({ lift, answer }: Asked) => {
  lift();
  return answer(true);
};

const startsToRun = async ({ answer, events }: Asked) => {
  void answer(true);
  await expect.poll(async () => (await events()).some(({ type }) => type === 'tool-started')).toBe(true);
};

describe('what the card of a call says, after a reload, is what the log has', () => {
  it.each<[string, (page: Asked) => unknown, string, (by: string) => RegExp, (() => unknown)?]>([
    [
      'running',
      startsToRun,
      'running',
      (by) => new RegExp(`^Pay Alice 30 USD\\. Pay · RunningApproved by ${by}, `),
    ],
    ['done', runs, 'done', (by) => new RegExp(`^Paid Alice 30 USD Pay · DoneApproved by ${by}, `)],
    [
      'failed',
      runs,
      'failed',
      (by) => new RegExp(`^Pay Alice 30 USD\\. Pay · FailedNo money\\.?Approved by ${by}, `),
      () => {
        throw new Error('No money.');
      },
    ],
    [
      'denied',
      (page) => page.answer(false),
      'denied',
      (by) => new RegExp(`^Pay Alice 30 USD\\. Pay · Not runDenied by ${by}, `),
    ],
    [
      'withdrawn by a message',
      (page) => page.say('Never mind.'),
      'withdrawn',
      () => /^Pay Alice 30 USD\. Pay · Not runCancelled by a new message/,
    ],
    [
      'withdrawn by a stop',
      (page) => page.stop(),
      'withdrawn',
      () => /^Pay Alice 30 USD\. Pay · Not runCancelled: the run was stopped/,
    ],
  ])('%s', async (_, happens, state, words, end) => {
    const page = await asked(end);
    await happens(page);
    const call = await afterReload(page);
    expect(call?.state).toBe(state);
    const said = (id: string | undefined) => {
      const card = <PersonProvider id={id}>{call && <ToolCard call={call} />}</PersonProvider>;
      return render(card).container.querySelector('summary')?.textContent ?? '';
    };
    expect(said('ada')).toMatch(words('you'));
    expect(said('ben')).toMatch(words('Ada'));
    expect(said('ada')).not.toMatch(/1 result/);
  });
});
