import { brokenOffText } from '../../../dialects/turn-text.ts';
import { type FlowEvent, isRecord, type MessageId, type RunId } from '../../../protocol/index.ts';
import type { ReadInput, SpokenPart } from '../request/input.ts';

/** What a log holds of a conversation, for a comparison with the items that a client has of it. */
export type HeldItems = {
  /** The parts of the user messages, in order. */
  readonly users: readonly string[];
  /** The texts of the assistant, in order, as they were sent. `isBrokenOff`: its step began again, so it is not in the response. */
  readonly said: readonly SaidText[];
  /** The ids of all questions. */
  readonly questions: readonly string[];
  /** When the last question was asked, in epoch milliseconds. */
  readonly askedAt?: number;
  /** The run whose question is open. */
  readonly open?: RunId;
};

type SaidText = { readonly textId: string; readonly text: string; readonly isBrokenOff: boolean };

/**
 * Reads the items of a conversation from its log.
 *
 * @source ADR 0014.9
 */
export function heldItems(events: readonly FlowEvent[]): HeldItems {
  const users: string[] = [];
  const said: SaidText[] = [];
  const brokenOff = brokenOffText(events);
  /** Ids of texts repeat from step to step. */
  let isNewStep = true;
  const questions: string[] = [];
  /** How many parts of the users came before each message. */
  const places = new Map<MessageId, number>();
  let askedAt: number | undefined;
  let open: RunId | undefined;
  for (const event of events) {
    switch (event.type) {
      case 'message-received':
        places.set(event.messageId, users.length);
        users.push(...event.parts.flatMap(keyOf));
        break;
      case 'message-imported': {
        const { role, parts } = event.message;
        places.set(event.messageId, users.length);
        if (role === 'user') users.push(...parts.flatMap(keyOf));
        else {
          const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
          said.push({ textId: event.messageId, text, isBrokenOff: false });
        }
        break;
      }
      case 'run-started':
        if (!places.has(event.messageId)) places.set(event.messageId, users.length);
        break;
      case 'history-cut':
        users.length = Math.min(users.length, places.get(event.messageId) ?? 0);
        break;
      case 'step-started':
        isNewStep = true;
        break;
      case 'text-delta': {
        const { textId, delta, seq } = event;
        const last = isNewStep ? undefined : said.at(-1);
        isNewStep = false;
        if (last?.textId === textId) said[said.length - 1] = { ...last, text: last.text + delta };
        else said.push({ textId, text: delta, isBrokenOff: brokenOff.has(seq) });
        break;
      }
      case 'approval-requested':
        questions.push(event.approvalId);
        askedAt = event.at;
        open = event.runId;
        break;
      case 'approval-answered':
      case 'approval-withdrawn':
        open = undefined;
        break;
      default:
    }
  }
  return {
    users,
    said,
    questions,
    askedAt,
    open,
  };
}

/**
 * How the items of an input relate to a conversation: `equal`, or how many of the user's parts the conversation has, if
 * the input extends it. A client may leave out what the assistant said, but must not add to it.
 */
export function relationTo(
  { speeches }: Pick<ReadInput, 'speeches'>,
  { users, said, questions }: HeldItems,
): { readonly type: 'equal' | 'extends'; readonly known: number } | undefined {
  const given = speeches.flatMap((speech) => (speech.role === 'user' ? keyOf(speech.part) : []));
  const known = users.length;
  if (known === 0 || given.length < known) return undefined;
  if (users.some((user, index) => user !== given[index])) return undefined;
  // A client may hold the text that was broken off, or only the final response.
  const counted = said.filter(({ isBrokenOff }) => !isBrokenOff);
  const isOurs = (text: string) =>
    text === '' ||
    questions.some((id) => text.includes(id)) ||
    [counted, said].some((texts) => isSaid(texts, text));
  const isForeign = speeches.some((speech) => speech.role === 'assistant' && !isOurs(speech.text));
  if (isForeign) return undefined;
  return { type: given.length === known ? 'equal' : 'extends', known };
}

/** True for one text, and for texts that follow each other: clients join them differently. */
function isSaid(said: readonly SaidText[], given: string): boolean {
  const wanted = given.replaceAll(/\s+/g, '');
  return said.some((_first, start) => {
    let joined = '';
    for (const { text } of said.slice(start)) {
      joined += text.replaceAll(/\s+/g, '');
      if (joined.length >= wanted.length) break;
    }
    return joined === wanted;
  });
}

/** A part that the model sees, as a key; none for a part of the page. */
function keyOf(part: SpokenPart | { readonly type: string }): string[] {
  if (part.type === 'text' && 'text' in part) {
    return part.text === '' ? [] : [`text ${part.text.toWellFormed()}`];
  }
  return isRecord(part) && part.type === 'file' && 'url' in part ? [`file ${String(part.url)}`] : [];
}
