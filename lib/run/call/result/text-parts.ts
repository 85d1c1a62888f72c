/** How many characters a part has at most. */
const partLength = 64_000;

/**
 * The text of a stream in parts of bounded length, none of which begins or ends within a character. Halves of surrogate
 * pairs and bytes that are not UTF-8 become U+FFFD. Linear in the length of the text, whatever the sizes of the pieces.
 */
export async function* textParts(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let held: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const text =
      typeof piece === 'string' ? decoder.decode() + piece : decoder.decode(piece, { stream: true });
    held.push(text);
    length += text.length;
    if (length <= partLength) continue;
    const whole = held.join('');
    let from = 0;
    while (whole.length - from > partLength) {
      const to = endOfPart(whole, from + partLength);
      yield whole.slice(from, to).toWellFormed();
      from = to;
    }
    held = [whole.slice(from)];
    length = whole.length - from;
  }
  const rest = held.join('') + decoder.decode();
  if (rest !== '') yield rest.toWellFormed();
}

/** One character earlier, if the text has a surrogate pair across this place. */
function endOfPart(text: string, to: number): number {
  const code = text.charCodeAt(to - 1);
  return code >= 0xd800 && code <= 0xdbff ? to - 1 : to;
}
