import { isSameJson } from '../../../protocol/index.ts';
import { distinctAnswers } from '../../../rights/recorded-answers.ts';
import type { EditedCall } from '../../../run/call/replace-call.ts';
import { gatesOf } from '../../../settings/plugin/gates.ts';
import { answeredBody } from '../answered-body.ts';
import type { Answering } from '../answering.ts';
import type { AnsweredBody, AskAgain, Postponed } from '../outcome.ts';
import type { RecordedBody } from './own-answer.ts';

/**
 * The gates of plugins: each may refuse the answer, or leave the question open for more people.
 *
 * Only the person who edited arguments has seen them, so if this answer does not settle the question, all
 * others are asked about the edited arguments.
 *
 * @throws unknown what a gate throws
 * @source ADR 0056
 */
export async function passGates(answering: Answering): Promise<Postponed | AskAgain | undefined> {
  const { engine, call, question } = answering;
  const gates = gatesOf(engine.settings, question.plugins);
  if (gates.length === 0) return undefined;
  const edit = editIn(answering);
  const given = answeredBody(answering);
  const earlier = edit ? [] : (call.recorded ?? []);
  const alike = [...earlier, given].filter(({ approved }) => approved === given.approved);
  const answers = distinctAnswers(engine.settings, alike);
  let settles = true;
  // Each gate may refuse, so all of them are asked.
  for (const { says, gate } of gates) {
    const agrees = await gate({ says, question, approved: given.approved, answers });
    settles &&= agrees === true;
  }
  if (settles) return undefined;
  const body = recordedBody(given);
  return edit ? askAboutEdit(edit, body) : { type: 'postponed', body: { ...body, digest: question.digest } };
}

function editIn({ call, prepared, by }: Answering): EditedCall | undefined {
  const { written } = prepared ?? {};
  if (!written || isSameJson(written.input, call.requested.input)) return undefined;
  return { input: written.input, by };
}

function askAboutEdit(edit: EditedCall, { previewDigest: _effect, ...given }: RecordedBody): AskAgain {
  return {
    type: 'ask-again',
    why: 'edited',
    edit,
    withQuestion: ({ approvalId, toolCallId, digest }) => ({ ...given, approvalId, toolCallId, digest }),
  };
}

/** The answer without what belongs to its execution. */
function recordedBody({
  option: _option,
  value: _value,
  asOutput: _asOutput,
  input: _input,
  runsAs: _runsAs,
  plugins: _plugins,
  ...given
}: AnsweredBody): RecordedBody {
  return { ...given, type: 'answer-recorded' };
}
