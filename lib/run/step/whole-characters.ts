import type { TextStreamPart, ToolSet } from 'ai';

type Part = TextStreamPart<ToolSet>;

/**
 * Keeps surrogate pairs together: a model's stream may cut a text between the two halves of one character, and half of a
 * pair cannot be sent as UTF-8. The first half waits for the next piece of its block. A half that stays alone becomes
 * U+FFFD. Everything that streams a step's text gets it from here.
 *
 * @returns the part with whole characters only; the end of a block whose last half stayed alone becomes the text U+FFFD
 */
export function createWholeCharacters(): (part: Part) => Part {
  /** The half that waits, by block. */
  const halves = new Map<string, string>();

  function whole(block: string, piece: string): string {
    const text = (halves.get(block) ?? '') + piece;
    const isCut = isFirstHalf(text.charCodeAt(text.length - 1));
    if (isCut) halves.set(block, text.slice(-1));
    else halves.delete(block);
    return (isCut ? text.slice(0, -1) : text).toWellFormed();
  }

  return (part) => {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta': {
        const text = whole(`${part.type} ${part.id}`, part.text);
        return text === part.text ? part : { ...part, text };
      }
      case 'tool-input-delta': {
        const delta = whole(`${part.type} ${part.id}`, part.delta);
        return delta === part.delta ? part : { ...part, delta };
      }
      case 'text-end':
        return halves.delete(`text-delta ${part.id}`)
          ? { type: 'text-delta', id: part.id, text: '\ufffd' }
          : part;
      case 'reasoning-end':
        return halves.delete(`reasoning-delta ${part.id}`)
          ? { type: 'reasoning-delta', id: part.id, text: '\ufffd' }
          : part;
      case 'tool-input-end':
        return halves.delete(`tool-input-delta ${part.id}`)
          ? { type: 'tool-input-delta', id: part.id, delta: '\ufffd' }
          : part;
      default:
        return part;
    }
  };
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
