import type { OpenApiPart, Operation, Path } from '../../../flow/plugin/open-api.ts';
import { refusalsOf } from './refusals.ts';
import { tagOf } from './tags.ts';

/** The paths of these parts, each operation with its tag and its refusals. */
export function pathsOf(parts: readonly OpenApiPart[]): Readonly<Record<string, Path>> {
  const paths: Record<string, Path> = {};
  for (const part of parts) {
    for (const [path, { parameters, ...operations }] of Object.entries(part.paths)) {
      const described = Object.entries(operations).map(([method, operation]) => [
        method,
        withTagAndRefusals(path, operation, part),
      ]);
      paths[path] = { ...paths[path], parameters, ...Object.fromEntries(described) };
    }
  }
  return paths;
}

function withTagAndRefusals(path: string, operation: Operation, part: OpenApiPart): Operation {
  const { refusals: _codes, ...described } = operation;
  const responses = { ...operation.responses, ...refusalsOf(path, operation, part.errorSchema) };
  return { tags: [part.tag?.name ?? tagOf(path)], ...described, responses };
}
