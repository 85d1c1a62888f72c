import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { isForm } from '../../settings/forms/ask-person.ts';
import type { GatedAnswer } from '../../settings/plugin/plugin-declaration.ts';
import { detailsOf, toolNamed } from '../../settings/tools/tool-details.ts';
import { checkVotes } from './check-votes.ts';
import type { QuestionVotes } from './client/question-votes.ts';

/** How many people must approve or deny the calls of a tool. @source ADR 0047 */
export type ToolVotes = {
  /** How many people must approve, from 1 to 100. */
  readonly count: number;
  /** How many people must deny, from 1 to 100. Default 1: the first denial settles the question. */
  readonly denials?: number;
};

declare module '../../flow/plugin/index.ts' {
  interface ToolPlugins {
    /**
     * Questions about this tool need the answers of several people: `count` of them must approve, each with an answer of their own.
     * Approvals of this tool cannot be remembered, its calls cannot be pre-approved, and its arguments can be edited only by asking again.
     * Not for tools that the client or the model's provider executes, nor for forms.
     *
     * @example { count: 2 }
     * @source ADR 0047
     */
    readonly votes?: ToolVotes;
  }
}

/**
 * Lets a tool need the answers of several people, by `toolDetails.<tool>.votes`.
 *
 * @example createApprovalFlow({ store, model, tools, toolDetails: { pay: { votes: { count: 2 } } }, plugins: [votes()] })
 * @source ADR 0047
 */
export function votes(): FlowPlugin<'votes'> {
  return {
    name: 'votes',
    checkDetails: checkVotes,
    asked({ settings, call }) {
      const { toolName, executor } = call.requested;
      const { votes: needs } = detailsOf(settings, toolName);
      if (!needs) return undefined;
      // A tool that was added at run time was not checked with the settings. The first answer would settle its questions.
      if (executor === 'client' || isForm(toolNamed(settings, toolName)))
        throw new Error(`${toolName} cannot need several approvals.`);
      const { count, denials = 1 } = needs;
      return denials > 1 ? { needed: count, denials } : { needed: count };
    },
    gate: isEnough,
    setUp: () => ({ methods: {} }),
  };
}

/** Whether enough people approve, or enough deny. */
function isEnough({ says, approved, answers }: GatedAnswer): boolean {
  const { needed, denials = 1 } = says as QuestionVotes;
  return answers.length >= (approved ? needed : denials);
}
