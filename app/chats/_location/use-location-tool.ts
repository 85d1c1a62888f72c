'use client';

import { getToolName, isToolUIPart } from 'ai';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ChatMessage, ToolPart } from '../_messages/chat-message.ts';
import type { LocationOutcome } from './read-location.ts';
import { readLocation } from './read-location.ts';

const toolName = 'get_location';

/**
 * Executes `get_location` in this browser once it may run: approved here, approved elsewhere, or found
 * approved after a reload. Each call runs at most once a page; the server takes one output only (T13).
 *
 * @param ready whether no response is under way; an output given during one would wait for its end
 * @param settle called once with the outcome
 */
export function useLocationTool(
  messages: readonly ChatMessage[],
  ready: boolean,
  settle: (toolCallId: string, outcome: LocationOutcome) => void,
): void {
  const begun = useRef(new Set<string>());
  const onOutcome = useEffectEvent(settle);
  const toolCallId = ready ? waitingCallOf(messages)?.toolCallId : undefined;

  useEffect(() => {
    if (toolCallId === undefined || begun.current.has(toolCallId)) return;
    begun.current.add(toolCallId);
    void readLocation().then((outcome) => onOutcome(toolCallId, outcome));
  }, [toolCallId]);
}

/** The location call of the last message that waits for this browser. */
export function waitingCallOf(messages: readonly ChatMessage[]): ToolPart | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return undefined;
  return last.parts.filter(isToolUIPart).find((part) => {
    if (getToolName(part) !== toolName || part.providerExecuted === true) return false;
    return (
      part.state === 'input-available' || (part.state === 'approval-responded' && part.approval.approved)
    );
  });
}
