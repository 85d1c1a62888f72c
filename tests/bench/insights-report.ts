import { createApprovalFlow } from 'countersign';
import { insights } from 'countersign/plugins/insights';
import { scriptedModel } from 'countersign/testing';
import { parseApprovalId, parseChatId, parseToolCallId, type Question } from '../../lib/protocol/index.ts';
import { appendChat, atOnce, medianOf, openStores, operator, type Reports } from './lists.ts';

const dayMs = 86_400_000;

/** Questions of five tools, three risks and twenty people, spread over 30 days. */
export async function reports(connectionString: string, questions: number): Promise<Reports[]> {
  const rows: Reports[] = [];
  for (const [name, store] of openStores(connectionString)) {
    const flow = createApprovalFlow({
      store,
      model: scriptedModel([]),
      mayOperate: () => true,
      plugins: [insights()],
      sweepMs: 3_600_000,
    });
    for (let first = 0; first < questions; first += atOnce) {
      const chatId = `chat-${first}`;
      const asked = Array.from({ length: atOnce }, (_, index) => questionOf(first + index, chatId));
      await appendChat(store, chatId, asked);
    }
    const report = () => flow.insights.read({ principal: operator });
    const start = performance.now();
    const { all } = await report();
    const countMsEach = (performance.now() - start) / questions;
    if (all.settled !== questions) throw new Error(`${all.settled} of ${questions} questions are counted.`);
    rows.push({ store: name, questions, reportMs: await medianOf(report), countMsEach });
    await flow.close();
    await store.close();
  }
  return rows;
}

/** A question whose facts follow from its number. Waiting times range from half a second to two hours. */
function questionOf(number: number, chat: string): Question {
  const requestedAt = Date.now() - ((number * 7_919) % (29 * dayMs));
  const spread = ((number * 2_654_435_761) % 1_000) / 1_000;
  const person = `person-${number % 20}`;
  return {
    ...{ id: parseApprovalId(`q-${number}`), chatId: parseChatId(chat), ownerId: operator.id },
    ...{ toolCallId: parseToolCallId(`call-${number}`), toolName: `tool-${number % 5}`, executor: 'server' },
    ...{ input: { amount: number }, description: `Pay ${number}`, askedBy: operator, requestedAt },
    risk: (['low', 'medium', 'high'] as const)[number % 3],
    state: number % 10 === 0 ? 'denied' : 'approved',
    answer: {
      ...{ approved: number % 10 !== 0, by: { id: person, name: person }, via: 'http' },
      at: Math.round(requestedAt + 500 * 14_400 ** spread),
    },
  };
}
