import { existsSync, readdirSync } from 'node:fs';
import { readRequirements } from '../protocol-tests/requirements.mjs';
import { firstSentence, readDocstring } from './docstring.mjs';
import { innerTitle, layoutOf } from './layout.mjs';

/** Longer declarations are cut: schemas whose type the compiler spells out in full. */
const longestDeclaration = 60;

const aboutInner = 'They occur in the declarations above; their shape is part of the API, their name is not.';

/**
 * The page of one door, in Markdown.
 *
 * @param {import('./doors.mjs').Door} door
 * @param {readonly import('./doors.mjs').Door[]} doors all of them, for links
 * @returns {string}
 */
export function doorPage(door, doors) {
  const { groups, anchors } = layoutOf(door);
  const places = placesOf(door, doors);
  const lines = [
    `# ${door.name}`,
    door.about,
    'Generated from the docstrings by `npm run docs:api`. [All doors](README.md)',
    ...aliasLines(door, doors),
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

/** Where each type is described, as seen from this page: here, if it is. */
function placesOf(door, doors) {
  const places = new Map();
  for (const owner of [door, ...doors.filter((other) => other !== door)]) {
    const page = owner === door ? '' : owner.page;
    const { anchors } = layoutOf(owner);
    for (const [{ name, declarations }, anchor] of anchors) {
      const isType = declarations[0].kind !== 'function' && declarations[0].kind !== 'value';
      const isElsewhere = owner !== door && owner.inner.some((entry) => entry.name === name);
      if (isType && !isElsewhere && !places.has(name)) places.set(name, `${page}#${anchor}`);
    }
  }
  return places;
}

function aliasLines(door, doors) {
  const byDoor = Map.groupBy(door.aliases, ([, file]) => file);
  return [...byDoor].map(([file, names]) => {
    const owner = doors.find((other) => other.file === file);
    const list = names.map(([name]) => `\`${name}\``).join(', ');
    return `It also gives what [${owner.name}](${owner.page}) does: ${list}.`;
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

/** The overload that carries the docstring. */
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
  return [...lines.slice(0, longestDeclaration), `// … and ${rest} lines more`].join('\n');
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

const requirements = new Map(
  readRequirements('docs/protocol').flatMap(({ page, ids }) => ids.map((id) => [id, page])),
);

/** Decisions (`ADR 0004`) and requirements (`T3`) become links to where they stand. */
function linkSources(text) {
  return text
    .replaceAll(/ADR (\d{4})(\.\d+)?/g, (words, number) => {
      const file = readdirSync('docs/adr').find((name) => name.startsWith(number));
      return file === undefined ? words : `[${words}](../adr/${file})`;
    })
    .replaceAll(/(?<![\w/-])(?:[A-Z]\d{1,2}|H-[A-Z][a-z]+)\b(?!\])/g, (id) => {
      const page = requirements.get(id);
      return page === undefined ? id : `[${id}](../protocol/${page}#${id.toLowerCase()})`;
    });
}
