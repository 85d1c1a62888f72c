import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';

// A program that waits in vain ends.
setTimeout(() => process.exit(1), 60_000).unref();

/** What a page without code of ours passes to its chat. The first argument of the program is the server's address. */
export const settings = {
  transport: new DefaultChatTransport({ api: `${process.argv[2]}/api/chat` }),
  sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
};

/** Resolves with what `read` returns, once that is something. */
export async function until(read) {
  for (;;) {
    const found = read();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Approves the first question and denies the second, in a `Chat` of the SDK, and prints its messages. */
export async function answerTwice(chat) {
  await chat.sendMessage({ text: 'Pay.' });
  const parts = () => chat.messages.at(-1).parts;
  for (const approved of [true, false]) {
    const part = await until(() => parts().find(({ state }) => state === 'approval-requested'));
    await until(() => chat.status === 'ready');
    await chat.addToolApprovalResponse({ id: part.approval.id, approved });
  }
  await until(() => chat.status === 'ready' && parts().find(({ type }) => type === 'text'));
  print(parts());
}

/** Prints the parts of the assistant's message, and ends the program: connections that are kept alive would delay its end. */
export function print(parts) {
  process.stdout.write(JSON.stringify(parts), () => process.exit(0));
}
