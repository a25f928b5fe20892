import { loadable } from './loaded.ts';
import type { ToastContent } from './toast.tsx';

const usualMs = 6_000;
const withActionMs = 10_000;

const read = () => import('./toast.tsx');

/** Shows toasts. Loaded with the first one. */
export const toastCode = loadable(read);

/** Says for a moment that something worked: “Key created”. What failed belongs into the page, where it stays. */
export function toast(content: ToastContent): void {
  const timeout = content.durationMs ?? (content.action ? withActionMs : usualMs);
  toastCode.load();
  void read().then(({ toasts }) => toasts.add(content, { timeout }));
}
