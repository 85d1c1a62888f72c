/** The address of the server, and the names under which the client's packages are installed. */
export const [baseURL, ...packages] = process.argv.slice(2);

/** Fails a task unless the client shows this text. */
export function expectText(shown, text) {
  if (String(shown).trim() !== text) throw new Error(`it shows "${shown}", not "${text}"`);
}

/** A task that the client's source prevents: `{ package, file, code }` is the line. */
export class Lacking extends Error {
  constructor(what, source) {
    super(what);
    this.source = source;
  }
}

/**
 * Carries out the tasks one after the other, and prints for each `true`, or why it failed and, if the client prevents it, the
 * code that does. A task that does not end in time has failed.
 */
export async function report(tasks, { seconds = 10, end = async () => {} } = {}) {
  const results = {};
  for (const [name, task] of Object.entries(tasks)) {
    try {
      await Promise.race([task(), late(seconds)]);
      results[name] = { works: true };
    } catch (error) {
      const { message, source } = error;
      results[name] = { works: false, reason: String(message).slice(0, 300), ...(source && { source }) };
    }
  }
  await end();
  process.stdout.write(JSON.stringify(results), () => process.exit(0));
}

function late(seconds) {
  return new Promise((_, reject) => {
    // It keeps the program alive: a client that waits for nothing would end it without a report.
    setTimeout(() => reject(new Error(`nothing came within ${seconds} seconds`)), seconds * 1_000);
  });
}
