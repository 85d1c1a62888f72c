import { z } from 'zod';
import { parseJson } from '../../protocol/index.ts';
import type { ImportRequest, ImportResult } from './import-request.ts';
import type { ImportMethods } from './methods.ts';

/** What a line is imported with. */
export type Importer = { readonly imports: ImportMethods };

/** The result of a line. `failed`: its content is invalid, or the chat exists with other content. */
export type LineResult = {
  readonly status: ImportResult['status'] | 'failed';
  /** The id of the chat, if it could be read. */
  readonly id?: string;
  readonly open?: string;
  readonly error?: string;
};

const timeSchema = z.union([z.number(), z.string().transform((text) => Date.parse(text))]).optional();

const lineSchema = z.strictObject({
  id: z.string(),
  principal: z.looseObject({ id: z.string(), name: z.string() }),
  messages: z.array(z.unknown()),
  title: z.string().optional(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  callOptions: z.unknown().optional(),
});

/**
 * Imports the chat of one line.
 *
 * @throws unknown any error that is not caused by the line, such as an unreachable database
 */
export async function importLine(flow: Importer, line: string): Promise<LineResult> {
  const { data, error } = lineSchema.safeParse(parseJson(line));
  if (error) return { status: 'failed', error: faultOf(error) };
  const { id, ...chat } = data;
  try {
    // The flow checks messages and principal.
    return { id, ...(await flow.imports.chat({ ...chat, chatId: id } as ImportRequest)) };
  } catch (cause) {
    if (!isOfLine(cause)) throw cause;
    return { status: 'failed', id, error: cause.message };
  }
}

/** By its code: the app may have another copy of the library. */
function isOfLine(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'invalid-request' || error.code === 'payload-too-large';
}

function faultOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = issue?.path.join('.') ?? '';
  return path === '' && issue?.code === 'invalid_type'
    ? 'The line is not a JSON object.'
    : `${path === '' ? '' : `${path}: `}${issue?.message ?? 'The line is invalid.'}`;
}
