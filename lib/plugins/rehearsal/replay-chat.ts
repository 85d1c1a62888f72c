import type { ModelMessage } from 'ai';
import { applyToTurn } from '../../log/turn/fold-turn.ts';
import { type Call, emptyTurn, type Turn } from '../../log/turn/turn.ts';
import {
  type ChatId,
  type EventOf,
  type FlowEvent,
  type Gate,
  type Principal,
  strikeOut,
} from '../../protocol/index.ts';
import type { Tools } from '../../run/call/input/parse-input.ts';
import { gateAgain } from '../../run/step/gate-again.ts';
import { toolNamed } from '../../settings/tools/tool-details.ts';
import { createRedaction } from '../../views/reader/redact-events.ts';
import { createTranscript } from '../../views/transcript.ts';
import type { GateDecision, GivenAnswer, NotRehearsed } from './rehearsal.ts';
import type { Replay } from './tally.ts';

type Requested = EventOf<'tool-requested'>;

/** The period of the calls to rehearse, in epoch milliseconds. `until` is excluded. */
export type Period = { readonly since: number; readonly until: number };

/** A rehearsed call, or why a call could not be rehearsed. */
export type Replayed = Replay | { readonly skipped: NotRehearsed };

/** A replay whose question may be answered by a later event. */
type Open = { readonly replay: Replay; readonly call: Call; readonly turn: Turn };

/**
 * Passes the calls of a chat through another gate. The gate gets what a gate got when the call was made: the arguments, the recorded
 * asker, and the messages before the call's step. Nothing runs, and nothing is written.
 *
 * @param tools the settings with the other gate, and the schemas of the tools
 * @param events the complete log of the chat
 */
export async function replayChat(
  tools: Tools,
  chatId: ChatId,
  events: AsyncIterable<FlowEvent>,
  { since, until }: Period,
): Promise<Replayed[]> {
  const transcript = createTranscript();
  const opens: Open[] = [];
  const skips: Replayed[] = [];
  let turn = emptyTurn();
  for await (const event of events) {
    if (event.type === 'message-received' || event.type === 'history-cut') turn = emptyTurn();
    else applyToTurn(turn, event);
    transcript.apply(event);
    if (event.type !== 'tool-requested' || event.at < since || event.at >= until) continue;
    const call = turn.calls.get(event.toolCallId);
    if (!call || !passedTheGate(event)) continue;
    const skipped = whyNot(tools, event, turn);
    if (skipped) {
      skips.push({ skipped });
      continue;
    }
    const replay = await replayCall(tools, { chatId, turn, call }, transcript.messagesBefore(call.step));
    if ('skipped' in replay) skips.push(replay);
    else opens.push({ replay, call, turn });
  }
  return [...skips, ...opens.map(closed)];
}

/**
 * False for calls that no gate of the flow decided about: calls that the provider executes, forms of running calls, and calls
 * whose arguments did not match their schema. Also false for a call that replaces another one, because the first one is counted.
 */
function passedTheGate({ executor, form, invalid, replaces }: Requested): boolean {
  return executor !== 'provider' && form === undefined && !invalid && replaces === undefined;
}

function whyNot(
  { settings }: Tools,
  { parent, toolName }: Requested,
  { options }: Turn,
): NotRehearsed | undefined {
  if (options?.agentRequest) return 'agent-request';
  if (parent !== undefined) return 'subagent';
  return toolNamed(settings, toolName) ? undefined : 'tool-removed';
}

async function replayCall(
  tools: Tools,
  { chatId, turn, call }: { readonly chatId: ChatId; readonly turn: Turn; readonly call: Call },
  messages: ModelMessage[],
): Promise<Replayed> {
  const { requested } = call;
  const turnTools = { ...tools, chatId, principal: askerOf(turn) };
  const { request } = await gateAgain(turnTools, requested, requested.toolCallId, messages);
  if (request.invalid) return { skipped: 'arguments-unfit' };
  const { secrets = requested.secrets } = request;
  const shown = createRedaction()({ ...requested, secrets }) as Requested;
  const { toolCallId, toolName, title, description, input, at } = shown;
  const { by } = turn;
  const reason = 'reason' in request.gate ? request.gate.reason : undefined;
  return {
    recorded: decisionOf(requested.gate),
    rehearsed: decisionOf(request.gate),
    call: {
      ...{ chatId, toolCallId, toolName, input, at },
      title,
      ...(description !== undefined && {
        // Recorded before a value was kept secret, the sentence may contain it.
        description: strikeOut(description, requested.input, secrets?.input),
      }),
      askedBy: by,
      reason,
    },
  };
}

/** The recorded asker. Imported turns have none. */
function askerOf({ asker, by }: Turn): Principal {
  return asker ?? by ?? { id: 'unknown', name: '' };
}

function decisionOf(gate: Gate): GateDecision {
  switch (gate.type) {
    case 'none':
      return 'allowed';
    case 'ask':
      return 'asked';
    case 'failed':
      return 'failed';
    case 'automatic':
      return gate.approved ? 'allowed' : 'denied';
  }
}

/** The replay with the answer, once the whole log has been read. */
function closed({ replay, call, turn }: Open): Replay {
  if (replay.recorded !== 'asked') return replay;
  return { ...replay, call: { ...replay.call, answer: lastAnswerOf(call, turn) } };
}

/** The last answer to the question, also if it was asked again for a call that replaced this one. */
function lastAnswerOf(call: Call, turn: Turn): GivenAnswer {
  const next = call.replacedBy && turn.calls.get(call.replacedBy);
  const later = next ? lastAnswerOf(next, turn) : 'none';
  return later === 'none' ? answerOf(call) : later;
}

function answerOf({ answered, granted }: Call): GivenAnswer {
  if (granted) return 'remembered';
  if (!answered) return 'none';
  if (!answered.approved) return 'denied';
  return answered.input === undefined ? 'approved' : 'edited';
}
