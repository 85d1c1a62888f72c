import { escalationCard } from 'countersign/plugins/escalation/react';
import { votesCard } from 'countersign/plugins/votes/react';

/** What the flow's plugins add to cards and to the inbox. */
export const cardPlugins = [escalationCard(), votesCard()];
