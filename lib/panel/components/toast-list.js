import { createStore } from '../api/store.ts';
export const toasts = createStore([]);
let lastId = 0;
/** Says for a moment that something worked: “Key created”. What failed belongs into the page, where it stays. */
export function toast(content) {
    lastId += 1;
    toasts.set([...toasts.get().slice(-2), { ...content, id: lastId }]);
}
export function dismissToast(id) {
    toasts.set(toasts.get().filter((each) => each.id !== id));
}
