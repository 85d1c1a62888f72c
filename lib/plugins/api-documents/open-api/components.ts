import { z } from 'zod';
import { approvalsSchema } from '../../../protocol/wire/approvals-page.ts';
import { chatSchema } from '../../../protocol/wire/chat/stored-chat.ts';
import { timelineSchema } from '../../../protocol/wire/chat/timeline.ts';
import { newAnswerSchema } from '../../../protocol/wire/new-answer.ts';
import { questionSchema } from '../../../protocol/wire/question.ts';
import { toolResultSchema } from '../../../protocol/wire/tool-result.ts';
import { errorSchema } from '../../../server/errors.ts';
import { chatRequestSchema } from '../../../server/requests/chat-request.ts';
import { approvalSchema, previewedSchema } from '../../../server/routes/approvals.ts';
import { auditSchema } from '../../../server/routes/audit.ts';
import { chatsSchema, titleSchema } from '../../../server/routes/chats.ts';
import { healthSchema } from '../../../server/routes/health.ts';
import { outcomeRequestSchema, recordedOutcomeSchema } from '../../../server/routes/outcomes.ts';
import { sessionsSchema } from '../../../server/routes/sessions.ts';
import {
  draftPartSchema,
  lifecyclePartSchema,
  messageChangedPartSchema,
  toolInputPartSchema,
} from '../data-parts.ts';

/** The schemas of the kernel's operations, by name. */
export const schemas: Readonly<Record<string, z.ZodType>> = {
  Error: errorSchema,
  Question: questionSchema,
  Approvals: approvalsSchema,
  Approval: approvalSchema,
  NewAnswer: newAnswerSchema,
  PreviewRequest: z.object({
    input: z.unknown().optional().describe('Edited arguments. Default: those of the question.'),
  }),
  Previewed: previewedSchema,
  Sessions: sessionsSchema,
  Chats: chatsSchema,
  Chat: chatSchema,
  ChatRequest: chatRequestSchema,
  Title: titleSchema,
  Audit: auditSchema,
  Timeline: timelineSchema,
  ToolResult: toolResultSchema,
  OutcomeRequest: outcomeRequestSchema,
  Resolution: recordedOutcomeSchema,
  Health: healthSchema,
  DataToolLifecycle: lifecyclePartSchema,
  DataDraft: draftPartSchema,
  DataToolInput: toolInputPartSchema,
  DataMessageChanged: messageChangedPartSchema,
};
