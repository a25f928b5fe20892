import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_ToastContent as Content,
  UNSTABLE_ToastRegion as Region,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastQueue as ToastQueue,
} from 'react-aria-components/Toast';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { join } from './classes.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import classes from './toast.module.css';

export interface ToastContent {
  text: string;
  tone?: 'good' | 'bad' | 'neutral';
  /** Such as *Undo*. It stays possible for as long as the toast is shown. */
  action?: { label: string; run: () => void };
  /** Default 6 s; 10 s with an action. */
  durationMs?: number;
}

export const toasts = new ToastQueue<ToastContent>({ maxVisibleToasts: 3 });

/** The place of toasts. While the pointer or the focus is on one, none goes away. */
export default function ToastRegion() {
  return (
    <Region queue={toasts} className={classes.region} aria-label={words.shared.toasts.region}>
      {({ toast }) => {
        const { text, tone = 'good', action } = toast.content;
        return (
          <Toast toast={toast} className={classes.toast}>
            {tone !== 'neutral' && (
              <span className={join(classes.icon, classes[tone])}>
                <Icon name={tone === 'good' ? 'check' : 'alert'} />
              </span>
            )}
            <Content className={classes.text}>
              <Text slot="title">{text}</Text>
            </Content>
            {action && (
              <Button
                size="small"
                onPress={() => {
                  toasts.close(toast.key);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton slot="close" icon="cross" size="small" label={words.shared.actions.dismiss} />
          </Toast>
        );
      }}
    </Region>
  );
}
