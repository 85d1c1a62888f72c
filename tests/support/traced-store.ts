import type { FlowStore } from '../../lib/log/store/index.ts';

/**
 * A store whose asynchronous methods are called by a function.
 *
 * @param around gets the name of the method, such as `chats.head`, and the call
 */
export function tracedStore<Store extends FlowStore>(
  store: Store,
  around: (method: string, call: () => Promise<unknown>) => Promise<unknown>,
): Store {
  const traced = <Group extends object>(group: Group, path: string): Group =>
    new Proxy(group, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        const method = `${path}${String(name)}`;
        if (method === 'subscribe' || method.startsWith('clock.')) return member;
        if (typeof member === 'function')
          return (...args: unknown[]) => around(method, () => Reflect.apply(member, target, args));
        return typeof member === 'object' && member !== null ? traced(member, `${method}.`) : member;
      },
    });
  return traced(store, '');
}
