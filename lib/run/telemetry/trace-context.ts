import { type Context, createTraceState, isSpanContextValid, type Span, trace } from '@opentelemetry/api';
import type { TraceContext } from '../../protocol/index.ts';

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The context of a span, as the log keeps it. `undefined` if nothing traces. */
export function recordedContext(span: Span): TraceContext | undefined {
  const spanContext = span.spanContext();
  if (!isSpanContextValid(spanContext)) return undefined;
  const { traceId, spanId, traceFlags, traceState } = spanContext;
  const flags = traceFlags.toString(16).padStart(2, '0');
  const tracestate = traceState?.serialize();
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: tracestate || undefined };
}

/** A context whose spans are children of a recorded span. An unreadable one is ignored. */
export function continuedContext(
  base: Context,
  { traceparent, tracestate }: TraceContext = { traceparent: '' },
): Context {
  const [, traceId = '', spanId = '', flags = ''] = form.exec(traceparent) ?? [];
  const traceState = tracestate === undefined ? undefined : createTraceState(tracestate);
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  if (!isSpanContextValid(spanContext)) return base;
  return trace.setSpanContext(base, { ...spanContext, ...(traceState && { traceState }) });
}
