import type { OutcomeRequest, ResolvedOutcome } from '../commands/requests.ts';
import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { CountersignError, isRecord, parseChatId, parseToolCallId } from '../protocol/index.ts';
import { reasonField } from './answers.ts';
import { isoTime } from './errors.ts';
import { createRoute, type Route, type ServerSettings } from './route.ts';
import { assertSafeJson } from './safe-json.ts';

/** Room for a note and an output, in bytes. */

const outcomes: readonly OutcomeRequest['outcome'][] = ['completed', 'failed', 'not-run'];

/**
 * `POST /api/chat/{chatId}/outcomes/{toolCallId}`: what became of a call whose outcome is unknown, as a person found
 * out. The first one stands; a second gets 409 with the standing `resolution`.
 *
 * @source ADR 0019
 */
export function resolveOutcome(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, json, segment }) => {
    const chatId = parseChatId(segment(2));
    const toolCallId = parseToolCallId(segment(0));
    const said = parseOutcome(await json());
    const resolved = await flow.resolveOutcome({ principal, chatId, toolCallId, ...said });
    return Response.json({ resolution: resolutionJson(resolved) });
  });
}

/** @throws CountersignError `invalid-request` */
function parseOutcome(body: unknown): Pick<OutcomeRequest, 'outcome' | 'note' | 'output'> {
  const { outcome: given, note, output } = isRecord(body) ? body : {};
  const outcome = outcomes.find((known) => known === given);
  if (!outcome) {
    throw new CountersignError('invalid-request', `\`outcome\` must be one of: ${outcomes.join(', ')}.`);
  }
  if (output !== undefined) {
    if (outcome !== 'completed') {
      throw new CountersignError('invalid-request', 'Only a completed call has an `output`.');
    }
    assertSafeJson(output, 'The output');
  }
  const { reason } = reasonField(note, 'A note');
  return { outcome, ...(reason !== undefined && { note: reason }), ...(output !== undefined && { output }) };
}

function resolutionJson({ at, ...resolved }: ResolvedOutcome) {
  return { ...resolved, at: isoTime(at) };
}
