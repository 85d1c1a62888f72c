import { asSchema, safeValidateTypes } from '@ai-sdk/provider-utils';
import { redactParsed } from '../../log/redaction.ts';
import type { Call } from '../../log/turn/turn.ts';
import { CountersignError, type EventBody, jsonText, type OutputRequest } from '../../protocol/index.ts';
import { parseInput } from '../../run/call/input/parse-input.ts';
import type { Engine } from '../../run/engine.ts';
import { failed } from '../../run/step/call-end.ts';
import { recordedOutput } from '../../settings/tools/recorded-output.ts';
import { modelOutputOf, summarizeOutput, toolNamed } from '../../settings/tools/tool-details.ts';

/** Ends a client's own call. @throws CountersignError `invalid-request` if the output does not fit the tool's schema */
export async function clientOutput(engine: Engine, call: Call, output: OutputRequest): Promise<EventBody> {
  const { toolCallId, toolName, input } = call.requested;
  if (output.errorText !== undefined) {
    return failed(toolCallId, output.errorText);
  }
  const tool = toolNamed(engine.settings, toolName);
  const checked = tool?.outputSchema
    ? await safeValidateTypes({ value: output.output, schema: asSchema(tool.outputSchema) })
    : { success: true as const, value: output.output };
  if (!checked.success) {
    throw new CountersignError(
      'invalid-request',
      `The output for call ${toolCallId} does not fit the output schema of ${toolName}.`,
      { toolCallId },
    );
  }
  const plain = recordedOutput(engine.settings, call.requested, jsonText(checked.value));
  const parsed = await parseInput(engine, call.requested, input);
  const value = parsed.fits ? parsed.value : input;
  const shown = redactParsed(value, input, call.requested.secrets?.input);
  return {
    type: 'tool-completed',
    toolCallId,
    output: plain,
    modelOutput: await modelOutputOf(tool, { toolCallId, input: value }, checked.value, plain),
    ...summarizeOutput(engine.settings, toolName, plain, shown),
  };
}
