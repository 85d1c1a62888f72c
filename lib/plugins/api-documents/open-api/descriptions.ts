import { lifecycleSchema } from '../../../protocol/wire/chat/lifecycle.ts';
import { chatSchema } from '../../../protocol/wire/chat/stored-chat.ts';
import { timelineSpanSchema, timelineSummarySchema } from '../../../protocol/wire/chat/timeline.ts';
import { answerSchema, questionSchema, repeatSchema } from '../../../protocol/wire/question.ts';
import { resolutionSchema } from '../../../protocol/wire/resolution.ts';
import { timeSchema } from '../../../protocol/wire/time.ts';
import { fieldsOf } from '../../../server/documents/operations.ts';

/** Texts about the schemas of the kernel that pages use, too. @see OpenApiPart.descriptions */
export const descriptions: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [timeSchema, 'ISO 8601 in UTC.'],
  ...fieldsOf(answerSchema, {
    input: 'The edited arguments.',
    runsAs: 'What the tool gets for them, where that differs.',
    onBehalfOf: 'Whose right it was, if it was delegated to `by`.',
    option: 'The option that was chosen.',
    value: 'What the person filled in, redacted where the tool says so.',
    via: 'The entry point that it came through.',
  }),
  ...fieldsOf(repeatSchema, { chatId: 'Only for people who may see that chat.' }),
  ...fieldsOf(questionSchema, {
    title: "The tool's name for people.",
    input: 'As the model proposed them, redacted where the tool says so.',
    runsAs: 'What the tool gets for them, where its schema transforms them. Redacted likewise.',
    description: 'What will happen, in a sentence.',
    riskReason: 'Why the risk is what it is, in a few words.',
    history:
      'How many calls about the same the asker has completed (100: or more), when the last one ended, and who denied one last.',
    preview: 'The effect that the call would have. Send its `digest` with an answer as `previewDigest`.',
    whoMayAnswer: 'Who may answer, for a person who may not.',
    digest: 'What the question is about, as a digest.',
    replaces: 'The question that was withdrawn for this one.',
    outdated: 'The tool has changed since. The question can be denied; approved, it is asked again.',
    repeatOf: 'The same call ran, or was approved, within the day before.',
    earlier: 'Calls of the same turn that failed before, oldest first.',
    options: 'The choices. An answer names one by its id, as `option`.',
    needsValue:
      'An approval needs `value`: the model asks a person, and the value is the result of the call.',
    needsInput: 'An approval needs `input`: a required field of the form has no default.',
    onBehalfOf: 'Whose right this person would use: of somebody who delegated it.',
    mayEdit: 'May approve other arguments.',
    mayRemember: 'May have the approval remembered.',
    stepUp: 'Answers need a recent sign-in or second factor; others are refused (403 `step-up-required`).',
    reasonOnDeny: 'The tool asks for a reason with each denial. A denial without one is accepted.',
    paused: 'Present while the tool is paused: approvals are refused (409 `paused`), denials are taken.',
  }),
  ...fieldsOf(questionSchema.shape.stepUp.unwrap(), {
    methods: 'One of these must have been used.',
    needed: 'Whether this person must sign in again before answering.',
  }),
  ...fieldsOf(chatSchema, {
    draft: 'The text that is shown, but not yet released.',
    drafts: 'The same, text by text: the data of `data-draft` parts.',
    open: 'The id of the open question.',
    questions: 'Every question asked here, oldest first.',
  }),
  [chatSchema.shape.messages.element, "The AI SDK's UIMessage."],
  ...fieldsOf(resolutionSchema, {
    source: '`late`: the process that ran the call. `lookup`: its tool. `person`: somebody who may answer.',
  }),
  ...fieldsOf(lifecycleSchema, {
    outcome: 'Whether the call took effect is unknown.',
    problem: 'With `outcome`: what is known, in a sentence.',
    withdrawn: 'Nobody denied it: its question was withdrawn.',
    position: 'Its place among all that the turn has made, where calls are withheld.',
  }),
  ...fieldsOf(timelineSpanSchema, {
    label: 'For people.',
    approvedEarly: 'Present when the call was approved before its question was due.',
    resolved: 'Present when the outcome was unknown at first.',
  }),
  ...fieldsOf(timelineSummarySchema, { withdrawn: 'Expired, superseded or cancelled.' }),
]);
