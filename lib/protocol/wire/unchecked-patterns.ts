/** The keyword of a form's JSON Schema with the patterns that the server does not know, so that nobody checks them. @source H9 */
export const uncheckedPatterns = 'x-unchecked-patterns';
