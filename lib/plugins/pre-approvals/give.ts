import { openQuestion } from '../../commands/answer/open-question.ts';
import { earlyApproval } from '../../log/turn/early-approval.ts';
import type { PluginEventBody } from '../../protocol/events/plugin-events.ts';
import { type ApprovalId, CountersignError, personOf, type ToolCallId } from '../../protocol/index.ts';
import { answererFacts } from '../../rights/answerer-facts.ts';
import { appendChatEvents, type CallEvent } from '../../run/chat-event.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import { standingApproval } from '../../run/question/standing-approval.ts';
import { retryOnConflict } from '../../run/retry-on-conflict.ts';
import type { OnlyWhenDue } from './only-when-due.ts';
import { type GivenData, pluginName } from './standing.ts';
import { type Upcoming, type UpcomingCall, type UpcomingRequest, upcomingOf } from './upcoming.ts';

/** Pre-approvals to give and to revoke: each call at most once. @source ADR 0041 */
export type GiveRequest = UpcomingRequest & {
  /** The transport of the request, such as `http`: recorded. */
  readonly via: string;
  readonly calls: readonly (
    | { readonly toolCallId: ToolCallId; readonly approved: true; readonly digest: string }
    | { readonly toolCallId: ToolCallId; readonly approved: false }
  )[];
};

type Ticked = GiveRequest['calls'][number];

/**
 * Pre-approves upcoming calls, or revokes such approvals, all or none of them. Repeating a change has
 * no effect. The chat must still be waiting for the named question: while a run is active, nothing can be
 * approved or revoked.
 *
 * @returns the resulting list of upcoming calls
 * @throws CountersignError `not-found` for a question or an upcoming call that this principal may not see;
 *   the refusals of a settled question; `question-changed` if a call is not what was shown; `paused`;
 *   `invalid-request` for a call that can be approved only when its question is due
 * @source ADR 0041
 */
export async function givePreApprovals(
  engine: Engine,
  request: GiveRequest,
): Promise<readonly UpcomingCall[]> {
  const { approvalId, principal } = request;
  const { question } = await openQuestion(engine, approvalId, principal);
  const ticked = new Map(request.calls.map((each) => [each.toolCallId, each]));
  return retryOnConflict(engine, question.chatId, async () => {
    const { open } = await openQuestion(engine, approvalId, principal);
    const ofTurn = await engine.forTurn(open);
    const listed = await upcomingOf(ofTurn, open, principal);
    const byId = new Map(listed.map((each) => [each.call.requested.toolCallId, each]));
    const changes: CallEvent[] = [];
    for (const each of ticked.values()) {
      const upcoming = byId.get(each.toolCallId);
      if (!upcoming) throw notUpcoming(approvalId, each.toolCallId);
      const said = each.approved
        ? await approved(ofTurn, upcoming, each, request)
        : revoked(upcoming, request);
      if (said) changes.push({ call: upcoming.call, body: eventOf(each.toolCallId, approvalId, said) });
    }
    if (changes.length === 0) return listed.map(({ shown }) => shown);
    const events = await appendChatEvents(engine, open.head, changes);
    if (!events) return undefined;
    const changed = new Map(
      changes.map(({ call, body }, index) => [
        call.requested.toolCallId,
        'early' in body && body.early ? { by: body.early.by, at: events[index]?.at ?? 0 } : undefined,
      ]),
    );
    return listed.map(({ shown: { approved: standing, ...shown } }) => {
      const now = changed.has(shown.toolCallId) ? changed.get(shown.toolCallId) : standing;
      return { ...shown, ...(now && { approved: now }) };
    });
  });
}

/** What the plugin records about a call. */
type Said = Pick<PluginEventBody, 'name' | 'early' | 'data'>;

function eventOf(toolCallId: ToolCallId, approvalId: ApprovalId, said: Said): PluginEventBody {
  return { type: 'plugin-event', plugin: pluginName, approvalId, toolCallId, ...said };
}

async function approved(
  engine: TurnEngine,
  { shown, rule }: Upcoming,
  { digest }: Extract<Ticked, { approved: true }>,
  { approvalId, principal, via }: GiveRequest,
): Promise<Said | undefined> {
  const { toolCallId, toolName, risk, onlyWhenDue: why } = shown;
  if (why) throw refused(toolCallId, toolName, why);
  if (digest !== shown.digest) {
    throw new CountersignError(
      'question-changed',
      `Call ${toolCallId} is no longer what was shown. Nothing was approved. Review it again.`,
      { approvalId, toolCallId },
    );
  }
  if (shown.approved) return undefined;
  const about = { id: engine.ids.grant(), approvalId, toolName, covers: digest };
  const approval = await standingApproval(engine, principal, about);
  const data: GivenData = risk === undefined ? {} : { risk };
  return {
    name: 'approved',
    early: { ...approval, via, ...(engine.auditor && answererFacts(principal, rule)) },
    data,
  };
}

function revoked({ call }: Upcoming, { principal, via }: GiveRequest): Said | undefined {
  if (!earlyApproval(pluginName, call)) return undefined;
  return { name: 'revoked', early: null, data: { by: personOf(principal), via } };
}

function notUpcoming(approvalId: ApprovalId, toolCallId: ToolCallId): CountersignError {
  return new CountersignError('not-found', `No call ${toolCallId} follows question ${approvalId}.`, {
    approvalId,
    toolCallId,
  });
}

const reasons: Record<Exclude<OnlyWhenDue, 'paused'>, string> = {
  'step-up': 'each answer needs a recent sign-in',
  approvals: 'several people must approve it',
  effect: 'its effect must be shown first',
  provider: "the model's provider runs it",
  imported: 'it was imported',
  choice: 'its question offers options',
};

function refused(toolCallId: ToolCallId, toolName: string, why: OnlyWhenDue): CountersignError {
  if (why === 'paused') {
    return new CountersignError('paused', `${toolName} is paused. Nothing was approved.`, { toolCallId });
  }
  return new CountersignError(
    'invalid-request',
    `Call ${toolCallId} of ${toolName} cannot be pre-approved: ${reasons[why]}.`,
    { toolCallId },
  );
}
