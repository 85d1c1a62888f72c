import { JSDOM } from 'jsdom';
import { print, settings, until } from './drive.mjs';

const { window } = new JSDOM('<main></main>', { url: 'http://localhost' });
Object.assign(globalThis, { window, document: window.document });
const { createElement } = await import('react');
const { createRoot } = await import('react-dom/client');
const { AssistantRuntimeProvider } = await import('@assistant-ui/react');
const { useChatRuntime } = await import('@assistant-ui/react-ai-sdk');

let thread;
function App() {
  const runtime = useChatRuntime(settings);
  thread = runtime.thread;
  return createElement(AssistantRuntimeProvider, { runtime });
}
createRoot(document.querySelector('main')).render(createElement(App));
await until(() => thread);

/** The last message, and its content. */
const last = () => thread.getState().messages.at(-1);
const content = () => last()?.content ?? [];
const answered = new Set();
const isNew = ({ approval }) => approval !== undefined && !answered.has(approval.id);

await until(() => !thread.getState().isLoading);
thread.append('Pay.');
for (const approved of [true, false]) {
  const { toolCallId, approval } = await until(() => !thread.getState().isRunning && content().find(isNew));
  answered.add(approval.id);
  const message = thread.getMessageByIndex(thread.getState().messages.length - 1);
  await message.getMessagePartByToolCallId(toolCallId).respondToToolApproval({ approved });
}
await until(() => !thread.getState().isRunning && content().find(({ type }) => type === 'text'));
print(content());
