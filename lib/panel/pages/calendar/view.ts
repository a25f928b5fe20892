import { useNavigate, useSearch } from '@tanstack/react-router';
import { platformOf } from '../../accounts/platforms.ts';
import { stateChoices } from '../../posts/state.ts';
import { smallScreen, useMedia } from '../../use-media.ts';
import { dayOf, type View, views } from './days.ts';
import type { Filters } from './entries.ts';

type Search = Readonly<Partial<Record<'view' | 'day' | 'account' | 'platform' | 'status' | 'tag', string>>>;

export interface CalendarView {
  /** The view that the person chose. */
  readonly chosen: View;
  /** The view that the screen has space for: a month becomes an agenda on small ones. */
  readonly view: View;
  readonly isSmall: boolean;
  readonly day: string;
  readonly filters: Filters;
  /** The number of filters. */
  readonly filterCount: number;
  /** Changes the URL; `isStep`: *Back* undoes it. */
  readonly go: (changes: Search, isStep?: boolean) => void;
}

/** Reads the view, the day and the filters from the URL. */
export function useCalendarView(today: string): CalendarView {
  const search = useSearch({ from: '/shell/calendar' });
  const navigate = useNavigate({ from: '/calendar' });
  const isSmall = useMedia(smallScreen);
  const chosen = views.find((each) => each === search.view) ?? (isSmall ? 'agenda' : 'month');
  const view = isSmall && chosen === 'month' ? 'agenda' : chosen;
  const filters = {
    account: search.account,
    tag: search.tag,
    platform: platformOf(search.platform),
    status:
      search.status === 'attention' ? 'attention' : stateChoices.find(({ id }) => id === search.status)?.id,
  } satisfies Filters;
  return {
    chosen,
    view,
    isSmall,
    day: dayOf(search.day) ?? today,
    filters,
    filterCount: Object.values(filters).filter((each) => each !== undefined).length,
    go: (changes, isStep = false) =>
      void navigate({
        search: (before) => withoutEmpty({ ...before, ...changes }),
        replace: !isStep,
        resetScroll: false,
      }),
  };
}

const withoutEmpty = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
