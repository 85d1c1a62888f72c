import { builtinEnvironments } from 'vitest/runtime';

// The DOM of `@vitest-environment jsdom`, but packages still resolve as Node does: a server in the same process would
// otherwise get the browser's build of its WebSockets, which cannot serve. Import this before anything of React.
await builtinEnvironments.jsdom.setup(globalThis, {});
