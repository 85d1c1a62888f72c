import { type Context, createTraceState, isSpanContextValid, type Span, trace } from '@opentelemetry/api';
import { isRecord, type JsonValue } from '../../protocol/index.ts';

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The W3C context of a span, as the turn keeps it. `undefined` if nothing traces. */
export function recordedContext(span: Span): JsonValue | undefined {
  const spanContext = span.spanContext();
  if (!isSpanContextValid(spanContext)) return undefined;
  const { traceId, spanId, traceFlags, traceState } = spanContext;
  const flags = traceFlags.toString(16).padStart(2, '0');
  const tracestate = traceState?.serialize();
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: tracestate || undefined };
}

/** A context whose spans are children of a recorded span. An unreadable one is ignored. */
export function continuedContext(base: Context, recorded: JsonValue | undefined): Context {
  const { traceparent, tracestate } = isRecord(recorded) ? recorded : {};
  const [, traceId = '', spanId = '', flags = ''] = form.exec(String(traceparent)) ?? [];
  const traceState = typeof tracestate === 'string' ? { traceState: createTraceState(tracestate) } : {};
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(spanContext)
    ? trace.setSpanContext(base, { ...spanContext, ...traceState })
    : base;
}
