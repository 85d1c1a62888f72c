import type { InferToolInput, InferToolOutput, ToolSet } from 'ai';
import type { ToolInvocation } from './reducer.ts';
import type { ToolEvent } from './schema.ts';

type Start = Extract<ToolEvent, { type: 'tool_call_start' }>;

/** The start of a call, by the tools that are registered: name and input belong together. @source A4 */
export type ToolCallStartOf<Tools extends ToolSet> = {
  [Name in keyof Tools & string]: Omit<Start, 'toolName' | 'input'> & {
    toolName: Name;
    input: InferToolInput<Tools[Name]>;
  };
}[keyof Tools & string];

/** An invocation, by the tools that are registered. @source A4 */
export type ToolInvocationOf<Tools extends ToolSet> = {
  [Name in keyof Tools & string]: Omit<ToolInvocation, 'toolName' | 'input' | 'output'> & {
    readonly toolName: Name;
    readonly input: InferToolInput<Tools[Name]>;
    readonly output?: InferToolOutput<Tools[Name]>;
  };
}[keyof Tools & string];

/** Narrows an invocation to one tool's, so that its input and output have that tool's types. */
export function isInvocationOf<Tools extends ToolSet, Name extends keyof Tools & string>(
  invocation: ToolInvocation,
  name: Name,
): invocation is Extract<ToolInvocationOf<Tools>, { toolName: Name }> & ToolInvocation {
  return invocation.toolName === name;
}
