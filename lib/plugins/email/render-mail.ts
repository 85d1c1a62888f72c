import { type Html, html } from '../../channels/html.ts';
import type { EmailWords } from './email-words.ts';
import type { MailContent } from './mail-content.ts';

/** The content as plain text. Texts from people, models and tools are indented, so that they cannot look like a heading or the link. */
export function mailText({ status, sentence, notes, sections, facts, link, footer }: MailContent): string {
  const groups = [
    status && [status],
    indented([sentence]),
    notes.length > 0 && indented(notes),
    ...sections.flatMap(({ heading, lines }) => [[`${heading}:`, ...indented(lines)]]),
    facts.flatMap(({ name, value }) => [`${name}:`, ...indented([value])]),
    link && [`${link.label}:`, link.url],
    footer && [footer],
  ];
  return `${groups.flatMap((group) => (group ? [group.join('\n')] : [])).join('\n\n')}\n`;
}

function indented(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(/\r\n|\r|\n/)).map((line) => `  ${line}`);
}

const body = 'margin:0 auto;padding:16px;max-width:36em;font:16px/1.5 system-ui,sans-serif';
const button =
  'display:inline-block;padding:10px 18px;border:1px solid currentColor;border-radius:8px;font-weight:600;text-decoration:none';
const quiet = 'font-size:14px;opacity:.8';
const value = 'margin:0;white-space:pre-wrap;overflow-wrap:anywhere';

/** The same content as HTML. It loads nothing, runs nothing, and leaves colours to the reader's theme. */
export function mailHtml(content: MailContent, { language, direction }: EmailWords): string {
  const { subject, status, sentence, notes, sections, facts, link, footer } = content;
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${subject}</title>`;
  const parts = [
    status === undefined ? undefined : html`<p><strong><bdi>${status}</bdi></strong></p>`,
    html`<h1 style="font-size:20px;line-height:1.3;white-space:pre-wrap;overflow-wrap:anywhere"><bdi>${sentence}</bdi></h1>`,
    notes.length > 0 ? html`<ul>${notes.map((note) => html`<li><bdi>${note}</bdi></li>`)}</ul>` : undefined,
    link &&
      html`<p style="margin:24px 0"><a href="${link.url}" rel="noreferrer" style="${button}">${link.label}</a></p>`,
    ...sections.map(
      ({ heading, lines }) =>
        html`<h2 style="font-size:16px;margin-bottom:4px">${heading}</h2>${lines.map(paragraph)}`,
    ),
    html`<dl style="${quiet}">${facts.map(({ name, value: text }) => html`<dt><strong>${name}</strong></dt><dd style="${value}"><bdi>${text}</bdi></dd>`)}</dl>`,
    footer === undefined ? undefined : html`<p style="${quiet}">${footer}</p>`,
  ].filter((part) => part !== undefined);
  const page = html`<html lang="${language}" dir="${direction}"><head>${head}</head><body style="${body}">${parts}</body></html>`;
  return `<!doctype html>${page.text}`;
}

function paragraph(line: string): Html {
  return html`<p style="${value}"><bdi>${line}</bdi></p>`;
}
