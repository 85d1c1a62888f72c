const size = 64;

/** Draws a dot on the icon of the page, or removes it. Does nothing on a page without an icon. */
export function markIcon(isMarked: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
  if (!link) return;
  const { plain, marked } = link.dataset;
  if (isMarked && link.href === marked) return;
  if (!isMarked) {
    if (plain !== undefined && link.href === marked) link.href = plain;
    delete link.dataset.marked;
    return;
  }
  // Set before the picture is loaded: one drawing at a time.
  if (marked !== undefined && plain === link.href) return;
  link.dataset.plain = link.href;
  link.dataset.marked = '';
  void withDot(link.href).then((drawn) => {
    // The waiting questions may be settled by now.
    if (drawn === undefined || link.dataset.marked !== '') return;
    link.dataset.marked = drawn;
    link.href = drawn;
  });
}

/** The picture with a dot, as a data URL; `undefined` if it cannot be drawn. */
async function withDot(address: string): Promise<string | undefined> {
  const picture = new Image(size, size);
  picture.src = address;
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return undefined;
  context.canvas.width = size;
  context.canvas.height = size;
  try {
    await picture.decode();
    context.drawImage(picture, 0, 0, size, size);
    context.fillStyle = '#fff';
    disc(context, 0.28);
    context.fillStyle = '#1f54d8';
    disc(context, 0.22);
    return context.canvas.toDataURL();
  } catch {
    return undefined;
  }
}

/** A disc in the lower right corner. @param radius as a share of the picture */
function disc(context: CanvasRenderingContext2D, radius: number): void {
  const centre = size * 0.72;
  context.beginPath();
  context.arc(centre, centre, size * radius, 0, 2 * Math.PI);
  context.fill();
}
