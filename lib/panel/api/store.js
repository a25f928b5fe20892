import { useSyncExternalStore } from 'react';
export function createStore(initial) {
    let value = initial;
    const listeners = new Set();
    return {
        get: () => value,
        set: (next) => {
            if (Object.is(next, value))
                return;
            value = next;
            for (const listener of listeners)
                listener();
        },
        subscribe: (listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
}
export function useStore({ subscribe, get }) {
    return useSyncExternalStore(subscribe, get);
}
