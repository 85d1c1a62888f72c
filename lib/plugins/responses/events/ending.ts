import type { Turn } from '../../../log/turn/turn.ts';
import { wantsAnswer } from '../../../log/turn/wants-answer.ts';
import type { FailureCode } from '../../../protocol/failure-code.ts';
import type { EventOf } from '../../../protocol/index.ts';
import type { ResponseObject } from '../client/schema/response-schema.ts';

/** How far a response is, and how it ended. */
export type Ending = Pick<ResponseObject, 'status' | 'error' | 'incomplete_details'>;

export const inProgress: Ending = { status: 'in_progress', error: null, incomplete_details: null };

export const completed: Ending = { status: 'completed', error: null, incomplete_details: null };

/** @param code of the failure, if its error has one that the API documents. @source C16 */
export function failed(message: string, code: FailureCode | 'server_error' = 'server_error'): Ending {
  return {
    status: 'failed',
    error: { type: typeOf(code), code, message, param: null },
    incomplete_details: null,
  };
}

function typeOf(code: FailureCode | 'server_error'): NonNullable<Ending['error']>['type'] {
  if (code === 'server_error' || code === 'vector_store_timeout') return 'server_error';
  return code === 'rate_limit_exceeded' ? 'rate_limit_error' : 'invalid_request_error';
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
