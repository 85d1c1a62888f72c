import { hasContent } from '../../log/turn/response-content.ts';
import { calls, type Turn } from '../../log/turn/turn.ts';
import { isExecutable } from '../../log/turn/wants-answer.ts';
import type { EventBody } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { Schemas } from '../call/input/schemas.ts';
import { cancelled, providerEnd } from './call-end.ts';
import { assignIds, idOf, type Place } from './call-ids.ts';
import { ownMessages } from './own-messages.ts';
import { recordCall } from './record-call.ts';
import type { StepContent } from './step-content.ts';
import { refusedByRequest } from './turn-limits.ts';

/** The events that finish a step: its messages, its calls, and the ends that are known already. */
export type StepOutcome = readonly EventBody[];

/** The model produced neither text nor calls, and the response is empty: `useChat` would send it again. @source T15 */
export class EmptyStepError extends Error {
  override readonly name = 'EmptyStepError';
}

/** Decides ids, gates and executors, and ends what needs no execution. */
export async function finishStep(
  parts: Place & {
    settings: FlowSettings;
    schemas: Schemas;
    content: StepContent;
  },
): Promise<StepOutcome> {
  const { settings, schemas, content, ...place } = parts;
  const { turn, step } = place;
  const { toolCalls, finishReason, usage } = content;
  if (!content.hasProse && toolCalls.length === 0 && content.ends.size === 0) {
    if (!hasContent(turn)) {
      throw new EmptyStepError('The model ended its step without text and without a call.');
    }
    // Model APIs refuse an assistant message without content, and reasoning that nothing follows.
    const silence: EventBody = { type: 'step-finished', step, messages: [], finishReason, usage };
    return [silence];
  }
  const ids = assignIds(toolCalls, place);
  const events: EventBody[] = [
    {
      type: 'step-finished',
      step,
      messages: ownMessages(content, ids),
      finishReason,
      refused: content.refused ? true : undefined,
      usage,
    },
  ];
  let ofServer = 0;
  for (const toolCall of toolCalls) {
    const { id, isNew } = idOf(ids, toolCall);
    const { request, end } = await recordCall({ settings, schemas }, content, toolCall, id);
    const call = { toolName: request.toolName, isOfServer: request.executor !== 'client' };
    const refused = isNew ? refusedByRequest(turn, call, ofServer) : undefined;
    if (isNew) events.push(request);
    if (isNew && call.isOfServer) ofServer += 1;
    // The SDK takes a call of a tool that was not offered for an invalid one.
    if (refused !== undefined && isExecutable(finishReason))
      events.push(cancelled(id, `Not run: ${refused}`));
    else if (end) events.push(end);
    else if (!isExecutable(finishReason)) {
      events.push(cancelled(id, `Not run: the model's step ended early (${finishReason}).`));
    }
  }
  return [...events, ...(await lateEnds(settings, turn, content))];
}

/** Results of provider calls of an earlier step that this step does not repeat (T14, deferred results). */
async function lateEnds(settings: FlowSettings, turn: Turn, content: StepContent): Promise<EventBody[]> {
  const announced = new Set(content.toolCalls.map(({ toolCallId }) => toolCallId));
  const late = calls(turn).flatMap((call) => {
    const { executor, toolCallId } = call.requested;
    const end = content.ends.get(toolCallId);
    return executor === 'provider' && end && !call.end && !announced.has(toolCallId) ? [{ call, end }] : [];
  });
  return Promise.all(late.map(({ call: { requested }, end }) => providerEnd(settings, end, requested)));
}
