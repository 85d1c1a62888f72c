import type { UIMessage } from 'ai';
import type { Script } from 'countersign/testing';
import type { ChatClient } from './chat-clients.ts';
import { openPage } from './open-page.ts';
import { serveFixture } from './serve-fixture.ts';

type Stored = { messages: UIMessage[]; draft?: string; run: { status: string }; open?: string };

/** A served flow, and pages that use it through one client. */
export async function chatFixture(
  client: ChatClient,
  script: Script,
  settings: Parameters<typeof serveFixture>[1] & { clientTools?: readonly string[] } = {},
) {
  const { clientTools, ...flowSettings } = settings;
  const served = await serveFixture(script, flowSettings);
  const stored = async (): Promise<Stored> => (await fetch(`${served.api}/chat`)).json();
  return {
    ...served,
    /** What the server would show after a reload. */
    stored,
    /** A new page on the chat, as on another day: the stored messages, and the current response. */
    async open() {
      const connection = client.connect(served.url, clientTools);
      const { messages = [] } = await stored();
      const page = openPage({
        id: 'chat',
        messages,
        resume: messages.length > 0,
        transport: connection.transport,
        sendAutomaticallyWhen: client.predicate(clientTools),
      });
      return { page, ...connection };
    },
  };
}

/** A payment as requested by a scripted model. */
export function pay(to: string, amount: number) {
  return { call: 'pay', input: { to, amount } };
}
