import { useEffect, useSyncExternalStore } from 'react';

/** Code of a part of a page that is loaded apart from it. */
export interface Loadable<Module> {
  load(): void;
  get(): Module | undefined;
  subscribe(onLoaded: () => void): () => void;
}

/**
 * Makes code loadable apart from its page. Unlike `lazy` of React, a part whose code is there is shown at once, so that it can take
 * the focus. If loading fails, the part is missing until the next attempt.
 */
export function loadable<Module>(read: () => Promise<Module>): Loadable<Module> {
  const listeners = new Set<() => void>();
  let module: Module | undefined;
  let isLoading = false;
  return {
    get: () => module,
    load() {
      if (isLoading || module !== undefined) return;
      isLoading = true;
      read()
        .then((loaded) => {
          module = loaded;
          for (const each of listeners) each();
        })
        .catch(() => undefined)
        .finally(() => {
          isLoading = false;
        });
    },
    subscribe(onLoaded) {
      listeners.add(onLoaded);
      return () => listeners.delete(onLoaded);
    },
  };
}

/**
 * Returns the code once it is loaded, which begins after the component is shown.
 *
 * @param isNeeded false to wait
 */
export function useLoaded<Module>(code: Loadable<Module>, isNeeded = true): Module | undefined {
  useEffect(() => {
    if (!isNeeded) return;
    // First the browser paints what is there.
    const timer = setTimeout(() => code.load());
    return () => clearTimeout(timer);
  }, [code, isNeeded]);
  return useSyncExternalStore(code.subscribe, code.get);
}
