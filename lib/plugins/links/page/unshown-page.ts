import { html } from '../../../channels/html.ts';
import { plainJson } from '../../../client/text/plain-json.ts';
import type { LinkAnswer } from '../form-token.ts';
import type { LinkPage } from './document.ts';
import type { Shown } from './evidence.ts';

/**
 * A question that could not be laid out: its plain JSON, and a denial, if this person may answer. Uses nothing that lays out content.
 *
 * @param form the token for the form; absent if nothing can be answered here
 * @param answer the denial that this page confirms; absent for the first page
 */
export function unshownPage(
  { question, words }: Pick<Shown, 'question' | 'words'>,
  form?: string,
  answer?: LinkAnswer,
): LinkPage {
  const { toolName, input, runsAs, state, mayAnswer, hasAnswered, stepUp } = question;
  const mayDeny = form !== undefined && state === 'open' && mayAnswer && !hasAnswered && !stepUp?.needed;
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;
  const fields = mayDeny && [
    hidden('step', answer ? 'confirm' : 'review'),
    hidden('form', form),
    hidden('answer', 'deny'),
    hidden('reason', answer?.reason ?? ''),
  ];
  const deny =
    fields &&
    html`<form method="post" accept-charset="utf-8">${fields}<div class="actions"><button data-answer="deny">${answer ? words.confirmDenial : words.deny}</button></div></form>`;
  const json = plainJson({ toolName, input, runsAs });
  const content = html`<h1>${words.unshown}</h1><pre tabindex="0">\n${json}</pre>${deny}`;
  return { status: 200, title: words.page, content };
}
