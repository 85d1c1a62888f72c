import type { FlowEvent } from '../../protocol/index.ts';
import { type Call, calls, type Step, type Turn } from './turn.ts';

/**
 * True if the response will contain text or an outcome: withheld content is released with the last.
 *
 * @source T3, T11, T15, T17
 */
export function hasContent(turn: Turn): boolean {
  const withheldAfter = withheldAfterSeq(turn);
  const isFinal = turn.release === 'final';
  const isInResponse = ({ runId, seq }: FlowEvent) => seq > withheldAfter || runId === turn.runId;
  // As they happen, kept calls come first: in the response that begins the turn.
  const isFirst = !calls(turn).some(({ suspended }) => suspended);
  return (
    ownSteps(turn).some(({ finished }) => finished && isInResponse(finished) && hasProse(finished)) ||
    calls(turn).some((call) => {
      if (call.kept) return call.kept === 'shown' && (isFinal || isFirst);
      // A call that the provider never reports on ends with the run at the latest, as unknown.
      if (!call.end) return call.requested.executor === 'provider';
      return isInResponse(call.end) && !isOwnOutcome(call);
    })
  );
}

/** The `seq` after which everything is withheld until the end of the turn. */
function withheldAfterSeq({ release, calls: all }: Turn): number {
  if (release === 'final') return -1;
  if (release === 'progressive') return Number.POSITIVE_INFINITY;
  const questions = [...all.values()].flatMap(({ asked, kept }) => (asked && !kept ? [asked.seq] : []));
  return Math.min(Number.POSITIVE_INFINITY, ...questions);
}

function ownSteps(turn: Turn): readonly Step[] {
  return turn.steps.slice(turn.keptSteps);
}

/** An outcome from the client, to which the call was handed over. Its response does not repeat the outcome. */
export function isOwnOutcome({ requested, answered, suspended, end, kept }: Call): boolean {
  return (
    !kept &&
    (requested.executor === 'client' || answered?.asOutput === true) &&
    !requested.invalid &&
    suspended !== undefined &&
    (end?.type === 'tool-completed' || end?.type === 'tool-failed')
  );
}

/** True if the model produced text or a file in this step. */
export function hasProse({ messages }: Pick<NonNullable<Step['finished']>, 'messages'>): boolean {
  return messages.some(({ role, content }) => {
    if (role !== 'assistant') return false;
    if (typeof content === 'string') return content !== '';
    return content.some((part) => (part.type === 'text' ? part.text !== '' : part.type === 'file'));
  });
}
