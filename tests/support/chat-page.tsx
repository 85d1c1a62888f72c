import './dom.ts';
import { type UseChatOptions, useChat } from '@ai-sdk/react';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { isToolUIPart, type UIMessage } from 'ai';
import { onTestFinished } from 'vitest';
import { plain } from './client-message.ts';
import { openQuestions } from './open-question.ts';

// Not how long a test may take, but how long something may be missing before that is told.
configure({ asyncUtilTimeout: 10_000 });

type Chat = ReturnType<typeof useChat<UIMessage>>;
type Settings = Extract<UseChatOptions<UIMessage>, { transport?: unknown }>;
/** A data part, as `onData` gives it. */
export type Data = { readonly type: string; readonly data: unknown };

/**
 * A page with a chat on it, as small as it can be: what was said, the calls and their states, and a button for each
 * thing a person can do. Rendered into the document until the test has finished or it is left.
 */
export function openChatPage(settings: Settings) {
  const received: Data[] = [];
  let current: Chat | undefined;

  function Page() {
    const chat = useChat<UIMessage>({ ...settings, onData: (part) => received.push(part as Data) });
    current = chat;
    return <ChatView chat={chat} />;
  }

  const view = render(<Page />);
  onTestFinished(cleanup);
  const chat = () => {
    if (!current) throw new Error('The page was not rendered.');
    return current;
  };
  const press = async (name: 'Approve' | 'Deny') =>
    fireEvent.click(await screen.findByRole('button', { name }));

  return {
    /** What `useChat` gives at this moment. */
    get chat(): Chat {
      return chat();
    },
    /** The messages as they travel. */
    get messages(): UIMessage[] {
      return plain(chat().messages);
    },
    /** Every data part that `onData` was given. */
    received,
    say(text: string): void {
      fireEvent.change(screen.getByRole('textbox'), { target: { value: text } });
      fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    },
    approve: () => press('Approve'),
    deny: () => press('Deny'),
    /** Resolves when a question about this tool can be answered. */
    asks: (tool: string) =>
      waitFor(() => {
        const cards = screen.getAllByRole('group', { name: tool });
        const asking = cards.filter((card) => within(card).queryByRole('button', { name: 'Approve' }));
        if (asking.length !== 1) throw new Error(`${asking.length} questions about ${tool} are shown.`);
      }),
    /** Resolves when nothing is under way and the page shows this. */
    shows: (text: string) =>
      waitFor(() => {
        screen.getByText(text);
        if (chat().status !== 'ready') throw new Error(`The chat is ${chat().status}.`);
      }),
    /** Resolves when a draft with this text was received. */
    drafts: (text: string) =>
      waitFor(() => {
        if (!draftOf(received).includes(text)) throw new Error(`The draft is ${draftOf(received)}.`);
      }),
    becomes: (status: Chat['status']) =>
      waitFor(() => {
        if (chat().status !== status) throw new Error(`The chat is ${chat().status}.`);
      }),
    leave: () => view.unmount(),
  };
}

function ChatView({ chat }: { chat: Chat }) {
  const open = openQuestions(chat.messages);
  return (
    <main>
      {chat.messages.map((message) => (
        <article key={message.id}>
          {message.parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids, and never change places
            <PartView key={index} part={part} chat={chat} open={open} />
          ))}
        </article>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void chat.sendMessage({ text: String(new FormData(event.currentTarget).get('text')) });
        }}
      >
        <input name="text" />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}

type PartViewProps = { part: UIMessage['parts'][number]; chat: Chat; open: readonly string[] };

function PartView({ part, chat, open }: PartViewProps) {
  if (part.type === 'text') return <p>{part.text}</p>;
  if (!isToolUIPart(part)) return null;
  const { approval } = part;
  const answer = (approved: boolean) => () => {
    if (approval) void chat.addToolApprovalResponse({ id: approval.id, approved });
  };
  return (
    <fieldset aria-label={part.type.replace('tool-', '')}>
      <output>{part.state}</output>
      {approval && open.includes(approval.id) && (
        <>
          <button type="button" onClick={answer(true)}>
            Approve
          </button>
          <button type="button" onClick={answer(false)}>
            Deny
          </button>
        </>
      )}
    </fieldset>
  );
}

/** All text that a page has been shown as a draft. */
export function draftOf(received: readonly Data[]): string {
  return received
    .map(({ type, data }) => (type === 'data-draft' ? (data as { delta: string }).delta : ''))
    .join('');
}

/** The phases that a page was told of one call. */
export function lifeOf(received: readonly Data[], toolCallId: string): string[] {
  return received.flatMap(({ type, data }) => {
    const change = data as { toolCallId?: string; phase: string };
    return type === 'data-tool-lifecycle' && change.toolCallId === toolCallId ? [change.phase] : [];
  });
}
