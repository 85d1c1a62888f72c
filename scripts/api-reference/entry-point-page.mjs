import { existsSync, readdirSync } from 'node:fs';
import { readRequirements } from '../protocol-tests/requirements.mjs';
import { firstSentence, readDocstring } from './docstring.mjs';
import { innerTitle, layoutOf } from './layout.mjs';

const requirements = new Map(
  readRequirements('docs/protocol').flatMap(({ page, ids }) => ids.map((id) => [id, page])),
);

/** Longer declarations are shortened, such as schemas whose types the compiler prints in full. */
const longestDeclaration = 90;

const aboutInner = 'They occur in the declarations above. Their shape is stable, their name is not.';

/**
 * The page of one entry point, in Markdown.
 *
 * @param {import('./entry-points.mjs').EntryPoint} entryPoint
 * @param {readonly import('./entry-points.mjs').EntryPoint[]} entryPoints all entry points, for links
 * @returns {string}
 */
export function entryPointPage(entryPoint, entryPoints) {
  const { groups, anchors } = layoutOf(entryPoint);
  const places = placesOf(entryPoint, entryPoints);
  const lines = [
    `# ${entryPoint.name}`,
    entryPoint.about,
    'Generated from the docstrings by `npm run docs:api`. [All entry points](README.md)',
    ...aliasLines(entryPoint, entryPoints),
  ];
  const exported = groups.filter(({ title }) => title !== innerTitle).flatMap(({ entries }) => entries);
  if (exported.length > 0) lines.push(overview(exported, anchors));
  for (const { title, entries } of groups) {
    lines.push(`## ${title}`);
    if (title === innerTitle) lines.push(aboutInner);
    lines.push(...entries.flatMap((entry) => section(entry, places)));
  }
  return `${lines.join('\n\n')}\n`;
}

/** Where each type is described, relative to this page. This page takes precedence. */
function placesOf(entryPoint, entryPoints) {
  const places = new Map();
  for (const owner of [entryPoint, ...entryPoints.filter((other) => other !== entryPoint)]) {
    const page = owner === entryPoint ? '' : owner.page;
    const { anchors } = layoutOf(owner);
    for (const [entry, anchor] of anchors) {
      const { name, declarations } = entry;
      const { kind } = declarations[0];
      const isType = kind === 'class' || kind === 'type' || owner.inner.includes(entry);
      const isElsewhere = owner !== entryPoint && owner.inner.some((entry) => entry.name === name);
      if (isType && !isElsewhere && !places.has(name)) places.set(name, `${page}#${anchor}`);
    }
  }
  return places;
}

function aliasLines(entryPoint, entryPoints) {
  const byEntryPoint = Map.groupBy(entryPoint.aliases, ([, file]) => file);
  return [...byEntryPoint].map(([file, names]) => {
    const owner = entryPoints.find((other) => other.file === file);
    const list = names.map(([name]) => `\`${name}\``).join(', ');
    return `It also exports the following from [${owner.name}](${owner.page}): ${list}.`;
  });
}

function overview(entries, anchors) {
  const rows = entries.map((entry) => {
    const { text } = readDocstring(documented(entry.declarations).comment);
    return `| [\`${entry.name}\`](#${anchors.get(entry)}) | ${firstSentence(text).replaceAll('|', '\\|')} |`;
  });
  return ['| export | |', '|---|---|', ...rows].join('\n');
}

function section({ name, declarations }, places) {
  const { text, param, returns, throws, see, example, source } = readDocstring(
    documented(declarations).comment,
  );
  const block = declarations.map(declarationText).join('\n');
  return [
    `### ${name}`,
    ...(text === '' ? [] : [text]),
    `\`\`\`typescript\n${block}\n\`\`\``,
    ...list('Parameters', param.map(parameter)),
    ...told('Returns', returns),
    ...told('Throws', throws.map(thrown)),
    ...example.map((code) => `Example: \`${code}\``),
    ...told('See', see),
    facts(name, declarations, source, places).join(' · '),
  ];
}

function facts(name, declarations, source, places) {
  const types = new Set(declarations.flatMap(({ types }) => [...types.keys()]));
  const links = [...types]
    .filter((type) => type !== name && places.has(type))
    .map((type) => `[\`${type}\`](${places.get(type)})`);
  const linked = source.map(linkSources);
  const [{ file }] = declarations;
  const path = ['ts', 'tsx'].map((ending) => `lib/${file}.${ending}`).find((path) => existsSync(path));
  return [
    ...(links.length === 0 ? [] : [`Types: ${links.join(', ')}`]),
    ...(linked.length === 0 ? [] : [`Source: ${linked.join(', ')}`]),
    `Defined in [${path}](../../${path})`,
  ];
}

/** The overload with the docstring. */
function documented(declarations) {
  return declarations.find(({ comment }) => comment !== '') ?? declarations[0];
}

function declarationText({ text }) {
  const lines = text
    .replace(/^export (declare )?/, '')
    .replace(/^declare /, '')
    .replaceAll(/import\("[^"]+"\)\./g, '')
    .split('\n')
    .map((line) => line.replace(/^( {4})+/, (indent) => ' '.repeat(indent.length / 2)));
  if (lines.length <= longestDeclaration) return lines.join('\n');
  const rest = lines.length - longestDeclaration;
  return [...lines.slice(0, longestDeclaration), `// … ${rest} more lines`].join('\n');
}

function parameter(text) {
  const [name = '', ...words] = text.split(/\s+/);
  return words.length === 0 ? `\`${name}\`` : `\`${name}\`: ${words.join(' ')}`;
}

function thrown(text) {
  return text.replace(/^(\w*Error)\b/, '`$1`').replaceAll(/\s*\n\s*/g, ' ');
}

function list(title, items) {
  return items.length === 0 ? [] : [`${title}:`, items.map((item) => `- ${item}`).join('\n')];
}

function told(title, texts) {
  return texts.map((text) => `${title}: ${text.replaceAll(/\s*\n\s*/g, ' ')}`);
}

/** Links decisions (`ADR 0004`) and requirements (`T3`) that exist. */
function linkSources(text) {
  return text
    .replaceAll(/ADR (\d{4})(\.\d+)?/g, (words, number) => {
      const file = readdirSync('docs/adr').find((name) => name.startsWith(number));
      return file === undefined ? words : `[${words}](../adr/${file})`;
    })
    .replaceAll(/(?<![\w/])(?:[A-Z]\d{1,2}|H-[A-Z][a-z]+)\b(?!\])/g, (id) => {
      const page = requirements.get(id);
      return page === undefined ? id : `[${id}](../protocol/${page}#${id.toLowerCase()})`;
    });
}
