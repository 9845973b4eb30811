/** US letter, in points. */
export const PAGE = { width: 612, height: 792, margin: 44 } as const;

export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;

/** The light palette of the portal. */
export const COLORS = {
  ink: '#10243a',
  inkSoft: '#4a5d73',
  paper: '#ffffff',
  glass: '#f2f7fb',
  line: '#d5e0ea',
  primary: '#0b62c4',
  success: '#14724a',
  successWash: '#e2f4ec',
  warning: '#7a4b00',
  warningWash: '#ffe8b3',
} as const;

export type Color = (typeof COLORS)[keyof typeof COLORS];
