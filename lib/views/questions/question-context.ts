import type { ChatHead, FlowStore } from '../../log/store/index.ts';
import { createStrike, type FlowEvent, type Question } from '../../protocol/index.ts';
import type { ContextJson } from '../../protocol/wire/question-context.ts';

/** In characters, of each text. */
const longestText = 2_000;

type Log = {
  readonly recentEvents: { turnOf(head: ChatHead): Iterable<FlowEvent> | undefined };
  readonly store: Pick<FlowStore, 'events'>;
};

/** The asker's message, and the model's text before the call, without secrets. @source ADR 0015, ADR 0040 */
export async function questionContext(
  { recentEvents, store }: Log,
  head: ChatHead,
  { toolCallId }: Question,
): Promise<Pick<ContextJson, 'message' | 'said'>> {
  const turn = [...(recentEvents.turnOf(head) ?? (await store.events.read(head.id, head.turnSeq - 1)))];
  const at = turn.findIndex((event) => event.type === 'tool-requested' && event.toolCallId === toolCallId);
  const call = turn[at];
  if (call?.type !== 'tool-requested') return {};
  const before = turn.slice(0, at);
  const message = messageIn(before) ?? messageIn(await store.events.read(head.id, 0));
  const said = textIn(before);
  // A question of a running call has none of the secrets itself, and the model may have repeated those of another call.
  const calls = turn.filter((event) => event.type === 'tool-requested');
  const strike = createStrike(calls.map(({ input, secrets }) => ({ input, paths: secrets?.input })));
  const shown = (text: string) => shortened(strike(text));
  return { message: message && shown(message), said: said ? shown(said) : undefined };
}

function messageIn(events: readonly FlowEvent[]): string | undefined {
  const event = events.findLast(({ type }) => type === 'message-received');
  if (event?.type !== 'message-received') return undefined;
  return event.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function textIn(events: readonly FlowEvent[]): string {
  const start = events.findLastIndex(({ type }) => type === 'step-started');
  return events
    .slice(start + 1)
    .map((event) => (event.type === 'text-delta' ? event.delta : ''))
    .join('')
    .trim();
}

function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}…` : text;
}
