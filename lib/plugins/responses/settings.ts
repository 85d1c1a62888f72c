import type { CallSettings } from './events/call-items.ts';

/** Settings of `responses`. */
export type ResponsesSettings = {
  /**
   * How function tools that the server executes are shown, unless a request says otherwise by
   * `metadata.server_tools`. Default `function_call`; `@ai-sdk/openai` needs `mcp_call`. @source C7
   */
  readonly serverTools?: CallSettings['serverTools'];
  /** The server name of `mcp_call` items. Default `countersign`. */
  readonly serverLabel?: string;
  /** The model's name in responses to requests that name none. Default `countersign`. */
  readonly model?: string;
  /** Model calls of one turn, over all its answers; past it, `response.incomplete`. Default 10. @source C11 */
  readonly maxTurns?: number;
};
