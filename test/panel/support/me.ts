import type * as z from 'zod';
import type { MeView } from '../../../lib/people/views.ts';

type Me = z.infer<typeof MeView>;

export const berlin = '00000000-0000-4000-8000-000000000001';
export const newYork = '00000000-0000-4000-8000-000000000002';

export function meOf(changes: Partial<Me> = {}): Me {
  return {
    person: { id: 'person-1', email: 'owner@herald.example', name: 'Olga Owner' },
    session: {
      id: '00000000-0000-4000-8000-000000000009',
      signedInAt: '2026-03-02T08:00:00.000Z',
      endsAt: '2026-03-09T08:00:00.000Z',
    },
    workspaces: [
      { id: berlin, name: 'Nordlicht', timezone: 'Europe/Berlin', role: 'owner', isSuspended: false },
      { id: newYork, name: 'Harbour', timezone: 'America/New_York', role: 'member', isSuspended: false },
    ],
    apiUrl: 'https://api.test',
    linkUrl: 'https://api.test',
    ...changes,
  };
}

/** The signed-in person of a workspace in UTC, so that its days are those of `Date`. */
export const meInUtc = (): Me => {
  const me = meOf();
  return { ...me, workspaces: me.workspaces.map((each) => ({ ...each, timezone: 'UTC' })) };
};
