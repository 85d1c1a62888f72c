import { describe, expect, it } from 'vitest';
import { serverFrameSchema } from '../../../lib/plugins/chat-socket/client/schema.ts';
import { createChatSocketProjection } from '../../../lib/plugins/chat-socket/projection.ts';
import { parseChatId } from '../../../lib/protocol/index.ts';
import { project } from '../../../lib/views/reader/projection.ts';
import { goldenText, recordedTurns } from './support/recorded-turns.ts';

const settings = {
  conversationId: parseChatId('chat'),
  maxResultBytes: 20,
  streamsResults: true,
  acceptsApprovals: true,
};
const framesOf = () => recordedTurns().map((events) => project(createChatSocketProjection(settings), events));
const turns = framesOf();

describe('the chat socket’s mapping of a recorded log', () => {
  it('produces the golden frames', async () => {
    await expect(goldenText(turns)).toMatchFileSnapshot('./recorded/chat-socket.ndjson');
  });

  it('starts a call before its outcome, and sends complete last [D10]', () => {
    for (const frames of turns) {
      const place = frames.findIndex(({ type }) => type === 'complete');
      if (place !== -1) expect(place).toBe(frames.length - 1);
      for (const [index, frame] of frames.entries()) {
        if (frame.type !== 'tool_complete') continue;
        const start = frames.findIndex(
          (other) => other.type === 'tool_start' && other.tool_call_id === frame.tool_call_id,
        );
        expect(start).toBeGreaterThanOrEqual(0);
        expect(start).toBeLessThan(index);
      }
    }
  });

  it('fits its schema, shows no secret, and produces the same frames again [D6]', () => {
    for (const frame of turns.flat()) expect(serverFrameSchema.parse(frame)).toEqual(frame);
    expect(JSON.stringify(turns)).not.toMatch(/4111|4222|4333/);
    expect(framesOf()).toEqual(turns);
  });
});
