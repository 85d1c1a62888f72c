/** Whole frames as they stand on the wire, without their empty lines. Comments are no frames. */
export async function* rawFrames(response: Response): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = (rest + text).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) if (!frame.startsWith(':')) yield frame;
  }
  if (rest !== '') throw new Error(`The stream ends in the middle of a frame: ${rest}`);
}
