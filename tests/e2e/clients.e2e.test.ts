import { describe, expect, it } from 'vitest';
import { clientRowsOfThisRun, tableChecker } from '../support/client-page.ts';
import {
  chatSocketClients,
  responsesClients,
  toolEventsClients,
  twoStepClients,
} from '../support/client-rows.ts';
import { clientScript } from '../support/client-script.ts';
import { socketServer, streamServer } from '../support/client-server.ts';
import { clientTables } from '../support/client-tables.ts';
import { responsesGateway } from '../support/responses-gateway.ts';
import { runClient } from '../support/run-client.ts';

// The first row of the matrix installs all clients.
const timeout = 600_000;

describe('an unmodified client of the Responses API', () => {
  const check = tableChecker(clientTables.responses);

  it.each(clientRowsOfThisRun(responsesClients))(
    '$name does what the table of clients says [C9, C12, C18]',
    async (row) => {
      const gateway = await responsesGateway(clientScript);
      const report = await runClient(row, gateway.url.replace(/\/responses$/, ''));
      const payments = gateway.ran.filter(({ tool }) => tool === 'pay');
      const approved = Object.entries(report).filter(
        ([task, { works }]) => /^(approve|elsewhere|repeat)/.test(task) && works,
      );
      expect(payments).toHaveLength(approved.length);
      expect([report.text, report.stream]).toEqual([{ works: true }, { works: true }]);
      check(row, report);
    },
    timeout,
  );
});

describe('an unmodified reader of event streams, with the two-step stream', () => {
  const check = tableChecker(clientTables['two-step-stream']);

  it.each(clientRowsOfThisRun(twoStepClients))(
    '$name does what the table of clients says [B3, B17]',
    async (row) => {
      const report = await runClient(row, await streamServer());
      expect(report.read).toEqual({ works: true });
      check(row, report);
    },
    timeout,
  );
});

describe('an unmodified reader of event streams, with the tool events', () => {
  const check = tableChecker(clientTables['tool-events']);

  it.each(clientRowsOfThisRun(toolEventsClients))(
    '$name does what the table of clients says [A1, A22, A25]',
    async (row) => {
      const report = await runClient(row, await streamServer());
      expect(report.read).toEqual({ works: true });
      check(row, report);
    },
    timeout,
  );
});

describe('an unmodified WebSocket, with the chat socket', () => {
  const check = tableChecker(clientTables['chat-socket']);

  it.each(clientRowsOfThisRun(chatSocketClients))(
    '$name does what the table of clients says [D2, D15, D24]',
    async (row) => {
      const report = await runClient(row, await socketServer());
      expect(report.text).toEqual({ works: true });
      check(row, report);
    },
    timeout,
  );
});
