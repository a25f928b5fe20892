import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useState,
} from 'react';
import { Icon } from '../../components/icon.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { words } from '../../words/words.ts';
import { useTools } from './context.tsx';
import { composeHref, nameOfDay, partsOfDay, plusDays, step } from './days.ts';
import type { Entry } from './entries.ts';
import { focusOn, type Place } from './focus.ts';
import type { Shift } from './moving.ts';

interface GridKeysOptions {
  grid: RefObject<HTMLElement | null>;
  view: 'month' | 'week' | 'day';
  /** The day of the URL. */
  day: string;
  weeks: readonly (readonly string[])[];
  byDay: ReadonlyMap<string, readonly Entry[]>;
  onGoTo: (day: string) => void;
  onShift: (entry: Entry, by: Shift) => void;
  /** Enters a day that has no posts. */
  onEnter: (day: string) => void;
  /** Goes down from a date. */
  onDown: (day: string) => void;
}

/** Follows the focus in a grid of days, in which one thing is in the order of Tab, and does what its keys mean. */
export function useGridKeys(options: GridKeysOptions) {
  const { grid, view, day, weeks, byDay, onGoTo, onShift, onEnter, onDown } = options;
  const { selected } = useTools();
  const [active, setActive] = useState<Place>({ day });
  const days = weeks.flat();

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const shown = target.closest<HTMLElement>('[data-day]')?.dataset['day'];
    if (shown === undefined) return;
    const key = target.closest('li')?.querySelector<HTMLElement>('[data-entry]')?.dataset['entry'];
    setActive({ day: shown, key });
  };

  const goTo = (next: string) => (days.includes(next) ? focusOn(grid.current, { day: next }) : onGoTo(next));

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // The first Escape is for what is selected.
    if (event.defaultPrevented || (event.key === 'Escape' && selected.size > 0)) return;
    const target = event.target as HTMLElement;
    const cell = target.closest<HTMLElement>('[data-day]');
    const at = cell?.dataset['day'];
    if (!cell || at === undefined) return;
    const entry = byDay.get(at)?.find(({ key }) => key === target.dataset['entry']);
    const place = target.matches('[data-date]') ? 'day' : target.matches('[data-item]') ? 'item' : 'other';
    const wish = wishOf(event, place, entry !== undefined);
    if (wish === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const items = [...cell.querySelectorAll<HTMLElement>('[data-item]')];
    switch (wish.kind) {
      case 'day':
        return wish.days === 7 ? onDown(at) : goTo(plusDays(at, wish.days));
      case 'weekEdge': {
        const week = weeks.find((each) => each.includes(at)) ?? [];
        return goTo((wish.edge === 'first' ? week[0] : week.at(-1)) ?? at);
      }
      case 'page':
        return onGoTo(step(view, at, wish.direction));
      case 'enter': {
        const post = items.find((item) => item.dataset['entry'] !== undefined);
        return post === undefined ? onEnter(at) : post.focus();
      }
      case 'leave':
        return goTo(at);
      case 'item': {
        const number = items.indexOf(target);
        const next = wish.step === 'first' ? 0 : wish.step === 'last' ? items.length - 1 : number + wish.step;
        return items[next]?.focus();
      }
      case 'shift':
        if (entry) onShift(entry, 'days' in wish ? { days: wish.days } : { minutes: wish.minutes });
    }
  };

  return {
    // What is shown changed under the focus.
    active: days.includes(active.day) ? active : { day },
    goTo,
    gridProps: { onFocus, onKeyDown },
  };
}

interface DateButtonProps {
  ref: Ref<HTMLButtonElement>;
  day: string;
  /** The number of its posts. */
  posts: number;
  isInTabOrder: boolean;
  className: string | undefined;
  onOpenDay: (day: string) => void;
  children: ReactNode;
}

/** The date of a day, which opens it. */
export function DateButton(props: DateButtonProps) {
  const { ref, day, posts, isInTabOrder, className, onOpenDay, children } = props;
  const isToday = day === useTools().today;
  const { before, after } = words.calendarPage.grid.day(partsOfDay(day), posts, isToday);
  return (
    <button
      ref={ref}
      type="button"
      data-date
      tabIndex={isInTabOrder ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
      className={className}
      onClick={() => onOpenDay(day)}
    >
      <VisuallyHidden>{before}</VisuallyHidden>
      {children}
      <VisuallyHidden>{after}</VisuallyHidden>
    </button>
  );
}

/** Writes a post for a day, unless that is over. */
export function NewPostLink({ day, className }: { day: string; className: string | undefined }) {
  const { timezone, now } = useTools();
  const href = composeHref(day, timezone, now);
  if (href === undefined) return null;
  return (
    <a
      href={href}
      tabIndex={-1}
      draggable={false}
      className={className}
      aria-label={words.calendarPage.grid.newPostOn(nameOfDay(day))}
    >
      <Icon name="plus" size={14} />
    </a>
  );
}

/** A wish that a key expresses in the grid. */
type Wish =
  | { readonly kind: 'day'; readonly days: number }
  | { readonly kind: 'weekEdge'; readonly edge: 'first' | 'last' }
  | { readonly kind: 'page'; readonly direction: 1 | -1 }
  | { readonly kind: 'enter' | 'leave' }
  | { readonly kind: 'item'; readonly step: 1 | -1 | 'first' | 'last' }
  | { readonly kind: 'shift'; readonly minutes: number }
  | { readonly kind: 'shift'; readonly days: number };

const quarter = 15;

/** Alt with arrows moves a post: up and down by a quarter of an hour, sideways by a day. */
const shifts: Readonly<Record<string, Wish>> = {
  ArrowUp: { kind: 'shift', minutes: -quarter },
  ArrowDown: { kind: 'shift', minutes: quarter },
  ArrowLeft: { kind: 'shift', days: -1 },
  ArrowRight: { kind: 'shift', days: 1 },
};

const onDate: Readonly<Record<string, Wish>> = {
  ArrowLeft: { kind: 'day', days: -1 },
  ArrowRight: { kind: 'day', days: 1 },
  ArrowUp: { kind: 'day', days: -7 },
  ArrowDown: { kind: 'day', days: 7 },
  Home: { kind: 'weekEdge', edge: 'first' },
  End: { kind: 'weekEdge', edge: 'last' },
  PageUp: { kind: 'page', direction: -1 },
  PageDown: { kind: 'page', direction: 1 },
  Enter: { kind: 'enter' },
  F2: { kind: 'enter' },
};

const onItem: Readonly<Record<string, Wish>> = {
  ArrowUp: { kind: 'item', step: -1 },
  ArrowDown: { kind: 'item', step: 1 },
  Home: { kind: 'item', step: 'first' },
  End: { kind: 'item', step: 'last' },
  ArrowLeft: { kind: 'day', days: -1 },
  ArrowRight: { kind: 'day', days: 1 },
  PageUp: { kind: 'page', direction: -1 },
  PageDown: { kind: 'page', direction: 1 },
  Escape: { kind: 'leave' },
  F2: { kind: 'leave' },
};

type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/**
 * @param place whether the focus is on a day, on something in it, or on a button in that
 * @param isPost whether what has the focus is a post
 */
function wishOf(
  { key, altKey, ctrlKey, metaKey, shiftKey }: Key,
  place: 'day' | 'item' | 'other',
  isPost: boolean,
): Wish | undefined {
  if (ctrlKey || metaKey || shiftKey) return undefined;
  if (altKey) return isPost ? shifts[key] : undefined;
  if (place === 'other') return key === 'Escape' ? { kind: 'leave' } : undefined;
  return (place === 'day' ? onDate : onItem)[key];
}
