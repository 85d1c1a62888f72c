import type { UIMessageChunk } from 'ai';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import type { Clock, Principal } from '../../protocol/index.ts';
import type { StreamView } from '../../views/flow-stream.ts';
import type { Projection } from '../../views/reader/projection.ts';
import { createRepeatLimit } from './repeat-limit.ts';
import { shownMessage } from './shown-message.ts';
import { withoutShown } from './without-shown.ts';

type Exchange = { readonly body: unknown; readonly principal: Principal; readonly view: StreamView };

export type RepeatedAnswers = (
  chunks: Projection<UIMessageChunk>,
  exchange: Exchange,
) => Projection<UIMessageChunk>;

/** A replay adds no part twice, and a page that asks again and again is stopped. @source H10 */
export function createRepeatedAnswers(
  { clock = systemClock }: { readonly clock?: Clock },
  entryPoint: 'countersign/sse' | 'countersign/bidi',
): RepeatedAnswers {
  const limit = createRepeatLimit(clock);
  const loopText =
    'These answers were given before, and this page shows the response to them. ' +
    `If it sends them again by itself, pass sendAutomaticallyWhen of ${entryPoint} to useChat.`;
  return (chunks, { body, principal, view }) => {
    const shown = view.replay ? shownMessage(body) : undefined;
    if (!shown) return chunks;
    const page = JSON.stringify([principal.id, view.chat.id]);
    return withoutShown(chunks, { shown, loopText, isLoop: (last) => limit.isLoop(page, last) });
  };
}
