/**
 * Everybody once a round, in turned order each other round: what drifts (heat, caches, the disk) is shared by all.
 */
export function* inTurns<Entrant>(entrants: readonly Entrant[], rounds: number): Generator<Entrant> {
  for (let round = 0; round < rounds; round += 1) {
    yield* round % 2 === 0 ? entrants : entrants.toReversed();
  }
}
