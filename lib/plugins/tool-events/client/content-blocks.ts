import type { ContentBlock, ToolEvent } from './schema.ts';

/**
 * A message as it is stored: the stream's frames as content blocks, in stream order. From these alone a reload
 * rebuilds what a live reader saw.
 *
 * @source A20, A21
 */
export function contentBlocks(frames: Iterable<ToolEvent>): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const frame of frames) {
    switch (frame.type) {
      case 'text_delta': {
        const last = blocks.at(-1);
        if (last?.type === 'text')
          blocks[blocks.length - 1] = { type: 'text', text: last.text + frame.content };
        else blocks.push({ type: 'text', text: frame.content });
        break;
      }
      case 'tool_call_start':
        blocks.push({ type: 'tool_use', id: frame.toolCallId, name: frame.toolName, input: frame.input });
        break;
      case 'tool_call_end': {
        const { type: _type, toolCallId, ...content } = frame;
        blocks.push({ type: 'tool_result', tool_use_id: toolCallId, content });
        break;
      }
      case 'tool_call_error': {
        const { toolCallId, error, retryable, wasRetried } = frame;
        blocks.push({
          type: 'tool_result',
          tool_use_id: toolCallId,
          content: { error, retryable, wasRetried: wasRetried || undefined },
          is_error: true,
        });
        break;
      }
      default:
    }
  }
  return blocks;
}
