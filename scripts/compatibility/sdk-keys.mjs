import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** Whether a setting of the SDK is a callback. @param {string} key */
export const isCallback = (key) => /^(on|experimental_on)[A-Z]/.test(key);

/**
 * The settings and UI chunk types that the SDK declares. Read from its declarations, so that a new one is noticed.
 *
 * @param {string} declarations the path of its `index.d.ts`
 * @returns {{ settings: string[], callbacks: string[], chunks: string[] }} of `ToolLoopAgent` and `streamText`, in
 * alphabetical order; chunks in the SDK's order
 * @throws Error for a type that this cannot read: a key in it could be missed
 */
export function readSdkKeys(declarations) {
  const types = new Map();
  let streamText;
  for (const statement of parseSync(declarations, readFileSync(declarations, 'utf8')).program.body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type === 'TSTypeAliasDeclaration') types.set(node.id.name, node.typeAnnotation);
    if (node?.type === 'TSDeclareFunction' && node.id.name === 'streamTextInternal') {
      streamText = node.params[0].typeAnnotation.typeAnnotation;
    }
  }
  const agent = types.get('ToolLoopAgentSettings');
  const chunk = types.get('UIMessageChunk');
  if (!agent || !streamText || !chunk) throw new Error(`${declarations} does not declare what is expected.`);
  const keys = [...new Set([...keysOf(agent, types), ...keysOf(streamText, types)])].sort();
  return {
    settings: keys.filter((key) => !isCallback(key)),
    callbacks: keys.filter(isCallback),
    chunks: chunk.types.map((member) => chunkType(member)),
  };
}

/** All keys that a type may have. @returns {string[]} */
function keysOf(type, types) {
  switch (type.type) {
    case 'TSTypeLiteral':
      return type.members.map(({ key }) => key.name ?? key.value);
    case 'TSIntersectionType':
    case 'TSUnionType':
      return type.types.flatMap((member) => keysOf(member, types));
    case 'TSParenthesizedType':
      return keysOf(type.typeAnnotation, types);
    case 'TSConditionalType':
      return [...keysOf(type.trueType, types), ...keysOf(type.falseType, types)];
    case 'TSTypeReference':
      return keysOfNamed(type, types);
    default:
      throw new Error(`A settings type of the SDK has a part of an unknown kind: ${type.type}.`);
  }
}

function keysOfNamed({ typeName: { name }, typeArguments }, types) {
  if (name === 'Omit') {
    const [from, without] = typeArguments.params;
    const omitted = new Set((without.types ?? [without]).map(({ literal }) => literal.value));
    return keysOf(from, types).filter((key) => !omitted.has(key));
  }
  const named = types.get(name);
  if (!named) throw new Error(`The SDK does not declare the type ${name}.`);
  return keysOf(named, types);
}

function chunkType(member) {
  if (member.type === 'TSTypeReference' && member.typeName.name === 'DataUIMessageChunk') return 'data-*';
  const property = member.members?.find(({ key }) => key.name === 'type');
  const value = property?.typeAnnotation.typeAnnotation.literal?.value;
  if (typeof value !== 'string') throw new Error('A member of `UIMessageChunk` has no plain type.');
  return value;
}
