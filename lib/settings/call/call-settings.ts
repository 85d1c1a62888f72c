import type { FlexibleSchema, HasRequiredKey, InferToolSetContext } from '@ai-sdk/provider-utils';
import type {
  GenericToolApprovalFunction,
  InferToolInput,
  PrepareStepFunction,
  SingleToolApprovalFunction,
  StopCondition,
  ToolApprovalStatus,
  ToolLoopAgentSettings,
  ToolSet,
} from 'ai';
import type { CallContext, TurnFacts } from './call-context.ts';

/** The SDK's type of `runtimeContext`. */
export type Context = Record<string, unknown>;

type Declared<Tools extends ToolSet> = InferToolSetContext<Tools>;
type Own<ToolContext> = Omit<NonNullable<ToolContext>, keyof CallContext>;

/**
 * What `toolsContext` holds for each tool: the context that it declares, without the fields that the flow
 * adds to each call.
 */
export type OwnContexts<Tools extends ToolSet> = {
  [Name in keyof Declared<Tools> as [keyof Own<Declared<Tools>[Name]>] extends [never] ? never : Name]: Own<
    Declared<Tools>[Name]
  >;
};

/** `toolsContext`, as in the SDK: required if a tool needs a context, and absent if none does. */
export type ToolsContext<Tools extends ToolSet> = string extends keyof Tools
  ? { readonly toolsContext?: Readonly<Record<string, unknown>> }
  : [keyof OwnContexts<Tools>] extends [never]
    ? { readonly toolsContext?: never }
    : HasRequiredKey<OwnContexts<Tools>> extends true
      ? { readonly toolsContext: OwnContexts<Tools> }
      : { readonly toolsContext?: OwnContexts<Tools> };

type OptionsOf<Decide extends (...given: never[]) => unknown> = Parameters<Decide>[0];
type Decision = ToolApprovalStatus | PromiseLike<ToolApprovalStatus>;

type ToolApproval<Tools extends ToolSet, RuntimeContext> =
  | ((
      options: OptionsOf<GenericToolApprovalFunction<Tools, Declared<Tools>, RuntimeContext>> & TurnFacts,
    ) => Decision)
  | {
      readonly [Name in keyof Tools]?:
        | ToolApprovalStatus
        | ((
            input: InferToolInput<Tools[Name]>,
            options: Parameters<
              SingleToolApprovalFunction<
                unknown,
                Name extends keyof OwnContexts<Tools> ? OwnContexts<Tools>[Name] : never,
                RuntimeContext
              >
            >[1] &
              TurnFacts,
          ) => Decision);
    };

type StopWhen<Tools extends ToolSet, RuntimeContext extends Context> = (
  options: OptionsOf<StopCondition<Tools, RuntimeContext>> & TurnFacts,
) => boolean | PromiseLike<boolean>;

type PrepareStep<Tools extends ToolSet, RuntimeContext extends Context> = PrepareStepFunction<
  Tools,
  RuntimeContext
>;

/** The SDK's settings that are functions called in a turn. They also get its principal and chat. */
export type DecidingSettings<Tools extends ToolSet, RuntimeContext extends Context> = {
  readonly toolApproval?: ToolApproval<NoInfer<Tools>, NoInfer<RuntimeContext>>;
  readonly stopWhen?:
    | StopWhen<NoInfer<Tools>, NoInfer<RuntimeContext>>
    | StopWhen<NoInfer<Tools>, NoInfer<RuntimeContext>>[];
  /**
   * A `runtimeContext` or `toolsContext` that it returns applies to the later steps of the same run. The next
   * run, after an answer or on another instance, starts again with the flow's own.
   */
  readonly prepareStep?: (
    options: OptionsOf<PrepareStep<NoInfer<Tools>, NoInfer<RuntimeContext>>> & TurnFacts,
  ) => ReturnType<PrepareStep<NoInfer<Tools>, NoInfer<RuntimeContext>>>;
  /** For `prepareStep` and `toolApproval`. It is not recorded, and may hold functions. */
  readonly runtimeContext?: RuntimeContext;
};

/** The names of the settings that the SDK's `prepareCall` may return. */
type SdkPreparedKey = Exclude<
  keyof Awaited<ReturnType<NonNullable<ToolLoopAgentSettings['prepareCall']>>>,
  'messages' | 'prompt'
>;

/** The settings among these that `prepareCall` may return. */
export type PreparedKey<Settings> = Extract<keyof Settings, SdkPreparedKey>;

type SdkSettings<Tools extends ToolSet, RuntimeContext extends Context> = ToolLoopAgentSettings<
  never,
  Tools,
  RuntimeContext
>;

/** Settings with which a host configures each turn. */
export type PrepareSettings<Tools extends ToolSet, RuntimeContext extends Context, Settings, CallOptions> = {
  /**
   * Checks the call options of each turn, from `callOptions` of a handler or of `flow.chats.respond`. Options that do not
   * fit are refused (`invalid-request`). They are recorded as they were given, as JSON of at most 16,384 characters,
   * and parsed by this schema before each use.
   *
   * @source ADR 0030
   */
  readonly callOptionsSchema?: FlexibleSchema<CallOptions>;
  /**
   * Returns the settings of one run: model, instructions, tools, policy. It is evaluated for each run of a
   * turn, on any instance at any later time, from the recorded principal and call options. Answers to a
   * question are also checked against the settings of its turn. As in the SDK, a setting that it does not
   * return is not set, so return `...rest` as well. Unlike in the SDK, it neither gets nor may return
   * `messages` or `prompt`, and it cannot remove `toolApproval`: return `toolApproval: {}` for no gate. If it
   * throws or returns something invalid, the run fails.
   *
   * @example prepareCall: ({ options, ...rest }) => ({ ...rest, model: models[options.model] })
   * @source ADR 0030
   */
  prepareCall?(
    options: Omit<Pick<SdkSettings<Tools, RuntimeContext>, PreparedKey<Settings>>, 'toolsContext'> & {
      readonly toolsContext: OwnContexts<Tools>;
    } & TurnFacts &
      ([CallOptions] extends [never] ? { readonly options?: never } : { readonly options: CallOptions }),
  ): Returned<PreparedCall<Settings, SdkSettings<Tools, RuntimeContext>> | undefined>;
};

type Returned<Value> = Value | PromiseLike<Value>;

/**
 * What `prepareCall` returns. Its tools may differ from those of the flow. `messages` and `prompt` are
 * refused at run time, because the type of the SDK's function contains both.
 */
type PreparedCall<Settings, Sdk> = {
  readonly [Key in keyof Settings as Key extends Exclude<PreparedKey<Settings>, 'tools' | 'toolsContext'>
    ? Key
    : never]: Settings[Key] | (Key extends keyof Sdk ? Sdk[Key] : never);
} & {
  readonly tools?: ToolSet;
  readonly toolsContext?: Readonly<Record<string, unknown>>;
};
