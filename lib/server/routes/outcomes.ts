import { z } from 'zod';
import type { OutcomeRequest, ResolvedOutcome } from '../../commands/resolve-outcome.ts';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { CountersignError, isRecord, parseChatId, parseToolCallId } from '../../protocol/index.ts';
import { assertSafeJson } from '../../protocol/safe-json.ts';
import { noteSchema } from '../../protocol/wire/new-answer.ts';
import { resolutionSchema } from '../../protocol/wire/resolution.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../errors.ts';
import { parseRequest, textOrNone } from '../requests/parse-request.ts';
import { createRoute, type ServerSettings } from '../route.ts';

const outcomes = resolutionSchema.shape.outcome.options;

export const outcomeRequestSchema = z.object({
  outcome: z
    .enum(outcomes, { error: `\`outcome\` must be one of: ${outcomes.join(', ')}.` })
    .describe(
      '`completed`: it took effect. `failed`: it was tried, without effect. `not-run`: it never ran.',
    ),
  note: noteSchema('A note').optional().describe('What was found. Shared with the model.'),
  output: z.unknown().optional().describe('The result of a completed call.'),
});

/** The record of an outcome that was unknown. @source ADR 0018 */
export const recordedOutcomeSchema = z.object({
  resolution: resolutionSchema.extend({ toolCallId: z.string(), toolName: z.string() }),
});

type RecordedOutcomeJson = Immutable<z.infer<typeof recordedOutcomeSchema>>;

/** `POST /api/chat/{chatId}/outcomes/{toolCallId}`: a person's report. A second one gets 409. @source ADR 0019 */
export function resolveOutcome(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, json, segment }) => {
    const chatId = parseChatId(segment(2));
    const toolCallId = parseToolCallId(segment(0));
    const said = parseOutcome(await json());
    const resolved = await flow.approvals.resolveOutcome({ principal, chatId, toolCallId, ...said });
    return Response.json({ resolution: resolutionJson(resolved) });
  });
}

/** @throws CountersignError `invalid-request` */
function parseOutcome(body: unknown): Pick<OutcomeRequest, 'outcome' | 'note' | 'output'> {
  const given = isRecord(body) ? { ...body, note: textOrNone(body.note) } : {};
  const { outcome, note, output } = parseRequest(outcomeRequestSchema, given);
  if (output !== undefined) {
    if (outcome !== 'completed') {
      throw new CountersignError('invalid-request', 'Only a completed call has an `output`.');
    }
    assertSafeJson(output, 'The output');
  }
  return { outcome, note: note === undefined ? undefined : note.toWellFormed(), output };
}

function resolutionJson({ at, ...resolved }: ResolvedOutcome): RecordedOutcomeJson['resolution'] {
  return { ...resolved, at: isoTime(at) };
}
