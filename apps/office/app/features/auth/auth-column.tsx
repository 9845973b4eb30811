import { SendingContext, useSending } from '@brightpane/ui/forms/sending/sending';
import type { ReactNode } from 'react';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';

/** The frame of every screen before sign-in: one narrow column with one task. */
export function AuthColumn({
  title,
  lead,
  children,
  footer,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** Links to related screens. */
  footer?: ReactNode;
}) {
  const sending = useSending();
  return (
    <div className="auth-column">
      <section className="auth-card">
        <OfficeTitle title={title} />
        {lead && <p className="quiet">{lead}</p>}
        <SendingContext value={sending}>
          {children}
          {footer && <div className="auth-card-footer">{footer}</div>}
        </SendingContext>
      </section>
    </div>
  );
}
