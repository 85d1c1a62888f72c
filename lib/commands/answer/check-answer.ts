import type { EventBody } from '../../protocol/index.ts';
import { answerSteps, type Step } from './answer-steps.ts';
import { answeredBody } from './answered-body.ts';
import type { Answering, Approving, Checked } from './answering.ts';
import type { Outcome } from './outcome.ts';

/**
 * Checks one answer to the open question, step by step. Nothing is written.
 *
 * @returns what to record
 * @throws CountersignError `forbidden`, `step-up-required`, `paused`, `input-mismatch`, `invalid-request`, `preview-changed`,
 *   `rate-limited`; whatever a step throws: an answer counts only if every step lets it pass
 * @source H10
 */
export async function checkAnswer(asked: Answering): Promise<Outcome> {
  let answering = asked;
  for (const step of answerSteps) {
    const found = run(step, answering);
    const checked = found instanceof Promise ? await found : found;
    if (checked && 'type' in checked) return checked;
    if (checked) answering = { ...answering, ...checked };
  }
  return { type: 'settles', events: eventsOf(answering), records: answering.kept?.records ?? [] };
}

function run(step: Step, answering: Answering): Checked | Promise<Checked> {
  if (step.of === 'answers') return step.check(answering);
  return isApproving(answering) ? step.check(answering) : undefined;
}

function isApproving(answering: Answering): answering is Approving {
  return answering.answer.approved;
}

function eventsOf(answering: Answering): readonly EventBody[] {
  const { engine, call, answer, prepared } = answering;
  const answered = answeredBody(answering);
  const { toolCallId, reason } = answered;
  if (!answer.approved) {
    const given = reason === undefined ? {} : { reason };
    const modelOutput = { type: 'execution-denied' as const, ...given };
    return [answered, { type: 'tool-denied', toolCallId, ...given, modelOutput }];
  }
  if (prepared?.parsed) engine.schemas.keep(call, prepared.parsed);
  return [answered, ...(prepared?.ends ?? [])];
}
