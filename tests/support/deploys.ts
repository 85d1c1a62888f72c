import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ToolSet, tool } from 'ai';
import { imports } from 'countersign/plugins/imports';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { type FixtureSettings, flowFixture } from './flow-fixture.ts';

/** How one deployment of the app differs from another. */
export type Deploy = FixtureSettings & {
  readonly description?: string;
  readonly schema?: z.ZodType;
  readonly needsApproval?: boolean;
  /** The tool's name. Default: `pay`. */
  readonly name?: string;
};

/** Deployments of one app with one gated tool on one database. Each is a process with its own settings. */
export function deploys() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-deploys-'));
  const path = join(folder, 'chats.sqlite');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = fakeClock();
  const ran: { deploy: string; input: unknown }[] = [];

  function deploy(label: string, script: Script, settings: Deploy = {}, store?: FlowStore) {
    const {
      description,
      schema = plain,
      needsApproval = true,
      name = 'pay',
      plugins = [],
      ...more
    } = settings;
    const pay = tool({
      description,
      inputSchema: schema as z.ZodType<unknown>,
      needsApproval,
      execute: (input) => {
        ran.push({ deploy: label, input });
        return 'paid';
      },
    });
    const tools = { [name]: pay } as ToolSet;
    return flowFixture(script, {
      tools,
      clock,
      ...more,
      store: store ?? sqliteStore({ path }),
      plugins: [imports(), remembered(), ...plugins],
    });
  }
  return { deploy, ran, clock, path };
}

const plain = z.object({ to: z.string(), amount: z.number() });
