import { useChat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import type { ClientBench, ClientTimes } from './client-bench.ts';

/** A page as small as a chat page can be. It says what a response cost it, by `window.bench`. */
const api = '/api/chat';
let received = Number.NaN;
let renders = 0;

let buffers = false;

/** May wait for the whole response, so that what comes after is the page's own work. */
async function bufferedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (!buffers) return response;
  const body = await response.arrayBuffer();
  received = performance.now();
  return new Response(body, response);
}

const ways = {
  sse: {
    transport: sse.createSseTransport({ api, fetch: bufferedFetch }),
    sendAutomaticallyWhen: sse.sendAutomaticallyWhen,
  },
  bidi: {
    transport: bidi.createBidiTransport({ url: `${api}/socket`, api }),
    sendAutomaticallyWhen: bidi.sendAutomaticallyWhen,
  },
  plain: {
    transport: new DefaultChatTransport({ api, fetch: bufferedFetch }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  },
};

const way = ways[window.location.hash.slice(1) as keyof typeof ways];
let settled: PromiseWithResolvers<void> | undefined;

/** What a response cost, from `act` until the page shows it. */
async function measure(act: () => unknown): Promise<ClientTimes> {
  settled = Promise.withResolvers();
  renders = 0;
  received = Number.NaN;
  const start = performance.now();
  await act();
  await settled.promise;
  const end = performance.now();
  return { total: end - start, apply: end - received, renders };
}

function Chat() {
  renders += 1;
  const { messages, status, sendMessage, addToolApprovalResponse } = useChat(way);
  useEffect(() => {
    const bench: ClientBench = {
      say: (text) => measure(() => void sendMessage({ text })),
      approve(buffered) {
        buffers = buffered;
        const [id = ''] = openQuestions(messages);
        return measure(() => addToolApprovalResponse({ id, approved: true }));
      },
    };
    Object.assign(window, { bench });
    if (status === 'ready' && renders > 1 && !isBeingSent(messages)) settled?.resolve();
  });
  return (
    <ol>
      {messages.map(({ id, parts }) => (
        <li key={id}>{parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(' ')}</li>
      ))}
    </ol>
  );
}

function openQuestions(messages: readonly UIMessage[]): string[] {
  return (messages.at(-1)?.parts ?? []).flatMap((part) =>
    'approval' in part && part.state === 'approval-requested' ? [part.approval.id] : [],
  );
}

/** Between the answer and its request the page is `ready` as well. */
function isBeingSent(messages: UIMessage[]): boolean {
  return messages.at(-1)?.role !== 'assistant' || way.sendAutomaticallyWhen({ messages });
}

createRoot(document.body).render(<Chat />);
