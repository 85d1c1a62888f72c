import { redactParsed } from '../log/redaction.ts';
import type { ChatHead } from '../log/store/index.ts';
import { applyToTurn, foldTurn } from '../log/turn/fold-turn.ts';
import { questionOf } from '../log/turn/question.ts';
import { type Call, emptyTurn, type Turn } from '../log/turn/turn.ts';
import {
  type ChatId,
  CountersignError,
  type FlowEvent,
  jsonText,
  type Person,
  type Principal,
  personOf,
  type Question,
  strikeOut,
  type ToolCallId,
} from '../protocol/index.ts';
import type { ResolutionJson } from '../protocol/wire/resolution.ts';
import { hasRules, mayRead } from '../rights/permissions.ts';
import { mayAnswer } from '../rights/right-to-answer.ts';
import { inputOf } from '../run/call/input/check-call.ts';
import { parseInput } from '../run/call/input/parse-input.ts';
import type { Engine } from '../run/engine.ts';
import { type OutcomeReport, resolveOutcome } from '../run/outcomes/record-outcome.ts';
import { recordedOutput } from '../settings/tools/recorded-output.ts';
import { describeCall, modelOutputOf, summarizeOutput, toolNamed } from '../settings/tools/tool-details.ts';

/** A person's statement about a call whose outcome is unknown. @source ADR 0019 */
export type OutcomeRequest = {
  readonly principal: Principal;
  readonly chatId: ChatId;
  readonly toolCallId: ToolCallId;
  /** `completed`: it took effect. `failed`: it was tried, without effect. `not-run`: it never ran. */
  readonly outcome: ResolutionJson['outcome'];
  /** What was found, as text for people and for the model. At most 2,000 characters. */
  readonly note?: string;
  /** The result of a completed call, if it is known. */
  readonly output?: unknown;
};

/** An outcome that became known after it was recorded as unknown. `at`: epoch milliseconds. @source ADR 0018 */
export type ResolvedOutcome = {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly outcome: OutcomeRequest['outcome'];
  /** Who reported it: the process that ran the call, its tool's `lookup`, or a person. */
  readonly source: ResolutionJson['source'];
  readonly at: number;
  readonly by?: Person;
  readonly note?: string;
};

/**
 * Records a person's report about an unknown outcome. The first counts, unless the process that ran the call reports.
 *
 * @throws CountersignError `not-found`, `forbidden`, `invalid-request`, `already-answered`, `run-active`
 * @source ADR 0019
 */
export async function resolveByPerson(engine: Engine, request: OutcomeRequest): Promise<ResolvedOutcome> {
  const { chatId, toolCallId, principal } = request;
  const { settings, store } = engine;
  const head = await store.chats.head(chatId);
  // Without rules only the owner may report, so the log is not read for anyone else.
  if (!head || !(hasRules(settings) || (await mayRead(settings, principal, head)))) throw unheardOf(request);
  const events = await store.events.read(chatId, 0);
  const found = callsIn(events).get(toolCallId);
  if (!found) throw unheardOf(request);
  const turn = turnWith(events, found);
  await assertAllowed(engine, request, found, { head, turn });
  const result = await resolveOutcome(
    engine,
    {
      chatId,
      toolCallId,
      ...(await reportOf(engine, found, request, { head, turn })),
    },
    { createdAt: head.createdAt },
  );
  switch (result.type) {
    case 'resolved':
      return recordedIn(result.call);
    case 'standing': {
      const { at, ...standing } = recordedIn(result.call);
      throw new CountersignError(
        'already-answered',
        `The outcome of call ${toolCallId} has been recorded already.`,
        { toolCallId, resolution: { ...standing, at: new Date(at).toISOString() } },
      );
    }
    case 'known':
      throw new CountersignError('invalid-request', `The outcome of call ${toolCallId} is not unknown.`, {
        toolCallId,
      });
    case 'pending':
      throw new CountersignError(
        'run-active',
        `Chat ${chatId} is answering. Record the outcome of call ${toolCallId} when it has ended.`,
        { chatId, toolCallId },
      );
    case 'no-such-call':
      throw unheardOf(request);
    default:
      return result satisfies never;
  }
}

export function callsIn(events: readonly FlowEvent[]): Turn['calls'] {
  const all = emptyTurn();
  for (const event of events) applyToTurn(all, event);
  return all.calls;
}

function turnWith(events: readonly FlowEvent[], { requested: { seq } }: Call): Turn {
  return foldTurn(events.filter((event) => event.seq <= seq));
}

type Made = { readonly head: ChatHead; readonly turn: Turn };

/** Needs the right to answer the call's question or, for a call without one, to see the chat. */
async function assertAllowed(
  { settings }: Engine,
  request: OutcomeRequest,
  call: Call,
  { head, turn }: Made,
): Promise<void> {
  const { principal, toolCallId } = request;
  const isVisible = await mayRead(settings, principal, head);
  const question = questionAbout(settings, call, { head, turn });
  if (!question) {
    if (isVisible) return;
    throw unheardOf(request);
  }
  if (await mayAnswer(settings, principal, question)) return;
  if (!isVisible) throw unheardOf(request);
  throw new CountersignError(
    'forbidden',
    `The outcome of call ${toolCallId} is for somebody to record who may answer its question.`,
    { toolCallId },
  );
}

/** The question of a gated call: the one that was asked, or, where an approval replaced it, the one that was due. */
function questionAbout(settings: Engine['settings'], call: Call, { head, turn }: Made): Question | undefined {
  const { asked, granted, requested } = call;
  if (asked || !granted) return questionOf(call, head);
  const { seq, at, runId, approvalId, toolCallId, digest } = granted;
  const askedBy = turn.by ?? granted.by;
  const { runsAs, toolName, input, secrets } = requested;
  const description =
    requested.description ??
    describeCall(settings, toolName, redactParsed(runsAs ?? input, input, secrets?.input));
  const due = { seq, at, runId, approvalId, toolCallId, digest, description, askedBy, runsAs };
  return questionOf({ ...call, asked: { ...due, type: 'approval-requested' } }, head);
}

async function reportOf(
  engine: Engine,
  call: Call,
  { principal, outcome, output, note: given }: OutcomeRequest,
  made: Made,
): Promise<Omit<OutcomeReport, 'chatId' | 'toolCallId'>> {
  const { toolCallId, toolName, secrets } = call.requested;
  const input = inputOf(call);
  const note = given === undefined ? undefined : strikeOut(given, input, secrets?.input);
  const common = { source: 'person' as const, by: personOf(principal), note };
  if (outcome !== 'completed') return { ...common, outcome, error: sentences[outcome] };
  if (output === undefined) return { ...common, outcome };
  const plain = recordedOutput(engine.settings, call.requested, jsonText(output));
  const ofTurn = await engine.forTurn(made);
  const { settings } = ofTurn;
  const parsing = await parseInput(ofTurn, call.requested, input);
  const parsed = parsing.fits ? parsing.value : input;
  return {
    ...common,
    outcome,
    output: plain,
    ...summarizeOutput(settings, toolName, plain, redactParsed(parsed, input, secrets?.input)),
    modelOutput: await modelOutputOf(
      toolNamed(settings, toolName),
      { toolCallId, input: parsed },
      output,
      plain,
    ),
  };
}

const sentences = { failed: 'It failed.', 'not-run': 'It did not run.' } as const;

function recordedIn({ requested: { toolCallId, toolName }, resolved }: Call): ResolvedOutcome {
  if (!resolved) throw new Error(`Call ${toolCallId} has no recorded outcome.`);
  const { outcome, source, at, by, note } = resolved;
  return { toolCallId, toolName, outcome, source, at, by, note };
}

function unheardOf({ chatId, toolCallId }: OutcomeRequest): CountersignError {
  return new CountersignError('not-found', `There is no call ${toolCallId} in chat ${chatId}.`, {
    chatId,
    toolCallId,
  });
}
