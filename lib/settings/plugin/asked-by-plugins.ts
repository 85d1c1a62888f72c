import type { AtDeadline, QuestionPlugins } from '../../protocol/index.ts';
import type { FlowSettings } from '../flow-settings.ts';
import type { DueCall } from './plugin-declaration.ts';

/** What plugins add to a question that is due: what it says of them, by their names, and how and when it ends. */
type Asked = {
  readonly deadline: number | undefined;
  readonly atDeadline: AtDeadline | undefined;
  readonly plugins: QuestionPlugins | undefined;
};

/** The earliest deadline counts. A question that cannot be asked again is denied. */
export function askedByPlugins(due: DueCall<FlowSettings>): Asked {
  const { plugins = [] } = due.settings;
  let { deadline } = due;
  let atDeadline: AtDeadline | undefined;
  const said = plugins.flatMap(({ name, asked, ends }) => {
    const end = ends?.(due);
    if (end && end.at <= (deadline ?? Number.POSITIVE_INFINITY)) {
      deadline = end.at;
      atDeadline = end.then === 'ask-again' && !due.mayAskAgain ? 'deny' : end.then;
    }
    const says = asked?.(due);
    return says === undefined ? [] : [[name, says] as const];
  });
  return { deadline, atDeadline, plugins: said.length === 0 ? undefined : Object.fromEntries(said) };
}
