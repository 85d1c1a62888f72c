import type { Call } from '../../log/turn/turn.ts';
import {
  type EventBody,
  jsonText,
  type ModelOutput,
  redact,
  strikeOut,
  type ToolCallId,
} from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { recordedOutput } from '../../settings/tools/recorded-output.ts';
import { detailsOf, modelOutputOf, summarizeOutput, toolNamed } from '../../settings/tools/tool-details.ts';
import { safeText } from '../call/error-sentence.ts';
import { issuesText } from '../call/schema-issues.ts';
import type { StepEnd } from './step-content.ts';

export async function providerEnd(
  settings: FlowSettings,
  end: StepEnd,
  { toolName, toolCallId, input }: Pick<Call['requested'], 'toolName' | 'toolCallId' | 'input'>,
): Promise<EventBody> {
  const { secrets } = detailsOf(settings, toolName);
  if (end.type === 'tool-error') {
    const error = messageOf(end.error);
    return failed(toolCallId, error, strikeOut(safeText(error), input, secrets?.input));
  }
  const output = recordedOutput(settings, { toolName, toolCallId }, jsonText(end.output));
  const tool = toolNamed(settings, toolName);
  return {
    type: 'tool-completed',
    toolCallId,
    output,
    modelOutput: await modelOutputOf(tool, { toolCallId, input }, end.output, output),
    ...summarizeOutput(settings, toolName, output, redact(input, secrets?.input)),
  };
}

/** The SDK's error quotes arguments, so people get what the schema says, or, for secrets, nothing of it. */
export function shownInvalid(
  settings: FlowSettings,
  { toolName }: { readonly toolName: string },
  error: unknown,
): string {
  if (!toolNamed(settings, toolName)) return `There is no tool ${toolName}.`;
  const hasSecrets = detailsOf(settings, toolName).secrets?.input !== undefined;
  const said = hasSecrets ? '' : issuesText(error);
  return said === '' ? `The arguments do not fit the schema of ${toolName}.` : said;
}

/** The end of a call that had no effect. @param forModel the error as the model gets it @param error the same for people */
export function failed(
  toolCallId: ToolCallId,
  forModel: string,
  error = forModel,
): Extract<EventBody, { type: 'tool-failed' }> {
  const modelOutput = { type: 'error-text' as const, value: forModel };
  const final = { outcome: 'failed', retryable: false, wasRetried: false } as const;
  return { type: 'tool-failed', toolCallId, error, ...final, modelOutput };
}

/** The end of a call that is not to run. People and the model get the same reason. */
export function cancelled(toolCallId: ToolCallId, reason: string, durationMs?: number): EventBody {
  const modelOutput: ModelOutput = { type: 'error-text', value: reason };
  return { type: 'tool-cancelled', toolCallId, reason, durationMs, modelOutput };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
