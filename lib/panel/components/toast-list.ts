import { createStore } from '../api/store.ts';

export interface ToastContent {
  readonly text: string;
  readonly tone?: 'good' | 'bad' | 'neutral';
  /** Such as *Undo*. It stays possible for as long as the toast is shown. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Default 6 s; 10 s with an action. */
  readonly durationMs?: number;
}

export interface Toast extends ToastContent {
  readonly id: number;
}

export const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Says for a moment that something worked: “Key created”. What failed belongs into the page, where it stays. */
export function toast(content: ToastContent): void {
  lastId += 1;
  toasts.set([...toasts.get().slice(-2), { ...content, id: lastId }]);
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id));
}
