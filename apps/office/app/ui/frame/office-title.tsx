import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import type { ReactNode } from 'react';

/** The screen's one `h1`; the document's title also says that this is the office. */
export function OfficeTitle({ title, children }: { title: string; children?: ReactNode }) {
  return <PageTitle title={`${title} · Brightpane office`}>{children ?? title}</PageTitle>;
}
