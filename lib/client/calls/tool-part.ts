import type { DynamicToolUIPart, ToolUIPart, UIDataTypes, UIMessagePart, UITools } from 'ai';

/** `isToolUIPart` of the SDK, which a page that shows a stored chat has not loaded. */
export function isToolUIPart<Tools extends UITools>(
  part: UIMessagePart<UIDataTypes, Tools>,
): part is ToolUIPart<Tools> | DynamicToolUIPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

/** `getToolName` of the SDK. */
export function getToolName(part: ToolUIPart | DynamicToolUIPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
}
