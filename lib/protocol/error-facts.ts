import { isRecord } from './json.ts';

/** What a log may say of an error. */
export type ErrorFacts = {
  readonly name: string;
  readonly message?: string;
  /** Such as `ECONNRESET`. */
  readonly code?: string;
  /** The HTTP status that a model's provider or a service answered with. */
  readonly status?: number;
  /** The place in the code that it comes from. */
  readonly at?: string;
  readonly cause?: ErrorFacts;
};

const longestMessage = 500;
const deepestCause = 3;

/** Errors of the AI SDK whose messages quote what they were given: arguments, answers, prompts. */
const quoting = new Set([
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_InvalidResponseDataError',
  'AI_InvalidStreamPartError',
  'AI_InvalidToolInputError',
  'AI_JSONParseError',
  'AI_ToolCallRepairError',
  'AI_TypeValidationError',
]);

/**
 * An error as it may be logged. The error object itself must not be: those of the AI SDK carry the request body,
 * the answer and the headers of a model call, and a logger prints every property.
 *
 * @source contract "Secrets never reach a log"
 */
export function errorFacts(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  const fields: Record<string, unknown> = isRecord(error) ? error : {};
  const status = fields.statusCode ?? fields.status;
  const [at] = /^\s+at .+$/m.exec(stack?.replace(message, '') ?? '') ?? [];
  return {
    name,
    ...(quotes(error) ? {} : { message: message.slice(0, longestMessage) }),
    ...(typeof fields.code === 'string' ? { code: fields.code } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(at === undefined ? {} : { at: at.trim() }),
    ...(cause instanceof Error && depth < deepestCause ? { cause: errorFacts(cause, depth + 1) } : {}),
  };
}

/**
 * What a log may say of an error in code that was given arguments or results (a rule, a gate, `describe`): where it
 * happened, and not its message, which may quote them.
 *
 * @source contract "Secrets never reach a log"
 */
export function errorPlace(error: unknown): Pick<ErrorFacts, 'name' | 'code' | 'at'> {
  const { name, code, at } = errorFacts(error);
  return { name, ...(code === undefined ? {} : { code }), ...(at === undefined ? {} : { at }) };
}

/** An error is often told with its cause's message inside its own. */
function quotes({ name, message, cause }: Error): boolean {
  if (quoting.has(name)) return true;
  return cause instanceof Error && message.includes(cause.message) && quotes(cause);
}
