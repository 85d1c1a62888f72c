import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import { CountersignError } from '../../../protocol/errors/errors.ts';
import type { ChatId, FlowEvent, Principal, RunId } from '../../../protocol/index.ts';
import { runProjection } from '../../../views/reader/projection.ts';
import type { ResponseEvent } from '../client/schema/event-schema.ts';
import type { ResponseObject } from '../client/schema/response-schema.ts';
import { refuseParam } from '../errors.ts';
import { createResponseProjection, type ResponseSettings } from '../events/response-projection.ts';
import { formatResponseId, responseOfId } from '../ids.ts';
import type { EndUser } from '../request/end-user.ts';
import { factsOfTurn, type RequestFacts } from '../request/request-facts.ts';

/** How the handler shows responses. */
export type ShownAs = Pick<ResponseSettings, 'serverLabel' | 'serverTools' | 'model'>;

/** A response as its chat's log has it now. */
export type KnownResponse = {
  readonly id: string;
  readonly chatId: ChatId;
  readonly runId: RunId;
  /** The events of its turn, from the first on, as far as they are known. */
  readonly turn: readonly FlowEvent[];
  /** Whether a later run continues the chat. */
  readonly isLast: boolean;
  /** For another projection of it. */
  readonly settings: ResponseSettings;
  /** The events so far. */
  readonly events: readonly ResponseEvent[];
  readonly response: ResponseObject;
};

/** Whose response it is, how it is shown, and what the request for it asks of its items. */
type Reading = {
  readonly principal: Principal;
  /** The person behind the request: with a key that serves many people, other people's responses are unknown. */
  readonly endUser: Pick<EndUser, 'owns'>;
  /** @see CallSettings.asksAt */
  readonly host: string;
  readonly shownAs: ShownAs;
  readonly include?: readonly string[];
};

/**
 * Reads a response back: a projection of the log of its chat. What the request of an answer set is not recorded, so the
 * response to an answer repeats the request that began its turn.
 *
 * @param id of the response
 * @throws CountersignError `not-found` for an id that names no response that this principal may read, and for one of a
 * request with `store: false`
 * @source ADR 0014
 */
export async function readResponse(
  flow: ApprovalFlow,
  id: string,
  { principal, endUser, host, shownAs, include }: Reading,
): Promise<KnownResponse> {
  const { chatId, runId } = responseOfId(id) ?? refuse(id);
  if (!endUser.owns(chatId)) refuse(id);
  const log = await flow.chats.timeline({ principal, chatId }).catch((error: unknown) => {
    if (CountersignError.is(error) && error.code === 'not-found') return refuse(id);
    throw error;
  });
  const first = log.findIndex((event) => event.runId === runId);
  if (first === -1) refuse(id);
  const turn = log.slice(turnStart(log, first), turnEnd(log, first));
  const start = turn.find((event) => event.type === 'run-started');
  const ofTurn = factsOfTurn(start?.type === 'run-started' ? start.options : undefined);
  if (ofTurn.store === false) refuse(id);
  const settings: ResponseSettings = {
    ...shownAs,
    asksAt: ofTurn.metadata?.server_tools === 'text' ? host : undefined,
    chatId,
    begins: (event) => event.runId === runId && !startsTurn(event),
    given: { ...previousOf(chatId, turn, runId, ofTurn), include: include && [...include] },
  };
  const projection = createResponseProjection(settings);
  const { push } = runProjection(projection);
  const events = turn.flatMap((event) => [...push(event)]);
  const isLast = log.findLast((event) => event.runId !== undefined)?.runId === runId;
  return { id, chatId, runId, turn, isLast, settings, events, response: projection.response() };
}

/** A run that continues a turn continues the response of the run before it. */
function previousOf(
  chatId: ChatId,
  turn: readonly FlowEvent[],
  runId: RunId,
  { previous_response_id }: RequestFacts,
): Pick<RequestFacts, 'previous_response_id'> {
  const runs = [...new Set(turn.flatMap((event) => event.runId ?? []))];
  const before = runs[runs.indexOf(runId) - 1];
  if (before !== undefined) return { previous_response_id: formatResponseId(chatId, before) };
  return previous_response_id === undefined ? {} : { previous_response_id };
}

/** The place of the first event of the turn that an event belongs to. */
function turnStart(log: readonly FlowEvent[], place: number): number {
  const start = log.findLastIndex((event, index) => index <= place && startsTurn(event));
  // A cut and the message after it are one beginning.
  return start > 0 && log[start - 1]?.type === 'history-cut' ? start - 1 : Math.max(0, start);
}

function turnEnd(log: readonly FlowEvent[], place: number): number {
  const runId = log[place]?.runId;
  const next = log.findIndex((event, index) => index > place && startsTurn(event) && event.runId !== runId);
  return next === -1 ? log.length : next;
}

function startsTurn({ type }: FlowEvent): boolean {
  return type === 'message-received' || type === 'history-cut' || type === 'message-imported';
}

function refuse(id: string): never {
  throw refuseParam('not-found', 'response_id', `There is no response ${id}.`);
}
