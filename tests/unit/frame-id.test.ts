import { expect, it } from 'vitest';
import { formatFrameId, parseFrameId } from '../../lib/plugins/two-step-stream/frame-id.ts';
import type { RunId } from '../../lib/protocol/index.ts';

const [mine, other] = ['run_aaaaaaaa' as RunId, 'run_bbbbbbbb' as RunId];
const place = { seq: 12, index: 3, isLast: true };

it.each<[string, string | null, object | undefined]>([
  ['its own id', formatFrameId(mine, place), place],
  ['an id of another stream', formatFrameId(other, place), undefined],
  ['a place without a stream', '12.3', undefined],
  ['no id', null, undefined],
])('a stream takes %s for the place of a frame, or for none [B17]', (_title, value, expected) => {
  expect(parseFrameId(mine, value)).toEqual(expected);
});
