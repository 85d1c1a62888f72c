import { asSchema, safeValidateTypes } from '@ai-sdk/provider-utils';
import type { Call } from '../../log/turn/turn.ts';
import { CountersignError } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { Ask } from '../../settings/forms/ask.ts';
import { mayAskWhileRunning } from '../../settings/tools/tool-details.ts';
import { parseForm } from './form.ts';
import type { PendingQuestion, Settled } from './pending-question.ts';

const maxMessage = 2_000;

/** The function with which a call asks. @param send asks, and waits for the answer */
export function createAsk(
  { settings, call }: { readonly settings: FlowSettings; readonly call: Call },
  send: (question: PendingQuestion) => Promise<Settled>,
): Ask {
  const { toolName } = call.requested;
  return async ({ message, schema }) => {
    if (!mayAskWhileRunning(settings, toolName)) {
      throw refuse(`Calls of ${toolName} may not ask: declare it with \`mayAsk\` in \`toolDetails\`.`);
    }
    if (typeof message !== 'string' || message === '' || message.length > maxMessage) {
      throw refuse(`The message of a question must have 1 to ${maxMessage} characters.`);
    }
    const own = schema === undefined ? undefined : asSchema(schema);
    const answer = await send({ message, form: parseForm(await own?.jsonSchema) });
    if (answer.action !== 'accept') return answer;
    const parsed = await safeValidateTypes({ value: answer.content, schema: own ?? asSchema(undefined) });
    if (!parsed.success) throw parsed.error;
    return { action: 'accept', content: parsed.value as never };
  };
}

function refuse(message: string): CountersignError {
  return new CountersignError('invalid-request', message);
}
