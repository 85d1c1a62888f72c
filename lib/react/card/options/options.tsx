'use client';

import { useLoaded } from '../../use-loaded.ts';
import { useApprovalCard } from '../card-context.ts';

/** Few questions have options: a page downloads this code for the first one that does. */
const loadParts = () => import('./option-parts.tsx');

/** What the options of the question would run. Renders nothing for a question without options, or that is not open. */
export function CardOptions() {
  const { question, canAnswer } = useApprovalCard();
  return canAnswer && question.options ? <Lazy part="OptionList" /> : null;
}

/** The buttons of further options, between Deny and Approve. */
export function MoreOptions() {
  const { choices } = useApprovalCard();
  return choices.others.length > 0 ? <Lazy part="OptionButtons" /> : null;
}

function Lazy({ part }: { part: 'OptionList' | 'OptionButtons' }) {
  const Part = useLoaded(loadParts)?.[part];
  return Part ? <Part /> : null;
}
