import type { ChatTransport, UIMessage } from 'ai';

/**
 * The same transport, whatever else it can do included, but with some of its methods in another way. Unlike a copy it
 * keeps what a class hides: private fields and getters.
 */
export function overrideTransport<Transport extends ChatTransport<UIMessage>>(
  transport: Transport,
  methods: Partial<ChatTransport<UIMessage>>,
): Transport {
  return new Proxy(transport, {
    get(target, property) {
      if (Object.hasOwn(methods, property)) return Reflect.get(methods, property);
      const value: unknown = Reflect.get(target, property, target);
      // A method that reads private fields must not see the proxy as `this`.
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
