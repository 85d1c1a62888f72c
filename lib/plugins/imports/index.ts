import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { importChat } from './import-chat.ts';
import type { ImportMethods } from './methods.ts';

export type { ImportRequest, ImportResult } from './import-request.ts';
export type { ImportMethods } from './methods.ts';

/**
 * Imports chats of other apps. Imported chats can be read and continued without it.
 *
 * @example createApprovalFlow({ store, model, tools, plugins: [imports()] })
 * @source ADR 0036
 */
export function imports(): FlowPlugin<'imports', ImportMethods> {
  return {
    name: 'imports',
    setUp: (kernel) => ({ methods: { chat: (request) => importChat(kernel, request) } }),
  };
}
