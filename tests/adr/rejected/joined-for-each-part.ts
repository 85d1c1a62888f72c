const partLength = 64_000;

/** The rejected form: joins all pieces so far for each part. */
export async function* joinedForEachPart(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const all: string[] = [];
  let length = 0;
  let sent = 0;
  for await (const piece of pieces) {
    const text = String(piece);
    all.push(text);
    length += text.length;
    for (; length - sent > partLength; sent += partLength) {
      yield all.join('').slice(sent, sent + partLength);
    }
  }
  yield all.join('').slice(sent);
}
