// depends on: only its imports
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileModule } from 'svelte/compiler';
import { answerTwice, settings } from './drive.mjs';

// What Svelte's bundler plugin does: the export condition, and the compiler for modules with runes.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, 'svelte'] }),
  load(url, context, next) {
    if (!url.endsWith('.svelte.js')) return next(url, context);
    const { js } = compileModule(readFileSync(fileURLToPath(url), 'utf8'), {
      filename: url,
      generate: 'client',
    });
    return { format: 'module', shortCircuit: true, source: js.code };
  },
});

const { Chat } = await import('@ai-sdk/svelte');
await answerTwice(new Chat(settings));
