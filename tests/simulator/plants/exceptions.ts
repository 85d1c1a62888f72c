/** What of the rules one thread with a virtual clock cannot show, and where it is shown instead. */
export const exceptions: readonly { readonly rule: string; readonly what: string; readonly why: string }[] = [];
