import { Chat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type ToolUIPart,
  type UIMessage,
} from 'ai';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { openQuestion } from '../support/open-question.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

/** The props of AI Elements' `Confirmation`, and of every component like it: two fields of a tool part, as they are. */
type ConfirmationProps = {
  readonly state: ToolUIPart['state'];
  readonly approval?:
    | { id: string; approved?: never; reason?: never }
    | { id: string; approved: boolean; reason?: string };
};

const answeredStates: readonly ToolUIPart['state'][] = [
  'approval-responded',
  'output-available',
  'output-denied',
];

/** Shows a request with its buttons, or the answer, by the same rules. */
function Confirmation({ approval, state }: ConfirmationProps) {
  if (!approval || state === 'input-streaming' || state === 'input-available') return null;
  if (state === 'approval-requested') return <button type="button">Approve {approval.id}?</button>;
  if (!answeredStates.includes(state)) return null;
  if (approval.approved) return <p>Approved</p>;
  return approval.approved === false && <p>Rejected: {approval.reason}</p>;
}

/** The calls of a message, each in a component that takes parts without any change. */
function rendered(messages: readonly UIMessage[]): string[] {
  const parts = messages.flatMap((message) => message.parts.filter(isToolUIPart));
  return parts.map((part) =>
    renderToStaticMarkup(<Confirmation approval={part.approval} state={part.state} />),
  );
}

describe('a component with the props `state` and `approval`, as `Confirmation` of AI Elements', () => {
  it.each(['final', 'progressive'] as const)(
    'shows each question and its answer, in %s release',
    async (release) => {
      const { url } = await serveFixture(
        [
          [
            { call: 'pay', input: { to: 'alice', amount: 1 } },
            { call: 'pay', input: { to: 'bob', amount: 2 } },
          ],
          [{ text: 'Done.' }],
        ],
        { release },
      );
      const chat = new Chat<UIMessage>({
        id: 'chat',
        transport: new DefaultChatTransport({ api: `${url}/api/chat` }),
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      });

      await chat.sendMessage({ text: 'Pay.' });
      const one = openQuestion(chat.messages);
      expect(rendered(chat.messages)).toEqual([`<button type="button">Approve ${one}?</button>`]);

      await chat.addToolApprovalResponse({ id: one, approved: true });
      await waitFor(() => expect(rendered(chat.messages)).toHaveLength(2));
      const two = openQuestion(chat.messages);
      expect(rendered(chat.messages)).toEqual([
        '<p>Approved</p>',
        `<button type="button">Approve ${two}?</button>`,
      ]);

      await waitFor(() => expect(chat.status).toBe('ready'));
      await chat.addToolApprovalResponse({ id: two, approved: false, reason: 'Not Bob.' });
      await waitFor(() =>
        expect(chat.messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Done.', state: 'done' }),
      );
      expect(rendered(chat.messages)).toEqual(['<p>Approved</p>', '<p>Rejected: Not Bob.</p>']);
      await chat.dispose();
    },
  );
});
