'use client';

import { delegationCard } from 'countersign/plugins/delegation/react';
import { escalationCard } from 'countersign/plugins/escalation/react';
import { formsCard } from 'countersign/plugins/forms/react';
import { preApprovalsCard } from 'countersign/plugins/pre-approvals/react';
import { rememberedCard } from 'countersign/plugins/remembered/react';
import { votesCard } from 'countersign/plugins/votes/react';
import {
  type CardPlugin,
  CardPluginsProvider,
  PersonProvider,
  type WordsGiven,
  WordsProvider,
} from 'countersign/react';
import type { ReactNode } from 'react';
import { useUser } from '../_identity/identity-state.tsx';

/** What the flow's plugins add to cards and to the inbox. */
const plugins: readonly CardPlugin[] = [
  delegationCard(),
  escalationCard(),
  formsCard(),
  rememberedCard(),
  votesCard(),
  preApprovalsCard(),
];

/** The only rule of this app about who may answer is the one of payments. */
const words: WordsGiven = {
  card: { notYours: "Waiting for a manager. You can't approve your own request above 1,000." },
};

/** What cards need: the parts of plugins, the texts of this app, and who "you" is. Only the pages with cards load it. */
export function Cards({ children }: { children: ReactNode }) {
  return (
    <WordsProvider words={words}>
      <CardPluginsProvider plugins={plugins}>
        <PersonProvider id={useUser()?.id}>{children}</PersonProvider>
      </CardPluginsProvider>
    </WordsProvider>
  );
}
