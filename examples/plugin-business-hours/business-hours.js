import { CountersignError, parseApprovalId } from 'countersign';

const plugin = 'business-hours';
const kind = 'waiting';
/** All records have this owner, so that they can be listed. */
const ownerId = 'operators';
const hour = 3_600_000;
const day = 24 * hour;

/**
 * Calls are approved in business hours only. Outside of them, a question can be denied, and waits with its approvals.
 *
 * @param settings.opens the hour of the day from which calls are approved, in UTC
 * @param settings.closes the hour at which approvals end, later than `opens`
 */
export function businessHours({ opens, closes }) {
  if (!(opens >= 0 && opens < closes && closes <= 24)) {
    throw new CountersignError('invalid-settings', '`opens` must be before `closes`, both from 0 to 24.');
  }
  const isOpen = (now) => now % day >= opens * hour && now % day < closes * hour;
  const nextOpening = (now) => {
    const today = now - (now % day) + opens * hour;
    return today > now ? today : today + day;
  };
  const said = (now) => (isOpen(now) ? {} : { until: new Date(nextOpening(now)).toISOString() });
  const recordOf = ({ id: key, state, plugins }) => {
    const { until } = plugins?.[plugin] ?? {};
    return state === 'open' && until
      ? { plugin, kind, key, ownerId, ofChat: true, dueAt: Date.parse(until), value: '' }
      : undefined;
  };
  let now = () => Date.now();

  return {
    name: plugin,
    asked: (due) => said(due.now),
    records: (question) => [recordOf(question) ?? []].flat(),
    gate({ approved }) {
      const at = now();
      if (!approved || isOpen(at)) return true;
      const message = `Calls are approved from ${new Date(nextOpening(at)).toISOString()}. Nothing was recorded.`;
      throw new CountersignError('paused', message);
    },
    setUp(kernel) {
      const { clock, store, record, settings } = kernel;
      now = () => clock.now();

      /** Says of a question whose time has come that it can be approved. */
      async function open({ key, version }) {
        const question = await store.questions.read(parseApprovalId(key));
        if (question && recordOf(question)) {
          await record(question, (_call, { plugins }) =>
            plugins?.[plugin]?.until
              ? { name: 'opened', claim: `opened:${key}`, says: {}, isNotice: true }
              : undefined,
          );
        }
        await store.records.write([{ plugin, kind, key, isDeleted: true, expects: version }]);
      }

      const methods = {
        /** How many questions wait for business hours. @throws CountersignError `forbidden` for others than operators */
        async waiting({ principal }) {
          if ((await settings.mayOperate?.(principal)) !== true) {
            throw new CountersignError('forbidden', 'Only operators see how many questions wait.');
          }
          const { items } = await store.records.list({ plugin, kind, ownerId, limit: 1_000 });
          const questions = await Promise.all(
            items.map(({ key }) => store.questions.read(parseApprovalId(key))),
          );
          return { waiting: questions.filter((question) => question && recordOf(question)).length };
        },
      };

      return {
        methods,
        endpoints: (route) => [
          {
            path: '/business-hours',
            methods: {
              GET: route(async ({ principal }) => Response.json(await methods.waiting({ principal }))),
            },
          },
        ],
        async sweep() {
          for (const due of await store.records.due({ plugin, kind, now: await clock.sure(), limit: 100 })) {
            await open(due);
          }
        },
      };
    },
  };
}
