import { chatSocket, responses, toolEvents, twoStepStream } from 'countersign/dialects';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { imports } from 'countersign/plugins/imports';
import { insights } from 'countersign/plugins/insights';
import { operations } from 'countersign/plugins/operations';
import { rehearsal } from 'countersign/plugins/rehearsal';
import { telemetry } from 'countersign/plugins/telemetry';
import { demoPolicies } from '../_tools/policies.ts';
import { toolApproval } from '../_tools/tool-approval.ts';

/** What the app adds to the kernel. */
export const plugins = [
  agentRequests({ approvers: ({ id, role }) => id === 'local' || role === 'manager' }),
  imports(),
  insights(),
  operations(),
  rehearsal({ policies: demoPolicies(toolApproval) }),
  telemetry(),
] as const;

/** The protocols that the app speaks beside the AI SDK's. */
export const dialects = [
  chatSocket(),
  responses({ serverTools: 'mcp_call' }),
  toolEvents(),
  twoStepStream(),
] as const;
