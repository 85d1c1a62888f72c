import type { UIMessageChunk } from 'ai';
import type { FlowEvent, ToolCallId } from '../../protocol/index.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { TurnItem } from '../../views/reader/read-turn.ts';
import { createKnownParts, type KnownParts } from './known-parts.ts';
import type { ShownMessage } from './shown-message.ts';

type RepeatingPage = {
  readonly shown: ShownMessage;
  /** Asked if the page shows everything that is replayed, with the last event of it. */
  readonly isLoop: (last: FlowEvent) => boolean;
  /** The text of the `error` chunk that stops the page. */
  readonly loopText: string;
};

/**
 * A replay of what followed answers that were given before, without the parts that the page shows: the SDK would add them to
 * its message again. If the page has the beginning of a text, the step of this text is sent again. A replay that adds nothing ends
 * with an `error` chunk, if the page would ask again.
 *
 * @source H10, T15
 */
export function withoutShown(
  chunks: Projection<UIMessageChunk>,
  { shown, isLoop, loopText }: RepeatingPage,
): Projection<UIMessageChunk> {
  let asked: ToolCallId | undefined;
  let last: FlowEvent | undefined;
  let parts: KnownParts | undefined;
  let step = createRepeatedStep();
  let isNews = false;

  function begin({ messageId }: TurnItem['turn']): void {
    const place = shown.parts.findIndex(({ toolCallId }) => toolCallId === asked);
    if (asked !== undefined && place !== -1 && shown.id === messageId)
      parts = createKnownParts(shown.parts, place + 1);
    else isNews = true;
  }

  function pass(chunk: UIMessageChunk): readonly UIMessageChunk[] {
    if (!parts) return [chunk];
    // The page drops the whole step, and what it had of it.
    if (chunk.type === 'reset-step' && step.isUsed()) parts = undefined;
    const verdict = parts?.judge(chunk) ?? 'new';
    if (verdict === 'differs' && parts?.isLastStep()) {
      parts = undefined;
      isNews = true;
      return [{ type: 'reset-step' }, ...step.take(), chunk];
    }
    if (chunk.type === 'start-step') step = createRepeatedStep(verdict === 'shown');
    else step.add(chunk);
    if (verdict === 'new') isNews = true;
    if (verdict === 'new') step.use();
    const isHidden = verdict === 'shown' || verdict === 'differs';
    return isHidden || (chunk.type === 'finish-step' && !step.isUsed()) ? [] : [chunk];
  }

  return {
    ...chunks,
    apply(item) {
      if (!item.isInResponse) asked = item.turn.waitsFor?.requested.toolCallId;
      else if (!last) begin(item.turn);
      if (item.isInResponse) last = item.event;
      return chunks.apply(item).flatMap(pass);
    },
    end() {
      const rest = (chunks.end?.() ?? []).flatMap(pass);
      const ends = rest.at(-1)?.type === 'finish';
      if (isNews || !ends || !last || !isLoop(last)) return rest;
      return [...rest.slice(0, -1), { type: 'error', errorText: loopText }];
    },
  };
}

/** The step of a replay that the page has, in case it must be sent again. @param isShown whether the page has its mark */
function createRepeatedStep(isShown = false) {
  let chunks: UIMessageChunk[] = [];
  let isUsed = !isShown;
  return {
    isUsed: () => isUsed,
    use(): void {
      isUsed = true;
    },
    add(chunk: UIMessageChunk): void {
      if (chunk.type === 'reset-step') chunks = [];
      else if (!('transient' in chunk && chunk.transient)) chunks.push(chunk);
    },
    take: () => chunks,
  };
}
