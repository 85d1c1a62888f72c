/** Precedes the id of an option in the value of its button. */
export const optionPrefix = 'option.';
