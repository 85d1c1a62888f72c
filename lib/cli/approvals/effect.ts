import type { PreviewJson, PreviewPart } from '../../protocol/wire/preview.ts';
import { when } from './ago.ts';
import { shownJson, shownLines, shownText } from './terminal-text.ts';

/** The effect that a call would have, in lines. @source ADR 0040 */
export function effectLines(preview: PreviewJson | undefined, now: number): string[] {
  if (!preview) return [];
  const at = when(preview.at, now);
  if (preview.state === 'failed') {
    const cannot = preview.required ? ' It cannot be approved.' : '';
    return [`Effect: not known, ${at}.${cannot}`];
  }
  return [`Effect, ${at}:`, ...shownLines(preview.summary), ...(preview.parts ?? []).flatMap(partLines)];
}

function partLines(part: PreviewPart): string[] {
  switch (part.type) {
    case 'totals':
      return part.totals.map(({ label, value }) => `  ${shownText(label)}: ${shownText(String(value))}`);
    case 'list':
      return [...titled(part.title), ...part.items.map((item) => `  - ${shownText(item)}`)];
    case 'table': {
      const { title, rows, rowCount = rows.length } = part;
      const more = rowCount > rows.length ? [`  (${rows.length} of ${rowCount} rows)`] : [];
      return [...titled(title), ...rows.flatMap((row) => shownJson(row)), ...more];
    }
    case 'diff':
      return [
        ...titled(part.title),
        '  before:',
        ...shownLines(part.before),
        '  after:',
        ...shownLines(part.after),
      ];
    default:
      return part satisfies never;
  }
}

function titled(title: string | undefined): string[] {
  return title === undefined ? [] : [`  ${shownText(title)}:`];
}
