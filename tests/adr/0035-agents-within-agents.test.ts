import { type ToolSet, tool } from 'ai';
import { type AgentSettings, subagent } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { dyingStore, scriptedModel } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { adr } from '../support/adr.ts';
import { approveThenCrash } from '../support/approve-then-crash.ts';
import { checkLog } from '../support/check-log.ts';
import { deploys } from '../support/deploys.ts';
import { flowFixture, questionIn, types } from '../support/flow-fixture.ts';
import { agentTools, pay, research, subagentFixture, task } from '../support/subagent-fixture.ts';

const { clause } = adr('0035-agents-within-agents.md');

const toResearch = [research('r')];
const done = [{ text: 'Done.' }];
const paid = [{ text: 'Paid.' }];

const outputOf = (prompt: readonly { role: string; content: unknown }[] | undefined) =>
  prompt?.findLast(({ role }) => role === 'tool')?.content;
