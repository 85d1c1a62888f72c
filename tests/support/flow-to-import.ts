import { createApprovalFlow } from 'countersign';
import { imports } from 'countersign/plugins/imports';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';

/** The flow of an app, as `countersign import` loads it. */
export const flow = createApprovalFlow({
  store: sqliteStore({ path: process.env.DATABASE ?? ':memory:' }),
  model: scriptedModel([]),
  plugins: [imports()],
});
