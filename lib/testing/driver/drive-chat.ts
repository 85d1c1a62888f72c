import type { UIMessage } from 'ai';
import type { DataPart } from './data-parts.ts';
import { draftOf } from './data-parts.ts';
import type { DrivenChat, DrivenChatSettings } from './driven-chat.ts';
import { asSent, describeChat, type Observation } from './observation.ts';
import type { ChatHelpers, ChatSettings, TestingLibrary } from './testing-library.ts';
import { handedOver, isFinal, onlyOne, openQuestions } from './waiting-calls.ts';

/**
 * Drives the real `useChat` under Testing Library like a user, over any transport, to test a backend, a predicate, or
 * both.
 *
 *     import { useChat } from '@ai-sdk/react';
 *     import { act, renderHook, waitFor } from '@testing-library/react';
 *
 *     const openChat = chatDriver({ useChat, renderHook, waitFor, act });
 *     const page = openChat({ transport: createSseTransport({ api }), sendAutomaticallyWhen });
 *     page.send('Pay Alice.');
 *     await page.approve('pay');
 *     const message = await page.waitForFinal();
 *
 * It needs a DOM, as `renderHook` does. `leave` or Testing Library's `cleanup` closes a page.
 */
export function chatDriver(library: TestingLibrary): (settings: DrivenChatSettings) => DrivenChat {
  return ({ timeoutMs = 10_000, ...settings }) => openChat(library, settings, timeoutMs);
}

function openChat(library: TestingLibrary, settings: ChatSettings, timeout: number): DrivenChat {
  const { useChat, renderHook, act, waitFor } = library;
  const data: DataPart[] = [];
  const onData: ChatSettings['onData'] = (part) => {
    data.push(part);
    settings.onData?.(part);
  };
  const page = renderHook(() => useChat({ ...settings, onData }));
  const current = () => page.result.current;

  /** Resolves when the condition is met. */
  async function until<Found>(observe: (chat: ChatHelpers) => Observation<Found>): Promise<Found> {
    let seen = observe(current());
    await waitFor(
      () => {
        seen = observe(current());
        if ('missing' in seen) throw new Error(`${seen.missing} (${describeChat(current())}).`);
      },
      { timeout },
    );
    if ('missing' in seen) throw new Error(seen.missing);
    return seen.found;
  }

  const waitForQuestion = (tool?: string) =>
    until(({ messages }) => onlyOne(openQuestions(messages), tool, 'questions are open'));

  const waitForCall = (tool: string) =>
    until(({ messages }) => onlyOne(handedOver(messages), tool, 'calls wait for the client'));

  async function answer(approved: boolean, tool?: string, reason?: string): Promise<void> {
    const { approvalId = '' } = await waitForQuestion(tool);
    act(() => void current().addToolApprovalResponse({ id: approvalId, approved, reason }));
  }

  return {
    get chat() {
      return current();
    },
    get messages() {
      return asSent(current().messages);
    },
    data,
    send: (text) => void act(() => void current().sendMessage({ text })),
    approve: (tool) => answer(true, tool),
    deny: (tool, reason) => answer(false, tool, reason),
    async output(tool, output) {
      const { toolCallId } = await waitForCall(tool);
      act(() => void current().addToolOutput({ tool, toolCallId, output }));
    },
    waitForQuestion,
    waitForCall,
    waitForFinal: () =>
      until<UIMessage>(({ status, messages }) => {
        const last = asSent(messages).at(-1);
        return last && status === 'ready' && isFinal(messages)
          ? { found: last }
          : { missing: 'The answer is not complete' };
      }),
    waitForText: (text) =>
      until(({ status, messages }) => {
        const parts = messages.at(-1)?.parts ?? [];
        const isThere = parts.some((part) => part.type === 'text' && part.text === text);
        return isThere && status === 'ready' ? { found: undefined } : { missing: `"${text}" is missing` };
      }),
    waitForDraft: (text) =>
      until(() => {
        const draft = draftOf(data);
        return draft.includes(text) ? { found: undefined } : { missing: `The draft is "${draft}"` };
      }),
    waitForStatus: (awaited) =>
      until(({ status }) =>
        status === awaited ? { found: undefined } : { missing: `The chat is not ${awaited}` },
      ),
    leave: () => page.unmount(),
  };
}
