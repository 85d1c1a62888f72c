import type { ModelMessage } from 'ai';
import type { Journal } from '../../log/journal.ts';
import { timesUnanswered } from '../../log/turn/times-unanswered.ts';
import { type Call, isImported, type Turn } from '../../log/turn/turn.ts';
import {
  type EventBody,
  errorFacts,
  type JsonValue,
  type Logger,
  type Person,
  type ToolCallId,
  type WithdrawalReason,
} from '../../protocol/index.ts';
import { toolNamed } from '../../settings/tools/tool-details.ts';
import type { Transcripts } from '../../views/transcripts.ts';
import { gateAgainOfAgent } from '../agent/agent-calls.ts';
import { agentMessages } from '../agent/agent-messages.ts';
import { madeCallId } from '../made-call-id.ts';
import { cancelled, failed } from '../step/call-end.ts';
import type { TurnTools } from '../step/gate.ts';
import { askedAnyway, gateAgain } from '../step/gate-again.ts';

/**
 * Why a call cannot run as it was asked about. `tool-changed`: the tool, its policy or what the card says has changed.
 * `input-changed`: its schema parses the same arguments differently. `approval-lapsed`: it was approved too long
 * ago. `unanswered`: nobody has answered in time. `edited`: a person who answered changed its arguments, and others must see them.
 */
export type ReplacementReason =
  | 'tool-changed'
  | 'input-changed'
  | 'approval-lapsed'
  | 'unanswered'
  | 'edited';

/** Other arguments to ask about, with their secret values, and who wrote them. @source ADR 0047 */
export type EditedCall = { readonly input: JsonValue; readonly by: Person };

/** How often in a row a call is asked about again if its arguments are parsed differently each time. */
const mostReplacements = 2;

const reasons: Record<ReplacementReason, string> = {
  'tool-changed': 'Not run: the tool has changed since this call was approved.',
  'input-changed': 'Not run: the arguments came out otherwise than they were shown.',
  'approval-lapsed': 'Not run: the approval was given too long ago.',
  unanswered: 'Not run: nobody answered in time.',
  edited: 'Not run: its arguments were changed.',
};

type Replacing = TurnTools & {
  readonly journal: Pick<Journal, 'turn' | 'head' | 'pending'>;
  readonly transcripts: Transcripts;
};

/**
 * The events that replace a call that cannot run as it was asked about: the old one is withdrawn or
 * cancelled, and the same arguments go through the gate as it is now, under a new id. The gate's new decision
 * counts: it may deny, ask, or let the call run. An imported call, an agent's request, a call whose arguments were edited, and
 * a call about which nobody has answered in time, are asked about if the gate would let them run. If the tool no longer
 * exists, there is no new call, and the model gets an error.
 *
 * @source ADR 0020, ADR 0036, ADR 0044, ADR 0048
 */
export async function replaceCall(
  { journal, transcripts, ...tools }: Replacing,
  call: Call,
  why: ReplacementReason,
  edit?: EditedCall,
): Promise<EventBody[]> {
  const { toolCallId, toolName } = call.requested;
  const withdrawal = why === 'unanswered' ? 'asked-again' : 'tool-changed';
  const withdrawn = withdrawnAs(withdrawal, call);
  if (!toolNamed(tools.settings, toolName)) {
    return [...withdrawn, cancelled(toolCallId, `The tool ${toolName} is no longer available.`)];
  }
  if (why === 'input-changed' && replacementsOf(journal.turn, call) >= mostReplacements) {
    return [...withdrawn, neverTheSame(tools.settings.logger, call)];
  }
  const end =
    withdrawn.length > 0 ? denyAsWithdrawn(toolCallId, withdrawal) : cancelled(toolCallId, reasons[why]);
  try {
    const transcript = await transcripts.load(journal.head);
    const messages = transcript.messagesBefore(call.step, journal.pending);
    const isUsed = (id: string) => transcript.hasCall(id) || journal.turn.calls.has(id as ToolCallId);
    const newId = madeCallId(isUsed, tools.chatId, journal.turn.messageId, 'again', toolCallId);
    const repeated = await again({ ...tools, turn: journal.turn }, withInput(call, edit), newId, messages);
    const isAlwaysAsked =
      why === 'unanswered' ||
      timesUnanswered(journal.turn, call) > 0 ||
      edit !== undefined ||
      isImported(journal.turn, call) ||
      journal.turn.options?.agentRequest !== undefined;
    const isAsked = isAlwaysAsked && !repeated.end;
    const request = isAsked ? askedAnyway(repeated.request) : repeated.request;
    const editedBy = edit?.by ?? call.requested.editedBy;
    const replacing = { ...request, replaces: toolCallId, editedBy };
    return [...withdrawn, end, replacing, ...(repeated.end ? [repeated.end] : [])];
  } catch (error) {
    const { logger } = tools.settings;
    logger?.error('A call could not be asked about again.', {
      toolName,
      toolCallId,
      error: errorFacts(error),
    });
    return [...withdrawn, cancelled(toolCallId, 'Not run: it could not be asked about again.')];
  }
}

function withInput(call: Call, edit: EditedCall | undefined): Call {
  return edit ? { ...call, requested: { ...call.requested, input: edit.input } } : call;
}

/** The call, through the gate of the model that made it. */
function again(
  { turn, ...tools }: TurnTools & { readonly turn: Turn },
  { requested, step }: Call,
  newId: ToolCallId,
  messages: ModelMessage[],
) {
  const { parent } = requested;
  const agent = parent === undefined ? undefined : turn.calls.get(parent);
  return agent
    ? gateAgainOfAgent(tools, agent, requested, newId, agentMessages(turn, agent, step))
    : gateAgain(tools, requested, newId, messages);
}

/** The event that withdraws a call's open question; none when it was answered, or never asked. */
function withdrawnAs(reason: WithdrawalReason, { asked, answered, requested }: Call): EventBody[] {
  if (!asked || answered) return [];
  const { approvalId } = asked;
  return [{ type: 'approval-withdrawn', approvalId, toolCallId: requested.toolCallId, reason }];
}

function denyAsWithdrawn(toolCallId: ToolCallId, reason: 'tool-changed' | 'asked-again'): EventBody {
  const what = reason === 'tool-changed' ? 'it is asked again' : 'nobody answered in time';
  const modelOutput = { type: 'execution-denied' as const, reason: `${reason}: ${what}.` };
  return { type: 'tool-denied', toolCallId, reason, withdrawn: reason, modelOutput };
}

function neverTheSame(logger: Logger | undefined, { requested: { toolCallId, toolName } }: Call): EventBody {
  logger?.error('A schema parses the same arguments to something else each time. The call is not run.', {
    toolName,
    toolCallId,
  });
  const error = `Not run: the schema of ${toolName} makes something else of the same arguments each time, so what was approved cannot be what runs.`;
  return failed(toolCallId, error);
}

function replacementsOf(turn: Turn, { requested: { replaces } }: Call): number {
  const before = replaces && turn.calls.get(replaces);
  return before ? 1 + replacementsOf(turn, before) : 0;
}
