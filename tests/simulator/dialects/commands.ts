import type { RunId } from '../../../lib/protocol/index.ts';
import { type PersonName, stranger } from '../actors/people.ts';
import { planText, randomPlan } from '../actors/plan.ts';
import type { Instance } from '../machine/instance.ts';
import { activeRun, isOpen } from '../schedule/log-facts.ts';
import type { Part } from '../schedule/part.ts';
import { questionsShown } from '../schedule/shown-questions.ts';
import type { Sending } from './client.ts';
import { clientOf } from './clients/index.ts';
import { createDialectExchanges, type DialectCommand } from './exchanges.ts';
import { dialectNames } from './profile.ts';

const clients = dialectNames.map(clientOf);
const answering = clients.flatMap(({ answer }) => answer ?? []);
const stopping = clients.flatMap(({ stop }) => stop ?? []);
const retrying = clients.flatMap(({ retry }) => retry ?? []);
const spying = clients.flatMap(({ spy }) => spy ?? []);

/** What people do through dialects, in addition to other endpoints, so that several kinds of clients use one chat. */
export const mixesDialects: Part = (stage) => {
  const { profile, world, history, instances } = stage;
  if (!profile.dialects) return undefined;
  const { followed, commands } = profile.dialects;
  const random = stage.random('dialect commands');
  const mixing = stage.random('mixing dialects');
  const exchanges = createDialectExchanges(world, history);
  const sending = (command: DialectCommand): Sending => ({ ...exchanges, command, random });

  function anyInstance(): Instance {
    const alive = instances.filter(({ process }) => process.state !== 'dead');
    return random.pick(alive.length > 0 ? alive : instances);
  }

  const ownerOf = (chatId: string) => (history.owners.get(chatId) ?? 'ada') as PersonName;
  const chats = () => [...history.logs.keys()].filter((chatId) => /^c\d/.test(chatId));

  function runOf(chatId: string): RunId {
    const log = history.logs.get(chatId) ?? [];
    const started = log.findLast(({ event }) => event.type === 'run-started')?.event;
    return (started?.runId ?? 'run_none') as RunId;
  }

  function send(chatId: string): void {
    const text = planText(chatId, randomPlan(random, profile));
    const command = { who: ownerOf(chatId), does: 'send', instance: anyInstance(), chatId };
    const dialect = random.pick(followed);
    void clientOf(dialect).send(sending(command), text);
  }

  /** Usually one answer, and sometimes the opposite one at the same time over the other dialect. */
  function answer(who?: PersonName): void {
    const open = questionsShown(history).filter(({ chatId, approvalId }) =>
      isOpen(history.logs.get(chatId) ?? [], approvalId),
    );
    if (open.length === 0 || answering.length === 0) return;
    const { chatId, approvalId, toolName } = random.pick(open);
    const by = who ?? (toolName.endsWith('boss') && random.chance(0.8) ? 'cleo' : ownerOf(chatId));
    const does = who === stranger ? 'forge' : 'answer over a dialect';
    const approved = random.chance(0.8);
    const first = random.pick(answering);
    give(first, approved);
    const other = answering.find((each) => each !== first) ?? first;
    if (who === undefined && random.chance(0.3)) give(other, random.chance(0.5));

    function give(over: (typeof answering)[number], decision: boolean): void {
      const recorded = { answers: [{ approvalId, approved: decision }] };
      const command = { who: by, does, instance: anyInstance(), chatId, recorded };
      void over(sending(command), { approvalId, approved: decision });
    }
  }

  function stop(chatId: string): void {
    if (stopping.length === 0) return;
    const command = { who: ownerOf(chatId), does: 'stop', instance: anyInstance(), chatId };
    void random.pick(stopping)(sending(command), runOf(chatId));
  }

  /** A call of the last message that failed, and may be tried again. */
  function failedCall(): { chatId: string; toolCallId: string } | undefined {
    for (const chatId of chats()) {
      const log = history.logs.get(chatId) ?? [];
      const failed = log.findLast(({ event }) => event.type === 'tool-failed' && event.retryable)?.event;
      if (failed?.type !== 'tool-failed' || activeRun(log) !== undefined) continue;
      return { chatId, toolCallId: failed.toolCallId };
    }
    return undefined;
  }

  function retry({ chatId, toolCallId }: { chatId: string; toolCallId: string }): void {
    if (retrying.length === 0) return;
    const command = { who: ownerOf(chatId), does: 'retry', instance: anyInstance(), chatId };
    void random.pick(retrying)(sending(command), toolCallId);
  }

  /** Gives the same result whether or not the chat exists. */
  function spy(chatId: string): void {
    const instance = anyInstance();
    // The ids of forged runs name their chat, and a refusal repeats the id.
    const runId = runOf(chatId).replace(/forged.*/, 'forged') as RunId;
    const pathsOf = (id: string) => clients.flatMap(({ spiedPaths }) => spiedPaths?.(id, runId) ?? []);
    const place = random.below(pathsOf(chatId).length);
    for (const id of [chatId, 'no-such-chat']) {
      const command = { who: stranger, does: 'spy', instance, chatId: id };
      for (const path of pathsOf(id).slice(place, place + 1)) void exchanges.post(command, path, undefined);
      for (const each of spying) void each(sending(command));
    }
  }

  function play(): void {
    const known = chats();
    if (known.length === 0) return;
    const isActive = (chatId: string) => activeRun(history.logs.get(chatId) ?? []) !== undefined;
    const failed = failedCall();
    if (failed && random.chance(0.5)) {
      retry(failed);
      return;
    }
    const chatId = random.pick(known);
    const act = random.weighted({ send: 3, answer: 6, stop: 1, spy: 1, forge: 1 });
    if (act === 'send') send(known.find((id) => !isActive(id)) ?? chatId);
    if (act === 'answer') answer();
    if (act === 'stop') stop(known.find(isActive) ?? chatId);
    if (act === 'spy') spy(chatId);
    if (act === 'forge') answer(stranger);
  }

  return () => {
    if (!mixing.chance(commands)) return false;
    play();
    return true;
  };
};
