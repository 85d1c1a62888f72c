import { z } from 'zod';

const envelope = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Why a request did not go through, in words for a person. */
export type RequestFailure = {
  /** `settled`: somebody or something answered first; `network`: the server was not reached. */
  kind: 'network' | 'settled' | 'busy' | 'refused' | 'broken';
  title: string;
  detail: string;
};

const settledCodes = new Set(['already-answered', 'superseded', 'expired']);

/**
 * Explains an error of a transport: a network error of `fetch` or of the socket, or the server's error
 * object in the message.
 *
 * @source contract H, Errors
 */
export function explainFailure(error: Error): RequestFailure {
  const refusal = parseRefusal(error.message);
  if (refusal === undefined) {
    return isNetworkError(error)
      ? {
          kind: 'network',
          title: 'The connection was lost',
          detail: 'Nothing is lost: the server keeps this chat and what was approved.',
        }
      : { kind: 'broken', title: 'The answer was cut short', detail: shortened(error.message) };
  }
  const detail = shortened(refusal.message);
  if (settledCodes.has(refusal.code))
    return { kind: 'settled', title: 'This question is already settled', detail };
  if (refusal.code === 'run-active') return { kind: 'busy', title: 'The assistant is still at work', detail };
  return { kind: 'refused', title: 'The server did not accept this', detail };
}

function parseRefusal(message: string): { code: string; message: string } | undefined {
  try {
    return envelope.safeParse(JSON.parse(message)).data?.error;
  } catch {
    return undefined;
  }
}

function isNetworkError(error: Error): boolean {
  return error instanceof TypeError || /websocket|network|fetch|load failed|socket/i.test(error.message);
}

function shortened(text: string): string {
  const plain = text.trim() === '' ? 'No reason was given.' : text.trim();
  return plain.length > 300 ? `${plain.slice(0, 299)}…` : plain;
}
