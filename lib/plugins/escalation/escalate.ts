import type { Kernel } from '../../flow/plugin/plugin.ts';
import type { RecordWrite, StoredRecord } from '../../log/store/index.ts';
import { errorFacts, parseApprovalId, type Question } from '../../protocol/index.ts';
import { dueEvent } from './due-event.ts';

const place = { plugin: 'escalation', kind: 'due' } as const;
const batchSize = 100;

/** Says when the next step or reminder of a question is due. */
export function dueRecords({ id, state, plugins }: Question): readonly RecordWrite[] {
  const { nextAt } = plugins?.escalation ?? {};
  if (nextAt === undefined || state !== 'open') return [];
  return [{ ...place, key: id, ofChat: true, dueAt: Date.parse(nextAt), value: '' }];
}

/**
 * Records the steps and reminders of a question that are due, in the order of their times. Any instance may do it; the first
 * one wins. A step gives no right before it is recorded.
 *
 * @source ADR 0048.4
 */
export async function escalateIfDue({ clock, record }: Kernel, question: Question): Promise<void> {
  if (question.plugins?.escalation?.nextAt === undefined) return;
  const now = await clock.sure();
  const recordNext = () =>
    record(question, (_call, { plugins, deadline }) => {
      const due = plugins?.escalation && dueEvent(plugins.escalation, { deadline, now });
      if (!due) return undefined;
      const { name, number, says } = due;
      return { name, says, claim: `${name}:${question.id}:${number}`, isNotice: true };
    });
  while (await recordNext());
}

/**
 * Escalates the questions that are longest overdue. If one fails, the error is logged and the question is left for the next sweep.
 */
export async function escalateDue(kernel: Kernel): Promise<void> {
  const { store, clock, logger } = kernel;
  for (const due of await store.records.due({ ...place, now: await clock.sure(), limit: batchSize })) {
    await escalateOrForget(kernel, due).catch((error: unknown) => {
      const { key: approvalId, chatId } = due;
      logger.warn('A question could not be escalated.', { chatId, approvalId, error: errorFacts(error) });
    });
  }
}

/** The record of a question outlasts its answer, which is then not slower. */
async function escalateOrForget(kernel: Kernel, { key, version }: StoredRecord): Promise<void> {
  const { store } = kernel;
  const question = await store.questions.read(parseApprovalId(key));
  if (question && dueRecords(question).length > 0) await escalateIfDue(kernel, question);
  else await store.records.write([{ ...place, key, isDeleted: true, expects: version }]);
}
