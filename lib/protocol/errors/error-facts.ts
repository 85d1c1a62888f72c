import { isRecord } from '../json.ts';

export type ErrorFacts = {
  readonly name: string;
  readonly message?: string;
  readonly code?: string;
  readonly status?: number;
  readonly at?: string;
  readonly cause?: ErrorFacts;
};

const longestMessage = 500;
const deepestCause = 3;

/** AI SDK errors whose messages quote their input: arguments, answers, prompts. */
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
 * Extracts the parts of an error that are safe to log. Never log the error object itself: AI SDK errors
 * contain the request body, the response and the headers of a model call, and a logger prints every property.
 *
 * @source ADR 0011
 */
export function errorFacts(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  const fields: Record<string, unknown> = isRecord(error) ? error : {};
  const status = fields.statusCode ?? fields.status;
  const [at] = /^\s+at .+$/m.exec(stack?.replace(message, '') ?? '') ?? [];
  return {
    name,
    message: !quotes(error) ? message.slice(0, longestMessage) : undefined,
    code: typeof fields.code === 'string' ? fields.code : undefined,
    status: typeof status === 'number' ? status : undefined,
    at: at === undefined ? undefined : at.trim(),
    cause: cause instanceof Error && depth < deepestCause ? errorFacts(cause, depth + 1) : undefined,
  };
}

/**
 * Extracts what is safe to log for an error in code that received arguments or results (a rule, a gate,
 * `describe`). That is the location only: the message may quote the arguments.
 *
 * @source ADR 0011
 */
export function errorPlace(error: unknown): Pick<ErrorFacts, 'name' | 'code' | 'at'> {
  const { name, code, at } = errorFacts(error);
  return { name, code, at };
}

/** An error's message often includes the message of its cause. */
function quotes({ name, message, cause }: Error): boolean {
  if (quoting.has(name)) return true;
  return cause instanceof Error && message.includes(cause.message) && quotes(cause);
}

/** The only logging interface of the library. Inputs, outputs and secrets are never logged. */
export type Logger = {
  warn(message: string, facts: Readonly<Record<string, unknown>>): void;
  error(message: string, facts: Readonly<Record<string, unknown>>): void;
};
