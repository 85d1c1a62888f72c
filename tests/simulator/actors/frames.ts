/** The JSON of a refusal on a socket. */
export function errorOf(errorText = ''): unknown {
  return JSON.parse(errorText);
}

/** The HTTP status of the same refusal, as far as these clients need it. */
export function statusOf(errorText: string | undefined): number {
  const { error } = errorOf(errorText) as { error: { code: string } };
  const known: Record<string, number> = {
    'not-found': 404,
    forbidden: 403,
    unauthenticated: 401,
    internal: 500,
  };
  return known[error.code] ?? (error.code === 'invalid-request' ? 400 : 409);
}

/** Reads server-sent events: the data of each, and its id and name. Stops when the stream ends or breaks. */
export async function readFrames(
  next: () => Promise<{ done: boolean; value?: Uint8Array } | undefined>,
  onFrame: (data: string, fields: { id?: string; event?: string }) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const piece = await next();
      if (!piece || piece.done) return;
      text += decoder.decode(piece.value, { stream: true });
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n');
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        text = text.slice(end + 2);
        const data = field('data');
        if (data) onFrame(data, { id: field('id'), event: field('event') });
      }
    }
  } catch {
    // The server's side broke. What has arrived is all there is.
  }
}
