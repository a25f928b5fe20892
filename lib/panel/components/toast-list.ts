export interface ToastContent {
  readonly text: string;
  readonly tone?: 'good' | 'bad' | 'neutral';
  /** Such as *Undo*. It stays possible for as long as the toast is shown. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Default 6 s; 10 s with an action. */
  readonly durationMs?: number;
}

const usualMs = 6_000;
const withActionMs = 10_000;

export const loadToasts = () => import('./toast.tsx');

/** Says for a moment that something worked: “Key created”. What failed belongs into the page, where it stays. */
export function toast(content: ToastContent): void {
  const timeout = content.durationMs ?? (content.action ? withActionMs : usualMs);
  void loadToasts().then(({ toasts }) => toasts.add(content, { timeout }));
}
