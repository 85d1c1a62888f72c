import {
  type Answer,
  type ChatId,
  type EventOf,
  type FlowEvent,
  type JsonValue,
  type Question,
  type QuestionState,
  type RequiredApprovals,
  redact,
  type Vote,
  type Votes,
} from '../../protocol/index.ts';
import { redactParsed } from '../redaction.ts';
import { shownOptions } from '../shown-options.ts';
import { escalationOf } from './escalation.ts';
import { applyToTurn, previewOf } from './fold-turn.ts';
import { type Call, calls, emptyTurn } from './turn.ts';

/** A question from the log, for cards and inboxes, redacted. `undefined` for a call that was never asked about. */
export function questionOf(call: Call, chat: { id: ChatId; ownerId: string }): Question | undefined {
  const { asked, requested, answered } = call;
  if (!asked) return undefined;
  const secret = requested.secrets?.input;
  const effect = previewOf(call);
  const escalation = escalationOf(call);
  const answer: Answer | undefined = answered && {
    approved: answered.approved,
    ...(answered.reason === undefined ? {} : { reason: answered.reason }),
    ...chosen(call),
    ...(answered.value === undefined ? {} : { value: redact(answered.value, requested.secrets?.output) }),
    ...(answered.input === undefined ? {} : { input: redact(answered.input, secret) }),
    ...(answered.runsAs === undefined || answered.input === undefined
      ? {}
      : { runsAs: redactParsed(answered.runsAs, answered.input, secret) as JsonValue }),
    by: answered.by,
    ...(answered.onBehalfOf && { onBehalfOf: answered.onBehalfOf }),
    at: answered.at,
    via: answered.via,
  };
  return {
    id: asked.approvalId,
    chatId: chat.id,
    ownerId: chat.ownerId,
    toolCallId: requested.toolCallId,
    toolName: requested.toolName,
    ...(requested.title === undefined ? {} : { title: requested.title }),
    executor: requested.executor,
    input: redact(requested.input, secret),
    ...(asked.runsAs === undefined
      ? {}
      : { runsAs: redactParsed(asked.runsAs, requested.input, secret) as JsonValue }),
    description: asked.description,
    ...(asked.risk === undefined ? {} : { risk: asked.risk }),
    ...(asked.riskReason === undefined ? {} : { riskReason: asked.riskReason }),
    ...(asked.history === undefined ? {} : { history: asked.history }),
    ...(effect && { preview: { ...effect.preview, at: effect.at } }),
    askedBy: asked.askedBy,
    requestedAt: asked.at,
    ...(asked.deadline === undefined ? {} : { deadline: asked.deadline }),
    ...(escalation && { escalation }),
    ...(asked.position === undefined ? {} : { position: asked.position }),
    ...(asked.digest === undefined ? {} : { digest: asked.digest }),
    ...(asked.replaces === undefined ? {} : { replaces: asked.replaces }),
    ...(asked.repeatOf === undefined ? {} : { repeatOf: asked.repeatOf }),
    ...(asked.earlier === undefined ? {} : { earlier: asked.earlier }),
    ...(asked.heldBy === undefined ? {} : { heldBy: asked.heldBy }),
    ...(asked.options && { options: shownOptions(asked.options, requested) }),
    ...(asked.needsValue && { needsValue: true }),
    ...(asked.needsInput && { needsInput: true }),
    ...(asked.approvals && { votes: votesOf(asked, asked.approvals, call) }),
    ...(requested.editedBy && { editedBy: requested.editedBy }),
    state: stateOf(call),
    ...(answer ? { answer } : {}),
  };
}

/** The option that was chosen, if one was. */
function chosen({ asked, answered }: Call): Pick<Answer, 'option'> {
  const found = asked?.options?.find(({ id }) => id === answered?.option);
  return found ? { option: { id: found.id, label: found.label } } : {};
}

/** Every question of a chat, in the order of their calls. Those of cut history too: they were asked. */
export function questionsOf(
  events: readonly FlowEvent[],
  chat: { id: ChatId; ownerId: string },
): readonly Question[] {
  const all = emptyTurn();
  for (const event of events) applyToTurn(all, event);
  return calls(all).flatMap((call) => questionOf(call, chat) ?? []);
}

/** All answers, with the one that settled the question. @source ADR 0047 */
function votesOf(
  { droppedVotes: dropped }: EventOf<'approval-requested'>,
  { count, denials = 1 }: RequiredApprovals,
  { votes = [], answered }: Call,
): Votes {
  const cast = [...votes, ...(answered ? [answered] : [])].map(voteOf);
  return { needed: count, ...(denials > 1 && { denials }), ...(dropped && { dropped }), cast };
}

function voteOf(event: EventOf<'approval-voted' | 'approval-answered'>): Vote {
  const { approved, reason, by, onBehalfOf, at, via } = event;
  return {
    approved,
    ...(reason === undefined ? {} : { reason }),
    by,
    ...(onBehalfOf && { onBehalfOf }),
    at,
    via,
  };
}

function stateOf({ answered, withdrawn }: Call): QuestionState {
  if (answered) return answered.approved ? 'approved' : 'denied';
  return withdrawn?.reason ?? 'open';
}
