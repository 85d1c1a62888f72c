import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { namedTypes } from './named-types.mjs';

/**
 * One declaration of a module.
 *
 * @typedef {{ name: string, kind: 'function' | 'class' | 'type' | 'value', text: string, comment: string,
 *   types: ReadonlyMap<string, string | undefined>, file: string }} Declaration `text` as the compiler wrote it;
 *   `comment` is the docstring before it, `''` without one; `types`: names of types in it, and the file if inline
 *
 * One module's declarations by name (several for a function with overloads), and where other names come from.
 *
 * @typedef {{ file: string, declarations: ReadonlyMap<string, readonly Declaration[]>,
 *   links: ReadonlyMap<string, { file: string, name: string }>, exports: ReadonlyMap<string, Link>,
 *   stars: readonly string[] }} Module `file` has neither folder nor ending: `sse/client`
 *
 * @typedef {{ file: string, name: string }} Link a name in a module
 */

/**
 * Reads one declaration file. The compiler generates these files, so only a few kinds of statements occur.
 *
 * @param {string} folder of all declarations
 * @param {string} file such as `sse/client`
 * @returns {Module}
 */
export function readModule(folder, file) {
  const path = join(folder, `${file}.d.ts`);
  const source = readFileSync(path, 'utf8');
  const { program, module, comments } = parseSync(path, source, { lang: 'dts', sourceType: 'module' });
  const declarations = new Map();
  for (const statement of program.body) {
    const declared = statement.declaration ?? statement;
    for (const { name, kind } of namesOf(declared)) {
      const comment = comments.findLast(({ end }) => end <= statement.start);
      const isDocstring =
        comment?.value.startsWith('*') && source.slice(comment.end, statement.start).trim() === '';
      const known = declarations.get(name) ?? [];
      declarations.set(name, [
        ...known,
        {
          name,
          kind,
          text: source.slice(statement.start, statement.end),
          comment: isDocstring ? comment.value : '',
          types: namedTypes(declared),
          file,
        },
      ]);
    }
  }
  return { file, declarations, ...linksOf(module, file) };
}

/** The names that a statement declares; none for imports and re-exports. */
function namesOf(declared) {
  switch (declared.type) {
    case 'TSDeclareFunction':
    case 'FunctionDeclaration':
      return [{ name: declared.id.name, kind: 'function' }];
    case 'ClassDeclaration':
      return [{ name: declared.id.name, kind: 'class' }];
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return [{ name: declared.id.name, kind: 'type' }];
    case 'VariableDeclaration':
      return declared.declarations.map(({ id }) => ({ name: id.name, kind: 'value' }));
    default:
      return [];
  }
}

function linksOf(module, file) {
  const links = new Map();
  const exports = new Map();
  const stars = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    for (const { importName, localName } of entries) {
      if (importName.kind !== 'Name') continue;
      const from = fileOf(file, moduleRequest.value);
      if (from !== undefined) links.set(localName.value, { file: from, name: importName.name });
    }
  }
  for (const entry of module.staticExports.flatMap(({ entries }) => entries)) {
    const from = entry.moduleRequest && fileOf(file, entry.moduleRequest.value);
    if (entry.moduleRequest === null) {
      exports.set(entry.exportName.name, { file, name: entry.localName.name });
    } else if (from !== undefined && entry.importName.kind === 'AllButDefault') {
      stars.push(from);
    } else if (from !== undefined) {
      exports.set(entry.exportName.name, { file: from, name: entry.importName.name });
    }
  }
  return { links, exports, stars };
}

/**
 * The module that an import specifier refers to, from the view of a file; `undefined` for other packages.
 *
 * @param {string} file
 * @param {string} request such as `./client.ts`
 */
export function fileOf(file, request) {
  if (!request.startsWith('.')) return undefined;
  return join(dirname(file), request).replace(/(\.d)?\.tsx?$/, '');
}
