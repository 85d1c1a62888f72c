import type { Call } from '../../log/turn/turn.ts';
import type {
  AnswerPlugins,
  AnswerRequest,
  EventBody,
  JsonValue,
  Principal,
  Question,
} from '../../protocol/index.ts';
import type { ParsedInput } from '../../run/call/input/schemas.ts';
import type { TurnEngine } from '../../run/engine.ts';
import type { RuledQuestion } from '../../settings/flow-settings.ts';
import type { AnsweredBody, AskAgain } from './outcome.ts';

/** A request that says whether it approves, with the reason of its option if the person wrote none. */
export type DecidedRequest = AnswerRequest & { readonly approved: boolean };

/** What every answer may say. `option`: the id of the one that was chosen. */
type Said = Pick<DecidedRequest, 'approvalId' | 'reason' | 'option' | 'digest' | 'shownInput'>;

/** What a kind of answer does not take. */
export type Without<Field extends 'input' | 'value' | 'plugins'> = { readonly [Name in Field]?: undefined };

export type Approves = Said & {
  readonly approved: true;
  readonly previewDigest?: string;
  readonly plugins?: AnswerPlugins | undefined;
  /** Reads what the approval would run. @throws CountersignError `invalid-request` if it does not fit */
  prepare(asked: Preparing): Promise<Prepared | AskAgain>;
};

/** An answer that denies. It takes nothing but a reason. */
export type Denial = Said &
  Without<'input' | 'value' | 'plugins'> & { readonly type: 'denial'; readonly approved: false };

export type PlainApproval = Approves & Without<'input' | 'value'> & { readonly type: 'approval' };

export type Preparing = {
  readonly engine: TurnEngine;
  readonly call: Call;
  readonly question: Question;
  readonly principal: Principal;
};

/** Arguments that replace those of the model: with their secrets, and as the tool's schema parses them. */
export type WrittenInput = { readonly input: JsonValue; readonly parsed: ParsedInput };

export type Prepared = {
  /** The question as rules see it: with the arguments that would run, because a rule may depend on them. */
  readonly ruled: RuledQuestion;
  readonly written?: WrittenInput;
  /** The arguments of the call's start. Absent if there is nothing to execute. */
  readonly parsed?: ParsedInput;
  readonly recorded?: Pick<AnsweredBody, 'input' | 'runsAs' | 'value'>;
  readonly ends?: readonly EventBody[];
};
