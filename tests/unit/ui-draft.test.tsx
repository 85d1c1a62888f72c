// @vitest-environment jsdom
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { describe, expect, it } from 'vitest';
import { Draft } from '../../app/chats/_messages/draft.tsx';

describe('drafts that grow', () => {
  it('an earlier text is whole as soon as the next one is visible', () => {
    const place = document.createElement('div');
    const root = createRoot(place);
    const show = (...texts: readonly string[]) =>
      flushSync(() =>
        root.render(
          texts.map((text, at) => (
            <Draft
              key={String(at)}
              text={text}
              isLast={at === texts.length - 1}
              isGrowing
              isWaiting={false}
            />
          )),
        ),
      );
    show('The model begins');
    show('The model begins with this text.', 'The next text');
    expect(place.textContent).toBe('The model begins with this text.DraftThe next text');
    flushSync(() => root.unmount());
  });
});
