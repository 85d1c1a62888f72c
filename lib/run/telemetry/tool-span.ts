import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { Call } from '../../log/turn/turn.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { Attempt } from '../call/attempt.ts';
import { telemetryOf } from './recorded-telemetry.ts';
import { kindOfError, type SpanEnd, type Spans } from './spans.ts';

/** The call that a span is about, and the settings of its turn. */
export type TracedCall = { readonly call: Call; readonly settings: FlowSettings };

/** The span of one attempt of a tool. */
export type ToolSpan = {
  /** The tool is called in this synchronous block. */
  begin(input: unknown): void;
  /** A function that runs in the attempt: what it begins belongs to it. */
  bind<Work extends (...args: never[]) => unknown>(work: Work): Work;
  end(attempt: Attempt): void;
};

type Parts = {
  readonly spans: Spans;
  readonly parent: Context;
  readonly attributes: Attributes;
};

/**
 * A span by OpenTelemetry's conventions for tools. Arguments and results are in it only if the SDK's telemetry may record
 * them, too.
 *
 * @source ADR 0011, ADR 0033
 */
export function createToolSpan(
  { spans, parent, attributes }: Parts,
  { call: { requested, asked }, settings }: TracedCall,
): ToolSpan {
  const { toolName, toolCallId, kind, secrets } = requested;
  const { recordInputs = true, recordOutputs = true } = telemetryOf(settings) ?? {};
  const records = { inputs: recordInputs && !secrets, outputs: recordOutputs && !secrets };
  let span: Span | undefined;

  return {
    begin(input) {
      const own = {
        ...attributes,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': toolName,
        'gen_ai.tool.call.id': toolCallId,
        'gen_ai.tool.type': kind,
        ...(asked && { 'countersign.approval.id': asked.approvalId }),
      };
      span = spans.begin(`execute_tool ${toolName}`, { attributes: own }, parent);
      if (records.inputs) spans.setJson(span, 'gen_ai.tool.call.arguments', input);
    },

    bind: (work) => (span ? spans.bind(span, parent, work) : work),

    end(attempt) {
      if (!span) return;
      if (attempt.type === 'output' && records.outputs) {
        spans.setJson(span, 'gen_ai.tool.call.result', attempt.output);
      }
      // The message of an error may quote both.
      spans.end(span, endOf(attempt, records.inputs && records.outputs));
    },
  };
}

function endOf(attempt: Attempt, recordsMessage: boolean): SpanEnd {
  switch (attempt.type) {
    case 'error': {
      const { error } = attempt;
      const message = recordsMessage && error instanceof Error ? { message: error.message } : {};
      return { failure: kindOfError(error), ...message };
    }
    case 'abandoned':
      return { failure: attempt.why };
    case 'output':
    case 'not-started':
    case 'paused':
      return {};
    default:
      return attempt satisfies never;
  }
}
