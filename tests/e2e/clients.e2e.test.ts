import { describe, expect, it } from 'vitest';
import { clientRowsOfThisRun, tableChecker } from '../support/client-page.ts';
import { eventSourceClients, responsesClients } from '../support/client-rows.ts';
import { clientScript } from '../support/client-script.ts';
import { twoStepServer } from '../support/client-server.ts';
import { responsesGateway } from '../support/responses-gateway.ts';
import { runClient } from '../support/run-client.ts';

// The first row of the matrix installs all clients.
const timeout = 120_000;

describe('an unmodified client of the Responses API', () => {
  const check = tableChecker({
    name: 'responses',
    columns: {
      text: 'text',
      stream: 'stream',
      serverTool: 'tools of the server',
      approve: 'approve',
      deny: 'deny',
      continue: 'next message',
      clientTool: 'tools of the client',
      structured: 'structured output',
      approveWithoutTool: 'approve without a hosted tool',
    },
  });

  it.each(clientRowsOfThisRun(responsesClients))(
    '$name does what the table of clients says [C9, C12, C18]',
    async (row) => {
      const gateway = await responsesGateway(clientScript);
      const report = await runClient(row, gateway.url.replace(/\/responses$/, ''));
      const payments = gateway.ran.filter(({ tool }) => tool === 'pay');
      const approved = Object.entries(report).filter(([task, { works }]) => /^approve/.test(task) && works);
      expect(payments).toHaveLength(approved.length);
      expect([report.text, report.stream]).toEqual([{ works: true }, { works: true }]);
      check(row, report);
    },
    timeout,
  );
});

describe('an unmodified reader of event streams, with the two-step stream', () => {
  const check = tableChecker({
    name: 'two-step-stream',
    columns: {
      read: 'reads a stream',
      errorFrame: 'sees `error` frames',
      resume: 'resumes after a broken connection',
      stop: 'stops after `done`',
      key: 'sends a key',
    },
  });

  it.each(clientRowsOfThisRun(eventSourceClients))(
    '$name does what the table of clients says [B3, B17]',
    async (row) => {
      const report = await runClient(row, await twoStepServer());
      expect(report.read).toEqual({ works: true });
      check(row, report);
    },
    timeout,
  );
});
