import { PDFiumLibrary } from '@hyzyla/pdfium';

/** A part of a document as a screen reader meets it. */
export type TaggedPart = {
  tag: string;
  /** Its own text, without its children's. */
  text: string;
  alt: string;
  children: TaggedPart[];
};

export type TaggedPage = {
  parts: TaggedPart[];
  /** Text that readers skip. */
  artifacts: string[];
  /** How many drawn objects are neither in the tree nor an artifact. */
  untagged: number;
};

/** The library's own functions, which its types don't expose. Pointers are numbers. */
type Raw = Record<`_${string}`, (...given: number[]) => number> & { HEAPU8: Uint8Array };

/** Reads a PDF's structure and reading order with a library that didn't write it. */
export async function readTaggedPdf(pdf: Uint8Array): Promise<TaggedPage[]> {
  const library = await PDFiumLibrary.init();
  const raw = (library as unknown as { module: Raw }).module;
  const call = (name: string, ...given: number[]): number => {
    const found = raw[`_${name}`];
    if (!found) throw new Error(`the library has no ${name}`);
    return found(...given);
  };
  const file = call('malloc', pdf.byteLength);
  raw.HEAPU8.set(pdf, file);
  const document = call('FPDF_LoadMemDocument', file, pdf.byteLength, 0);
  if (call('FPDFCatalog_IsTagged', document) !== 1) throw new Error('the document is not tagged');
  const pages = Array.from({ length: call('FPDF_GetPageCount', document) }, (_, index) =>
    readPage({ raw, call }, call('FPDF_LoadPage', document, index)),
  );
  library.destroy();
  return pages;
}

type Reader = { raw: Raw; call: (name: string, ...given: number[]) => number };

function readPage(reader: Reader, page: number): TaggedPage {
  const { call } = reader;
  const textPage = call('FPDFText_LoadPage', page);
  const byContent = new Map<number, string>();
  const artifacts: string[] = [];
  let untagged = 0;
  for (let index = 0; index < call('FPDFPage_CountObjects', page); index++) {
    const object = call('FPDFPage_GetObject', page, index);
    const text = readText(reader, 'FPDFTextObj_GetText', object, textPage);
    const content = call('FPDFPageObj_GetMarkedContentID', object);
    if (marksOf(reader, object).includes('Artifact')) artifacts.push(text);
    else if (content >= 0) byContent.set(content, (byContent.get(content) ?? '') + text);
    else untagged++;
  }
  const tree = call('FPDF_StructTree_GetForPage', page);
  const parts = Array.from({ length: call('FPDF_StructTree_CountChildren', tree) }, (_, index) =>
    readPart(reader, call('FPDF_StructTree_GetChildAtIndex', tree, index), byContent),
  );
  return { parts, artifacts: artifacts.filter((text) => text !== ''), untagged };
}

function readPart(reader: Reader, element: number, byContent: Map<number, string>): TaggedPart {
  const { call } = reader;
  const count = call('FPDF_StructElement_GetMarkedContentIdCount', element);
  const contents = Array.from({ length: Math.max(0, count) }, (_, index) =>
    call('FPDF_StructElement_GetMarkedContentIdAtIndex', element, index),
  );
  const children = Array.from({ length: call('FPDF_StructElement_CountChildren', element) }, (_, index) =>
    call('FPDF_StructElement_GetChildAtIndex', element, index),
  );
  return {
    tag: readText(reader, 'FPDF_StructElement_GetType', element),
    text: contents.map((content) => byContent.get(content) ?? '').join(''),
    alt: readText(reader, 'FPDF_StructElement_GetAltText', element),
    children: children.filter((child) => child !== 0).map((child) => readPart(reader, child, byContent)),
  };
}

function marksOf({ raw, call }: Reader, object: number): string[] {
  const size = 256;
  const buffer = call('malloc', size);
  const length = call('malloc', 4);
  const names = Array.from({ length: Math.max(0, call('FPDFPageObj_CountMarks', object)) }, (_, index) => {
    call('FPDFPageObjMark_GetName', call('FPDFPageObj_GetMark', object, index), buffer, size, length);
    const bytes = new DataView(raw.HEAPU8.buffer).getUint32(length, true);
    return utf16(raw.HEAPU8.slice(buffer, buffer + bytes));
  });
  call('free', buffer);
  call('free', length);
  return names;
}

/** Calls a function that takes a buffer and its length last, and returns how many bytes it needs. */
function readText({ raw, call }: Reader, name: string, ...given: number[]): string {
  const size = call(name, ...given, 0, 0);
  if (size <= 0) return '';
  const buffer = call('malloc', size);
  call(name, ...given, buffer, size);
  const text = utf16(raw.HEAPU8.slice(buffer, buffer + size));
  call('free', buffer);
  return text;
}

const utf16 = (bytes: Uint8Array): string => new TextDecoder('utf-16le').decode(bytes).replace(/\0+$/, '');
