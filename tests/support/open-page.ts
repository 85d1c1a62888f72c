import './dom.ts';
import { useChat } from '@ai-sdk/react';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { chatDriver } from 'countersign/testing';
import { onTestFinished } from 'vitest';

/** Opens a page with a chat. It is closed at the end of the test, or by `leave`. */
export const openPage: ReturnType<typeof chatDriver> = (settings) => {
  onTestFinished(cleanup);
  return chatDriver({ useChat, renderHook, waitFor, act })(settings);
};
