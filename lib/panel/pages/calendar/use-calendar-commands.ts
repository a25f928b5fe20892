import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import type { View } from './grid.ts';

interface CalendarCommands {
  /** Whether posts are in a grid, in which Alt with arrows moves them. */
  readonly isGrid: boolean;
  readonly onToday: () => void;
  readonly onView: (view: View) => void;
  readonly onNewPost: () => void;
  readonly onMove: () => void;
  readonly onShift: (by: { readonly minutes: number } | { readonly days: number }) => void;
  readonly onStep: (direction: 1 | -1) => void;
}

const texts = words.calendarPage.commands;
const quarter = 15;

/** The keys of the calendar. `M` is Move…, so the month has `O`. The grid itself listens to Alt with arrows. */
export function useCalendarCommands(on: CalendarCommands): void {
  useCommands(
    [
      { name: texts.today, icon: 'calendar' as const, keys: 't', run: on.onToday },
      { name: texts.day, keys: 'd', run: () => on.onView('day') },
      { name: texts.week, keys: 'w', run: () => on.onView('week') },
      { name: texts.month, keys: 'o', run: () => on.onView('month') },
      { name: texts.agenda, keys: 'a', run: () => on.onView('agenda') },
      { name: texts.newPost, icon: 'plus' as const, keys: 'n', run: on.onNewPost },
      { name: texts.move, icon: 'clock' as const, keys: 'm', run: on.onMove },
      { name: texts.next, keys: 'j', run: () => on.onStep(1) },
      { name: texts.previous, keys: 'k', run: () => on.onStep(-1) },
      ...(on.isGrid
        ? [
            { name: texts.earlier, keys: 'Alt+↑', run: () => on.onShift({ minutes: -quarter }) },
            { name: texts.later, keys: 'Alt+↓', run: () => on.onShift({ minutes: quarter }) },
            { name: texts.dayEarlier, keys: 'Alt+←', run: () => on.onShift({ days: -1 }) },
            { name: texts.dayLater, keys: 'Alt+→', run: () => on.onShift({ days: 1 }) },
          ]
        : []),
    ].map((command) => ({ ...command, group: 'page' as const })),
  );
}
