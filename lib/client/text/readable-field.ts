import { readableName } from './readable-name.ts';

const acronyms = new Set([
  'api',
  'csv',
  'html',
  'http',
  'iban',
  'id',
  'ip',
  'json',
  'pdf',
  'sql',
  'url',
  'uuid',
]);

/** A field's name in words: `orderId`, `due_date` → “Order ID”, “Due date”. */
export function readableField(name: string): string {
  return readableName(name)
    .split(' ')
    .map((word) => (acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word))
    .join(' ');
}
