import { dirname, normalize } from 'node:path';

/**
 * Deletes what documents say of a plugin: sections whose code imports it, clauses without a test, and links to what is gone. A page
 * whose introduction imports it goes, and one in which all plugins are this one.
 *
 * @param {ReadonlyMap<string, string>} documents by path
 * @param {{ name: string, files: ReadonlySet<string>, clauses: ReadonlySet<string> }} gone the plugin, all files that go, and ids of
 * clauses
 * @returns {{ removed: string[], changed: Map<string, string> }}
 */
export function cutDocuments(documents, { name, files, clauses }) {
  const goneFiles = new Set(files);
  const goneTargets = new Set();
  const rest = new Map();
  for (const [file, text] of documents) {
    const cut = goneFiles.has(file) ? undefined : withoutSections(text, name);
    if (cut === undefined) goneFiles.add(file);
    else rest.set(file, withoutClauses(cut.text, clauses));
    for (const heading of cut?.headings ?? []) goneTargets.add(`${file}#${anchorOf(heading)}`);
  }
  const isGone = (/** @type {string} */ from, /** @type {string} */ href) => {
    const [path = '', anchor] = href.split('#');
    const file = path === '' ? from : normalize(`${dirname(from)}/${path}`);
    return goneFiles.has(file) || goneTargets.has(`${file}#${anchor}`);
  };
  const unlinked = [...rest].map(([file, text]) => {
    return /** @type {const} */ ([file, withoutLinks(text, (href) => isGone(file, href))]);
  });
  return {
    removed: [...goneFiles].filter((file) => documents.has(file)),
    changed: new Map(unlinked.filter(([file, text]) => text !== documents.get(file))),
  };
}

/** @returns the text, and the headings that went; `undefined` if the page goes */
function withoutSections(/** @type {string} */ text, /** @type {string} */ name) {
  const importing = new RegExp(`from 'countersign/plugins/${name}['/]`);
  const plugins = new Set(
    // Not in a diff, which is about more than it imports.
    [...text.matchAll(/^(?:import|[}]).* from 'countersign\/plugins\/([\w-]+)/gm)].map(([, other]) => other),
  );
  if (plugins.size === 1 && plugins.has(name)) return undefined;
  const lines = text.split('\n');
  const levels = headingLevels(lines);
  const isCut = lines.map(() => false);
  for (const [index, line] of lines.entries()) {
    if (isCut[index] || !importing.test(line)) continue;
    const start = levels.findLastIndex((level, at) => at < index && level !== undefined);
    const level = levels[start] ?? 1;
    if (level < 2) return undefined;
    const end = levels.findIndex((other, at) => at > start && other !== undefined && other <= level);
    isCut.fill(true, start, end === -1 ? lines.length : end);
  }
  return {
    text: lines.filter((_, index) => !isCut[index]).join('\n'),
    headings: lines.filter((_, index) => isCut[index] && levels[index] !== undefined),
  };
}

/** @returns {(number | undefined)[]} by line */
function headingLevels(/** @type {string[]} */ lines) {
  let isCode = false;
  return lines.map((line) => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    return isCode ? undefined : /^(#+) /.exec(line)?.[1]?.length;
  });
}

function withoutClauses(/** @type {string} */ text, /** @type {ReadonlySet<string>} */ clauses) {
  return text.replaceAll(/^- \*\*(\d{4}\.\d+)\*\*.*\n(?: .*\n)*/gm, (item, id) =>
    clauses.has(id) ? '' : item,
  );
}

/** Without the rows and items that begin with such a link, and without ` ([guide](...))`. Other links become text. */
function withoutLinks(/** @type {string} */ text, /** @type {(href: string) => boolean} */ isGone) {
  const link = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
  return text
    .replaceAll(/^(?:\| |- )\[[^\]]*\]\(([^)\s]+)\).*\n(?: .*\n)*/gm, (row, href) =>
      isGone(href) ? '' : row,
    )
    .replaceAll(/ \(\[[^\]]*\]\(([^)\s]+)\)\)/g, (whole, href) => (isGone(href) ? '' : whole))
    .replaceAll(link, (whole, label, href) => (isGone(href) ? label : whole));
}

/** As GitHub makes it. */
function anchorOf(/** @type {string} */ heading) {
  const text = heading.replace(/^#+ /, '').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

/**
 * Code without references to decisions, clauses and requirements that are gone: in `@source` and in titles.
 *
 * @param {string} text
 * @param {ReadonlySet<string>} gone such as `0047`, `0056.16` and `D2`
 */
export function withoutReferences(text, gone) {
  const isGone = (/** @type {string} */ item) => {
    const id = /^(?:ADR )?(\d{4}(?:[.]\d+)?|[A-Z]\d+)(?:-[A-Z]\d+)?$/.exec(item.trim())?.[1];
    return id !== undefined && (gone.has(id) || (/^\d{4}/.test(id) && gone.has(id.slice(0, 4))));
  };
  const rest = (/** @type {string} */ list) =>
    list
      .split(',')
      .filter((item) => !isGone(item))
      .join(',')
      .trim();
  return text
    .replaceAll(/(\n *\*)? @source ((?:ADR )?[\w. ,-]+?)(?= *(?:\*\/|\n))/g, (_, line = '', list) => {
      const kept = rest(list);
      return kept === '' ? '' : `${line} @source ${kept}`;
    })
    .replaceAll(/ \[((?:ADR )?\d{4}[\w. ,-]*|[A-Z][\d-][\w. ,-]*)\](?=['`"])/g, (_, list) => {
      const kept = rest(list);
      return kept === '' ? '' : ` [${kept}]`;
    });
}
