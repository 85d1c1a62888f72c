/**
 * What is asked of every contestant: two payments one after the other, or both in one step; or one with a receipt
 * of a megabyte.
 */
export type Task = 'chain' | 'pair' | 'large';

/** What the scripted model says next; a list of words is streamed in that many deltas. */
export type ScriptedReply = {
  readonly text: string | readonly string[];
  readonly calls: readonly PaymentCall[];
};
export type PaymentCall = { readonly id: string; readonly recipient: string };

/** The words of a person. `id` names the chat: tool inputs carry it, so that executions can be counted by chat. */
export function wordsFor(task: Task, id: string): string {
  return `${task} ${id}`;
}

/**
 * The one model of this bench, whatever speaks for it: no latency, and the same words for everybody.
 *
 * @param words what the person said
 * @param results how many tool results the model has been told since
 */
export function nextReply(words: string, results: number): ScriptedReply {
  const [task, id = ''] = words.split(' ');
  const call = (place: number) => ({ id: `call-${id}-${place}`, recipient: `${id}/${place}` });
  if (task === 'stream') return { text: Array.from({ length: Number(id) }, () => 'word '), calls: [] };
  if (task === 'pair' && results === 0) return { text: 'I will pay both.', calls: [call(1), call(2)] };
  if (task === 'large' && results === 0)
    return { text: 'I will ask for the receipt.', calls: [{ id: `call-${id}`, recipient: largeReceipt }] };
  if (task === 'chain' && results === 0) return { text: 'I will pay the first.', calls: [call(1)] };
  if (task === 'chain' && results === 1) return { text: 'Now the second.', calls: [call(2)] };
  return { text: 'Both are paid.', calls: [] };
}

const largeReceipt = 'whoever wants a long receipt';
const receiptBytes = 1_048_576;

/** The tool's outcome, and a count of who was paid how often. */
export function createTill() {
  const paid = new Map<string, number>();
  return {
    async pay(recipient: string) {
      paid.set(recipient, (paid.get(recipient) ?? 0) + 1);
      if (recipient !== largeReceipt) return { status: 'paid', recipient };
      return { status: 'paid', recipient, receipt: 'x'.repeat(receiptBytes) };
    },
    /** How often a call of this chat ran. */
    timesPaid: (id: string, place: number) => paid.get(`${id}/${place}`) ?? 0,
  };
}

/** @see createTill */
export type Till = ReturnType<typeof createTill>;
