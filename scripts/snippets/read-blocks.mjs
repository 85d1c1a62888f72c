/**
 * One block of a document, to be compiled.
 *
 * @typedef {{ document: string, path: string, text: string, line: number, before: string, isShown: boolean }} Snippet
 * `path` within the document's own folder; `line`: where the text starts in the document, counted from 1; `before`:
 * what is compiled in front of it
 */

const compiled = new Set(['ts', 'tsx']);

/** Languages that are not compiled. Any other name is an error, because it would bypass the compiler. */
const shown = new Set(
  'text diff sh json jsonc sql nginx caddyfile yaml toml html css http dockerfile svg ini'.split(' '),
);

/**
 * Extracts the blocks of a Markdown document.
 *
 * @param {string} document its path
 * @param {string} text
 * @returns {{ modules: Snippet[], faults: string[] }} `faults` as `path:line: what is wrong`
 */
export function readBlocks(document, text) {
  const lines = text.split('\n');
  const modules = [];
  const faults = [];
  let every = '';
  let before = '';
  for (let index = 0; index < lines.length; index += 1) {
    const fence = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)/.exec(lines[index]);
    const comment = /^\s*<!--\s*ts(?:\s+(\S+))?\s*$/.exec(lines[index]);
    if (!fence && !comment) continue;
    const start = index + 1;
    const isEnd = fence ? closes(fence) : (line) => line.trim() === '-->';
    const length = lines.slice(start).findIndex(isEnd);
    if (length === -1) {
      faults.push(`${document}:${start}: this block is not closed.`);
      break;
    }
    index = start + length;
    const body = lines.slice(start, index);
    const block = { document, line: start + 1, before: '', isShown: false };
    if (comment) {
      const text = body.join('\n');
      if (comment[1] === undefined) before += `${text}\n`;
      else if (comment[1] === 'every') every += `${text}\n`;
      else modules.push({ ...block, path: comment[1], text });
      continue;
    }
    const [, indent, , language] = fence;
    if (compiled.has(language)) {
      const text = body.map((line) => line.slice(Math.min(indent.length, indentOf(line)))).join('\n');
      const path = pathIn(text) ?? `line-${start}.${language}`;
      modules.push({ ...block, path, text, before: every + before, isShown: true });
      before = '';
    } else if (!shown.has(language)) {
      faults.push(
        `${document}:${start}: a block of "${language}" is not checked. Use ts or tsx, ` +
          'and text or diff for code that does not compile.',
      );
    }
  }
  if (before !== '') faults.push(`${document}: a ts comment is not followed by a block.`);
  return { modules, faults: [...faults, ...pathFaults(document, modules)] };
}

function closes([, , mark]) {
  return (line) => line.trim().startsWith(mark) && line.trim().replaceAll(mark[0], '') === '';
}

function indentOf(line) {
  return line.length - line.trimStart().length;
}

/** The path at the start of a block: `// app/flow.ts`. */
function pathIn(text) {
  return /^\/\/ ([\w@./[\]-]+\.tsx?)\b/.exec(text)?.[1];
}

function pathFaults(document, modules) {
  const byPath = Map.groupBy(modules, ({ path }) => path);
  const outside = modules.filter(({ path }) => path.split('/').includes('..'));
  return [
    ...[...byPath]
      .filter(([, same]) => same.length > 1)
      .map(([path, same]) => `${document}:${same[1].line}: there is another block ${path}.`),
    ...outside.map(({ path, line }) => `${document}:${line}: ${path} is outside of the document's folder.`),
  ];
}
