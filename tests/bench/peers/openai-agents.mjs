import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent, Runner, RunState, tool, Usage } from '@openai/agents';
import { z } from 'zod';
import { nextReply, wordsFor } from '../support/payment-script.ts';

/**
 * OpenAI Agents: the run state is saved as text once a run stops, as its pages on people in the loop tell, and read
 * again for the next answer. Runs do not stream: the cheaper of its two ways.
 *
 * @type {import('../support/contestant.ts').OpenContestant}
 */
export async function openAgents({ folder, till }) {
  const db = new DatabaseSync(join(folder, 'agents.sqlite'));
  db.exec('pragma journal_mode=wal; pragma synchronous=full');
  db.exec('create table if not exists runs (id text primary key, state text not null) strict');
  const save = db.prepare(
    'insert into runs values (?, ?) on conflict (id) do update set state = excluded.state',
  );
  const load = db.prepare('select state from runs where id = ?');
  const agent = new Agent({
    name: 'Payer',
    model,
    tools: [
      tool({
        name: 'pay',
        description: 'Pays somebody.',
        parameters: z.object({ recipient: z.string() }),
        needsApproval: true,
        execute: ({ recipient }) => till.pay(recipient),
      }),
    ],
  });
  const runner = new Runner({ tracingDisabled: true });

  return {
    chat(id) {
      const run = async (input) => {
        const result = await runner.run(agent, input);
        save.run(id, result.state.toString());
        return result.interruptions.map((item) => item.rawItem.callId);
      };
      return {
        begin: (task) => run(wordsFor(task, id)),
        answer: async (question) => {
          const state = await RunState.fromString(agent, load.get(id).state);
          const item = state.getInterruptions().find((found) => found.rawItem.callId === question);
          if (item) state.approve(item);
          return run(state);
        },
      };
    },
    async close() {
      db.close();
    },
  };
}

/** The bench's model as OpenAI Agents sees it. */
const model = {
  async getResponse({ input }) {
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    const said = items.findLastIndex((item) => item.role === 'user');
    const results = items.slice(said).filter((item) => item.type === 'function_call_result').length;
    const { text, calls } = nextReply(wordsIn(items[said].content), results);
    const message = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    };
    const requests = calls.map((call) => ({
      type: 'function_call',
      callId: call.id,
      name: 'pay',
      status: 'completed',
      arguments: JSON.stringify({ recipient: call.recipient }),
    }));
    return { usage: new Usage(), output: [message, ...requests] };
  },
};

function wordsIn(content) {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}
