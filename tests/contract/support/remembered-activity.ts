import { remembered } from 'countersign/plugins/remembered';
import type { PluginActivity } from './plugin-activity.ts';

const ways = [
  { scope: 'chat', match: 'tool' },
  { scope: 'chat', match: 'exact-arguments' },
];

/** People have approvals remembered, and forget them. */
export const rememberedActivity: PluginActivity = {
  plugin: remembered(),
  list: { path: '/api/remembered', pages: 2 },
  approvals: ways.map((remember) => ({ plugins: { remembered: remember } })),
  async act(get, remove) {
    const [first] = JSON.parse(await get('/api/remembered')).remembered;
    if (first) await remove(`/api/remembered/${first.id}`);
  },
};
