import { builtinEnvironments } from 'vitest/runtime';

// The DOM of `@vitest-environment jsdom`, but with Node's package resolution. Otherwise a server in the same process
// would get the browser build of `ws`, which cannot serve. Import this before React. A process has one: files that share it
// also share React, which keeps its document.
if (!('document' in globalThis)) await builtinEnvironments.jsdom.setup(globalThis, {});
