import type { ReactNode } from 'react';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';

/** The frame of every screen in front of a session: one narrow column with one thing to do. */
export function AuthColumn({
  title,
  lead,
  children,
  footer,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** Ways to neighbouring screens. */
  footer?: ReactNode;
}) {
  return (
    <div className="auth-column">
      <section className="auth-card">
        <OfficeTitle title={title} />
        {lead && <p className="quiet">{lead}</p>}
        {children}
        {footer && <div className="auth-card-footer">{footer}</div>}
      </section>
    </div>
  );
}
