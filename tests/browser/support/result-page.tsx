import { createRoot } from 'react-dom/client';
import { ToolInvocation } from '../../../lib/plugins/tool-events/react/tool-invocation.tsx';
import { useToolEvents } from '../../../lib/plugins/tool-events/react/use-tool-events.ts';

/** A conversation by tool events, without anything of the reference app. */
function Conversation() {
  const { messages, send, toggle, readOutput } = useToolEvents();
  const invocations = messages.flatMap(({ invocations: own }) => [...(own?.values() ?? [])]);
  return (
    <main>
      <h1>Results</h1>
      <button type="button" onClick={() => send('Go.')}>
        Send
      </button>
      {invocations.map((invocation) => (
        <ToolInvocation
          key={invocation.toolCallId}
          invocation={invocation}
          onToggle={toggle}
          onReadOutput={readOutput}
          renderOutput={(output) => (
            <pre data-length={String(output).length}>{String(output).slice(-20)}</pre>
          )}
        />
      ))}
    </main>
  );
}

createRoot(document.body).render(<Conversation />);
