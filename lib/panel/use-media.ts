import { useSyncExternalStore } from 'react';

/** Below this width there is one column: see `shell/frame.module.css`. */
export const smallScreen = '(width < 43.75rem)';

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const subscribe = (listener: () => void) => {
    const list = matchMedia(query);
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
