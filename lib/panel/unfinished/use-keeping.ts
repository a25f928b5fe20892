import { useEffect, useEffectEvent } from 'react';

/** Long enough that not every letter is written, short enough that nothing is lost. */
const keepAfterMs = 300;

/**
 * Has unfinished work kept soon after it was changed, and at once when the page may be gone in a moment.
 *
 * @param changed the work: each other value of it is a change
 * @param keep keeps it as it is now; it may be called although nothing has changed
 */
export function useKeeping(changed: unknown, keep: () => void): void {
  const keepNow = useEffectEvent(keep);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins to wait anew
  useEffect(() => {
    const timer = setTimeout(() => keepNow(), keepAfterMs);
    return () => clearTimeout(timer);
  }, [changed]);
  useEffect(() => {
    const listen = () => keepNow();
    window.addEventListener('pagehide', listen);
    document.addEventListener('visibilitychange', listen);
    return () => {
      window.removeEventListener('pagehide', listen);
      document.removeEventListener('visibilitychange', listen);
      keepNow();
    };
  }, []);
}
