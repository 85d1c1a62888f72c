import type { Turn } from '../../../log/turn/turn.ts';
import { wantsAnswer } from '../../../log/turn/wants-answer.ts';
import type { EventOf } from '../../../protocol/index.ts';
import type { ResponseObject } from '../schema/response-schema.ts';

/** How far a response is, and how it ended. */
export type Ending = Pick<ResponseObject, 'status' | 'error' | 'incomplete_details'>;

export const inProgress: Ending = { status: 'in_progress', error: null, incomplete_details: null };

export const completed: Ending = { status: 'completed', error: null, incomplete_details: null };

export function failed(message: string): Ending {
  return {
    status: 'failed',
    error: { type: 'server_error', code: 'server_error', message, param: null },
    incomplete_details: null,
  };
}

export function incomplete(reason: NonNullable<ResponseObject['incomplete_details']>['reason']): Ending {
  return { status: 'incomplete', error: null, incomplete_details: { reason } };
}

/**
 * The ending of a run that completed. The log does not record that a limit ended a turn. It did if the model has not
 * yet seen the last calls' results.
 *
 * @source C11
 */
export function endingOf({ finishReason, why }: EventOf<'run-completed'>, turn: Turn): Ending {
  if (why === 'output-limit') return incomplete('max_output_tokens');
  if (wantsAnswer(turn)) return incomplete('max_messages');
  if (finishReason === 'length') return incomplete('max_output_tokens');
  const isRefusal = turn.steps.at(-1)?.finished?.refused === true;
  if (finishReason === 'content-filter' && !isRefusal) return incomplete('content_filter');
  return completed;
}
