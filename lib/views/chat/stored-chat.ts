import type { UIMessage, UIMessageChunk } from 'ai';
import type { FlowEvent, MessageId, UserPart } from '../../protocol/index.ts';
import type { DraftJson } from '../../protocol/wire/chat/draft.ts';
import { createUiChunks } from '../chunks/ui-chunks.ts';
import type { StreamView } from '../flow-stream.ts';
import { type ProjectionRun, runProjection } from '../reader/projection.ts';
import { createMessageReducer } from './message-reducer.ts';

/** A message as the chat API returns it: the SDK's `UIMessage`. @source H4 */
export type StoredMessage = UIMessage;

/** A chat's messages, and the text that is shown but not yet released. */
export type StoredChat = {
  readonly messages: readonly StoredMessage[];
  readonly draft?: string;
  readonly drafts?: readonly DraftJson[];
};

type OpenTurn = {
  readonly message: StoredMessage;
  readonly projection: ProjectionRun<UIMessageChunk>;
  readonly reduce: (chunk: UIMessageChunk) => void;
  readonly drafts: Map<string, DraftJson>;
  released: boolean;
};

/** The chat as readers are streamed it, reduced to messages. @source H2, H4 */
export function storedChat(events: Iterable<FlowEvent>, view: StreamView): StoredChat {
  const messages: StoredMessage[] = [];
  let turn: OpenTurn | undefined;

  for (const event of events) {
    switch (event.type) {
      case 'message-received':
        finish(turn);
        turn = undefined;
        messages.push({
          id: event.messageId,
          role: 'user',
          metadata: event.metadata,
          parts: event.parts.map(userPart),
        });
        break;
      case 'message-imported':
        messages.push(event.message);
        break;
      case 'history-cut': {
        const index = messages.findIndex((message) => message.id === event.messageId);
        if (index !== -1) messages.length = index;
        turn = undefined;
        break;
      }
      default:
        if (event.type === 'run-started' && turn?.message.id !== event.messageId) {
          finish(turn);
          turn = openTurn(event.messageId, view);
          messages.push(turn.message);
        }
        if (turn) feed(turn, event);
    }
  }
  finish(turn);
  const drafts = turn && !turn.released ? [...turn.drafts.values()] : [];
  const draft = drafts.map(({ delta }) => delta).join('\n\n');
  return draft === '' ? { messages } : { messages, draft, drafts };
}

function openTurn(id: MessageId, view: StreamView): OpenTurn {
  const message: StoredMessage = { id, role: 'assistant', parts: [] };
  const whole = { ...view, emitFrom: 0, replay: true };
  return {
    message,
    projection: runProjection(createUiChunks(whole), whole),
    reduce: createMessageReducer(message),
    drafts: new Map(),
    released: false,
  };
}

function feed(turn: OpenTurn, event: FlowEvent): void {
  if (event.type === 'run-completed' || event.type === 'run-failed' || event.type === 'run-cancelled') {
    turn.released = true;
  }
  for (const chunk of turn.projection.push(event)) take(turn, chunk);
}

function finish(turn: OpenTurn | undefined): void {
  if (!turn) return;
  for (const chunk of turn.projection.end()) take(turn, chunk);
}

function take(turn: OpenTurn, chunk: UIMessageChunk): void {
  if (chunk.type === 'data-draft') {
    const draft = chunk.data as DraftJson;
    const known = turn.drafts.get(draft.textId);
    const isMore = draft.position === undefined || draft.delta === '';
    if (draft.reset) turn.drafts.delete(draft.textId);
    else if (known && isMore)
      turn.drafts.set(draft.textId, { ...known, ...draft, delta: known.delta + draft.delta });
    else turn.drafts.set(draft.textId, draft);
  } else turn.reduce(chunk);
}

function userPart(part: UserPart): StoredMessage['parts'][number] {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type !== 'file') return { ...part };
  const { url, mediaType, filename } = part;
  return { type: 'file', url, mediaType, filename };
}
