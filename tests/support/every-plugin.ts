import type { Dialect } from 'countersign/http/server';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { chatSocket } from 'countersign/plugins/chat-socket';
import { delegation } from 'countersign/plugins/delegation';
import { escalation } from 'countersign/plugins/escalation';
import { pageForms } from 'countersign/plugins/forms';
import { imports } from 'countersign/plugins/imports';
import { insights } from 'countersign/plugins/insights';
import { links } from 'countersign/plugins/links';
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

/** All plugins of the package, and a setting that they need. */
export const everyPlugin = {
  plugins: [
    agentRequests({ approvers: () => true }),
    delegation({ people: () => [] }),
    escalation(),
    imports(),
    insights(),
    links({
      ...{ secret: 'a secret of these tests', baseUrl: 'https://app.example/api' },
      person: () => null,
      forms: pageForms(),
    }),
    operations(),
    preApprovals(),
    rehearsal(),
    remembered(),
    subscriptions({ subscribers: [] }),
    telemetry(),
    votes(),
  ],
  mayOperate: () => true,
} as const;

/** All dialects of the package. */
export const everyDialect: readonly Dialect[] = [
  chatSocket(),
  responses({ serverTools: 'mcp_call' }),
  toolEvents(),
  twoStepStream(),
];
