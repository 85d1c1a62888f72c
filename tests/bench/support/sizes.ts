/** How much is measured: enough to tell 10 % apart, or enough to see that the bench runs. */
export type Sizes = ReturnType<typeof sizesOf>;

/** @param quick about a minute instead of some ten, on two cores */
export function sizesOf(quick: boolean) {
  return quick
    ? {
        floorSamples: 300,
        storedFlows: 50,
        roundTripSamples: 15,
        busyRounds: 1,
        pluginSamples: 15,
        stageRounds: 2,
        flows: { rounds: 2, roundMs: 300, trials: 5 },
        questions: [500, 1_000],
        sockets: [500, 1_000],
        socketRounds: 1,
        idleMs: 1_000,
        stream: { deltas: 20_000, rounds: 2 },
        growthSamples: 4,
        lifecycleTurns: 40,
        resultTurns: 5,
        crowdTurns: 10,
        lists: { chats: [100, 1_000], questions: 10_000 },
        scale: { chats: [100, 1_000], samples: 20 },
        lockHeldMs: 500,
        wireResults: { megabytes: [1, 4], rounds: 1 },
        wireReaders: { crowds: [100], seconds: 1, rounds: 1 },
        wireSlowReaders: { stalled: 10, seconds: 1, rounds: 1 },
        predicates: { rounds: 5, roundMs: 10 },
        clientRounds: 2,
      }
    : {
        floorSamples: 3_000,
        storedFlows: 500,
        roundTripSamples: 300,
        busyRounds: 6,
        pluginSamples: 150,
        stageRounds: 15,
        flows: { rounds: 9, roundMs: 1_000, trials: 20 },
        questions: [1_000, 10_000],
        sockets: [1_000, 5_000],
        socketRounds: 3,
        idleMs: 5_000,
        stream: { deltas: 20_000, rounds: 9 },
        growthSamples: 80,
        lifecycleTurns: 1_000,
        resultTurns: 30,
        crowdTurns: 100,
        lists: { chats: [100, 1_000, 10_000], questions: 100_000 },
        scale: { chats: [1_000, 1_000_000], samples: 200 },
        lockHeldMs: 2_000,
        wireResults: { megabytes: [1, 4], rounds: 5 },
        wireReaders: { crowds: [1_000], seconds: 2, rounds: 3 },
        wireSlowReaders: { stalled: 100, seconds: 2, rounds: 3 },
        predicates: { rounds: 9, roundMs: 20 },
        clientRounds: 9,
      };
}
