import { type Html, html } from '../../../channels/html.ts';
import { fitsTable } from '../../../client/card/fits-table.ts';
import { readableField } from '../../../client/text/readable-field.ts';
import { sentencePieces } from '../../../client/text/sentence-pieces.ts';
import { meaningOf, type ValuePlace } from '../../../client/text/value-meaning.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { isRecord } from '../../../protocol/index.ts';
import type { AnswerLinkWords } from '../link-words.ts';

type Row = Readonly<Record<string, unknown>>;

const deepest = 3;
const longText = 140;
/** In characters of JSON. */
const longestReadable = 50_000;

/** A text from a person, a model or a tool. Invisible characters are shown by name, and the text direction is isolated. */
export function isolated(text: string): Html {
  return html`<bdi>${visibleText(text)}</bdi>`;
}

/** A sentence about a call. The text direction of each value in it is isolated. @param input the arguments */
export function sentence(text: string, input: unknown): Html {
  const pieces = sentencePieces(text, input);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<bdi>${piece}</bdi>` : piece))}`;
}

/**
 * A complete value in readable form: an object as a list of fields, rows with the same fields as a table, and text as text. The meaning of
 * dates and amounts is shown beside them. Values deeper than three levels are shown as JSON.
 */
export function readableValue(
  value: unknown,
  words: AnswerLinkWords,
  depth = 0,
  place: ValuePlace = {},
): Html {
  if (typeof value === 'boolean') return html`${value ? words.yes : words.no}`;
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) {
    const meaning = /^-?\d/.test(`${value}`) && meaningOf(value, { ...place, locale: words.locale });
    return html`${text(String(value))}${meaning && html` <span class="quiet">${meaning}</span>`}`;
  }
  if (typeof value !== 'object' || value === null) return none(words);
  if (depth >= deepest) return text(JSON.stringify(value, null, 2));
  if (!Array.isArray(value)) return fields(value, words, depth);
  if (value.length === 0) return none(words);
  if (value.every(isRecord) && fitsTable(value)) return table(value, words);
  return html`<ul>${value.map((item) => html`<li>${readableValue(item, words, depth + 1)}</li>`)}</ul>`;
}

/** A table of rows with the same plain fields. @param count the number of all rows, if only some are given */
export function table(rows: readonly Row[], words: AnswerLinkWords, count = rows.length): Html {
  const columns = Object.keys(rows[0] ?? {});
  const head = columns.map((name) => html`<th scope="col">${readableField(visibleText(name))}</th>`);
  const cell = (row: Row, name: string) =>
    html`<td>${readableValue(row[name], words, 1, { name, among: row })}</td>`;
  const body = rows.map((row) => html`<tr>${columns.map((name) => cell(row, name))}</tr>`);
  const label = words.rows(count);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><caption>${label}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${count > rows.length && html`<p>${words.more(count - rows.length)}</p>`}`;
}

/** The arguments of a call, with their exact JSON on demand. Of very large ones, there is only the JSON: a page of them would block its server. */
export function callArguments(input: unknown, words: AnswerLinkWords): Html {
  const exact = JSON.stringify(input) ?? 'undefined';
  if (exact.length > longestReadable) return html`<pre tabindex="0">\n${visibleText(exact)}</pre>`;
  const isEmpty = isRecord(input) && Object.keys(input).length === 0;
  const json = visibleText(JSON.stringify(input, null, 2) ?? 'undefined');
  return html`${isEmpty ? html`<p class="quiet">${words.noArguments}</p>` : readableValue(input, words)}
<details><summary>${words.showJson}</summary><pre tabindex="0">\n${json}</pre></details>`;
}

function fields(value: object, words: AnswerLinkWords, depth: number): Html {
  const among: Row = { ...value };
  const entries = Object.entries(among);
  if (entries.length === 0) return none(words);
  return html`<dl>${entries.map(
    ([name, field]) =>
      html`<div><dt><bdi>${readableField(visibleText(name))}</bdi></dt><dd>${readableValue(field, words, depth + 1, { name, among })}</dd></div>`,
  )}</dl>`;
}

function text(value: string): Html {
  const shown = visibleText(value);
  if (shown.includes('\n') || shown.length > longText) return html`<pre tabindex="0">\n${shown}</pre>`;
  // Quotation marks make leading and trailing spaces visible.
  return html`<bdi>${shown === shown.trim() ? shown : `“${shown}”`}</bdi>`;
}

function none(words: AnswerLinkWords): Html {
  return html`<em>${words.none}</em>`;
}
