import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useMe } from '../../lib/me/use-me.ts';
import { ActForm } from '../act/act-form.tsx';
import { OfficeLink } from '../facts/office-link.tsx';

/** A menu under the person's name, for everything about themselves. */
export function PersonMenu({ onSignOut }: { onSignOut: () => Promise<ActionResult> }) {
  const { firstName, lastName, email } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when a link has led elsewhere.
  useEffect(() => setIsOpen(false), [key]);
  const name = `${firstName} ${lastName}`.trim() || email;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the button and the links inside.
    <div
      ref={box}
      className="person-menu"
      onBlur={({ relatedTarget }) => box.current?.contains(relatedTarget) || setIsOpen(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        // The menu consumes Escape, so that it does nothing else.
        event.preventDefault();
        setIsOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        className="btn btn-quiet person-menu-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="person-menu-initials" aria-hidden="true">
          {initials(firstName, lastName, email)}
        </span>
        <span className="person-menu-name">{name}</span>
      </button>
      <div id={id} className="person-menu-list" hidden={!isOpen}>
        <p className="person-menu-email">{email}</p>
        <OfficeLink className="office-nav-item" to="/settings/account">
          Your account
        </OfficeLink>
        <ActForm act={onSignOut}>
          {({ isPending }) => (
            <SubmitButton className="office-nav-item" isPending={isPending}>
              Sign out
            </SubmitButton>
          )}
        </ActForm>
      </div>
    </div>
  );
}

function initials(firstName: string, lastName: string, email: string): string {
  return ((firstName[0] ?? '') + (lastName[0] ?? '') || (email[0] ?? '')).toUpperCase();
}
