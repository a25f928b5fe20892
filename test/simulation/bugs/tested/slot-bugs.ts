import type { TestedBug } from '../planted-bug.ts';

/** Bugs of slots: of the rules that choose them, and of the claims that take them. */
export const slotBugs = {
  'a day has one post more than its cap': {
    patches: [
      {
        file: 'lib/rhythm/slots.ts',
        replace: 'if ((counts.get(day) ?? 0) < dailyCap) return atMs;',
        with: 'if ((counts.get(day) ?? 0) <= dailyCap) return atMs;',
      },
    ],
    caughtBy: [
      'test/lib/rhythm/slots.test.ts',
      'leaves the evening free after a morning that belongs to the window of the day before',
    ],
  },
  'a claim of a slot ignores the claims since its read': {
    patches: [
      {
        file: 'lib/rhythm/choose-slot.ts',
        replace: 'if: item ? { version: versionOf(item) } : { pk: absent },',
        with: 'if: {},',
      },
    ],
    caughtBy: [
      'test/lib/rhythm/choose-slot.test.ts',
      'fails if another was committed since the calendar was read',
    ],
  },
  'the first claim on a calendar ignores another first claim': {
    patches: [
      {
        file: 'lib/rhythm/choose-slot.ts',
        replace: 'if: item ? { version: versionOf(item) } : { pk: absent },',
        with: 'if: item ? { version: versionOf(item) } : {},',
      },
    ],
    caughtBy: [
      'test/lib/rhythm/choose-slot.test.ts',
      'fails if another was committed since the calendar was read',
    ],
  },
  'a slot is chosen although the last claim is not visible yet': {
    patches: [
      {
        file: 'lib/rhythm/choose-slot.ts',
        replace: '!part.entries.some((entry) => entry.sk === sk);',
        with: '!part.entries.every(() => true);',
      },
    ],
    caughtBy: [
      'test/lib/rhythm/choose-slot.test.ts',
      'is read if the calendar does not show it, and is ignored if its slot was freed',
    ],
  },
  'a slot may touch the gap after another post, though not the one before': {
    patches: [
      {
        file: 'lib/rhythm/slots.ts',
        replace: 'const isTooNear = nearest !== undefined && nearest < atMs + distanceMs;',
        with: 'const isTooNear = nearest !== undefined && nearest <= atMs;',
      },
    ],
    caughtBy: [
      'test/lib/rhythm/slots.test.ts',
      'is searched quickly on fifty accounts that are full for three months',
    ],
  },
  'a post of a shared calendar is not seen by the next post': {
    patches: [
      {
        file: 'lib/rhythm/choose-slot.ts',
        replace: 'entries: [...account.entries, entry],',
        with: 'entries: account.entries,',
      },
    ],
    caughtBy: [
      'test/lib/posts/bulk/create-posts.test.ts',
      'get the slots that they would get one after another, whatever their accounts are',
    ],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
