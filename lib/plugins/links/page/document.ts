import { type Html, html } from '../../../channels/html.ts';
import { runtime } from '../../../runtime/runtime.ts';
import type { AnswerLinkWords } from '../link-words.ts';
import { styles } from './styles.ts';

/** One page, without the HTML around its content. */
export type LinkPage = {
  /** The HTTP status. */
  readonly status: number;
  readonly title: string;
  readonly content: Html;
  /** The risk of an open question. */
  readonly risk?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The page loads no resources, runs no scripts, sends forms only to this origin, and cannot be framed. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${base64(runtime.sha256(styles))}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every response of a link. */
const linkHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // The address is a credential.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

/** A redirect to another page, after a form. A reload then does not send the form again. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...linkHeaders, location } });
}

/** A page as a response. */
export function pageResponse({ status, title, content, risk, headers }: LinkPage, words: AnswerLinkWords) {
  const { language, direction, page } = words;
  const body = html`<body><main${risk === undefined ? '' : html` data-risk="${risk}"`}>${content}</main></body>`;
  const meta = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="format-detection" content="telephone=no">`;
  const head = html`<head>${meta}<title>${title === page ? page : `${title} · ${page}`}</title>`;
  const root = html`<html lang="${language}" dir="${direction}">`;
  const text = `<!doctype html>${root.text}${head.text}<style>${styles}</style></head>${body.text}</html>`;
  return new Response(text, {
    status,
    headers: { ...linkHeaders, 'content-type': 'text/html; charset=utf-8', ...headers },
  });
}

/** Base64 as content security policies use it: with padding, and not URL-safe. */
function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
