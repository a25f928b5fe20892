import { useEffect, useState } from 'react';
import { useStore } from '../api/store.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { join } from './classes.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import classes from './toast.module.css';
import { dismissToast, type Toast, toasts } from './toast-list.ts';

const usualMs = 6_000;
const withActionMs = 10_000;

/** Where toasts appear. It is always in the page, so that assistive technology notices what is added. */
export function ToastRegion() {
  const shown = useStore(toasts);
  const [isHeld, setHeld] = useState(false);
  return (
    <section
      className={classes['region']}
      aria-label={words.shared.toasts.region}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role="log" aria-live="polite" aria-relevant="additions" className={classes['list']}>
        {shown.map((each) => (
          <ToastCard key={each.id} toast={each} isHeld={isHeld} />
        ))}
      </div>
    </section>
  );
}

/** While the pointer or the focus is on a toast, none goes away. */
function ToastCard({ toast, isHeld }: { readonly toast: Toast; readonly isHeld: boolean }) {
  const { id, text, tone = 'good', action, durationMs = action ? withActionMs : usualMs } = toast;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissToast(id), durationMs);
    return () => clearTimeout(timer);
  }, [id, durationMs, isHeld]);
  return (
    <div className={classes['toast']}>
      {tone !== 'neutral' && (
        <span className={join(classes['icon'], classes[tone])}>
          <Icon name={tone === 'good' ? 'check' : 'alert'} />
        </span>
      )}
      <p className={classes['text']}>{text}</p>
      {action && (
        <Button
          size="small"
          onPress={() => {
            dismissToast(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        icon="cross"
        size="small"
        label={words.shared.actions.dismiss}
        onPress={() => dismissToast(id)}
      />
    </div>
  );
}
