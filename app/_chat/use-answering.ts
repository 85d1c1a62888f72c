'use client';

import { useEffect, useState } from 'react';

const settlingMs = 300;

/**
 * Guards a card against answers nobody meant: a double click whose second half lands on the next question,
 * a held key, a second answer while the first is on its way.
 *
 * @param onAnswer called at most once
 * @returns `isArmed` is false for the first moments of a card
 */
export function useAnswering(onAnswer: (approved: boolean) => void) {
  const [isArmed, setArmed] = useState(false);
  const [given, setGiven] = useState<boolean>();

  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), settlingMs);
    return () => clearTimeout(timer);
  }, []);

  const answer = (approved: boolean) => {
    if (!isArmed || given !== undefined) return;
    setGiven(approved);
    onAnswer(approved);
  };

  return { isArmed: isArmed && given === undefined, given, answer };
}
