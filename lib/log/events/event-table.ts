import type { ChatEventBody, EventBody, FlowEvent } from '../../protocol/index.ts';
import { advanceRows } from './advance-rows.ts';
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
  ...advanceRows,
  ...dataRows,
  ...importRows,
  ...pluginRows,
};

/**
 * The table of a flow: the rows of the kernel, and those that plugins add by the types of their events. A row of the kernel
 * cannot be replaced.
 *
 * @source ADR 0056
 */
export function eventTable(...added: readonly Readonly<Record<string, EventRow>>[]): EventTable {
  return new Map([...added, kernelRows].flatMap((rows) => Object.entries<EventRow>(rows)));
}

/** The table of a flow without plugins. */
export const kernelEvents = eventTable();

/**
 * The unique key that an event claims, if it has one.
 *
 * @source H10, ADR 0019
 */
export function claimOf(event: FlowEvent, table = kernelEvents): string | undefined {
  return table.get(event.type)?.claim(event);
}
