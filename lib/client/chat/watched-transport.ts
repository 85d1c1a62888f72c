import { type ChatTransport, isToolUIPart, type UIMessage, type UIMessageChunk } from 'ai';
import type { DecisionToSend, ResponseToAdd } from '../../protocol/approval/decisions.ts';

/**
 * Any transport of the SDK. With `cancel`, `stop` ends the run on the server; with `decide`, arguments can be edited
 * and approvals remembered. `createSseTransport` and `createBidiTransport` have both.
 */
export type ApprovalTransport<Message extends UIMessage = UIMessage> = ChatTransport<Message> & {
  cancel?(chatId: string): Promise<void>;
  decide?(decision: DecisionToSend): ResponseToAdd;
};

/** What a request begins: a turn of its own, the next response of the turn, or a replay of it. */
export type RequestKind = 'turn' | 'response' | 'replay';

/** Callbacks of a watched transport. */
export type TransportWatcher = {
  /** A request is about to be sent; for a resume, there is something to replay. */
  began(kind: RequestKind): void;
  /** A resume has begun, or the page knows what there is to replay: nothing, or the chunks that now arrive. */
  resuming(isResuming: boolean): void;
  /** All decisions of this page: the transport may not have them yet. */
  decisions(): readonly DecisionToSend[];
  /** The reply to a request with these answers has begun: the server has received them. */
  acknowledged(approvalIds: readonly string[]): void;
  /** A response asks this question. */
  asked(approvalId: string): void;
};

/**
 * Wraps a transport to report when a response begins, before its first chunk, and what it asks. Transient parts do not
 * name their response, so the draft needs this. Every request carries all decisions, even those made over another
 * transport: edited arguments must not be approved unedited.
 */
export function watchedTransport<Message extends UIMessage>(
  transport: ApprovalTransport<Message>,
  watcher: TransportWatcher,
): ChatTransport<Message> {
  let resumes = 0;
  return {
    resumeStreamIsReplay: transport.resumeStreamIsReplay,
    async sendMessages(options) {
      const continues = options.trigger === 'submit-message' && options.messages.at(-1)?.role === 'assistant';
      handOver(transport, watcher.decisions(), options.messages);
      watcher.began(continues ? 'response' : 'turn');
      const answered = answersIn(options.messages);
      const received = () => watcher.acknowledged(answered);
      return watched(await transport.sendMessages(options), watcher.asked, { onFirst: received });
    },
    async reconnectToStream(options) {
      resumes += 1;
      const own = resumes;
      const resumed = () => {
        if (own === resumes) watcher.resuming(false);
      };
      watcher.resuming(true);
      options.abortSignal?.addEventListener('abort', resumed);
      const stream = await transport.reconnectToStream(options).catch((error) => {
        resumed();
        throw error;
      });
      if (stream) watcher.began('replay');
      else resumed();
      return stream && watched(stream, watcher.asked, { onFirst: resumed, onEnd: resumed });
    },
  };
}

/** @throws Error when the transport cannot carry the edited arguments of an approval */
function handOver<Message extends UIMessage>(
  transport: ApprovalTransport<Message>,
  decisions: readonly DecisionToSend[],
  messages: readonly Message[],
): void {
  if (transport.decide) {
    for (const decision of decisions) transport.decide(decision);
    return;
  }
  const approved = new Set(answersIn(messages));
  if (decisions.some(({ id, input }) => input !== undefined && approved.has(id))) {
    throw new Error(
      'Edited arguments were approved, and this transport cannot carry them. Nothing was sent.',
    );
  }
}

/** The approval ids of all answers in the last message of the assistant. */
function answersIn(messages: readonly UIMessage[]): readonly string[] {
  const parts = messages.findLast(({ role }) => role === 'assistant')?.parts.filter(isToolUIPart) ?? [];
  return parts.flatMap((part) => (part.state === 'approval-responded' ? [part.approval.id] : []));
}

/** Calls back for a stream's first chunk, which comes once its request is in the log, and for its end. */
function watched(
  stream: ReadableStream<UIMessageChunk>,
  asked: TransportWatcher['asked'],
  { onFirst, onEnd }: { readonly onFirst: () => void; readonly onEnd?: () => void },
): ReadableStream<UIMessageChunk> {
  const reader = stream.getReader();
  let isFirst = true;
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        let ends = true;
        try {
          const { done, value: chunk } = await reader.read();
          if (done) return controller.close();
          ends = false;
          if (isFirst) onFirst();
          isFirst = false;
          if (chunk.type === 'tool-approval-request' && chunk.isAutomatic !== true) asked(chunk.approvalId);
          controller.enqueue(chunk);
        } finally {
          // Also if it breaks before its first chunk.
          if (ends) onEnd?.();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
