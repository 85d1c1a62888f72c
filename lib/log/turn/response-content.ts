import type { FlowEvent } from '../../protocol/index.ts';
import { type Call, calls, type Step, type Turn } from './turn.ts';

/**
 * True when the response of the active run holds text or an outcome, whatever its model says from here on. Until the
 * end of a `final` turn everything is withheld, so its last response holds what the whole turn said and did.
 *
 * @source T3, T11, T15
 */
export function holdsContent(turn: Turn): boolean {
  const isFinal = turn.release === 'final';
  const isInResponse = ({ runId }: FlowEvent) => isFinal || runId === turn.runId;
  // As they happen, kept calls come first: in the response that begins the turn.
  const isFirst = !calls(turn).some(({ suspended }) => suspended);
  return (
    ownSteps(turn).some(({ finished }) => finished && isInResponse(finished) && hasProse(finished)) ||
    calls(turn).some((call) => {
      if (call.kept) return call.kept === 'shown' && (isFinal || isFirst);
      // What a provider does not report ends with the run at the latest, as unknown.
      if (!call.end) return call.requested.executor === 'provider';
      return isInResponse(call.end) && !isOwnOutcome(call);
    })
  );
}

function ownSteps(turn: Turn): readonly Step[] {
  return turn.steps.slice(turn.keptSteps);
}

/** An outcome from the client, to which the call was handed over. Its response does not repeat the outcome. */
export function isOwnOutcome({ requested, suspended, end, kept }: Call): boolean {
  return (
    !kept &&
    requested.executor === 'client' &&
    !requested.invalid &&
    suspended !== undefined &&
    (end?.type === 'tool-completed' || end?.type === 'tool-failed')
  );
}

/** True when the model said something in this step: text, or a file. */
export function hasProse({ messages }: Pick<NonNullable<Step['finished']>, 'messages'>): boolean {
  return messages.some(({ role, content }) => {
    if (role !== 'assistant') return false;
    if (typeof content === 'string') return content !== '';
    return content.some((part) => (part.type === 'text' ? part.text !== '' : part.type === 'file'));
  });
}
