import type { Growth } from '../growth.ts';
import { plot } from './plot.ts';

/** The growth table as curves: a flat line is a cost that does not grow. */
export function growthPlot(rows: readonly Growth[]): string {
  const line = (name: string, what: keyof Growth) => ({
    name,
    points: rows.map((row) => [row.messages, row[what]] as const),
  });
  return plot('Cost as a chat grows', { x: 'messages in the chat', y: 'milliseconds' }, [
    line('answer', 'answer'),
    line('answer and model step', 'modelStep'),
    line('the same, nothing but what must be', 'floorModelStep'),
    line('resume', 'resume'),
  ]);
}
