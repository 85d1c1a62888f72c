import { needsForm, type Question } from '../../client/question.ts';
import type { OpenForm } from '../card/answer/editing.ts';
import type { Choices } from './card-plugin.ts';
import { useCardPlugins } from './card-plugins.tsx';

/** What the page's plugins can do to answer a question. `isIncomplete`: the question needs more, so it can only be denied. */
export function usePluginAnswers(question: Question): {
  readonly openForm: OpenForm | undefined;
  readonly choices: Choices;
  readonly isIncomplete: boolean;
} {
  const plugins = useCardPlugins();
  const openForm = plugins.find((each) => each.openForm)?.openForm;
  const choices = question.options ? plugins.find((each) => each.choices)?.choices?.(question) : {};
  const isIncomplete = choices === undefined || (needsForm(question) && openForm === undefined);
  return { openForm, choices: choices ?? {}, isIncomplete };
}
