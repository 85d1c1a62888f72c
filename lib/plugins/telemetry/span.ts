import {
  type Attributes,
  type Context,
  context,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** How a span ended. `failure`: the kind of the error, in one word. */
export type SpanEnd = {
  readonly attributes?: Attributes;
  readonly failure?: string | undefined;
  /** Details of the failure. */
  readonly message?: string | undefined;
};

/**
 * Begins a span, through OpenTelemetry's API: without a registered provider, it does nothing.
 *
 * @throws unknown what samplers and span processors of the app throw
 */
export function beginSpan(name: string, options: SpanOptions, parent: Context) {
  const span = trace.getTracer('countersign').startSpan(name, options, parent);
  const inside = trace.setSpan(parent, span);
  return {
    span,
    /** The context in which it is the current span. */
    inside,
    /** Work that begins other spans begins them as its children. */
    within: (enter: () => void): void => context.with(inside, enter),
    end({ attributes = {}, failure, message }: SpanEnd = {}): void {
      span.setAttributes(attributes);
      if (failure !== undefined) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
    },
  };
}
