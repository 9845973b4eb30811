import type { Waiting } from '@brightpane/contract/office/waiting';
import { useEffect, useId, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useFranchiseSearch } from '../../lib/franchise-choice.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { NAV_ITEMS, type NavItem, SETTINGS_ITEMS } from './nav-items.ts';
import { WaitingCount } from './waiting-count.tsx';

/** Links to the screens that the person may open. `onGo` closes the dialog that may hold them. */
export function OfficeNav({ waiting, onGo }: { waiting: Waiting | null; onGo?: () => void }) {
  return (
    <nav aria-label="Office" className="office-nav">
      <NavList items={NAV_ITEMS} className="office-nav-list" waiting={waiting} {...(onGo && { onGo })} />
    </nav>
  );
}

export function SettingsNav() {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone the links are wider than the screen, so scroll to the current one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each screen.
  useEffect(() => {
    nav.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav ref={nav} aria-label="Settings" className="settings-nav">
      <NavList items={SETTINGS_ITEMS} className="settings-nav-list" />
    </nav>
  );
}

function NavList({
  items,
  className,
  waiting = null,
  onGo,
}: {
  items: NavItem[];
  className: string;
  waiting?: Waiting | null;
  onGo?: () => void;
}) {
  const id = useId();
  const { rights } = useMe();
  const search = useFranchiseSearch();
  return (
    <ul className={className}>
      {items
        .filter(({ right }) => right === null || rights.includes(right))
        .map(({ to, text, waits }) => (
          <li key={to}>
            <NavLink
              className="office-nav-item"
              to={to + search}
              onClick={onGo}
              aria-describedby={waits && `${id}${to}`}
            >
              {text}
            </NavLink>
            {waits && <WaitingCount {...waits} id={`${id}${to}`} count={waiting?.[waits.name] ?? 0} />}
          </li>
        ))}
    </ul>
  );
}
