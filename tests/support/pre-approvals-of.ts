import type { PreApprovals } from 'countersign/plugins/pre-approvals';

/** The methods of the plugin, of a flow whose type lacks them. */
export function preApprovalsOf(flow: object): PreApprovals {
  if (!hasPreApprovals(flow)) throw new Error('The flow lacks the plugin.');
  return flow.preApprovals;
}

function hasPreApprovals(flow: object): flow is { readonly preApprovals: PreApprovals } {
  return 'preApprovals' in flow;
}
