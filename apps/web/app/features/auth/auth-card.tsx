import { SendingContext, useSending } from '@brightpane/ui/forms/sending/sending';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import type { ReactNode } from 'react';

/** The frame of every account screen: one narrow column with one task. */
export function AuthCard({
  title,
  lead,
  outcome,
  children,
  footer,
}: {
  title: string;
  lead?: ReactNode;
  /** The last attempt's outcome. */
  outcome?: ReactNode;
  children?: ReactNode;
  /** Links to related screens. */
  footer?: ReactNode;
}) {
  const sending = useSending();
  return (
    <section className="auth-card">
      <PageTitle title={title} />
      {lead && <p className="quiet">{lead}</p>}
      {outcome}
      <SendingContext value={sending}>
        {children}
        {footer && <div className="auth-card-footer">{footer}</div>}
      </SendingContext>
    </section>
  );
}
