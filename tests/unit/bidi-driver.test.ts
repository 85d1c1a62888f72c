import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { loadSocketDriver } from '../../lib/bidi/server-driver.ts';

describe('The package of WebSocket servers', () => {
  it('is loaded when it is installed', () => {
    expect(loadSocketDriver().WebSocketServer).toBe(WebSocketServer);
  });

  it('is named, with the command that installs it, when it is missing', () => {
    const cause = Object.assign(new Error("Cannot find module 'ws'"), { code: 'MODULE_NOT_FOUND' });
    const load = () => {
      throw cause;
    };

    expect(() => loadSocketDriver(load)).toThrow(
      expect.objectContaining({
        name: 'CountersignError',
        code: 'internal',
        message: 'WebSocket servers need the package ws, which is not installed. Run: npm install ws@8',
        cause,
      }),
    );
  });

  it('passes on any other failure to load it', () => {
    const failure = new Error('The file is damaged.');
    const load = () => {
      throw failure;
    };

    expect(() => loadSocketDriver(load)).toThrow(failure);
  });
});
