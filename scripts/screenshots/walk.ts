import type { Person } from '../../tests/browser/support/person.ts';
import type { Studio } from './studio.ts';

/** Takes the pictures of one state. @param height of the window, in CSS pixels, for pages that are long */
export type Take = (person: Person, state: string, height?: number) => Promise<void>;

/** A way through the states of a page. */
export type Walk = {
  readonly page: string;
  readonly walk: (studio: Studio, take: Take) => Promise<void>;
};
