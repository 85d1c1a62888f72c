import type { StreamTextTransform, TextStreamPart, ToolSet } from 'ai';
import { canonicalJson, toJson } from '../../protocol/index.ts';
import { isCallPart } from './step-content.ts';

type Part = TextStreamPart<ToolSet>;

/** Keeps the author's transforms from altering calls, which would then run without the gate. @source ADR 0029 */
export function createGatedParts() {
  const gated: Part[] = [];
  return {
    /** Comes before the author's transforms. */
    keep: (() =>
      new TransformStream<Part, Part>({
        transform(part, controller) {
          if (isCallPart(part)) gated.push(part);
          controller.enqueue(part);
        },
      })) satisfies StreamTextTransform<ToolSet>,

    /** @throws Error if `passed` differs from what the gate decided about */
    check(passed: readonly Part[]): void {
      const isSame =
        passed.length === gated.length && passed.every((part, index) => same(part, gated[index]));
      if (!isSame)
        throw new Error('`experimental_transform` must pass on the parts of tool calls unchanged.');
    },
  };
}

export type GatedParts = ReturnType<typeof createGatedParts>;

function same(part: Part, other: Part | undefined): boolean {
  return part === other || canonicalJson(toJson(part)) === canonicalJson(toJson(other));
}
