import type { ToastContent } from './toast.tsx';

const usualMs = 6_000;
const withActionMs = 10_000;

export const loadToasts = () => import('./toast.tsx');

/** Says for a moment that something worked: “Key created”. What failed belongs into the page, where it stays. */
export function toast(content: ToastContent): void {
  const timeout = content.durationMs ?? (content.action ? withActionMs : usualMs);
  void loadToasts().then(({ toasts }) => toasts.add(content, { timeout }));
}
