import './dom.ts';
import { useChat } from '@ai-sdk/react';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { chatDriver } from 'countersign/testing';
import { onTestFinished } from 'vitest';

/** Opens a page with a chat on it, until the test has finished or it is left. */
export const openPage: ReturnType<typeof chatDriver> = (settings) => {
  onTestFinished(cleanup);
  return chatDriver({ useChat, renderHook, waitFor, act })(settings);
};
