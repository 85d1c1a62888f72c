import { inject, it, TestRunner } from 'vitest';
import { reason } from './passed-before.ts';

/** Vitest's runner, which does not load the files that have passed before. Their tests are reported as skipped. */
export default class SkippingRunner extends TestRunner {
  override importFile(...[path, source]: Parameters<TestRunner['importFile']>): unknown {
    const titles = source === 'collect' ? inject('passedBefore')[path] : undefined;
    if (titles === undefined) return super.importFile(path, source);
    for (const title of titles) it(title, ({ skip }) => skip(reason));
  }
}
