import { useSyncExternalStore } from 'react';

/** The screens with one column: see `shell/frame.module.css`. */
export const smallScreen = '(width < 43.75rem)';

/** Returns true while a media query matches. */
export function useMedia(query: string): boolean {
  const subscribe = (listener: () => void) => {
    const list = matchMedia(query);
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
