import { type Html, html } from '../../../channels/html.ts';
import { changedLines } from '../../../client/text/changed-lines.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { PreviewPart } from '../../../protocol/wire/preview.ts';
import type { QuestionDetails } from '../../../rights/question-rights.ts';
import type { AnswerLinkWords } from '../link-words.ts';
import { isolated, readableValue, sentence, table } from './values.ts';

/** The effect that the call would have, if its tool has a `preview`. @source ADR 0040 */
export function effectOf(
  { preview, input, runsAs }: QuestionDetails,
  words: AnswerLinkWords,
): Html | undefined {
  if (!preview) return undefined;
  const asOf = words.asOf(words.moment(new Date(preview.at)));
  const heading = html`<h2>${words.effect}</h2><p class="quiet">${asOf}</p>`;
  if (preview.state === 'failed') {
    return html`<section>${heading}<p>${words.effectUnknown(preview.required === true)}</p></section>`;
  }
  const parts = preview.parts?.map((part) => partOf(part, words));
  return html`<section>${heading}<p>${sentence(preview.summary, [input, runsAs])}</p>${parts}</section>`;
}

function partOf(part: PreviewPart, words: AnswerLinkWords): Html {
  switch (part.type) {
    case 'totals':
      return readableValue(Object.fromEntries(part.totals.map(({ label, value }) => [label, value])), words);
    case 'list':
      return html`${titleOf(part.title)}${readableValue(part.items, words)}`;
    case 'table':
      return html`${titleOf(part.title)}${table(part.rows, words, part.rowCount)}`;
    case 'diff':
      return html`${titleOf(part.title)}${diffOf(part, words)}`;
  }
}

function titleOf(title: string | undefined): Html | undefined {
  return title === undefined ? undefined : html`<p>${isolated(title)}</p>`;
}

function diffOf(
  { before, after, title }: Extract<PreviewPart, { type: 'diff' }>,
  words: AnswerLinkWords,
): Html {
  const lines = changedLines(before, after);
  if (!lines) return html`<p class="quiet">${words.noChanges}</p>`;
  const [lead, removed, added, rest] = lines;
  const label = title === undefined ? words.effect : visibleText(title);
  return html`<pre tabindex="0" role="region" aria-label="${label}">\n${lead}<del>${removed}</del><ins>${added}</ins>${rest}</pre>`;
}
