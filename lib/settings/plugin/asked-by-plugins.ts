import type { QuestionPlugins } from '../../protocol/index.ts';
import type { DueCall } from './plugin-declaration.ts';

/** What plugins say of a question that is due, by their names; `undefined` if none says anything. */
export function askedByPlugins(due: DueCall): QuestionPlugins | undefined {
  const said = (due.settings.plugins ?? []).flatMap(({ name, asked }) => {
    const says = asked?.(due);
    return says === undefined ? [] : [[name, says] as const];
  });
  return said.length === 0 ? undefined : Object.fromEntries(said);
}
