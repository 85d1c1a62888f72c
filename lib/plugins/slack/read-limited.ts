/**
 * The body of a response as text.
 *
 * @throws RangeError if it has more bytes
 */
export async function readLimited(response: Response, mostBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const bytes of response.body ?? []) {
    size += bytes.byteLength;
    if (size > mostBytes) throw new RangeError('The response is too large.');
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
