import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import type { AuthorizedRequest } from '../../../flow/plugin/http.ts';
import { type Clock, CountersignError, type Principal } from '../../../protocol/index.ts';
import { eventFrames } from '../../../server/event-stream/event-frames.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../../server/event-stream/event-stream.ts';
import { readToEnd } from '../../../server/read-to-end.ts';
import { projectStream } from '../../../views/reader/project-stream.ts';
import type { Projection } from '../../../views/reader/projection.ts';
import type { ResponseEvent } from '../client/schema/event-schema.ts';
import { refuseParam } from '../errors.ts';
import { createResponseProjection } from '../events/response-projection.ts';
import { createFrames, lastFrame } from '../frames.ts';
import { endUserOf } from '../request/end-user.ts';
import { readInclude } from '../request/refused-values.ts';
import { hostOf } from '../request/text-clients.ts';
import { inputItemsPage } from './input-items.ts';
import { type KnownResponse, readResponse, type ShownAs } from './read-response.ts';

type Handle = (visit: AuthorizedRequest) => Promise<Response>;

/**
 * What can be done with a response once it is known: read it, follow it, delete it, cancel it, list its input.
 *
 * @source ADR 0014
 */
export function createResponseRoutes(flow: ApprovalFlow, shownAs: ShownAs, clock: Clock) {
  const read = ({ principal, query, request }: AuthorizedRequest, id: string) => {
    const named = { safety_identifier: query.get('safety_identifier'), user: query.get('user') };
    const endUser = endUserOf(principal, named);
    return readResponse(flow, id, {
      ...{ principal, endUser, host: hostOf(request), shownAs },
      include: includeOf(query),
    });
  };

  /** With `stream=true`, the events after `starting_after`: those so far, then each as it happens. */
  const retrieve: Handle = async (visit) => {
    const { query, principal, keepOpen } = visit;
    const isStream = query.get('stream') === 'true';
    const after = startingAfter(query);
    const known = await read(visit, visit.segment(0));
    if (!isStream) return Response.json(known.response);
    const frames = await framesAfter(flow, principal, known, after);
    return eventStreamResponse(frames, { clock, keepAliveMs: defaultKeepAliveMs, ...keepOpen() });
  };

  /** A log has no gaps, so this erases the whole chat, and only by its last response. */
  const remove: Handle = async (visit) => {
    const { id, chatId, isLast } = await read(visit, visit.segment(0));
    if (!isLast) {
      const text = `Later responses continue ${id}. Delete the last one, which deletes the whole conversation.`;
      throw refuseParam('invalid-request', 'response_id', text);
    }
    await flow.chats.erase({ principal: visit.principal, chatId });
    return Response.json({ id, object: 'response', deleted: true });
  };

  /** Stops its run. A response that has ended is not changed. */
  const cancel: Handle = async (visit) => {
    const { principal, request } = visit;
    const known = await read(visit, visit.segment(1));
    const { chatId, runId, response, settings } = known;
    if (response.status !== 'in_progress') return Response.json(response);
    await flow.chats.stop({ principal, chatId });
    const projection = createResponseProjection(settings);
    const stream = await flow.chats.follow({ principal, chatId, runId });
    if (stream) await readToEnd(projectStream(stream, projection), request.signal, () => {});
    return Response.json(projection.response());
  };

  const inputItems: Handle = async (visit) =>
    Response.json(inputItemsPage(await read(visit, visit.segment(1)), visit.query));

  return { retrieve, remove, cancel, inputItems };
}

async function framesAfter(
  flow: ApprovalFlow,
  principal: Principal,
  { chatId, runId, events, response, settings }: KnownResponse,
  after: number,
): Promise<ReadableStream<string>> {
  const isNew = ({ sequence_number }: ResponseEvent) => sequence_number > after;
  // What has ended needs no reading of the log again.
  const stream =
    response.status === 'in_progress' ? await flow.chats.follow({ principal, chatId, runId }) : null;
  if (!stream) {
    const text = events.filter(isNew).map(createFrames()).join('') + lastFrame;
    return new ReadableStream({
      start(controller) {
        controller.enqueue(text);
        controller.close();
      },
    });
  }
  const projection = createResponseProjection(settings);
  const rest: Projection<ResponseEvent> = {
    ...projection,
    apply: (item) => projection.apply(item).filter(isNew),
    end: () => (projection.end?.() ?? []).filter(isNew),
  };
  return projectStream(stream, eventFrames(rest, createFrames(), lastFrame));
}

function startingAfter(query: URLSearchParams): number {
  const text = query.get('starting_after');
  if (text === null) return -1;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw refuseParam('invalid-request', 'starting_after', '`starting_after` must be a sequence number.');
}

/** Clients write lists in several ways: `include=a`, `include[]=a`, `include[0]=a`. */
function includeOf(query: URLSearchParams): readonly string[] | undefined {
  const values = [...query].flatMap(([name, value]) => (/^include(\[\d*\])?$/.test(name) ? [value] : []));
  return values.length === 0 ? undefined : readInclude(values);
}

/** The error for a path that has no endpoint. */
export function noSuchPath(): CountersignError {
  return new CountersignError('not-found', 'There is nothing at this path.');
}
