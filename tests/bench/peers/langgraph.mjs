import { join } from 'node:path';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';
import { nextReply, wordsFor } from '../support/payment-script.ts';

/**
 * LangGraph.js: a model node, and a tool node that interrupts, once a call. The model is a plain function, so no
 * chat model's cost is counted; answers name their interrupt, the safest form there is.
 *
 * @typedef {import('../support/contestant.ts').OpenContestant} OpenContestant
 */

/** @type {OpenContestant} */
export const openOnSqliteFull = (settings) => openOnSqlite(settings, 'full');

/** @type {OpenContestant} As the checkpointer ships: better-sqlite3 is built with `synchronous=NORMAL` for WAL. */
export const openOnSqliteNormal = (settings) => openOnSqlite(settings, 'normal');

/** @type {OpenContestant} */
export async function openOnPostgres({ connectionString = '', till }) {
  const saver = PostgresSaver.fromConnString(connectionString);
  await saver.setup();
  return contestant(saver, till, () => saver.end());
}

async function openOnSqlite({ folder, till }, synchronous) {
  const db = new Database(join(folder, 'langgraph.sqlite'));
  db.pragma('journal_mode=wal');
  db.pragma(`synchronous=${synchronous}`);
  return contestant(new SqliteSaver(db), till, async () => db.close());
}

function contestant(checkpointer, till, close) {
  const graph = createGraph(till, checkpointer);
  return {
    chat(id) {
      const config = { configurable: { thread_id: id } };
      const run = async (input) => {
        const open = [];
        for await (const update of await graph.stream(input, { ...config, streamMode: 'updates' })) {
          for (const found of update.__interrupt__ ?? []) open.push(found.id);
        }
        return open;
      };
      return {
        begin: (task) => run({ messages: [new HumanMessage(wordsFor(task, id))] }),
        answer: (question) => run(new Command({ resume: { [question]: true } })),
      };
    },
    close,
  };
}

function createGraph(till, checkpointer) {
  const State = Annotation.Root({ ...MessagesAnnotation.spec, call: Annotation() });
  return new StateGraph(State)
    .addNode('model', ({ messages }) => {
      const said = messages.findLastIndex((message) => message.type === 'human');
      const results = messages.slice(said).filter((message) => message.type === 'tool').length;
      const { text, calls } = nextReply(messages[said].content, results);
      const tool_calls = calls.map((call) => ({
        id: call.id,
        name: 'pay',
        args: { recipient: call.recipient },
        type: 'tool_call',
      }));
      return { messages: [new AIMessage({ content: text, tool_calls })] };
    })
    .addNode('pay', async ({ call }) => {
      const approved = interrupt({ call });
      const outcome = approved ? await till.pay(call.args.recipient) : 'denied';
      return { messages: [new ToolMessage({ content: JSON.stringify(outcome), tool_call_id: call.id })] };
    })
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => {
      const calls = messages.at(-1).tool_calls ?? [];
      return calls.length === 0 ? END : calls.map((call) => new Send('pay', { call }));
    })
    .addEdge('pay', 'model')
    .compile({ checkpointer });
}
