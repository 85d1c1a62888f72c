import type { ScriptedStep } from 'countersign/testing';

/** One turn without a question, and its visible effects. */
export type ResponsesScenario = {
  readonly name: string;
  readonly script: readonly ScriptedStep[];
  /** The events about tools, in order, without `response.`. */
  readonly lifecycle: readonly string[];
  /** Types of the items. */
  readonly output: readonly string[];
  readonly text: string;
};

/** Turns that every client must handle, apart from those with questions. @source C12, C18 */
export const responsesScenarios: readonly ResponsesScenario[] = [
  {
    name: 'plain text',
    script: [[{ text: ['Hello', ' there.'] }]],
    lifecycle: [],
    output: ['message'],
    text: 'Hello there.',
  },
  {
    name: 'an MCP tool',
    script: [[{ text: 'Let me see.' }, { call: 'multiply', input: { a: 5, b: 4 } }], [{ text: 'It is 20.' }]],
    lifecycle: ['mcp_call.in_progress', 'mcp_call.completed'],
    output: ['message', 'mcp_call', 'message'],
    text: 'Let me see.It is 20.',
  },
  {
    name: 'a file search',
    script: [[{ call: 'file_search', input: { query: 'start' } }], [{ text: 'Found it.' }]],
    lifecycle: ['file_search_call.in_progress', 'file_search_call.searching', 'file_search_call.completed'],
    output: ['file_search_call', 'message'],
    text: 'Found it.',
  },
  {
    name: 'a web search',
    script: [[{ call: 'web_search', input: { query: 'moon' } }], [{ text: 'It is far.' }]],
    lifecycle: ['web_search_call.in_progress', 'web_search_call.searching', 'web_search_call.completed'],
    output: ['web_search_call', 'message'],
    text: 'It is far.',
  },
  {
    name: 'a function',
    script: [[{ call: 'weather', input: { city: 'Tokyo' } }], [{ text: 'Sunny.' }]],
    lifecycle: ['mcp_call.in_progress', 'mcp_call.completed'],
    output: ['mcp_call', 'message'],
    text: 'Sunny.',
  },
  {
    name: 'a failing tool',
    script: [[{ call: 'broken' }], [{ text: 'It is down.' }]],
    lifecycle: ['mcp_call.in_progress', 'mcp_call.failed'],
    output: ['mcp_call', 'message'],
    text: 'It is down.',
  },
  {
    name: 'a retried tool',
    script: [[{ call: 'flaky' }], [{ text: 'It is well.' }]],
    lifecycle: ['mcp_call.in_progress', 'mcp_call.completed'],
    output: ['mcp_call', 'message'],
    text: 'It is well.',
  },
  {
    name: 'two parallel tools',
    script: [
      [
        { call: 'weather', input: { city: 'Tokyo' } },
        { call: 'multiply', input: { a: 5, b: 4 } },
      ],
      [{ text: 'Sunny, and 20.' }],
    ],
    lifecycle: ['mcp_call.in_progress', 'mcp_call.in_progress', 'mcp_call.completed', 'mcp_call.completed'],
    output: ['mcp_call', 'mcp_call', 'message'],
    text: 'Sunny, and 20.',
  },
  {
    name: 'reasoning',
    script: [[{ reasoning: ['I think', ' so.'] }, { text: 'Yes.' }]],
    lifecycle: [],
    output: ['reasoning', 'message'],
    text: 'Yes.',
  },
];

/** The short name of an event's type in scenarios; `undefined` for events that are not about tools. */
export function lifecycleOf(type: string): string | undefined {
  return /^response\.((?:mcp|file_search|web_search)_call\..+)$/.exec(type)?.[1];
}
