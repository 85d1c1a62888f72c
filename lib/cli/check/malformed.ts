import { tellEnd } from './exchange.ts';
import type { Probe, Sight, Stage } from './probe.ts';
import { answerOpenQuestions, denyAll } from './turn.ts';
import type { Wire } from './wire.ts';

/** Requests that no client sends are refused, and the next good one is answered. @source contract H "Errors", H3 */
export function malformedProbe({ formRule }: Wire): Probe {
  return { rule: formRule, title: 'malformed requests are refused, and the backend goes on', run };
}

async function run({ wire, budget, recorder, open }: Stage): Promise<Sight> {
  const replies = await wire.sendMalformed(budget, open.id);
  // The last probe of all: it closes the chat whose question the others needed open.
  const { exchanges } = await answerOpenQuestions(recorder, open, denyAll);
  const told = replies.map(({ what, verdict, reply }) => ({
    where: what,
    message: reply,
    verdict,
    chunks: [],
  }));
  const hanging = told.filter(({ verdict }) => verdict === 'hangs');
  if (hanging.length > 0) return { status: 'fail', evidence: hanging };

  const broken = exchanges.find(({ end }) => end.type === 'broken' || end.type === 'timeout');
  if (broken) {
    const where = 'an answer after malformed requests';
    return { status: 'fail', evidence: [{ where, message: tellEnd(broken.end), chunks: broken.chunks }] };
  }
  const differing = told.filter(({ verdict }) => verdict === 'differs');
  if (differing.length > 0) return { status: 'differs', note: 'the backend goes on', evidence: differing };
  return { status: 'pass' };
}
