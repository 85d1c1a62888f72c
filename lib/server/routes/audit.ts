import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { parseChatId } from '../../protocol/index.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { createRoute, type ServerSettings } from '../route.ts';

export const auditSchema = z.object({
  entries: z.array(
    z.looseObject({
      seq: z.int().positive(),
      at: timeSchema,
      type: z.enum([
        'requested',
        'asked',
        'recorded',
        'answered',
        'previewed',
        'withdrawn',
        'decided',
        'granted',
        'started',
        'ended',
        'resolved',
        'plugin-event',
        'unknown-event',
      ]),
      toolCallId: z.string().optional().describe('The call that the entry is about.'),
      toolName: z.string().optional().describe('Absent for an event of an unknown type.'),
      seal: z.string(),
    }),
  ),
  head: z.string().describe('The seal of the last entry. Store it to detect removed entries later.'),
  faults: z
    .array(
      z.object({
        type: z.enum(['unsealed', 'misplaced', 'unknown-key']),
        seq: z.int().positive(),
        event: z.string().describe('The type of the event in the log.'),
        toolCallId: z.string().optional(),
      }),
    )
    .describe('Events of the log without a valid seal.'),
});

type AuditJson = Immutable<z.infer<typeof auditSchema>>;

/**
 * `GET /api/chat/{chatId}/audit`: the sealed record of what was asked, answered and run. With
 * `Accept: application/x-ndjson` one entry per line, then `{ head }`. Store the head, to verify the record
 * against it later. `faults` lists events of the log without a valid seal.
 *
 * @source S10
 */
export function readAudit(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, request, segment }) => {
    const { entries, head, faults } = await flow.audit.read({ principal, chatId: parseChatId(segment(1)) });
    if (!request.headers.get('accept')?.includes('application/x-ndjson')) {
      return Response.json({ entries, head, faults } satisfies AuditJson);
    }
    const end = faults.length === 0 ? { head } : { head, faults };
    const lines = [...entries, end].map((line) => `${JSON.stringify(line)}\n`);
    return new Response(lines.join(''), { headers: { 'content-type': 'application/x-ndjson' } });
  });
}
