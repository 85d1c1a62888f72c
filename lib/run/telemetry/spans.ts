import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { toJson } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/** How a span ended. `failure`: the kind of the error, in one word. */
export type SpanEnd = {
  readonly attributes?: Attributes;
  readonly failure?: string;
  /** Details of the failure. They may quote arguments and results. */
  readonly message?: string;
};

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * The spans of a flow, through OpenTelemetry's API: without a registered provider, they do nothing. Samplers and span
 * processors are code of the app, and what they throw changes nothing.
 *
 * @source ADR 0033
 */
export function createSpans({ telemetry }: Pick<FlowSettings, 'telemetry'>) {
  const isEnabled = telemetry?.isEnabled !== false;
  return {
    /** Whether the flow is traced at all. */
    isEnabled,

    begin(name: string, options: SpanOptions, parent: Context): Span {
      if (!isEnabled) return noSpan;
      try {
        return trace.getTracer('countersign').startSpan(name, options, parent);
      } catch {
        return noSpan;
      }
    },

    /** A function that runs with a span as the current one: what it begins becomes its child. */
    bind<Work extends (...args: never[]) => unknown>(span: Span, parent: Context, work: Work): Work {
      return span === noSpan ? work : context.bind(trace.setSpan(parent, span), work);
    },

    /** A value as an attribute. It is written as JSON only if the span is recorded. */
    setJson(span: Span, name: string, value: unknown): void {
      try {
        if (span.isRecording()) span.setAttribute(name, JSON.stringify(toJson(value)));
      } catch {
        // The attribute may be missing.
      }
    },

    end(span: Span, { attributes = {}, failure, message }: SpanEnd = {}): void {
      try {
        span.setAttributes(attributes);
        if (failure !== undefined) {
          span.setAttribute('error.type', failure);
          span.setStatus({ code: SpanStatusCode.ERROR, message });
        }
        span.end();
      } catch {
        // The span may be missing in the trace.
      }
    },
  };
}

/** @see createSpans */
export type Spans = ReturnType<typeof createSpans>;

/** The kind of an error, without its message: that may quote what the model or a person wrote. */
export function kindOfError(error: unknown): string {
  return error instanceof Error ? error.name : '_OTHER';
}
