import { sentencePieces } from '../../../client/text/sentence-pieces.ts';

/** A sentence with the values of a call in it, which are isolated if part of it is written from right to left. */
export function Sentence({ text, input }: { text: string; input: unknown }) {
  const pieces = sentencePieces(text, input);
  return pieces.map((piece, index) => {
    const Piece = index % 2 === 1 ? 'bdi' : 'span';
    return <Piece key={placeKey(index)}>{piece}</Piece>;
  });
}

function placeKey(index: number): string {
  return `value-${index}`;
}
