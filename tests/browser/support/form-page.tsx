import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import '../../../lib/react/styles.css';
import '../../../lib/plugins/forms/react/styles.css';
import type { NewAnswer, Question } from '../../../lib/client/question.ts';
import { formsCard } from '../../../lib/plugins/forms/react/index.tsx';
import { ApprovalCard } from '../../../lib/react/card/approval-card.tsx';
import { CardPluginsProvider } from '../../../lib/react/plugins/card-plugins.tsx';

declare global {
  /** What the page approved. */
  var answers: NewAnswer[];
}

const card = z.object({ kind: z.literal('card'), number: z.string().min(1), expires: z.string() });
const account = z.object({ kind: z.literal('account'), iban: z.string(), bank: z.string().optional() });

/** A field of every kind. */
const booking = z.object({
  guest: z.string().min(1).describe('As in the passport.'),
  mail: z.email().optional(),
  arrival: z.iso.date(),
  departure: z.iso.date().optional(),
  checkIn: z.iso.datetime(),
  breakfastAt: z.iso.time().nullable(),
  room: z.enum(['single', 'double', 'suite']).default('double'),
  floor: z.enum(['1', '2', '3', '4', '5', '6', '7']),
  currency: z.enum(['EUR', 'USD']).nullable().optional(),
  isBusiness: z.boolean(),
  deposit: z.number().multipleOf(0.5).min(0).nullable(),
  note: z.string().nullable().optional(),
  payWith: z.discriminatedUnion('kind', [card, account]),
  discount: z.union([z.number(), z.string()]).optional(),
  guests: z.array(z.object({ name: z.string(), age: z.number().int().optional() })).min(1),
  tags: z.array(z.string()),
  address: z.object({ city: z.string(), street: z.string() }).optional(),
  limits: z.record(z.string(), z.number()),
  passport: z.string(),
  version: z.literal(2),
});

const input = {
  guest: 'Ada Lovelace',
  arrival: '2026-12-24',
  checkIn: '2026-12-24T14:30:00Z',
  breakfastAt: null,
  floor: '3',
  isBusiness: false,
  deposit: 30.5,
  payWith: { kind: 'card', number: '4111', expires: '12/27' },
  guests: [{ name: 'Ada', age: 36 }, { name: 'Charles' }],
  tags: ['window', 'quiet'],
  limits: { minibar: 20 },
  passport: '[redacted]',
  version: 2,
};

const question: Question = {
  id: 'q1',
  chatId: 'chat',
  toolCallId: 'c1',
  toolName: 'book_room',
  title: 'Book room',
  input,
  description: 'Book a double room for Ada Lovelace',
  state: 'open',
  mayAnswer: true,
  mayEdit: true,
  mayRemember: true,
};

globalThis.answers = [];

const direction = new URLSearchParams(location.search).get('dir') ?? 'ltr';
document.documentElement.dir = direction;
const root = document.createElement('main');
document.body.append(root);

createRoot(root).render(
  <CardPluginsProvider
    plugins={[formsCard({ loadInputSchema: async () => z.toJSONSchema(booking, { io: 'input' }) })]}
  >
    <h1>Page</h1>
    <ApprovalCard
      question={question}
      onAnswer={(answer) => {
        globalThis.answers.push(answer);
      }}
    />
  </CardPluginsProvider>,
);
