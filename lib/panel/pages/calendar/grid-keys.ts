import type { KeyboardEvent } from 'react';

/** What a key asks for in the grid. */
export type Wish =
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

const onDay: Readonly<Record<string, Wish>> = {
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
export function wishOf(
  { key, altKey, ctrlKey, metaKey, shiftKey }: Key,
  place: 'day' | 'item' | 'other',
  isPost: boolean,
): Wish | undefined {
  if (ctrlKey || metaKey || shiftKey) return undefined;
  if (altKey) return isPost ? shifts[key] : undefined;
  if (place === 'other') return key === 'Escape' ? { kind: 'leave' } : undefined;
  return (place === 'day' ? onDay : onItem)[key];
}
