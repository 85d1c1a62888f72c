import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Writes out the types that a module's declarations infer from its Zod schemas, so that an app's compiler needs not infer them. A schema
 * that only these types use is then left out of the package.
 *
 * @param {string} code declarations of one module, by the compiler
 * @param {Readonly<Record<'Immutable' | 'JsonValue', string>>} modules where these types are declared, as the module imports them
 * @returns {string} the same types; one is left as it is if its schema has a part that is not known here
 * @source ADR 0057.8
 */
export function withPlainTypes(code, modules) {
  const { program } = parseSync('module.d.ts', code, { lang: 'dts' });
  const declarations = program.body.map((node) =>
    node.type === 'ExportNamedDeclaration' ? (node.declaration ?? node) : node,
  );
  /** @type {Map<string, Type>} */
  const schemas = new Map();
  for (const { type, declarations: [constant] = [] } of declarations) {
    const declared = type === 'VariableDeclaration' && constant.id.typeAnnotation?.typeAnnotation;
    if (declared) schemas.set(constant.id.name, declared);
  }
  const used = new Set();
  const edits = declarations.flatMap(({ type, typeAnnotation, typeParameters }) => {
    if (type !== 'TSTypeAliasDeclaration' || typeParameters) return [];
    return inferredIn(typeAnnotation).flatMap(({ node, schema, kind }) => {
      const found = schemas.get(schema);
      const needs = new Set();
      const text = found && writer(code, kind, needs)(found);
      if (text === undefined) return [];
      for (const name of needs) used.add(name);
      return { start: node.start, end: node.end, text };
    });
  });
  let result = code;
  for (const { start, end, text } of edits.toReversed()) {
    result = result.slice(0, start) + text + result.slice(end);
  }
  const imports = [...used].map(
    (name) => `import type { ${name} as ${own(name)} } from '${modules[name]}';\n`,
  );
  return imports.join('') + result;
}

/**
 * Does so with the declarations of all modules of lib/.
 *
 * @param {string} folder
 * @returns {string[]} the files that changed, as paths in the folder
 * @source ADR 0057.8
 */
export function writePlainTypes(folder) {
  return globSync('**/*.d.ts', { cwd: folder }).filter((file) => {
    const from = (module) => posix.relative(posix.dirname(file), module).replace(/^(?!\.)/, './');
    const code = readFileSync(join(folder, file), 'utf8');
    const plain = withPlainTypes(code, {
      Immutable: from('protocol/wire/wire-object.ts'),
      JsonValue: from('protocol/json.ts'),
    });
    if (plain !== code) writeFileSync(join(folder, file), plain);
    return plain !== code;
  });
}

/** A name that no module has. */
const own = (name) => `${name}OfSchema`;

/** How the types of a schema are derived: as parsed, read-only, or as a value in code. @typedef {'parsed' | 'wire' | 'code'} Kind */

/** @returns {{ node: Type, schema: string, kind: Kind }[]} the outermost types that are inferred from one constant */
function inferredIn(node) {
  const [argument] = node.typeArguments?.params ?? [];
  const name = nameOf(node);
  if (argument?.type === 'TSTypeQuery' && argument.exprName.type === 'Identifier') {
    const schema = argument.exprName.name;
    if (name === 'infer') return [{ node, schema, kind: 'parsed' }];
    if (name === 'WireObject') return [{ node, schema, kind: 'wire' }];
    if (name === 'Decoded' || name === 'DecodedFields') return [{ node, schema, kind: 'code' }];
  }
  if (name === 'Immutable' && argument !== undefined) {
    const [inner] = inferredIn(argument);
    if (inner?.node === argument && inner.kind === 'parsed') return [{ ...inner, node, kind: 'wire' }];
  }
  if (node.type === 'TSIndexedAccessType') return inferredIn(node.objectType);
  return (node.typeArguments?.params ?? []).flatMap(inferredIn);
}

/** @param {Type} node @returns {string | undefined} `ZodString` of `z.ZodString` and of `import("zod").ZodString` */
function nameOf(node) {
  const name = node.type === 'TSImportType' ? node.qualifier : node.typeName;
  return name?.type === 'TSQualifiedName' ? name.right.name : name?.name;
}

const simple = {
  ...{ ZodString: 'string', ZodURL: 'string', ZodUUID: 'string', ZodISODateTime: 'string' },
  ...{ ZodNumber: 'number', ZodInt: 'number', ZodBoolean: 'boolean', ZodNull: 'null', ZodNever: 'never' },
  ZodUnknown: 'unknown',
};

/**
 * @param {string} code
 * @param {Kind} kind
 * @param {Set<string>} needs gets the names of types to import
 * @returns {(node: Type) => string | undefined} the type of a schema; `undefined` if it has an unknown part
 */
function writer(code, kind, needs) {
  const textOf = ({ start, end }) => code.slice(start, end);
  const readonly = kind === 'parsed' ? '' : 'readonly ';
  const needed = (name) => {
    needs.add(name);
    return own(name);
  };
  /** In code, what is in a union, a record or a nullable is as it was parsed. */
  const parsed = kind === 'code' ? writer(code, 'parsed', needs) : written;
  const all = (nodes, write) => {
    const texts = nodes.map(write);
    return texts.includes(undefined) ? undefined : texts;
  };

  /** @param {Type} node */
  function fields({ members, start, end }) {
    let from = start + 1;
    const texts = all(members, (member) => {
      const type = member.typeAnnotation.typeAnnotation;
      const text = written(type);
      const before = code.slice(from, member.start);
      from = member.end;
      const optional = nameOf(type) === 'ZodOptional' ? '?' : '';
      return text && `${before}${readonly}${textOf(member.key)}${optional}: ${text};`;
    });
    return texts && `{${texts.join('')}${code.slice(from, end)}`;
  }

  /** @param {Type} node @returns {string | undefined} */
  function written(node) {
    if (node.type === 'TSTypeLiteral') return fields(node);
    const name = nameOf(node) ?? '';
    const parts = node.typeArguments?.params ?? [];
    const [first, second] = parts;
    const isUnion = name === 'ZodUnion' || name === 'ZodDiscriminatedUnion';
    if (kind === 'code' && name === 'ZodISODateTime') return 'number';
    if (kind === 'code' && name === 'ZodUnknown') return needed('JsonValue');
    if (simple[name]) return simple[name];
    if (name === 'ZodLiteral' || name === 'ZodTemplateLiteral') return textOf(first);
    if (name === 'ZodEnum')
      return first.members.map((member) => textOf(member.typeAnnotation.typeAnnotation)).join(' | ');
    if (name === 'ZodObject' && nameOf(second) === '$strip') return fields(first);
    if (name === 'ZodOptional' || name === 'ZodNullable') {
      const inner = (name === 'ZodOptional' ? written : parsed)(first);
      return inner && `${inner} | ${name === 'ZodOptional' ? 'undefined' : 'null'}`;
    }
    if (name === 'ZodArray') {
      const item = written(first);
      return item && `${readonly}(${item})[]`;
    }
    if (isUnion) {
      const list = first.type === 'TSTypeOperator' ? first.typeAnnotation : first;
      const write = name === 'ZodUnion' ? parsed : written;
      return all(list.elementTypes, write)?.join(' | ');
    }
    if (name === 'ZodRecord' && nameOf(first) === 'ZodString') {
      const value = parsed(second);
      return value && `{ ${kind === 'wire' ? 'readonly ' : ''}[x: string]: ${value} }`;
    }
    if (name === 'ZodType')
      return kind === 'wire' ? `${needed('Immutable')}<${textOf(first)}>` : textOf(first);
    if (name === 'ZodPipe' && nameOf(second) === 'ZodTransform')
      return textOf(second.typeArguments.params[0]);
    return undefined;
  }
  return written;
}

/** @typedef {any} Type a node of the syntax tree that stands for a type */
