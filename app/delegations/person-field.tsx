'use client';

import { useId, useRef, useState } from 'react';
import { type Person, searchPeople } from './delegations-api.ts';
import styles from './delegations-screen.module.css';

/** A search for a person of the directory, and the people found to choose from. */
export function PersonField({
  person,
  onChoose,
}: {
  person: Person | undefined;
  onChoose: (person: Person | undefined) => void;
}) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Person[]>();
  const [isUnreachable, setUnreachable] = useState(false);
  const latest = useRef('');
  const id = useId();

  const search = async (typed: string) => {
    setText(typed);
    onChoose(undefined);
    const wanted = typed.trim();
    latest.current = wanted;
    if (wanted.length < 2) return setFound(undefined);
    const people = await searchPeople(wanted);
    // A later search may have been answered before.
    if (latest.current !== wanted) return;
    setUnreachable(people === undefined);
    setFound(people);
  };

  const choose = (chosen: Person) => {
    latest.current = '';
    setText('');
    setFound(undefined);
    onChoose(chosen);
  };

  return (
    <>
      <label htmlFor={id}>
        To <span className={styles.hint}>(type at least two letters of the name)</span>
      </label>
      <input
        id={id}
        type="search"
        value={person?.name ?? text}
        autoComplete="off"
        aria-describedby={`${id}-status`}
        onChange={(event) => void search(event.currentTarget.value)}
      />
      <p id={`${id}-status`} className={styles.said} role="status">
        {person ? `${person.name} is chosen.` : statusOf(found, isUnreachable)}
      </p>
      {found && found.length > 0 && (
        <ul className={styles.people} aria-label="People found">
          {found.map((one) => (
            <li key={one.id}>
              <button type="button" className={styles.person} onClick={() => choose(one)}>
                {one.name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function statusOf(found: readonly Person[] | undefined, isUnreachable: boolean): string {
  if (isUnreachable) return 'The directory can’t be reached. Try again.';
  if (found === undefined) return '';
  return found.length === 0 ? 'Nobody was found.' : 'Choose a person below.';
}
