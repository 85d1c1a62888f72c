/**
 * Has a method's type, so that a tool's options fit when the tool is unknown. The schema checks what it returns, which may be
 * of another type than what the tool receives.
 */
type OptionInput<Input> = { make(input: Input): unknown }['make'];

type CommonOption = {
  /** Unique among the tool's options: 1 to 32 lower-case letters, digits and hyphens. Answers name it. */
  readonly id: string;
  /** For people: 1 to 60 characters. */
  readonly label: string;
  /** The reason that the model gets, unless the person writes one: at most 2,000 characters. */
  readonly reason?: string;
};

/**
 * A named choice of a question.
 *
 * @example { id: 'up-to-100', label: 'Approve up to 100', then: 'approve', input: (call) => ({ ...call, amount: 100 }) }
 * @source ADR 0050
 */
export type AnswerOption<Input = never> =
  | (CommonOption & {
      readonly then: 'approve';
      /**
       * The arguments that this option approves, made from those of the call, as the model wrote them. It is called when the
       * question is asked, and again whenever the server checks whether the question is still current. It must depend on the
       * arguments alone. If it throws, if the tool's schema refuses what it returns, or if a value of `secrets.input` is then in
       * another place, that is logged, and the option is not offered. Default: the arguments of the call.
       *
       * @returns `undefined` if the option makes no sense for these arguments: it is then not offered
       */
      readonly input?: OptionInput<Input>;
    })
  | (CommonOption & { readonly then: 'deny'; readonly input?: undefined });
