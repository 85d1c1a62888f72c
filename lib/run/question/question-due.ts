import { redactParsed } from '../../log/redaction.ts';
import { timesUnanswered } from '../../log/turn/times-unanswered.ts';
import { type Call, calls, type Turn } from '../../log/turn/turn.ts';
import type { ChatId, Clock, EventBody, Ids, Person } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { isForm } from '../../settings/forms/ask-person.ts';
import { askedByPlugins } from '../../settings/plugin/asked-by-plugins.ts';
import type { DueCall } from '../../settings/plugin/plugin-declaration.ts';
import { describeCall, detailsOf, toolNamed } from '../../settings/tools/tool-details.ts';
import { unfit } from '../call/input/check-call.ts';
import { parseInput, type Tools } from '../call/input/parse-input.ts';
import { failedCalls } from './failed-calls.ts';
import { optionsOf } from './options.ts';
import { questionDigest } from './question-digest.ts';
import { ratedRisk } from './risk-and-subject.ts';
import { historyOf } from './subject-history.ts';

/** How often a call is asked about again because it has no answer. */
const mostRepeats = 3;

export type DueQuestion = Extract<EventBody, { type: 'approval-requested' }>;

/** An agent may shorten the deadline of its own request. It cannot extend it. */
function deadlineOf(
  settings: FlowSettings,
  { options }: Turn,
  toolName: string,
  now: number,
): number | undefined {
  const { deadlineMs = settings.deadlineMs } = detailsOf(settings, toolName);
  const requested = options?.agentRequest?.deadlineMs;
  const openMs = requested === undefined ? deadlineMs : Math.min(requested, deadlineMs ?? requested);
  return openMs === undefined ? undefined : now + openMs;
}

/** The question that a call waits for, or its end if its arguments no longer fit. @source H13, ADR 0020 */
export async function questionDue(
  tools: Tools & { readonly ids: Ids; readonly clock: Clock; readonly chatId: ChatId },
  turn: Turn,
  call: Call,
  asker: Person,
): Promise<DueQuestion | Extract<EventBody, { type: 'tool-failed' }>> {
  const { settings, ids, clock, chatId } = tools;
  const { toolCallId, toolName, input, secrets, replaces } = call.requested;
  const needsValue = isForm(toolNamed(settings, toolName));
  const parsing = await parseInput(tools, call.requested, input);
  if (!parsing.fits) return unfit(tools, call, parsing.error);
  const description = describeCall(settings, toolName, redactParsed(parsing.value, input, secrets?.input));
  const options = await optionsOf(tools, call.requested);
  const digest = await questionDigest(tools, call.requested, { sentence: description, options });
  const now = clock.now();
  const said = asking({
    ...{ settings, turn, call, toolName, now },
    deadline: deadlineOf(settings, turn, toolName, now),
    mayAskAgain: timesUnanswered(turn, call) < mostRepeats && toolNamed(settings, toolName) !== undefined,
  });
  if (!said.fits) return unfit(tools, call, said.error);
  const history = await historyOf(settings, call, asker, chatId);
  const rated = ratedRisk(settings, call, parsing.json, history);
  const gated = calls(turn).filter(
    (other) =>
      other.requested.parent === call.requested.parent &&
      other.step === call.step &&
      other.requested.gate.type === 'ask' &&
      !other.replacedBy,
  );
  const earlier = failedCalls(turn);
  const before = replaces === undefined ? undefined : turn.calls.get(replaces);
  const replaced = before?.asked?.approvalId;
  return {
    type: 'approval-requested',
    approvalId: ids.approval(),
    toolCallId,
    description,
    ...rated,
    history,
    position: { index: gated.indexOf(call) + 1, of: gated.length },
    ...said.asked,
    askedBy: asker,
    digest,
    runsAs: parsing.runsAs,
    options,
    needsValue: needsValue || undefined,
    replaces: replaced,
    earlier: earlier.length === 0 ? undefined : earlier,
    droppedAnswers: before?.recorded?.length || undefined,
  };
}

/** A tool that was added at run time was not checked with the settings, so a plugin may refuse its call. */
function asking(due: DueCall<FlowSettings>) {
  try {
    return { fits: true as const, asked: askedByPlugins(due) };
  } catch (error) {
    return { fits: false as const, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
