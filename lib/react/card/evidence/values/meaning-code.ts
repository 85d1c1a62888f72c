// A module that is only loaded on demand: one that others import as well would get two files in the package.
export { meaningOf } from '../../../../client/text/value-meaning.ts';
