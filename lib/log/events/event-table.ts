import type { ChatEventBody, EventBody, FlowEvent } from '../../protocol/index.ts';
import { approvalRows } from './approval-rows.ts';
import { callRows } from './call-rows.ts';
import { dataRows } from './data-rows.ts';
import type { EventRow, EventRows, EventTable } from './event-row.ts';
import { importRows } from './import-rows.ts';
import { pluginRows } from './plugin-rows.ts';
import { recordedAnswerRows } from './recorded-answer-rows.ts';
import { stepRows } from './step-rows.ts';
import { turnRows } from './turn-rows.ts';

const kernelRows: EventRows<EventBody | ChatEventBody> = {
  ...turnRows,
  ...stepRows,
  ...callRows,
  ...approvalRows,
  ...recordedAnswerRows,
  ...dataRows,
  ...importRows,
  ...pluginRows,
};

/** The rows by type. @source ADR 0056 */
export const kernelEvents: EventTable = new Map(Object.entries<EventRow>(kernelRows));

/** The unique key that an event claims, if it has one. @source H10, ADR 0019 */
export function claimOf(event: FlowEvent): string | undefined {
  return kernelEvents.get(event.type)?.claim(event);
}
