import { type Html, html } from '../../../channels/html.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { QuestionOption } from '../../../protocol/index.ts';
import type { AnswerLinkWords } from '../link-words.ts';
import type { Shown } from './evidence.ts';
import { optionPrefix } from './option-value.ts';
import { callArguments, sentence } from './values.ts';

/**
 * A button for each option. The first one that approves is the primary one.
 *
 * @param page.deny the button of a plain denial, shown if no option denies
 * @param page.mayApprove without it, only denials are shown
 * @source ADR 0050
 */
export function optionButtons(
  options: readonly QuestionOption[],
  { deny, mayApprove }: { readonly deny: Html; readonly mayApprove: boolean },
): Html {
  const primary = options.find(({ then }) => then === 'approve');
  const buttons = options.flatMap((option) => {
    const { id, label, then } = option;
    if (then === 'approve' && !mayApprove) return [];
    const kind = then === 'deny' ? 'deny' : option === primary ? 'approve' : 'option';
    return [
      html`<button name="answer" value="${optionPrefix}${id}" data-answer="${kind}"><bdi>${visibleText(label)}</bdi></button>`,
    ];
  });
  return html`${!options.some(({ then }) => then === 'deny') && deny}${buttons}`;
}

/** What the options with other arguments would run. */
export function optionDetails({ options = [] }: Shown['question'], words: AnswerLinkWords): Html | undefined {
  const changed = options.filter(({ input }) => input !== undefined);
  if (changed.length === 0) return undefined;
  const items = changed.map(({ label, description = '', input, runsAs }) => {
    const ran = runsAs ?? input;
    return html`<div><dt><bdi>${visibleText(label)}</bdi></dt><dd>${sentence(description, [input, ran])}<details><summary>${words.request}</summary>${callArguments(ran, words)}</details></dd></div>`;
  });
  return html`<section><h2>${words.options}</h2><dl>${items}</dl></section>`;
}
