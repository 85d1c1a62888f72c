import type { ImportRequest, ImportResult } from './import-request.ts';

/** Chats of other apps. */
export type ImportMethods = {
  /**
   * Imports an existing chat: `UIMessage`s that an app with the SDK alone has stored, with parts in any
   * state. Imported calls are marked, and never run. An approval that is open in the last message is asked
   * again, as a new call, and only that call can run. Importing the same messages again has no effect.
   *
   * This method checks no rights and trusts the messages. It is for operators: do not expose it to users. A
   * chat that was erased here stays erased: its messages can only be imported under a new id.
   *
   * @throws CountersignError `invalid-request` for invalid messages, with the message and the part, if the chat exists
   * with other content, and if a chat with this id was erased; `payload-too-large`
   * @source ADR 0036
   */
  chat(request: ImportRequest): Promise<ImportResult>;
};
