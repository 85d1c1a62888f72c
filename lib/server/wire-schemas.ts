import { z } from 'zod';

const time = z.iso.datetime().describe('ISO 8601 in UTC.');
const person = z.object({ id: z.string(), name: z.string() });

/** The JSON of every refusal. @source H-Errors */
export const errorSchema = z.object({
  error: z.looseObject({
    code: z.enum([
      'invalid-request',
      'unauthenticated',
      'forbidden',
      'step-up-required',
      'not-found',
      'run-active',
      'already-answered',
      'input-mismatch',
      'superseded',
      'expired',
      'question-changed',
      'paused',
      'payload-too-large',
      'rate-limited',
      'internal',
      'unavailable',
    ]),
    message: z.string().describe('What happened, to which id, and what to do.'),
  }),
});

const answer = z.object({
  approved: z.boolean(),
  reason: z.string().optional(),
  input: z.unknown().optional().describe('The edited arguments.'),
  runsAs: z.unknown().optional().describe('What the tool gets for them, where that differs.'),
  by: person,
  at: time,
  via: z.string().describe('The door it came through.'),
});

/** Who said what became of a call whose outcome was unknown. @source ADR 0018 */
const resolution = z.object({
  source: z
    .enum(['late', 'lookup', 'person'])
    .describe(
      '`late`: the process that ran the call. `lookup`: its tool. `person`: somebody who may answer.',
    ),
  outcome: z.enum(['completed', 'failed', 'not-run']),
  by: person.optional(),
  note: z.string().optional(),
  at: time,
});

/** One question. @source S4 */
export const questionSchema = z.object({
  id: z.string(),
  chatId: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
  title: z.string().optional().describe("The tool's name for people."),
  input: z.unknown().describe('As the model gave them, redacted where the tool says so.'),
  runsAs: z
    .unknown()
    .optional()
    .describe(
      'What the tool gets for them, where its schema makes something else of them. Redacted likewise.',
    ),
  description: z.string().describe('What will happen, in a sentence.'),
  risk: z.enum(['low', 'medium', 'high']).optional(),
  askedBy: person,
  requestedAt: time,
  deadline: time.optional(),
  position: z.object({ index: z.int().positive(), of: z.int().positive().optional() }).optional(),
  digest: z.string().optional().describe('What the question is about, as a digest.'),
  replaces: z.string().optional().describe('The question that was withdrawn for this one.'),
  outdated: z
    .literal(true)
    .optional()
    .describe('The tool has changed since. The question can be denied; approved, it is asked again.'),
  repeatOf: z
    .object({
      at: time,
      outcome: z.enum(['approved', 'running', 'completed', 'failed', 'unknown']),
      chatId: z.string().optional().describe('For whoever may see that chat.'),
      toolCallId: z.string().optional(),
    })
    .optional()
    .describe('The same call ran, or was approved, within the day before.'),
  state: z.enum(['open', 'approved', 'denied', 'superseded', 'expired', 'cancelled', 'tool-changed']),
  answer: answer.optional(),
  mayAnswer: z.boolean(),
  mayEdit: z.boolean().describe('May approve other arguments.'),
  mayRemember: z.boolean().describe('May have the approval remembered.'),
  stepUp: z
    .object({
      maxAgeMs: z.number().positive(),
      methods: z.array(z.string()).optional().describe('One of these must have been used.'),
      needed: z.boolean().describe('Whether this person must sign in again before answering.'),
    })
    .optional()
    .describe('Answers need a recent sign-in or second factor; others are refused (403 `step-up-required`).'),
  paused: z
    .object({ reason: z.string() })
    .optional()
    .describe('Present while the tool is paused: approvals are refused (409 `paused`), denials are taken.'),
});

/** `GET /api/approvals`. */
export const approvalsSchema = z.object({
  approvals: z.array(questionSchema),
  nextCursor: z.string().optional(),
});

/** `GET` and `POST /api/approvals/{id}`. */
export const approvalSchema = z.object({
  approval: questionSchema,
  history: z
    .array(
      z.object({
        state: questionSchema.shape.state,
        at: time.optional(),
        by: person.optional(),
        via: z.string().optional(),
      }),
    )
    .optional(),
  stream_id: z.string().optional().describe('The stream of the run that goes on.'),
  inputSchema: z
    .unknown()
    .optional()
    .describe('The JSON Schema of the arguments, for whoever may edit them.'),
});

const remember = z.object({ scope: z.enum(['chat', 'me']), match: z.enum(['tool', 'exact-arguments']) });

/** `GET /api/sessions`. @source ADR 0012 */
export const sessionsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      createdAt: time,
      lastSeenAt: time.describe('Up to five minutes behind.'),
      until: time,
      current: z.boolean().describe('The request belongs to this session.'),
    }),
  ),
  nextCursor: z.string().optional(),
});

/** `GET /api/remembered`. @source ADR 0015 */
export const rememberedSchema = z.object({
  remembered: z.array(
    remember.extend({
      id: z.string(),
      toolName: z.string(),
      title: z.string().optional(),
      chatId: z.string().optional().describe('With the scope `chat`.'),
      input: z.unknown().optional().describe('The arguments that are covered, redacted.'),
      createdAt: time,
      approvalId: z.string().describe('The question it was given with.'),
      uses: z.int().nonnegative(),
      lastUsedAt: time.optional(),
    }),
  ),
  nextCursor: z.string().optional(),
});

/** `POST /api/approvals/{id}`, and each of `answers` of `POST /api/chat`. @source H10 */
export const decisionSchema = z.object({
  approved: z.boolean(),
  reason: z.string().max(2_000).optional(),
  input: z.unknown().optional().describe("Edited arguments; must fit the tool's schema."),
  remember: remember.optional().describe('Do not ask about calls like this one again.'),
});

/** `GET /api/chat`. */
export const chatsSchema = z.object({
  chats: z.array(
    z.object({ id: z.string(), title: z.string(), updatedAt: time, open: z.int().nonnegative() }),
  ),
  nextCursor: z.string().optional(),
});

/** `GET /api/chat/{chatId}`. @source H4 */
export const chatSchema = z.object({
  id: z.string(),
  title: z.string(),
  messages: z.array(
    z
      .looseObject({
        id: z.string(),
        role: z.enum(['user', 'assistant']),
        parts: z.array(z.looseObject({ type: z.string() })),
      })
      .describe("The AI SDK's UIMessage."),
  ),
  draft: z.string().optional().describe('The text that is shown, but not yet released.'),
  run: z.object({ status: z.enum(['idle', 'active', 'waiting', 'failed']) }),
  open: z.string().optional().describe('The id of the open question.'),
  questions: z.array(questionSchema).describe('Every question asked here, oldest first.'),
});

/** `PATCH /api/chat/{chatId}`. */
export const titleSchema = z.object({ title: z.string().trim().min(1).max(200) });

/** `GET /api/chat/{chatId}/audit`. */
export const auditSchema = z.object({
  entries: z.array(
    z.looseObject({
      seq: z.int().positive(),
      at: time,
      type: z.enum([
        'requested',
        'asked',
        'bound',
        'answered',
        'withdrawn',
        'decided',
        'granted',
        'started',
        'ended',
        'resolved',
      ]),
      toolCallId: z.string(),
      toolName: z.string(),
      seal: z.string(),
    }),
  ),
  head: z.string().describe('The seal of the last entry; note it to find a cut later.'),
  faults: z
    .array(
      z.object({
        type: z.enum(['unsealed', 'misplaced', 'unknown-key']),
        seq: z.int().positive(),
        event: z.string().describe('The type of the event in the log.'),
        toolCallId: z.string().optional(),
      }),
    )
    .describe('Events of the log that the record does not vouch for.'),
});

const milliseconds = z.number().nonnegative();

/** `GET /api/chat/{chatId}/timeline`. */
export const timelineSchema = z.object({
  chatId: z.string(),
  status: chatSchema.shape.run.shape.status,
  turns: z.array(
    z.object({ turn: z.int().positive(), startedAt: time, by: person.optional(), text: z.string() }),
  ),
  spans: z.array(
    z.object({
      id: z.string(),
      runId: z.string(),
      turn: z.int().nonnegative(),
      kind: z.enum(['model', 'waiting', 'tool', 'retry']),
      label: z.string().describe('For people.'),
      startedAt: time,
      endedAt: time.optional(),
      durationMs: milliseconds.optional(),
      state: z.enum(['running', 'completed', 'failed', ...questionSchema.shape.state.options]),
      toolCallId: z.string().optional(),
      toolName: z.string().optional(),
      input: z.unknown().optional(),
      output: z.unknown().optional(),
      error: z.string().optional(),
      answer: answer.optional(),
      automatic: z.object({ approved: z.boolean(), reason: z.string().optional() }).optional(),
      resolved: resolution.optional().describe('Present when the outcome was unknown at first.'),
      usage: z.object({ inputTokens: z.number().optional(), outputTokens: z.number().optional() }).optional(),
    }),
  ),
  summary: z.object({
    questions: z.int(),
    approved: z.int(),
    denied: z.int(),
    withdrawn: z.int().describe('Expired, superseded or cancelled.'),
    medianWaitMs: milliseconds.optional(),
    waitingMs: milliseconds,
    modelMs: milliseconds,
    toolMs: milliseconds,
    calls: z.int(),
    retries: z.int(),
    failures: z.int(),
  }),
});

/** `GET /api/chat/{chatId}/tool-results/{toolCallId}`. @source S12, D19 */
export const toolResultSchema = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  output: z.unknown().optional(),
  error: z.string().optional(),
});

/** `POST /api/chat/{chatId}/outcomes/{toolCallId}`. @source ADR 0019 */
export const outcomeRequestSchema = z.object({
  outcome: z
    .enum(['completed', 'failed', 'not-run'])
    .describe('It took effect; it was tried, without effect; it never ran.'),
  note: z.string().max(2_000).optional().describe('What was found. Shared with the model.'),
  output: z.unknown().optional().describe('Of a completed call: its result.'),
});

/** What is recorded of an outcome that was unknown. @source ADR 0018 */
export const recordedOutcomeSchema = z.object({
  resolution: resolution.extend({ toolCallId: z.string(), toolName: z.string() }),
});

/** The slim form of `POST /api/chat`. The SDK's full form is accepted as well. @source H1 */
export const chatRequestSchema = z.looseObject({
  id: z.string().describe('The chat: 1 to 128 of A-Z, a-z, 0-9, _ and -.'),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().optional(),
  message: z
    .looseObject({
      id: z.string(),
      role: z.literal('user'),
      parts: z.array(z.looseObject({ type: z.string() })),
    })
    .optional(),
  answers: z.array(decisionSchema.extend({ approvalId: z.string() })).optional(),
  outputs: z
    .array(
      z.object({ toolCallId: z.string(), output: z.unknown().optional(), errorText: z.string().optional() }),
    )
    .optional(),
});

/** The transient parts that this library adds to the AI SDK's stream. @source T6, S2, S3 */
export const dataPartSchemas = {
  DataToolLifecycle: z.object({
    type: z.literal('data-tool-lifecycle'),
    transient: z.literal(true),
    data: z.object({
      toolCallId: z.string(),
      toolName: z.string(),
      kind: z.enum(['function', 'mcp', 'file_search', 'web_search']),
      phase: z.enum([
        'requested',
        'started',
        'searching',
        'progressed',
        'retrying',
        'completed',
        'failed',
        'denied',
        'cancelled',
      ]),
      at: time,
      durationMs: z.number().nonnegative().optional(),
      summary: z.string().optional(),
      resultCount: z.int().nonnegative().optional(),
      error: z.string().optional(),
      outcome: z.literal('unknown').optional().describe('Nobody knows whether the call had its effect.'),
      problem: z.string().optional().describe('With `outcome`: what is known, in a sentence.'),
      withdrawn: z
        .enum(['superseded', 'expired', 'cancelled', 'tool-changed'])
        .optional()
        .describe('Nobody denied it: its question was withdrawn.'),
      retryable: z.boolean().optional(),
      wasRetried: z.boolean().optional(),
    }),
  }),
  DataDraft: z.object({
    type: z.literal('data-draft'),
    transient: z.literal(true),
    data: z.object({ textId: z.string(), delta: z.string() }),
  }),
};
