import { votes } from 'countersign/plugins/votes';
import { addPlugin } from '../add-plugin.ts';
import { eventsOf, proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  addPlugin(setup, votes());
  setup.several = { ...setup.several, voted: ['pay'] };
  proves(setup, 'votes', () => eventsOf(setup).filter(({ type }) => type === 'answer-recorded').length >= 2);
};
