import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';

/** Registers OpenTelemetry's own SDK for one test, as an app does, with exporters that keep what they get. */
export function recordTelemetry({ processors = [] }: { processors?: SpanProcessor[] } = {}) {
  const spanExporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({
    spanProcessors: [...processors, new SimpleSpanProcessor(spanExporter)],
  });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter });
  const meter = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(tracer);
  metrics.setGlobalMeterProvider(meter);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(async () => {
    trace.disable();
    metrics.disable();
    context.disable();
    await Promise.all([tracer.shutdown(), meter.shutdown()]);
  });

  const spans = () => spanExporter.getFinishedSpans();
  return {
    spans,
    named: (name: string) => spans().filter((span) => span.name === name),
    childrenOf: (parent: ReadableSpan) =>
      spans().filter((span) => span.parentSpanContext?.spanId === parent.spanContext().spanId),

    /** The last value of each counter and the count and sum of each histogram, by name and attributes. */
    async points(name: string) {
      await reader.forceFlush();
      const latest = metricExporter.getMetrics().at(-1);
      const all = latest?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      const found = all.find(({ descriptor }) => descriptor.name === name);
      return (found?.dataPoints ?? []).map(({ attributes, value }) => ({
        ...attributes,
        value: typeof value === 'object' && 'sum' in value ? value.sum : value,
      }));
    },

    /** Does something in a span, as the instrumentation of an HTTP server does for a request. */
    request: <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
      trace.getTracer('http').startActiveSpan(name, (span) => work().finally(() => span.end())),
  };
}
