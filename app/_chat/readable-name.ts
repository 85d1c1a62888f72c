const acronyms = new Set([
  'api',
  'csv',
  'html',
  'http',
  'id',
  'ip',
  'json',
  'mcp',
  'pdf',
  'sql',
  'url',
  'uuid',
]);

/** Turns a tool's or field's name into words: `process_payment`, `orderId` → “Process payment”, “Order ID”. */
export function readableName(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\-.]+/g, ' ')
    .trim()
    .toLowerCase();
  if (words === '') return name;
  return words
    .split(' ')
    .map((word, index) => (acronyms.has(word) ? word.toUpperCase() : index === 0 ? capitalized(word) : word))
    .join(' ');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A duration for people: `340 ms`, `2.1 s`, `3 min 5 s`. */
export function readableDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
