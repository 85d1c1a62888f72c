import '../support/dom.ts';
import { virtual } from '@guidepup/virtual-screen-reader';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import {
  ApprovalCard,
  ApprovalInbox,
  newChat,
  PersonProvider,
  ToolCard,
  textOf,
  useApprovalChat,
  useApprovalInbox,
} from 'countersign/react';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { sseClient } from '../support/chat-clients.ts';
import { pay } from '../support/chat-fixture.ts';
import { questionIn } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });

beforeAll(() => {
  // jsdom has neither.
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal('CSS', { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') });
  // jsdom has no pseudo-elements, and says so at each question about one.
  const styleOf = window.getComputedStyle.bind(window);
  window.getComputedStyle = (element) => styleOf(element);
});

const described = {
  pay: {
    title: 'Payment',
    describe: (input: unknown) => `Pay ${Object(input).to} ${Object(input).amount}.`,
    summarize: (_: unknown, input: unknown) => ({
      summary: `Paid ${Object(input).to} ${Object(input).amount}`,
    }),
  },
};

const ben = { id: 'ben', name: 'Ben' };

const denied = /Pay Bob 40.*Denied by you/;

/** Begins to read the page aloud. @returns what has been read so far */
async function listen(): Promise<() => Promise<string[]>> {
  await virtual.start({ container: document.body });
  onTestFinished(async () => {
    await virtual.stop();
    cleanup();
    document.body.replaceChildren();
  });
  return () => virtual.spokenPhraseLog();
}

/** Waits until a phrase has been read. */
async function heard(read: () => Promise<string[]>, phrase: RegExp): Promise<void> {
  await waitFor(async () => expect((await read()).some((one) => phrase.test(one))).toBe(true));
}

/** Presses a button as soon as the card takes answers. */
async function press(name: RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  await act(async () => {
    button.focus();
    fireEvent.click(button);
  });
}

describe('a turn, as a screen reader reads it', () => {
  it('in the chat', async () => {
    const script = [[pay('Alice', 30), pay('Bob', 40)], [{ text: 'All done.' }]];
    const served = await serveFixture(script, { toolDetails: described });
    const { transport } = sseClient.connect(served.url);
    const stored = newChat('chat', 'Payments');

    function Page() {
      const chat = useApprovalChat({
        stored,
        transport,
        sendAutomaticallyWhen: sseClient.predicate(),
        api: served.api,
        approvalsApi: `${served.url}/api/approvals`,
      });
      return (
        <main tabIndex={-1}>
          {chat.messages.map((message) =>
            message.role === 'user' ? (
              <p key={message.id}>{textOf(message)}</p>
            ) : (
              chat.itemsOf(message).map((item) => {
                if (item.type === 'call') return <ToolCard key={item.key} call={item.call} />;
                if (item.type !== 'question') return <p key={item.key}>{item.text}</p>;
                return (
                  chat.question && (
                    <ApprovalCard key={item.key} question={chat.question} onAnswer={chat.answer} />
                  )
                );
              })
            ),
          )}
          <button type="button" onClick={() => void chat.sendMessage({ text: 'Pay both.' })}>
            Send
          </button>
        </main>
      );
    }
    render(
      <PersonProvider id="ada">
        <Page />
      </PersonProvider>,
    );
    const read = await listen();
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    await heard(read, /Approval needed: *Pay Alice 30/);
    await press(/^Approve/);
    await heard(read, /Approval needed: *Pay Bob 40/);
    await press(/^Deny/);
    await screen.findByText('All done.');
    await heard(read, denied);

    const phrases = await read();
    const said = [
      /Approval needed: *Pay Alice 30/,
      /Pay Alice 30.*Sending your answer/,
      /Approval needed: *Pay Bob 40/,
      /Paid Alice 30/,
      /Pay Bob 40.*Sending your answer/,
      denied,
    ];
    // Each once, and nothing else but the page at first.
    for (const phrase of said) {
      expect(
        phrases.filter((one) => phrase.test(one)),
        JSON.stringify(phrases),
      ).toHaveLength(1);
    }
    expect(phrases).toHaveLength(1 + said.length);
    const place = (phrase: RegExp) => phrases.findIndex((one) => phrase.test(one));
    // The next question and the outcome of the call before it come in one response.
    const [alice, sending, bob, paid, sendingBob, deniedBob] = said.map(place);
    expect([alice, sending, bob, sendingBob, deniedBob]).toEqual([1, 2, expect.any(Number), 5, 6]);
    expect(new Set([bob, paid])).toEqual(new Set([3, 4]));
  });

  it('in the inbox', async () => {
    const script = [[pay('Alice', 30)], [{ text: 'Done.' }], [pay('Bob', 40)], [{ text: 'Done.' }]];
    const served = await serveFixture(script, { toolDetails: described, mayAnswer: () => true });

    function Page() {
      return <ApprovalInbox inbox={useApprovalInbox({ api: `${served.url}/api/approvals` })} />;
    }
    render(
      <PersonProvider id="ada">
        <Page />
      </PersonProvider>,
    );
    await screen.findByText("You're all caught up");
    const read = await listen();
    const openRow = (name: RegExp) =>
      act(async () => {
        const row = screen.getByRole('button', { name });
        row.focus();
        fireEvent.click(row);
      });
    const first = served.chat('first');
    await first.say('Pay.');
    await heard(read, /New request.*Pay Alice 30/);
    await openRow(/^Pay Alice 30\..*Asked/);
    await press(/^Deny/);
    await heard(read, /Pay Alice 30.*Denied by you/);
    await waitFor(async () => expect((await first.view())?.run.status).toBe('idle'));

    const bob = parseApprovalId(questionIn(await served.chat('second').say('Pay.')));
    await heard(read, /New request.*Pay Bob 40/);
    await openRow(/^Pay Bob 40\..*Asked/);
    await heard(read, /Approval needed: *Pay Bob 40/);
    await served.flow.approvals.answer({ approvalId: bob, approved: true, principal: ben, via: 'test' });
    await heard(read, /Approved by Ben/);
    await screen.findByText("You're all caught up");
    // The card that has the focus shows the outcome.
    expect(document.activeElement?.textContent).toMatch(/Pay Bob 40.*Approved by Ben/s);

    const sequence = [
      /^document$/,
      /^polite: New request\. Payment: Pay Alice 30\.$/,
      /^button, Pay Alice 30\..*expanded$/,
      /^group, Approval needed: *Pay Alice 30\.$/,
      /^button, Deny,/,
      /^group, Pay Alice 30\., Denied by you,/,
      /^polite: New request\. Payment: Pay Bob 40\.$/,
      /^button, Pay Bob 40\./,
      /^group, Approval needed: *Pay Bob 40\.$/,
      /^polite: Payment: Approved by Ben$/,
    ];
    const phrases = await read();
    expect(phrases).toEqual(sequence.map((phrase) => expect.stringMatching(phrase)));
  });
});
