import type { Attributes, Context } from '@opentelemetry/api';
import type { TelemetryOptions } from 'ai';
import { toJson } from '../../protocol/index.ts';
import type { ObservedWork, Watch } from '../../run/observing/observer.ts';
import { sdkTelemetry } from './sdk-telemetry.ts';
import { beginSpan } from './span.ts';

type Place = { readonly options: TelemetryOptions; readonly place: Attributes; readonly parent: Context };

/** The span of an attempt of a model step, or of a tool by OpenTelemetry's conventions. */
export function watchWork(work: ObservedWork, at: Place): Watch {
  return work.type === 'step' ? watchStep(work.step, at) : watchTool(work, at);
}

function watchStep(step: number, { options, place, parent }: Place): Watch {
  const attributes = { ...place, 'countersign.step.number': step };
  const { within, end } = beginSpan('countersign.step', { attributes }, parent);
  return {
    sdk: { telemetry: sdkTelemetry(options) },
    within,
    end: ({ finishReason, usage, ...failed }) =>
      end({
        ...failed,
        attributes: {
          'countersign.step.finish_reason': finishReason,
          'countersign.step.input_tokens': usage?.inputTokens,
          'countersign.step.output_tokens': usage?.outputTokens,
        },
      }),
  };
}

/** @source ADR 0011, ADR 0033 */
function watchTool(
  { toolName, toolCallId, kind, approvalId, input }: Extract<ObservedWork, { type: 'tool' }>,
  { options: { recordInputs = true, recordOutputs = true }, place, parent }: Place,
): Watch {
  const attributes = {
    ...place,
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': toolName,
    'gen_ai.tool.call.id': toolCallId,
    'gen_ai.tool.type': kind,
    'countersign.approval.id': approvalId,
  };
  const { span, within, end } = beginSpan(`execute_tool ${toolName}`, { attributes }, parent);
  /** A value is written as JSON only if the span is recorded. */
  const set = (name: string, value: unknown) => {
    if (value !== undefined && span.isRecording()) span.setAttribute(name, JSON.stringify(toJson(value)));
  };
  if (recordInputs) set('gen_ai.tool.call.arguments', input);
  return {
    within,
    end({ failure, message, output }) {
      if (recordOutputs) set('gen_ai.tool.call.result', output);
      // The message of an error may quote both.
      end({ failure, message: recordInputs && recordOutputs ? message : undefined });
    },
  };
}
