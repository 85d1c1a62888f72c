import { describe, expect, it } from 'vitest';
import { isRecordingPython, namesInPage, tableRecorder } from '../support/client-page.ts';
import { clientScript } from '../support/client-script.ts';
import { socketServer, streamServer } from '../support/client-server.ts';
import { clientTables, pythonTable } from '../support/client-tables.ts';
import { pythonClients } from '../support/python-rows.ts';
import { responsesGateway } from '../support/responses-gateway.ts';
import { runPythonClient } from '../support/run-python-client.ts';

// The first one installs all of them.
const timeout = 600_000;

/** The server of each table. @returns its address, and how many payments ran */
const servers = {
  async responses() {
    const { baseURL, ran } = await responsesGateway(clientScript);
    return { url: baseURL, payments: () => ran.filter(({ tool }) => tool === 'pay').length };
  },
  'two-step-stream': async () => ({ url: await streamServer(), payments: undefined }),
  'chat-socket': async () => ({ url: await socketServer(), payments: undefined }),
};

describe.each(Object.keys(pythonClients) as (keyof typeof pythonClients)[])(
  'clients in Python, with the dialect %s',
  (dialect) => {
    const rows = pythonClients[dialect];
    const table = pythonTable(clientTables[dialect]);

    it('are in the page, in the versions that the command installs [ADR 0014, B17, D15]', () => {
      if (!isRecordingPython) expect(namesInPage(table)).toEqual(rows.map(({ name }) => name));
    });

    if (!isRecordingPython) return;
    const record = tableRecorder(table);
    it.each(rows)(
      '$name does its tasks [C12, B17, D15]',
      async (row) => {
        const { url, payments } = await servers[dialect]();
        const report = await runPythonClient(row, url);
        if (payments) expect(payments()).toBe(report.approve?.works ? 1 : 0);
        record(row, report);
      },
      timeout,
    );
  },
);
