/** Who signs in, as the demo's login takes it. */
export type Login = { readonly name: string; readonly role?: string };

/** Managers may approve large payments, and see operations. */
export const ada: Login = { name: 'Ada', role: 'manager' };
export const otto: Login = { name: 'Otto', role: 'manager' };
export const ben: Login = { name: 'Ben' };
export const dana: Login = { name: 'Dana', role: 'director' };
