import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

interface Toast {
  readonly text: string;
  readonly tone?: 'good' | 'bad' | 'neutral';
  /** Such as *Undo*. It stays possible for as long as the toast is shown. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Default 6 s; 10 s with an action. */
  readonly durationMs?: number;
}

const usualMs = 6_000;
const withActionMs = 10_000;

export const toasts = new ToastQueue<Toast>({ maxVisibleToasts: 3 });

/** Says for a moment that something worked: “Key created”. What failed belongs into the page, where it stays. */
export function toast(content: Toast): void {
  toasts.add(content, { timeout: content.durationMs ?? (content.action ? withActionMs : usualMs) });
}
