const word = Buffer.from('tick-');
const digits = 6;
const length = word.length + digits + 1;

/** A numbered piece of text, of which every wire sends the bytes as they are. */
export function formatTick(tick: number): string {
  return `tick-${String(tick).padStart(digits, '0')};`;
}

/** Finds the ticks in the bytes of a connection, wherever they are cut. */
export function createTickReader(onTick: (tick: number) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (received) => {
    const bytes = rest.length === 0 ? received : Buffer.concat([rest, received]);
    let from = 0;
    for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, from)) {
      if (at + length > bytes.length) break;
      onTick(numberAt(bytes, at + word.length));
      from = at + length;
    }
    // A copy: the connection may use its memory again.
    rest = Buffer.from(bytes.subarray(Math.max(from, bytes.length - length + 1)));
  };
}

function numberAt(bytes: Buffer, at: number): number {
  let number = 0;
  for (let place = at; place < at + digits; place += 1) number = number * 10 + (bytes[place] ?? 0) - 48;
  return number;
}
