import type { UIMessageChunk } from 'ai';
import { isInState, isToolPart, type Part } from '../../protocol/parts.ts';

type DataChunk = Extract<UIMessageChunk, { type: `data-${string}` }>;

/** What to do with a chunk: `new` and `known` ones are passed on, `shown` ones would add a part twice. */
type Verdict = 'new' | 'known' | 'shown' | 'differs';

/**
 * Compares a replay with the parts that a page has. `differs`: it has only the beginning of a text.
 *
 * @param from the first repeated part
 */
export function createKnownParts(parts: readonly Part[], from: number) {
  const calls = new Map(parts.filter(isToolPart).map((part) => [part.toolCallId, part]));
  const byApproval = new Map([...calls.values()].map((part) => [approvalIdOf(part), part]));
  const tail = Map.groupBy(parts.slice(from), ({ type }) => type);
  /** How many parts of a type the replay has repeated. */
  const counts = new Map<string, number>();
  let atStep = new Map<string, number>();
  const texts = new Map<string, { readonly part: Part; written: string }>();

  function next(type: string): Part | undefined {
    const count = counts.get(type) ?? 0;
    counts.set(type, count + 1);
    return tail.get(type)?.[count];
  }

  function hasData({ type, id }: DataChunk): boolean {
    return id !== undefined && (tail.get(type) ?? []).some((part) => 'id' in part && part.id === id);
  }

  function grow(id: string, delta: string): Verdict {
    const text = texts.get(id);
    if (!text) return 'new';
    text.written += delta;
    return String(text.part.text).startsWith(text.written) ? 'shown' : 'differs';
  }

  return {
    /** True in the last step that the page has: only this one can be sent again. */
    isLastStep: () => (counts.get('step-start') ?? 0) >= (tail.get('step-start') ?? []).length,

    judge(chunk: UIMessageChunk): Verdict {
      switch (chunk.type) {
        case 'start-step': {
          const mark = next('step-start');
          atStep = new Map(counts);
          return mark ? 'shown' : 'new';
        }
        case 'reset-step':
          counts.clear();
          for (const [type, count] of atStep) counts.set(type, count);
          return 'shown';
        case 'text-start':
        case 'reasoning-start': {
          const part = next(chunk.type.slice(0, -'-start'.length));
          if (part) texts.set(chunk.id, { part, written: '' });
          return part ? 'shown' : 'new';
        }
        case 'text-delta':
        case 'reasoning-delta':
          return grow(chunk.id, chunk.delta);
        case 'text-end':
        case 'reasoning-end':
          return texts.delete(chunk.id) ? 'shown' : 'new';
        case 'tool-input-start':
          return calls.has(chunk.toolCallId) ? 'shown' : 'new';
        case 'tool-input-delta':
        case 'tool-input-available':
          // Sent again, it would be executed again by a client.
          return reached(calls.get(chunk.toolCallId), 1) === 'new' ? 'new' : 'shown';
        case 'tool-approval-request':
          return reached(calls.get(chunk.toolCallId), 2);
        case 'tool-approval-response':
          return reached(byApproval.get(chunk.approvalId), 3);
        case 'tool-output-available':
          return reached(calls.get(chunk.toolCallId), chunk.preliminary ? 4 : 5);
        case 'tool-input-error':
        case 'tool-output-error':
        case 'tool-output-denied':
          return reached(calls.get(chunk.toolCallId), 5);
        case 'start':
        case 'finish-step':
        case 'finish':
          return 'known';
        case 'source-url':
        case 'source-document':
        case 'file':
        case 'reasoning-file':
          return next(chunk.type) ? 'shown' : 'new';
        default:
          if (!isDataChunk(chunk)) return 'new';
          // A part with an id is replaced, so it is not added twice.
          if (chunk.transient || hasData(chunk)) return 'known';
          return chunk.id === undefined && next(chunk.type) ? 'shown' : 'new';
      }
    },
  };
}

export type KnownParts = ReturnType<typeof createKnownParts>;

function reached(part: Part | undefined, state: number): Verdict {
  const progress = part ? progressOf(part) : 0;
  if (progress < state) return 'new';
  return progress === state ? 'known' : 'shown';
}

function progressOf(part: Part): number {
  if (isInState(part, 'input-streaming')) return 0;
  if (isInState(part, 'input-available')) return 1;
  if (isInState(part, 'approval-requested')) return 2;
  if (isInState(part, 'approval-responded')) return 3;
  return isInState(part, 'output-available') && part.preliminary === true ? 4 : 5;
}

function isDataChunk(chunk: UIMessageChunk): chunk is DataChunk {
  return chunk.type.startsWith('data-');
}

function approvalIdOf({ approval }: Part): unknown {
  return typeof approval === 'object' && approval !== null && 'id' in approval ? approval.id : undefined;
}
