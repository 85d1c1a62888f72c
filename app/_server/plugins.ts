import type { FlowPlugin, Subscriber } from 'countersign/plugin';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { chatSocket } from 'countersign/plugins/chat-socket';
import { delegation } from 'countersign/plugins/delegation';
import { escalation } from 'countersign/plugins/escalation';
import { imports } from 'countersign/plugins/imports';
import { insights } from 'countersign/plugins/insights';
import { operations } from 'countersign/plugins/operations';
import { preApprovals } from 'countersign/plugins/pre-approvals';
import { rehearsal } from 'countersign/plugins/rehearsal';
import { remembered } from 'countersign/plugins/remembered';
import { responses } from 'countersign/plugins/responses';
import { subscriptions } from 'countersign/plugins/subscriptions';
import { telemetry } from 'countersign/plugins/telemetry';
import { toolEvents } from 'countersign/plugins/tool-events';
import { twoStepStream } from 'countersign/plugins/two-step-stream';
import { votes } from 'countersign/plugins/votes';
import { directoryOf } from '../_data/people.ts';
import { demoPolicies } from '../_tools/policies.ts';
import { toolApproval } from '../_tools/tool-approval.ts';
import type { Settings } from './settings.ts';

/** The protocols that the app speaks beside the AI SDK's. */
export const dialects = [
  chatSocket(),
  responses({ serverTools: 'mcp_call' }),
  toolEvents(),
  twoStepStream(),
] as const;

/** What the app adds to the kernel, also through its channels. */
export function pluginsOf(
  app: Settings & { readonly subscribers: readonly Subscriber[]; readonly plugins: readonly FlowPlugin[] },
) {
  return [
    agentRequests({ approvers: ({ id, role }) => id === 'local' || role === 'manager' }),
    delegation({ people: directoryOf(app.people.map(({ principal }) => principal)) }),
    escalation(),
    imports(),
    insights(),
    operations(),
    preApprovals(),
    rehearsal({ policies: demoPolicies(toolApproval) }),
    remembered(),
    subscriptions({ subscribers: app.subscribers, baseUrl: app.url }),
    telemetry(),
    votes(),
    ...app.plugins,
  ] as const;
}
