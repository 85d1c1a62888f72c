import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listPictures } from '../../_content/documents.ts';

/** A picture of the documentation, from the list of those that are there. */
export async function GET(
  _: Request,
  { params }: { params: Promise<{ path: string[] }> },
): Promise<Response> {
  const { path } = await params;
  const folder = process.cwd();
  const named = `docs/${path.join('/')}`;
  const picture = (await listPictures(folder)).find((file) => file === named);
  if (picture === undefined) return new Response(null, { status: 404 });
  // Without the mark the build would follow this path into every folder of the project, which takes longer than the rest.
  const file = join(/* turbopackIgnore: true */ folder, picture);
  return new Response(await readFile(file), {
    headers: {
      'content-type': picture.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
      'cache-control': 'max-age=3600',
    },
  });
}
