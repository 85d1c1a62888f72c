import { describeEnd } from '../turns/exchange.ts';
import { answerOpenQuestions, denyAll } from '../turns/turn.ts';
import type { Wire } from '../wire/wire.ts';
import type { Probe, Sight, Stage } from './probe.ts';

/** Malformed requests are refused, and the next valid one is answered. @source H-Errors, H3 */
export function malformedProbe({ formRule }: Wire): Probe {
  return { rule: formRule, title: 'malformed requests are refused, and the backend continues', run };
}

async function run({ wire, budget, recorder, open }: Stage): Promise<Sight> {
  const replies = await wire.sendMalformed(budget, open.id);
  // Must be the last probe: it closes the chat whose open question the others use.
  const { exchanges } = await answerOpenQuestions(recorder, open, denyAll);
  const judged = replies.map(({ what, verdict, reply }) => ({
    where: what,
    message: reply,
    verdict,
    chunks: [],
  }));
  const hanging = judged.filter(({ verdict }) => verdict === 'hangs');
  if (hanging.length > 0) return { status: 'fail', evidence: hanging };

  const broken = exchanges.find(({ end }) => end.type === 'broken' || end.type === 'timeout');
  if (broken) {
    const where = 'an answer after malformed requests';
    return { status: 'fail', evidence: [{ where, message: describeEnd(broken.end), chunks: broken.chunks }] };
  }
  const differing = judged.filter(({ verdict }) => verdict === 'differs');
  if (differing.length > 0) return { status: 'differs', note: 'the backend continues', evidence: differing };
  return { status: 'pass' };
}
