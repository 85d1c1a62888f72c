import { isRecord, parseJson } from '../../protocol/index.ts';

/** What a command ended with. They are part of the interface, and keep their meaning. @source ADR 0044.3 */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  settled: 4,
  changed: 5,
  notAllowed: 6,
} as const;

/** A command's exit code. */
export type Exit = (typeof exits)[keyof typeof exits];

const exitsByCode: Readonly<Record<string, Exit>> = {
  'not-found': exits.notFound,
  'already-answered': exits.settled,
  expired: exits.settled,
  superseded: exits.settled,
  'question-changed': exits.changed,
  'preview-changed': exits.changed,
  'input-mismatch': exits.changed,
  unauthenticated: exits.notAllowed,
  forbidden: exits.notAllowed,
  'step-up-required': exits.notAllowed,
};

const advice: Readonly<Record<string, string>> = {
  unauthenticated: 'Check COUNTERSIGN_KEY.',
  'step-up-required':
    'A key cannot sign in again. Open the question in the app, sign in there, and answer it there.',
  'question-changed': 'Look at it again with `countersign approvals show`.',
  'preview-changed': 'Look at it again with `countersign approvals show`.',
  'input-mismatch': 'Look at it again with `countersign approvals show`.',
};

/**
 * The server refused a request, or could not be reached. The message is the server's.
 *
 * @source H-Errors
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  /** The error as the server sent it: its code, message and facts. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>> & { code: string; message: string }) {
    super(fields.message);
    this.code = fields.code;
    this.fields = fields;
  }

  get exit(): Exit {
    return Object.hasOwn(exitsByCode, this.code) ? (exitsByCode[this.code] ?? exits.failed) : exits.failed;
  }

  /** What the person can do. */
  get advice(): string | undefined {
    return Object.hasOwn(advice, this.code) ? advice[this.code] : undefined;
  }
}

/** The refusal in a response. A proxy in between may send any text. */
export function refusalOf(status: number, text: string): Refusal {
  const body = parseJson(text);
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const { code, message } = error;
  // A server without the plugin of an endpoint may have its path for another method.
  const unnamed = status === 405 ? 'not-found' : 'internal';
  return new Refusal({
    ...error,
    code: typeof code === 'string' ? code : unnamed,
    message: typeof message === 'string' ? message : `The server responded with status ${status}.`,
  });
}
