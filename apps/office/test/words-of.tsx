import type { Me } from '@brightpane/contract/office/sessions';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { MeContext } from '../app/lib/me/use-me.ts';

const ME: Me = {
  staffId: '3f6f0c1e-8d5a-4a57-9a3b-0d4f6f0f3a11',
  email: 'robin@example.com',
  firstName: 'Robin',
  lastName: 'Example',
  role: 'admin',
  rights: [],
  franchises: [],
  shortcuts: true,
  recoveryCodesLeft: 8,
  endsAt: '2026-11-30T12:00:00.000Z',
  isDemo: false,
};

/** The words of a part of a screen inside the frame, as it first shows. */
export function wordsOf(
  part: ReactNode,
  {
    search = '',
    franchises = [],
    rights = [],
  }: { search?: string; franchises?: Me['franchises']; rights?: Me['rights'] } = {},
): string {
  const Component = () => <MeContext value={{ ...ME, franchises, rights }}>{part}</MeContext>;
  const Screen = createRoutesStub([{ path: '/', Component }]);
  return renderToStaticMarkup(<Screen initialEntries={[`/${search}`]} />)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
