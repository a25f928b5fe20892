import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { focusAgain, focusOn, type Place, placeOf } from './focus.ts';

/** What is to get the focus as soon as it is shown. */
interface Wish extends Place {
  /** The day that the page must be at first. */
  readonly urlDay?: string;
}

export interface CalendarFocus {
  /** Where the focus is, or was last. */
  readonly place: RefObject<Partial<Place>>;
  readonly want: (wish: Wish) => void;
}

/** What is not shown within this time does not get the focus later, when the person is elsewhere. */
const patienceMs = 3_000;

/**
 * Follows the focus in the calendar, and moves it to what is shown next, such as a post on its new day.
 *
 * @param day of the URL
 */
export function useCalendarFocus(root: RefObject<HTMLElement | null>, day: string): CalendarFocus {
  const place = useRef<Partial<Place>>({});
  const wish = useRef<Wish & { readonly until: number }>(undefined);
  useEffect(() => {
    const wanted = wish.current;
    if (wanted === undefined || (wanted.urlDay !== undefined && wanted.urlDay !== day)) return;
    if (wanted.until < performance.now() || focusOn(root.current, wanted)) wish.current = undefined;
  });
  // A card that is shown on another day, or put back, is another element. The focus goes to it before the page's keeper looks.
  const last = useRef<Element>(undefined);
  useLayoutEffect(() => {
    const { day: at, key } = place.current;
    if (last.current === undefined || last.current.isConnected || at === undefined) return;
    last.current = undefined;
    if (document.activeElement === document.body) focusAgain(root.current, { day: at, key });
  });
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last.current = target;
      place.current = placeOf(target);
    };
    const element = root.current;
    element?.addEventListener('focusin', follow);
    return () => element?.removeEventListener('focusin', follow);
  }, [root]);
  const want = (wanted: Wish) => {
    wish.current = { ...wanted, until: performance.now() + patienceMs };
  };
  return { place, want };
}
