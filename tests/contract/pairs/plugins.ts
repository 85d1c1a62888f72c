import { member as agentRequests } from './members/agent-requests.ts';
import { member as apiDocuments } from './members/api-documents.ts';
import { member as chatSocket } from './members/chat-socket.ts';
import { member as delegation } from './members/delegation.ts';
import { member as email } from './members/email.ts';
import { member as escalation } from './members/escalation.ts';
import { member as forms } from './members/forms.ts';
import { member as imports } from './members/imports.ts';
import { member as insights } from './members/insights.ts';
import { member as links } from './members/links.ts';
import { member as operations } from './members/operations.ts';
import { member as preApprovals } from './members/pre-approvals.ts';
import { member as rehearsal } from './members/rehearsal.ts';
import { member as remembered } from './members/remembered.ts';
import { member as responses } from './members/responses.ts';
import { member as slack } from './members/slack.ts';
import { member as subscriptions } from './members/subscriptions.ts';
import { member as telemetry } from './members/telemetry.ts';
import { member as toolEvents } from './members/tool-events.ts';
import { member as twoStepStream } from './members/two-step-stream.ts';
import { member as votes } from './members/votes.ts';
import { member as webhooks } from './members/webhooks.ts';
import type { Member } from './stage.ts';

/** One member for each plugin: what it adds to a turn, and the proof that it did. */
export const plugins: Readonly<Record<string, Member>> = {
  'agent-requests': agentRequests,
  'api-documents': apiDocuments,
  delegation,
  escalation,
  forms,
  imports,
  insights,
  operations,
  'pre-approvals': preApprovals,
  rehearsal,
  remembered,
  telemetry,
  votes,
  links,
  email,
  slack,
  subscriptions,
  webhooks,
  'chat-socket': chatSocket,
  responses,
  'tool-events': toolEvents,
  'two-step-stream': twoStepStream,
};
