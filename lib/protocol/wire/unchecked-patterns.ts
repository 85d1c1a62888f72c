/** The keyword of a form's JSON Schema with the patterns that the server does not know, and that are not checked. @source H9 */
export const uncheckedPatterns = 'x-unchecked-patterns';
