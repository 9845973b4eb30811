import { PDFiumLibrary } from '@hyzyla/pdfium';
import { encodePng } from './encode-png.ts';

/** 608:392 at double size, to stay sharp on a phone. */
export const PREVIEW = { width: 1216, height: 784 } as const;

let opening: Promise<PDFiumLibrary> | undefined;

/**
 * Draws the top of a PDF's first page as a PNG of 1216 by 784. Call it for one PDF at a time: the
 * library has a single memory.
 */
export async function renderPng(pdf: Uint8Array): Promise<Buffer> {
  opening ??= PDFiumLibrary.init();
  const document = await (await opening).loadDocument(pdf);
  try {
    const first = document.getPage(0);
    const { originalWidth } = first.getOriginalSize();
    const { data } = await first.render({ scale: PREVIEW.width / originalWidth, render: 'bitmap' });
    return encodePng(data.subarray(0, PREVIEW.width * PREVIEW.height * 4), PREVIEW);
  } finally {
    document.destroy();
  }
}
