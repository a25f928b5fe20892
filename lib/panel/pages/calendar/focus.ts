import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** The element to focus once it is shown. */
interface Wish extends Place {
  /** The day that the page must be at first. */
  readonly urlDay?: string;
}

export interface CalendarFocus {
  /** The place that has the focus, or had it last. */
  readonly place: RefObject<Partial<Place>>;
  readonly want: (wish: Wish) => void;
}

/** Time to wait for the element. Later the person may be elsewhere. */
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

/** A post in the calendar, or a day. */
export interface Place {
  readonly day: string;
  readonly key?: string | undefined;
}

/** Gives the focus to the post if it is shown, or else to its day. Says whether one of them was there. */
export function focusOn(root: HTMLElement | null, { day, key }: Place): boolean {
  const shown = root?.querySelector<HTMLElement>(`[data-day="${day}"] [data-date]`);
  const card = key === undefined ? null : root?.querySelector<HTMLElement>(`[data-entry="${key}"]`);
  const found = card ?? shown;
  found?.focus();
  return found !== null && found !== undefined;
}

/** The same for what had the focus and is gone: a post that was put back has another time. */
function focusAgain(root: HTMLElement | null, place: Place): boolean {
  const id = place.key?.split('@')[0];
  const card = id === undefined ? null : root?.querySelector<HTMLElement>(`[data-entry^="${id}@"]`);
  card?.focus();
  return card ? true : focusOn(root, place);
}

/** A card of the post or, if none is shown, the day that Tab reaches, or the first one. */
export const placeOfPost = (root: HTMLElement | null, postId: string): HTMLElement | undefined =>
  [`[data-entry^="${postId}"]`, '[data-date][tabindex="0"]', '[data-date]']
    .map((selector) => root?.querySelector<HTMLElement>(selector))
    .find((found) => found !== null && found !== undefined);

/** The element to focus once the filters are cleared: the first of them, or the button that shows them. */
export const placeOfFilters = (root: HTMLElement | null): HTMLElement | null | undefined =>
  root?.querySelector<HTMLElement>('search button:not([tabindex="-1"])');

/** Returns the place of an element in the calendar. */
function placeOf(element: Element | null): Partial<Place> {
  const day = element?.closest<HTMLElement>('[data-day]')?.dataset['day'];
  const key = element?.closest('li')?.querySelector<HTMLElement>('[data-entry]')?.dataset['entry'];
  return { ...(day !== undefined && { day }), ...(key !== undefined && { key }) };
}

/** Gives the focus to the next or the previous post in the order of the page. */
export function focusNext(root: HTMLElement | null, direction: 1 | -1): void {
  const cards = [...(root?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
  const present = cards.indexOf(document.activeElement as HTMLElement);
  const next = present < 0 ? (direction === 1 ? 0 : cards.length - 1) : present + direction;
  cards[next]?.focus();
}
