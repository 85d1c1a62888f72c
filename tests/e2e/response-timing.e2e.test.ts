import type { UIMessage, UIMessageChunk } from 'ai';
import { checkResponseTiming } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { Release } from '../../lib/protocol/index.ts';
import { amountsOf, nameOf, type Pattern, patterns, paymentScript } from '../support/answer-patterns.ts';
import { clientMessage, messageOf } from '../support/client-message.ts';
import { framed, lasting, questionIn, questionTypes, types } from '../support/flow-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { modes } from '../support/modes.ts';
import { type ConnectRaw, rawChat } from '../support/raw-client.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { stoppedClock } from '../support/stopped-clock.ts';
import { databaseTools, workedExample } from '../support/worked-example.ts';

const releases: readonly Release[] = ['final', 'progressive', 'hold-after-question'];
/** Every pattern for the two modes that `hold-after-question` is made of, and the short ones for itself. */
const rows = releases.flatMap((release) =>
  patterns
    .filter((pattern) => release !== 'hold-after-question' || pattern.flat().length < 3)
    .map((pattern) => [release, nameOf(pattern), pattern] as const),
);

/** Plays a turn to its end, answering each question with the next answer. */
async function playTurn(connect: ConnectRaw, url: string, answers: readonly boolean[]) {
  const { say, answer, resume, id } = rawChat(await connect(url));
  const client = clientMessage();
  const responses = [await say('Go.')];
  for (const approved of answers) {
    const last = responses.at(-1) ?? [];
    await client.read(last);
    const question = questionIn(last);
    client.answer(question, approved);
    responses.push(await answer(question, approved));
  }
  await client.read(responses.at(-1) ?? []);
  const stored: { messages: UIMessage[] } = await (await fetch(`${url}/api/chat/${id}`)).json();
  return {
    responses,
    message: client.value,
    stored: stored.messages.at(-1),
    replayed: await messageOf((await resume()) ?? []),
  };
}

async function playPattern(connect: ConnectRaw, release: Release, pattern: Pattern) {
  const { url, ran } = await serveFixture(paymentScript(pattern), { release, clock: stoppedClock });
  const turn = await playTurn(connect, url, pattern.flat());
  return { ...turn, paid: ran.map(({ input }) => (input as { amount: number }).amount) };
}

/** Each release with the patterns of up to two answers, and two steps of three answers. */
const isShort = ([, , pattern]: (typeof rows)[number]) => {
  const answers = pattern.flat();
  return answers.length < 3 || (pattern.length === 2 && answers[0] !== answers[2]);
};

describe('every pattern of answers, over the wire [T1-T9, T11, T17]', () => {
  it.each(rowsOfThisRun(rows, isShort))(
    '%s release, answered %s: alike over SSE and BIDI',
    async (release, _name, pattern) => {
      const turns = await Promise.all(modes.map(([, connect]) => playPattern(connect, release, pattern)));
      for (const { responses, message, stored, replayed, paid } of turns) {
        expect(checkResponseTiming(responses, { release, finished: true })).toEqual([]);
        expect(responses).toHaveLength(pattern.flat().length + 1);
        expect(paid).toEqual(amountsOf(pattern));
        expect(stored).toEqual(message);
        expect(replayed).toEqual(message);
      }
      const [overSse, overBidi] = turns;
      expect(overBidi?.message).toEqual(overSse?.message);
      expect(overBidi?.responses.map(lasting)).toEqual(overSse?.responses.map(lasting));
    },
  );
});

describe('the worked example, chunk by chunk [T1-T3]', () => {
  const asks = framed(...questionTypes);
  const text = ['text-start', 'text-delta', 'text-end'];

  it.each(modes)(
    '%s: two approvals produce two questions, then all text, then both results',
    async (_mode, connect) => {
      const { tools, effects } = databaseTools();
      const { url } = await serveFixture(workedExample, { tools });
      const { say, answer } = rawChat(await connect(url));

      const first = await say('Search and update database');
      expect(types(first)).toEqual(asks);
      expect(callsIn(first)).toEqual(['search']);
      expect(effects).toEqual([]);

      const second = await answer(questionIn(first), true);
      expect(types(second)).toEqual([...asks.slice(0, 2), 'tool-approval-response', ...asks.slice(2)]);
      expect(callsIn(second)).toEqual(['update']);
      expect(effects).toEqual(['searched users']);

      const last = await answer(questionIn(second), true);
      const lastTypes = types(last).filter(
        (type, index, all) => type !== 'text-delta' || all[index - 1] !== type,
      );
      expect(lastTypes).toEqual([
        'start',
        'start-step',
        'tool-approval-response',
        ...text,
        ...text,
        ...text,
        'tool-output-available',
        'tool-output-available',
        'finish-step',
        'finish',
      ]);
      expect(textIn(last)).toBe('Let me look.Found 10 users.Database updated.');
      expect(callsIn(last)).toEqual(['search', 'update']);
      expect(effects).toEqual(['searched users', 'set active']);
      const ids = [first, second, last].map((chunks) =>
        chunks.flatMap((c) => (c.type === 'start' ? [c.messageId] : [])),
      );
      expect(new Set(ids.flat()).size).toBe(1);
    },
  );

  it.each(modes)(
    '%s: after a first denial the second question is asked, and only its call runs',
    async (_mode, connect) => {
      const { tools, effects } = databaseTools();
      const { url, model } = await serveFixture(workedExample, { tools });
      const { say, answer } = rawChat(await connect(url));
      const first = await say('Search and update database');
      const second = await answer(questionIn(first), false, { reason: 'Not today.' });
      expect(types(second)).toEqual([...asks.slice(0, 2), 'tool-approval-response', ...asks.slice(2)]);
      const last = await answer(questionIn(second), true);
      expect(types(last).slice(-4)).toEqual([
        'tool-output-denied',
        'tool-output-available',
        'finish-step',
        'finish',
      ]);
      expect(callsIn(last)).toEqual(['search', 'update']);
      expect(effects).toEqual(['set active']);
      expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Not today.');
    },
  );
});

function callsIn(chunks: readonly UIMessageChunk[]): string[] {
  return [...new Set(lasting(chunks).flatMap((chunk) => ('toolCallId' in chunk ? [chunk.toolCallId] : [])))];
}

function textIn(chunks: readonly UIMessageChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
}
