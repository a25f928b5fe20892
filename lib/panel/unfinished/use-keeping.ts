import { useEffect, useRef } from 'react';

/** Long enough that not every letter is written, short enough that nothing is lost. */
const keepAfterMs = 300;

/**
 * Has unfinished work kept soon after it was changed, and at once when the page may be gone in a moment.
 *
 * @param changed the work: each other value of it is a change
 * @param keep keeps it as it is now; it may be called although nothing has changed
 */
export function useKeeping(changed: unknown, keep: () => void): void {
  const latest = useRef(keep);
  latest.current = keep;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins to wait anew
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), keepAfterMs);
    return () => clearTimeout(timer);
  }, [changed]);
  useEffect(() => {
    const keepNow = () => latest.current();
    window.addEventListener('pagehide', keepNow);
    document.addEventListener('visibilitychange', keepNow);
    return () => {
      window.removeEventListener('pagehide', keepNow);
      document.removeEventListener('visibilitychange', keepNow);
      keepNow();
    };
  }, []);
}
