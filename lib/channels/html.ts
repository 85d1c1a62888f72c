/** A piece of HTML that is already escaped. Only `html` creates one. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values that a template accepts: text, which is escaped; pieces of HTML; or nothing. */
type Hole = string | number | Html | readonly (Html | string)[] | false | undefined;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Makes a piece of HTML. Values are escaped, unless `html` created them. Use values only in content and in quoted attribute values,
 * never in `<script>`, `<style>`, or names of elements or attributes. In an attribute with an address, use only addresses from the
 * settings and of the link itself.
 *
 * @example html`<p title="${title}">${text}</p>`
 */
export function html(literals: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  return new Html(literals.map((literal, index) => `${literal}${written(holes[index])}`).join(''));
}

function written(hole: Hole): string {
  if (hole === undefined || hole === false) return '';
  if (hole instanceof Html) return hole.text;
  if (typeof hole === 'object') return hole.map(written).join('');
  // HTML parsers do not replace NUL everywhere.
  return String(hole)
    .replaceAll('\0', '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
}
