/** Parts of SVG pictures. */

export const WIDTH = 900;

/** A white picture of the standard width. */
export const picture = (height: string, colour: string, elements: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="${colour}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...elements,
    '</svg>',
    '',
  ].join('\n');

export const text = (x: number, y: number, content: string, style = ''): string =>
  `<text x="${at(x)}" y="${at(y)}"${style === '' ? '' : ` ${style}`}>${escaped(content)}</text>`;

export const line = (x1: number, y1: number, x2: number, y2: number, style: string): string =>
  `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" ${style}/>`;

export const box = (x: number, y: number, width: number, height: number, style: string): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" ${style}/>`;

/** A coordinate. */
export const at = (coordinate: number): string => coordinate.toFixed(1);

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
