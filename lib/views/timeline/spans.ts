import type { RunEvent } from '../../protocol/index.ts';
import type { TimelineSpan } from './timeline-span.ts';

export type SpanDraft = { -readonly [Field in keyof TimelineSpan]: TimelineSpan[Field] };

/** The fields of a span that its event does not have. */
export type SpanFields = Pick<SpanDraft, 'kind' | 'label' | 'state'> & Partial<SpanDraft>;

export type OpenSpan = (event: RunEvent, fields: SpanFields) => SpanDraft;

export function closeSpan(span: SpanDraft, at: number, end: Partial<SpanDraft>): void {
  Object.assign(span, { endedAt: at, durationMs: Math.max(0, at - span.startedAt) }, end);
}
