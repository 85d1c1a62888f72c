import { html } from '../../../channels/html.ts';
import type { AnswerLinkWords, LinkNotice } from '../link-words.ts';
import type { LinkPage } from './document.ts';

/** The status of each notice. It depends on the link and the person only, never on whether the question exists. */
const statuses: { readonly [Name in LinkNotice]: number } = {
  unknown: 404,
  expired: 410,
  'not-yours': 403,
  'unavailable-question': 404,
  'sign-in': 401,
  'foreign-form': 403,
  'too-large': 413,
  'rate-limited': 429,
  failed: 500,
};

/** The addresses that a notice links to. They come from the settings. */
export type NoticeLinks = { readonly inbox?: string | undefined; readonly signIn?: string | undefined };

/** A page that says why no question is shown. */
export function noticePage(
  name: LinkNotice,
  words: AnswerLinkWords,
  links: NoticeLinks & { here?: string },
): LinkPage {
  const { title, text } = words.notices[name];
  const { inbox, signIn, here } = links;
  const ways = [
    name === 'sign-in' && signIn !== undefined && linkTo(signIn, words.signIn),
    // Browsers do not send SameSite=Strict cookies after a click in an e-mail. After a click on this page, they do.
    name === 'sign-in' && here !== undefined && linkTo(here, words.continueHere),
    name !== 'sign-in' && inbox !== undefined && linkTo(inbox, words.openInbox),
  ].flatMap((found) => (found ? [html`<p>${found}</p>`] : []));
  return { status: statuses[name], title, content: html`<h1>${title}</h1><p>${text}</p>${ways}` };
}

/** A link to another page, without a referrer. */
export function linkTo(href: string, label: string) {
  return html`<a class="link" rel="noreferrer" href="${href}">${label}</a>`;
}
