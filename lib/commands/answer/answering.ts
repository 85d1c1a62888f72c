import type { ChatHead } from '../../log/store/index.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { Person, Principal, Question } from '../../protocol/index.ts';
import type { RightToAnswer } from '../../rights/right-to-answer.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import type { FormerIds } from '../../settings/former-ids.ts';
import type { Approval, GivenAnswer } from './answer-kinds.ts';
import type { Denial, Prepared } from './given-answer.ts';
import type { AskAgain, PluginAnswers, Postponed } from './outcome.ts';

/** An open question with its call, folded up to `head`, and who answers it. */
export type Asked = {
  readonly head: ChatHead;
  readonly call: Call;
  readonly question: Question;
  readonly principal: Principal;
  readonly by: Person;
  readonly via: string;
  /** Whether the client sent the value as the output of the call. */
  readonly asOutput?: true;
};

export type Found = {
  /** Who may answer this, by which right, as of now. */
  readonly right?: RightToAnswer;
  readonly prepared?: Prepared;
  readonly previewDigest?: string;
  readonly kept?: PluginAnswers;
};

/** An approval that is checked, with the settings of its turn. */
export type Approving = Asked & Found & { readonly answer: Approval; readonly engine: TurnEngine };

/** A denial that is checked. It needs no settings, so it counts even if `prepareCall` fails. */
export type Denying = Asked & Found & { readonly answer: Denial; readonly engine: Engine };

export type Answering = Approving | Denying;

/** What a step comes to. To refuse the answer, it throws. */
export type Checked = Found | Postponed | AskAgain | undefined;

export type Check<Of> = (answering: Of) => Checked | Promise<Checked>;

/** Finds an earlier answer to a question that is still open. @throws CountersignError `already-answered` if it differs */
export type AnsweredBefore = (
  settings: FormerIds,
  call: Call,
  principal: Principal,
  answer: GivenAnswer,
) => Postponed | undefined;
