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
      elsewhere: 'question in text, answered elsewhere',
      repeat: 'message while it waits pays once',
    },
  });

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
  const check = tableChecker({
    name: 'tool-events',
    columns: {
      read: 'reads a stream',
      send: 'sends a message',
      question: 'question and answer',
      resume: 'resumes after a broken connection',
      stop: 'stops after the end',
      key: 'sends a key',
    },
  });

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
  const check = tableChecker({
    name: 'chat-socket',
    columns: {
      text: 'connects and reads a text',
      key: 'sends a key',
      question: 'question and answer',
      resume: 'resumes after a broken connection',
    },
  });

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
