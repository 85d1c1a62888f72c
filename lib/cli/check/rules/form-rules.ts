import { describeEnd, type Exchange } from '../turns/exchange.ts';
import type { Wire, WireFault } from '../wire/wire.ts';
import type { Evidence, Found } from './finding.ts';

/** Checks the outer form of all responses: headers and the end of the stream, or frames. @source H1, H3 */
export function findForm(
  { formRule: rule }: Wire,
  faults: readonly WireFault[],
  exchanges: readonly Exchange[],
): Found {
  const title = 'responses are UI message streams, and are ended';
  const broken = exchanges
    .filter(({ end }) => end.type === 'broken')
    .map(({ end, chunks }) => ({ where: 'a response', message: describeEnd(end), chunks: chunks.slice(-1) }));
  const evidence = (status: WireFault['status']): Evidence[] => {
    const messages = faults.filter((fault) => fault.status === status).map(({ message }) => message);
    return [...new Set(messages)].map((message) => {
      const count = messages.filter((other) => other === message).length;
      return { where: `${count} of ${exchanges.length} responses`, message, chunks: [] };
    });
  };
  const failures = [...broken, ...evidence('fail')];
  if (failures.length > 0) return { rule, title, status: 'fail', evidence: failures };
  const differences = evidence('differs');
  if (differences.length > 0) return { rule, title, status: 'differs', evidence: differences };
  return { rule, title, status: 'pass' };
}
