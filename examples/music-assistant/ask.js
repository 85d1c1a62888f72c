import { ToolEventsClient } from 'countersign/plugins/tool-events/client';

/** `node ask.js calm music by the sea`: one question, with each call and its summary, in the terminal. */
const client = new ToolEventsClient({ url: process.env.URL ?? 'http://127.0.0.1:3000' });
for await (const frame of client.send(process.argv.slice(2).join(' '))) {
  switch (frame.type) {
    case 'text_delta':
      process.stdout.write(frame.content);
      break;
    case 'tool_call_start':
      console.log(`\n> ${frame.toolName} ${JSON.stringify(frame.input)}`);
      break;
    case 'tool_call_end':
      console.log(`< ${frame.summary}`);
      break;
    case 'tool_call_error':
      console.log(`! ${frame.error}`);
      break;
    case 'message_end':
      console.log();
      break;
    case 'error':
      console.error(frame.message);
      process.exitCode = 1;
      break;
    default:
  }
}
