import { type ToolResultPart, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answered, play } from './demo-play.ts';

const tools = {
  update_database: tool({
    inputSchema: z.object({ status: z.string() }),
    execute: async () => ({ updated: 10 }),
  }),
};

describe('the demo model’s text about a call that did not complete', () => {
  const denied = { type: 'execution-denied', reason: 'not today.' } as const;
  const unknown = { type: 'error-text', value: 'outcome-unknown: the server stopped' } as const;
  const failed = { type: 'error-text', value: 'Insufficient funds.' } as const;
  const paid = {
    type: 'json',
    value: { paid: true, recipient: 'Alice', amount: 25, currency: 'EUR' },
  } as const;
  const approved: ToolResultPart['output'] = {
    type: 'text',
    value: `This call was approved: today only.\n\nReally.\nThe arguments were edited to: {}\n\n${JSON.stringify(paid.value)}`,
  };

  it.each<[string, ToolResultPart['output'], string]>([
    ['denied', denied, 'Alice was not paid 30 USD: the payment was denied (not today).'],
    [
      'denied without a reason',
      { type: 'execution-denied' } as const,
      'Alice was not paid 30 USD: the payment was denied.',
    ],
    [
      'failed with an error class in its text',
      { type: 'error-text', value: 'PaymentError: No.' } as const,
      'Alice was not paid 30 USD: the payment failed (No).',
    ],
    ['failed', failed, 'Alice was not paid 30 USD: the payment failed (Insufficient funds).'],
    ['unknown', unknown, 'It is unknown whether Alice was paid 30 USD (the server stopped).'],
    ['paid with edited arguments', paid, 'Alice was paid 25 EUR.'],
    ['approved with a reason', approved, 'Alice was paid 25 EUR.'],
    [
      'approved with a reason, and failed',
      {
        type: 'error-text',
        value: 'Insufficient funds.\n\nThis call was approved: today only.',
      } as const,
      'Alice was not paid 30 USD: the payment failed (Insufficient funds).',
    ],
  ])('describes a payment that was %s', async (_state, output, sentence) => {
    const played = await play(
      answered('Pay Alice 30', [['process_payment', { recipient: 'Alice', amount: 30 }, output]]),
      tools,
    );
    expect(played.texts).toEqual([sentence]);
  });

  it('continues to the update after a denied search', async () => {
    const played = await play(
      answered('Search and update database', [['search_database', {}, denied]]),
      tools,
    );
    expect(played.calls[0]).toEqual([['update_database', { status: 'reviewed' }]]);
    expect(played.texts).toEqual(['The search was not approved (not today).', 'Database updated.']);
  });

  it.each([
    [denied, 'The database was not updated: the update was denied (not today).'],
    [failed, 'The database was not updated: Insufficient funds.'],
    [unknown, 'It is unknown whether the database was updated (the server stopped).'],
  ])('describes an update with the result %j', async (output, sentence) => {
    const played = await play(
      answered('Update database', [['update_database', { status: 'reviewed' }, output]]),
      tools,
    );
    expect(played.texts).toEqual([sentence]);
  });

  it.each([
    [denied, 'Your location was not shared (not today).'],
    [failed, 'Your location could not be read (Insufficient funds).'],
  ])('describes a location with the result %j', async (output, sentence) => {
    const played = await play(answered('Where am I?', [['get_location', {}, output]]), tools);
    expect(played.texts).toEqual([sentence]);
  });
});
