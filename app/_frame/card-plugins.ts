import { delegationCard } from 'countersign/plugins/delegation/react';
import { escalationCard } from 'countersign/plugins/escalation/react';
import { formsCard } from 'countersign/plugins/forms/react';
import { preApprovalsCard } from 'countersign/plugins/pre-approvals/react';
import { rememberedCard } from 'countersign/plugins/remembered/react';
import { votesCard } from 'countersign/plugins/votes/react';

/** What the flow's plugins add to cards and to the inbox. */
export const cardPlugins = [
  delegationCard(),
  escalationCard(),
  formsCard(),
  rememberedCard(),
  votesCard(),
  preApprovalsCard(),
];
