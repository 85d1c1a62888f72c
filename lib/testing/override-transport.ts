import type { ChatTransport, UIMessage } from 'ai';

/**
 * The same transport with some methods replaced. Unlike a copy, it keeps the private fields and getters of a class.
 */
export function overrideTransport<Transport extends ChatTransport<UIMessage>>(
  transport: Transport,
  methods: Partial<ChatTransport<UIMessage>>,
): Transport {
  return new Proxy(transport, {
    get(target, property) {
      if (Object.hasOwn(methods, property)) return Reflect.get(methods, property);
      const value: unknown = Reflect.get(target, property, target);
      // A method that reads private fields must not be called with the proxy as `this`.
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
