/** The maximum length of a part, in UTF-16 code units. */
const partLength = 64_000;

/** Parts of at most 64,000 UTF-16 code units, without splitting a character. Broken characters become U+FFFD. Linear. */
export async function* textParts(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let kept: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const text =
      typeof piece === 'string' ? decoder.decode() + piece : decoder.decode(piece, { stream: true });
    kept.push(text);
    length += text.length;
    if (length <= partLength) continue;
    const whole = kept.join('');
    let from = 0;
    while (whole.length - from > partLength) {
      const to = endOfPart(whole, from + partLength);
      yield whole.slice(from, to).toWellFormed();
      from = to;
    }
    kept = [whole.slice(from)];
    length = whole.length - from;
  }
  const rest = kept.join('') + decoder.decode();
  if (rest !== '') yield rest.toWellFormed();
}

/** The end of a part, moved back by one code unit if it would split a surrogate pair. */
function endOfPart(text: string, to: number): number {
  const code = text.charCodeAt(to - 1);
  return code >= 0xd800 && code <= 0xdbff ? to - 1 : to;
}
