import { askPerson } from 'countersign';
import { pageForms } from 'countersign/plugins/forms';
import { z } from 'zod';
import type { FormQuestion } from '../../../../lib/channels/page-form.ts';
import { answerByHttp, told } from '../answers.ts';
import { eventsOf, proves } from '../proofs.ts';
import { chatId, type Member } from '../stage.ts';

const stay = z.object({ from: z.iso.date(), nights: z.int().min(1) });
const typed = { '/from': '2026-12-01', '/nights': '3' };

/** Fills in the form of a question: on the page of a link if there is one, and otherwise by what its fields read. */
export const member: Member = (setup) => {
  const forms = pageForms();
  setup.forms = forms;
  // The model of the simulator writes numbers.
  const dates = { ...askPerson({ schema: stay, title: 'Dates' }), inputSchema: z.object({ n: z.number() }) };
  setup.tools.dates = dates;
  setup.steps.push(['dates:1']);
  setup.asked.push(async (question) => {
    const { approvalId, toolName } = question;
    if (toolName !== 'dates') return;
    const stage = setup.stage();
    if (setup.fillIn) {
      told(stage, 'ada', approvalId);
      return setup.fillIn(approvalId, 'ada', typed);
    }
    const path = `/api/approvals/${approvalId}`;
    const call = { who: 'ada', does: 'look', instance: stage.reached, chatId, path } as const;
    const { json } = await stage.clients.ask(call);
    const { approval, inputSchema } = json as { approval: FormQuestion; inputSchema: unknown };
    const form = forms({ ...approval, inputSchema });
    if (!form) throw new Error('The question has no form.');
    const { value } = form.read(new Map(Object.entries(typed)));
    await answerByHttp(stage, 'ada', approvalId, { approved: true, [form.sentAs]: value });
  });
  proves(setup, 'forms', () => {
    const answered = eventsOf(setup).find((event) => event.type === 'approval-answered' && 'value' in event);
    return JSON.stringify(answered)?.includes('"nights":3') ?? eventsOf(setup);
  });
};
