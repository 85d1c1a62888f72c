/** A piece of a page. Only `html` makes one. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: a text, which is escaped; pieces; or nothing. */
type Hole = string | number | Html | readonly (Html | string)[] | false | undefined;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A piece of a page. Everything in a hole is text, unless it was made by `html` itself. Holes are allowed in content and in
 * quoted attribute values, but not in `<script>`, `<style>`, names of elements or attributes, or addresses.
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
  // A parser would replace a NUL, too, but not in every place.
  return String(hole)
    .replaceAll('\0', '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
}
