import { englishWords, type Words } from 'countersign/react';
import { cloneElement, isValidElement, type ReactNode } from 'react';
import { pluginWords } from './card-plugins.ts';

/** The full-width forms of the Latin letters: a text in them is translated, and still readable in a failure. */
const shift = 'Ａ'.charCodeAt(0) - 'A'.charCodeAt(0);

/** A text as this locale has it. */
function pseudo(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + shift));
}

/** Every text of the components, translated: a plain Latin letter on a page is data, or a text that cannot be translated. */
export const pseudoWords: Words = translated(englishWords);

/** The same for the texts of plugins. */
export const pseudoPluginWords = translated(pluginWords);

/** Words of one part, translated. */
export function translated<Words extends object>(words: Words): Words {
  return translatedValue(words) as Words;
}

function translatedValue(value: unknown): unknown {
  if (typeof value === 'string') return pseudo(value);
  if (typeof value === 'function') return (...args: unknown[]) => translatedNode(value(...args));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, translatedValue(inner)]));
}

function translatedNode(node: unknown): unknown {
  if (typeof node === 'string') return pseudo(node);
  if (Array.isArray(node)) return node.map(translatedNode);
  if (!isValidElement<{ children?: ReactNode }>(node)) return node;
  const { children } = node.props;
  // Elements within are what the words were given: only the texts between them are words.
  const parts = Array.isArray(children) ? children : [children];
  return cloneElement(node, {}, ...parts.map((part) => (typeof part === 'string' ? pseudo(part) : part)));
}
