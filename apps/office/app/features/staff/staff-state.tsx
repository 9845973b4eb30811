import { Badge } from '@brightpane/ui/page/badge.tsx';
import type { StaffMember } from './staff-member.ts';

const STATES = {
  invited: { tone: 'warning', word: 'Invited' },
  active: { tone: 'success', word: 'Active' },
  off: { tone: 'neutral', word: 'Off' },
} as const;

export function StaffState({ member: { state, isHeld } }: { member: Pick<StaffMember, 'state' | 'isHeld'> }) {
  // Held after a restore, until the command line confirms the person.
  if (isHeld) return <Badge tone="danger">Held</Badge>;
  const { tone, word } = STATES[state];
  return <Badge tone={tone}>{word}</Badge>;
}
