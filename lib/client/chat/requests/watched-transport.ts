import { type ChatTransport, isToolUIPart, type UIMessage, type UIMessageChunk } from 'ai';
import type { AnswerToSend, ResponseToAdd } from '../../transport/kept-answers.ts';
import { withinAMinute } from '../../transport/within-a-minute.ts';

/**
 * Any transport of the SDK. With `cancel`, `stop` ends the run on the server; with `keepAnswer`, arguments can be edited
 * and approvals remembered. `createSseTransport` and `createBidiTransport` have both.
 */
export type ApprovalTransport<Message extends UIMessage = UIMessage> = ChatTransport<Message> & {
  cancel?(chatId: string): Promise<void>;
  keepAnswer?(answer: AnswerToSend): ResponseToAdd;
};

/** What a request begins: a new turn, the next response of the turn, or a replay. */
export type RequestKind = 'turn' | 'response' | 'replay';

/** Callbacks of a watched transport. */
export type TransportWatcher = {
  /** A request is about to be sent; for a resume, there is something to replay. */
  began(kind: RequestKind): void;
  /** A resume has begun, or it is known what will be replayed: nothing, or the chunks that follow. */
  resuming(isResuming: boolean): void;
  /** All answers of this page: the transport may not have them yet. */
  answers(): readonly AnswerToSend[];
  /** The server has replied to a request with these answers. */
  replied(approvalIds: readonly string[]): void;
  /** These answers are in its log: no other answer was first. */
  acknowledged(approvalIds: readonly string[]): void;
  /** This answer left the question open: it waits for others. */
  leftOpen(approvalId: string): void;
  /** A response asks this question. */
  asked(approvalId: string): void;
};

/**
 * Wraps a transport to report when a response begins, before its first chunk, and what it asks. Transient parts do not
 * name their response, so the draft needs this. Every request carries all answers, even those made over another
 * transport: edited arguments must not be approved unedited.
 *
 * @param current the transport, which may be another one for each request
 */
export function watchedTransport<Message extends UIMessage>(
  current: () => ApprovalTransport<Message>,
  watcher: TransportWatcher,
): ChatTransport<Message> {
  let resumes = 0;
  return {
    get resumeStreamIsReplay() {
      return current().resumeStreamIsReplay;
    },
    async sendMessages(options) {
      const transport = current();
      const continues = options.trigger === 'submit-message' && options.messages.at(-1)?.role === 'assistant';
      handOver(transport, watcher.answers(), options.messages);
      watcher.began(continues ? 'response' : 'turn');
      const answers = answersIn(options.messages);
      const { abortSignal } = options;
      const reply =
        continues && answers.size > 0
          ? await withinAMinute(
              (signal) => transport.sendMessages({ ...options, abortSignal: signal }),
              abortSignal,
            )
          : await transport.sendMessages(options);
      return watched(reply, replyTo(answers, watcher));
    },
    async reconnectToStream(options) {
      resumes += 1;
      const own = resumes;
      const resumed = () => {
        if (own === resumes) watcher.resuming(false);
      };
      watcher.resuming(true);
      options.abortSignal?.addEventListener('abort', resumed);
      // A page that the server rendered chooses its transport when it is hydrated, right after its first effects.
      await Promise.resolve();
      const stream = await current()
        .reconnectToStream(options)
        .catch((error) => {
          resumed();
          throw error;
        });
      if (stream) watcher.began('replay');
      else resumed();
      const onChunk = (chunk: UIMessageChunk) => {
        resumed();
        askedIn(chunk, watcher);
      };
      return stream && watched(stream, { onChunk, onEnd: resumed });
    },
  };
}

/** @throws Error when the transport cannot carry the edited arguments of an approval */
function handOver<Message extends UIMessage>(
  transport: ApprovalTransport<Message>,
  answers: readonly AnswerToSend[],
  messages: readonly Message[],
): void {
  if (transport.keepAnswer) {
    for (const answer of answers) transport.keepAnswer(answer);
    return;
  }
  const approved = answersIn(messages);
  if (answers.some(({ id, input }) => input !== undefined && approved.has(id))) {
    throw new Error(
      'Edited arguments were approved, and this transport cannot carry them. Nothing was sent.',
    );
  }
}

/** All answers in the last message of the assistant: whether it approves, by approval id. */
function answersIn(messages: readonly UIMessage[]): Map<string, boolean> {
  const parts = messages.findLast(({ role }) => role === 'assistant')?.parts.filter(isToolUIPart) ?? [];
  return new Map(
    parts.flatMap((part) =>
      part.state === 'approval-responded' ? [[part.approval.id, part.approval.approved] as const] : [],
    ),
  );
}

/**
 * Watches the reply to a request with answers. A server of ours begins with the answer that counts (T2),
 * which may be another than this page has sent. Other servers do not repeat answers: they count once their
 * calls continue.
 *
 * @param sent is emptied
 */
function replyTo(
  sent: Map<string, boolean>,
  watcher: Pick<TransportWatcher, 'replied' | 'acknowledged' | 'leftOpen' | 'asked'>,
): WatchedStream {
  let repeatsAnswers = false;
  const acknowledge = (ids: readonly string[]) => {
    if (ids.length === 0) return;
    for (const id of ids) sent.delete(id);
    watcher.replied(ids);
    watcher.acknowledged(ids);
  };
  return {
    onChunk(chunk) {
      askedIn(chunk, watcher);
      if (chunk.type === 'start' || chunk.type === 'start-step' || chunk.type.startsWith('data-')) return;
      if (chunk.type === 'tool-approval-request' && sent.delete(chunk.approvalId)) {
        watcher.replied([chunk.approvalId]);
        watcher.leftOpen(chunk.approvalId);
        return;
      }
      if (chunk.type !== 'tool-approval-response') {
        if (!repeatsAnswers) acknowledge([...sent.keys()]);
        return;
      }
      const { approvalId, approved } = chunk;
      if (!sent.has(approvalId)) return;
      repeatsAnswers = true;
      if (sent.get(approvalId) === approved) return acknowledge([approvalId]);
      sent.delete(approvalId);
      watcher.replied([approvalId]);
    },
    onEnd(isWhole) {
      if (isWhole) acknowledge([...sent.keys()]);
    },
  };
}

function askedIn(chunk: UIMessageChunk, { asked }: Pick<TransportWatcher, 'asked'>): void {
  if (chunk.type === 'tool-approval-request' && chunk.isAutomatic !== true) asked(chunk.approvalId);
}

/**
 * Callbacks of a watched stream: for each chunk before it is passed on, and for its end, even if it broke.
 */
type WatchedStream = {
  readonly onChunk: (chunk: UIMessageChunk) => void;
  readonly onEnd: (isWhole: boolean) => void;
};

function watched(
  stream: ReadableStream<UIMessageChunk>,
  { onChunk, onEnd }: WatchedStream,
): ReadableStream<UIMessageChunk> {
  const reader = stream.getReader();
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        const next = await reader.read().catch((error) => {
          onEnd(false);
          throw error;
        });
        if (next.done) {
          onEnd(true);
          return controller.close();
        }
        onChunk(next.value);
        controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
