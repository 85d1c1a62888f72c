import { answerRoundTrip } from './answer-round-trip.ts';
import { profileAnswers } from './answer-stages.ts';
import { busyRoundTrip } from './busy-round-trip.ts';
import { clientCost } from './client.ts';
import { type Counts, countCosts } from './counts.ts';
import { crowd } from './crowd.ts';
import { concurrencies, durableFlows } from './durable-flows.ts';
import { floors } from './floors.ts';
import { growth } from './growth.ts';
import { reports } from './insights-report.ts';
import { lifecycleDelay } from './lifecycle-delay.ts';
import { chatLists } from './lists.ts';
import { lockWait } from './lock-wait.ts';
import { packageCosts } from './package-costs.ts';
import { pageLoads } from './page-loads.ts';
import { pluginCost } from './plugins.ts';
import { predicateCosts } from './predicates.ts';
import { resultDelay } from './result-delay.ts';
import { scale } from './scale.ts';
import { streamCost } from './stream-cost.ts';
import type { Durable } from './support/contestant.ts';
import { median } from './support/distribution.ts';
import { flameGraph } from './support/flame-graph.ts';
import { growthPlot } from './support/growth-plot.ts';
import type { Part, RunSizes } from './support/part.ts';
import { printTable, writeResult } from './support/report.ts';
import type { Results } from './support/results.ts';
import { waitingQuestions, waitingSockets } from './waiting.ts';
import { wireParts } from './wires/parts.ts';

/** All measures, in the order in which they run. */
export const parts: readonly Part[] = [
  {
    name: 'floors',
    async measure(results, { connectionString, floorSamples }) {
      results.floors = await floors({ connectionString, samples: floorSamples });
      printTable('Floors: what nothing on this machine is faster than, in milliseconds', results.floors);
    },
  },
  {
    name: 'counts',
    async measure(results, sizes) {
      const counts = await countOnce(results, sizes);
      printTable('Counts of one flow: message, question, answer, question, answer, final (SQLite)', [
        { transport: 'SSE', ...counts.sse },
        { transport: 'BIDI', ...counts.bidi },
      ]);
      console.log(`  Stored bytes per finished flow: ${counts.storedBytesPerFlow}`);
      const { answer, flow } = counts.postgresQueries;
      console.log(`  Queries to Postgres: ${answer} an answer, ${flow} a flow`);
    },
  },
  {
    name: 'round-trip',
    async measure(results, sizes) {
      const { connectionString, roundTripSamples: samples } = sizes;
      const durable = durableOf(await countOnce(results, sizes));
      results.answerRoundTrip = await answerRoundTrip({ connectionString, samples, durable });
      printTable(
        'Answer round trip over loopback, in milliseconds',
        results.answerRoundTrip.map(
          ({ contestant, messages, toQuestion, toFirstByte, toLastByte, ...row }) => ({
            contestant,
            messages,
            'next question': toQuestion.median,
            'p99 ': toQuestion.p99,
            'final, first byte': toFirstByte.median,
            'p99  ': toFirstByte.p99,
            'final, last byte': toLastByte.median,
            'p99   ': toLastByte.p99,
            'bytes per answer': row.bytesPerAnswer,
          }),
        ),
      );
    },
  },
  {
    name: 'stages',
    async measure(results, { stageRounds }) {
      const { stages, stacks } = await profileAnswers(stageRounds);
      results.answerStages = stages;
      results.answerStacks = stacks;
      printTable(
        'Where the time of an answer goes (SSE, SQLite, no plugins)',
        stages.map(({ stage, ms, share }) => ({ stage, ms, '%': share })),
      );
      console.log(`  Flame graph: ${writeResult('answer.svg', flameGraph('answer', 'ms', stacks))}`);
    },
  },
  {
    name: 'busy',
    async measure(results, { busyRounds }) {
      results.busyRoundTrip = await busyRoundTrip(busyRounds);
      printTable(
        'Answer to last byte while 64 chats go on, in milliseconds (SQLite)',
        results.busyRoundTrip.map(({ contestant, toLastByte: { median, p99 } }) => ({
          ...{ contestant, median, p99 },
        })),
      );
    },
  },
  {
    name: 'plugins',
    async measure(results, { pluginSamples }) {
      results.pluginCost = await pluginCost(pluginSamples);
      printTable(
        'Answer to last byte with no plugin and with all, in milliseconds (SSE, SQLite)',
        results.pluginCost.map(({ plugins, toLastByte: { median, p99 } }) => ({ plugins, median, p99 })),
      );
    },
  },
  {
    name: 'flows',
    async measure(results, sizes) {
      const { connectionString, flows } = sizes;
      const durable = durableOf(await countOnce(results, sizes));
      results.durableFlows = await durableFlows({ connectionString, durable, ...flows });
      printTable(
        'Durable flows per second, by chats at once; and what became of odd answers',
        results.durableFlows.map(({ name, perSecond, cpuMsEach, correctness }) => ({
          contestant: name,
          ...Object.fromEntries(
            concurrencies.map((at) => [`at ${at}`, Math.round(perSecond[at] ?? Number.NaN)]),
          ),
          'CPU ms each, at 16': cpuMsEach,
          ...(correctness && {
            'answered twice at once: ran twice': `${correctness.ranTwiceAtOnce} of ${correctness.trials}`,
            'sent again later: ran': `${correctness.ranAgainLater} of ${correctness.trials}`,
            'one of two alone: right': `${correctness.answeredAlone} of ${correctness.trials}`,
          }),
        })),
      );
      for (const { name, saves } of results.durableFlows) console.log(`  ${name} saves: ${saves}`);
    },
  },
  {
    name: 'waiting',
    async measure(results, { questions, sockets, waitingRounds: rounds, idleMs }) {
      results.waitingQuestions = await waitingQuestions({ counts: questions, idleMs, rounds });
      printTable('Waiting: open questions, nobody connected', results.waitingQuestions);
      results.waitingSockets = await waitingSockets({ counts: sockets, idleMs, rounds });
      printTable('Waiting: sockets that say nothing', results.waitingSockets);
    },
  },
  {
    name: 'stream',
    async measure(results, { stream }) {
      results.streamCost = await streamCost(stream);
      printTable('Stream cost: one long answer, to a client that only reads', results.streamCost);
    },
  },
  {
    name: 'growth',
    async measure(results, sizes) {
      const durable = durableOf(await countOnce(results, sizes));
      results.growth = await growth({ samples: sizes.growthSamples, durable });
      printTable('Growth: as a chat grows, in milliseconds (SSE, SQLite)', results.growth);
      console.log(`  Plot: ${writeResult('growth.svg', growthPlot(results.growth))}`);
    },
  },
  {
    name: 'lifecycle',
    async measure(results, { lifecycleTurns }) {
      results.lifecycleDelay = await lifecycleDelay(lifecycleTurns);
      printTable(
        'Lifecycle delay: from a change of a call to its receipt, in milliseconds (A23: at most 500 at p99)',
        results.lifecycleDelay,
      );
    },
  },
  {
    name: 'result-delay',
    async measure(results, { resultTurns }) {
      results.resultDelay = await resultDelay(resultTurns);
      printTable(
        'One result beside ten streams: how late their latest word was, in milliseconds (SSE, SQLite)',
        results.resultDelay.map(({ result, wire, bytes, median, max, added }) => ({
          result,
          'read over': wire,
          'bytes read': bytes,
          median,
          max,
          'more than beside a small result': added,
        })),
      );
    },
  },
  {
    name: 'lock',
    async measure(results, { lockHeldMs }) {
      results.lockWait = await lockWait(lockHeldMs);
      printTable(
        'A write while another process holds the lock of the SQLite file, in milliseconds',
        results.lockWait.map(({ who, heldMs, writtenAfterMs, longestStallMs }) => ({
          who,
          'lock held': heldMs,
          'written after': writtenAfterMs,
          'longest time without a timer': longestStallMs,
        })),
      );
    },
  },
  {
    name: 'crowd',
    async measure(results, { crowdTurns }) {
      results.crowd = await crowd(crowdTurns);
      printTable(
        'One user’s turn beside the feeds of others, in milliseconds (SSE, SQLite)',
        results.crowd.map(({ feeds, users, turn, ratio }) => ({
          feeds,
          'of users': users,
          turn: turn.median,
          p99: turn.p99,
          'times a turn without feeds': ratio,
        })),
      );
    },
  },
  {
    name: 'lists',
    async measure(results, { connectionString, lists }) {
      results.chatLists = await chatLists(connectionString, lists.chats);
      printTable(
        'The first page of a person’s chats, in milliseconds',
        results.chatLists.map(({ store, chats, listMs }) => ({ store, chats, median: listMs })),
      );
    },
  },
  {
    name: 'insights',
    async measure(results, { connectionString, lists }) {
      results.reports = await reports(connectionString, lists.questions);
      printTable(
        'A report on the answers of 30 days, in milliseconds',
        results.reports.map(({ store, questions, reportMs, countMsEach }) => ({
          ...{ store, questions, median: reportMs, 'to count a question once': countMsEach },
        })),
      );
    },
  },
  {
    name: 'scale',
    isOnRequest: true,
    async measure(results, { connectionString, scale: sizes }) {
      results.scale = await scale({ connectionString, ...sizes });
      printTable(
        'One answer beside many chats, in milliseconds (Postgres)',
        results.scale.map(({ chats, openQuestions, bytes, answer: { median, p99 } }) => ({
          ...{ chats, 'open questions': openQuestions, MB: bytes / 1e6, median, p99 },
        })),
      );
    },
  },
  ...wireParts,
  {
    name: 'predicates',
    async measure(results, { predicates }) {
      results.predicates = predicateCosts(predicates);
      printTable('Predicates: nanoseconds per call', results.predicates);
    },
  },
  {
    name: 'client',
    async measure(results, { clientRounds: rounds }) {
      results.client = await clientCost({ rounds });
      printTable('Client: useChat in Chromium, in milliseconds and renders', results.client);
    },
  },
  {
    name: 'page',
    async measure(results, { pageRounds }) {
      results.pages = await pageLoads(pageRounds);
      printTable(
        'Pages of the app in Chromium, nothing cached; times in milliseconds at 1.6 Mbit/s, 150 ms, a quarter of the CPU',
        results.pages.map(({ page, firstScriptKb, scriptKb, largestPaint, usable, layoutShift }) => ({
          page,
          'JavaScript kB, to the first decision': firstScriptKb,
          'until idle': scriptKb,
          'largest paint': largestPaint,
          'Approve usable': usable,
          'layout shift': layoutShift,
        })),
      );
    },
  },
  {
    name: 'package',
    async measure(results, { packageRounds }) {
      results.packageCosts = packageCosts(packageRounds);
      printTable(
        'A small app with ai, next and react, in seconds',
        results.packageCosts.map(({ app, packages, files, installs, typeChecks }) => ({
          ...{ app, packages, files, 'npm install': median(installs), tsc: median(typeChecks) },
        })),
      );
    },
  },
];

/** The counts of this run: what is a floor to others makes as much durable as ours. */
async function countOnce(results: Results, { connectionString, storedFlows }: RunSizes): Promise<Counts> {
  results.counts ??= await countCosts({ connectionString, storedFlows });
  return results.counts;
}

/** A flow has three responses; each of its writes is taken to be as large as the others. */
function durableOf({ sse, storedBytesPerFlow }: Counts): Durable {
  return {
    writes: sse.durableWritesPerFlow / 3,
    bytesEach: Math.round(storedBytesPerFlow / sse.durableWritesPerFlow),
  };
}
