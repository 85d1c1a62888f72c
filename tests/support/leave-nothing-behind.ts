import { afterAll, afterEach, vi } from 'vitest';

// The files of a shared project run in one process and, with jsdom, in one document. This undoes what a file has changed
// and not restored.
const hadDom = 'document' in globalThis;

// What was typed in one test about a question is not the next one's.
afterEach(() => {
  if (hadDom) sessionStorage.clear();
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  // The app's instance, which is closed by now.
  Reflect.deleteProperty(globalThis, Symbol.for('countersign'));
  if ('document' in globalThis && !hadDom) {
    throw new Error(
      'This file makes a DOM in a shared process. Add what it imports to `companyOf` (scripts/test/company-of.mjs).',
    );
  }
  if (!hadDom) return;
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
