import type { UIMessage, UIMessageChunk } from 'ai';
import type { FlowSettings } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import type { Script } from 'countersign/testing';
import type { ChatClient } from './chat-clients.ts';
import { openPage } from './open-page.ts';
import { serveFixture } from './serve-fixture.ts';

/** How a page is opened. */
type Opening = {
  /** Whether the page resumes, by the status of the stored chat. Default: if there are messages. */
  readonly resumes?: (status: string) => boolean;
  /** Whether the page reads an earlier message again when the server says that it has changed. Default: false. */
  readonly rereads?: boolean;
  /** Holds the chunks of a replay back, as a slow connection does, from the first of this type. */
  readonly hold?: { readonly from: UIMessageChunk['type']; readonly until: Promise<void> };
};

type Stored = { messages: UIMessage[]; draft?: string; run: { status: string }; open?: string };

/** A served flow, and pages that use it through one client. */
export async function chatFixture<const Plugins extends readonly FlowPlugin[] = []>(
  client: ChatClient,
  script: Script,
  settings: Partial<FlowSettings> & {
    readonly plugins?: Plugins;
    readonly clientTools?: readonly string[];
  } = {},
) {
  const { clientTools, ...flowSettings } = settings;
  const served = await serveFixture(script, flowSettings);
  const stored = async (): Promise<Stored> => (await fetch(`${served.api}/chat`)).json();
  return {
    ...served,
    /** What the server would show after a reload. */
    stored,
    /** A new page on the chat, as on another day: the stored messages, and the current response. */
    async open({ resumes, hold, rereads }: Opening = {}) {
      const connection = client.connect(served.url, clientTools);
      if (hold) holdReplay(connection.transport, hold);
      const { messages = [], run } = await stored();
      const page = openPage({
        id: 'chat',
        messages,
        resume: resumes ? resumes(run.status) : messages.length > 0,
        transport: connection.transport,
        sendAutomaticallyWhen: client.predicate(clientTools),
        onData: (part) => void (rereads && reread(part)),
      });
      async function reread({ type, data }: { type: string; data: unknown }): Promise<void> {
        if (type !== 'data-message-changed') return;
        const { messageId } = data as { messageId: string };
        const changed = (await stored()).messages.find(({ id }) => id === messageId);
        if (changed)
          page.chat.setMessages((now) => now.map((each) => (each.id === messageId ? changed : each)));
      }
      return { page, ...connection };
    },
  };
}

/** A payment as requested by a scripted model. */
export function pay(to: string, amount: number) {
  return { call: 'pay', input: { to, amount } };
}

function holdReplay(
  transport: ReturnType<ChatClient['connect']>['transport'],
  hold: Required<Opening>['hold'],
) {
  const reconnect = transport.reconnectToStream.bind(transport);
  transport.reconnectToStream = async (options) => {
    const stream = await reconnect(options);
    return (
      stream?.pipeThrough(
        new TransformStream<UIMessageChunk, UIMessageChunk>({
          async transform(chunk, controller) {
            if (chunk.type === hold.from) await hold.until;
            controller.enqueue(chunk);
          },
        }),
      ) ?? null
    );
  };
}
