import type { PersonName } from '../../simulator/actors/people.ts';
import { type PlanText, planText } from '../../simulator/actors/plan.ts';
import { activeRun, isOpen } from '../../simulator/schedule/log-facts.ts';
import { voters } from '../../simulator/several/settings.ts';
import { waitFor } from '../../support/wait-for.ts';
import { chatId, planOf, type Setup, type Stage, type Waiting } from './stage.ts';

/** The message that begins a turn. */
export function messageOf(setup: Setup, id: string, plan: PlanText = planOf(setup)) {
  return { id, role: 'user', parts: [{ type: 'text', text: planText(chatId, plan) }] };
}

/** Makes a request in the chat over the transport of the row, and reads the response to its end. */
export async function send(
  stage: Stage,
  does: string,
  asked: Readonly<Record<string, unknown>>,
): Promise<void> {
  const call = { who: 'ada', does, instance: stage.reached, chatId, path: '/api/chat' } as const;
  const body = { id: chatId, ...asked };
  const { trigger, messageId, ...rest } = asked;
  const frame = {
    type: 'send',
    id: chatId,
    trigger,
    messageId,
    messages: [{ id: 'stub', role: 'user', parts: [] }],
    body: rest,
  };
  const opened =
    stage.transport === 'SSE'
      ? await stage.clients.stream({ ...call, method: 'POST', body }, 'send')
      : await stage.clients.frame({ ...call, body }, 'send', frame);
  if (!opened) throw new Error(`${does} was refused: ${JSON.stringify(stage.history.exchanges.at(-1))}`);
  await opened.ended;
}

/** Answers outside the chat. */
export async function answerByHttp(
  stage: Stage,
  who: PersonName,
  approvalId: string,
  body: object,
): Promise<void> {
  const call = {
    who,
    does: 'answer',
    instance: stage.reached,
    chatId,
    path: `/api/approvals/${approvalId}`,
  } as const;
  const { status, json } = await stage.clients.ask({ ...call, method: 'POST', body });
  if (status !== 200) throw new Error(`The answer of ${who} got ${status}: ${JSON.stringify(json)}`);
}

/** Plays the turn until it is over: people answer each question, and the page ends each call that it got. */
export async function playToItsEnd(
  stage: Stage,
  { stopsAt }: { readonly stopsAt?: string } = {},
): Promise<void> {
  const isThere = () => stage.log().at(-1)?.event.type === stopsAt;
  for (let turns = 0; turns < 60; turns += 1) {
    await waitFor(() => {
      if (!isThere() && activeRun(stage.log()) !== undefined) throw new Error('The run is active.');
    });
    if (isThere()) return;
    const question = openQuestion(stage);
    const call = question ? undefined : openCall(stage);
    if (question) await answer(stage, question);
    else if (call === undefined) return;
    else
      await send(stage, 'output', {
        trigger: 'submit-message',
        outputs: [{ toolCallId: call, output: { seen: 1 } }],
      });
  }
  throw new Error('The turn does not end.');
}

function openQuestion(stage: Stage): Waiting | undefined {
  const log = stage.log();
  const asked = log.findLast(({ event }) => event.type === 'approval-requested')?.event;
  if (asked?.type !== 'approval-requested' || !isOpen(log, asked.approvalId)) return undefined;
  const { approvalId, toolCallId } = asked;
  const call = log.find(
    ({ event }) => event.type === 'tool-requested' && event.toolCallId === toolCallId,
  )?.event;
  return { approvalId, toolCallId, toolName: call?.type === 'tool-requested' ? call.toolName : '' };
}

/** A call that the page has and has not ended. */
function openCall(stage: Stage): string | undefined {
  const events = stage.log().map(({ event }) => event);
  const ended = new Set(
    events.flatMap((event) =>
      /^tool-(completed|failed|denied|cancelled)$/.test(event.type) && 'toolCallId' in event
        ? [event.toolCallId]
        : [],
    ),
  );
  if (events.at(-1)?.type !== 'run-suspended') return undefined;
  const call = events.findLast((event) => event.type === 'tool-requested' && event.executor === 'client');
  return call?.type === 'tool-requested' && !ended.has(call.toolCallId) ? call.toolCallId : undefined;
}

/** Whoever may answer does, in the row's own ways first. The owner comes last, in the chat. */
async function answer(stage: Stage, question: Waiting): Promise<void> {
  const { approvalId, toolName } = question;
  const { escalation, voted = [] } = stage.profile.several ?? {};
  const isOpenStill = () => isOpen(stage.log(), approvalId);
  for (const act of stage.setup.asked) await act(question);
  if (!isOpenStill()) return;
  if (toolName === 'boss') {
    const who = stage.setup.several ? 'dora' : 'cleo';
    return answerByHttp(stage, who, approvalId, { approved: true });
  }
  const isVoted = voted.some((name) => name === toolName.split('/').at(-1));
  if (escalation) await waitFor(() => wasEscalated(stage, approvalId));
  // What is remembered must be the owner's own answer.
  const isForAll = escalation && isPayment(toolName);
  const able: readonly PersonName[] = isVoted ? voters.toReversed() : isForAll ? ['cleo', 'ada'] : ['ada'];
  for (const who of able) {
    if (!isOpenStill()) return;
    const [way] = isPayment(toolName) ? stage.setup.ways.splice(0, 1) : [];
    const before = stage.log().length;
    if (way) {
      told(stage, who, approvalId);
      await way(question, who);
    } else if (who === 'ada' && toolName !== 'stubborn') {
      await send(stage, 'answer', {
        trigger: 'submit-message',
        answers: [{ approvalId, ...decisionOn(stage, question, isVoted) }],
      });
    } else await answerByHttp(stage, who, approvalId, { approved: true });
    await waitFor(() => {
      if (stage.log().length === before) throw new Error(`The answer of ${who} is not recorded.`);
    });
  }
}

const isPayment = (toolName: string) => toolName === 'pay';

/** One payment is edited, and what may be remembered is. */
function decisionOn({ setup }: Stage, { toolName }: Waiting, isVoted: boolean): object {
  if (toolName === 'cents' && setup.plugins.some(({ name }) => name === 'remembered')) {
    return { approved: true, plugins: { remembered: { scope: 'chat', match: 'tool' } } };
  }
  if (toolName === 'pay' && !isVoted) return { approved: true, input: { n: 4, note: 'edited' } };
  return { approved: true };
}

function wasEscalated(stage: Stage, approvalId: string): void {
  const is = stage
    .log()
    .some(({ event }) => event.type === 'plugin-event' && event.approvalId === approvalId);
  if (!is) throw new Error('The question is not escalated.');
}

/** An answer that no client of the simulator sends is noted as a request. */
export function told({ history, world }: Stage, who: PersonName, approvalId: string): void {
  const moment = history.moment();
  history.exchanges.push({
    ...{
      path: `/api/approvals/${approvalId}`,
      moment,
      at: world.now(),
      who,
      does: 'answer',
      chatId,
      instance: 'one',
    },
    ...{ body: { approved: true }, answeredAt: moment, status: 200 },
  });
}
