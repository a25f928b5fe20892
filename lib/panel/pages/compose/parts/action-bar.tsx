import type { ReactNode } from 'react';
import { Button as BaseButton } from 'react-aria-components/Button';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import { keys } from '../draft/places.ts';
import { instantText } from '../draft/to-request.ts';
import type { Keeping } from '../state/use-kept-draft.ts';
import classes from './action-bar.module.css';
import { focusField } from './at-field.tsx';
import { useComposing } from './context.ts';

const texts = words.composer.bar;

export interface ActionBarProps {
  keeping: Keeping;
  hint: string | undefined;
  keepLabel: string;
  sendLabel: string;
  pending: 'keep' | 'send' | undefined;
  onKeep: () => void;
  onSend: () => void;
}

/** What a draft is for. It stays in sight while the page scrolls. */
export function ActionBar({ keeping, hint, keepLabel, sendLabel, pending, onKeep, onSend }: ActionBarProps) {
  return (
    <section className={classes['bar']} aria-label={texts.label}>
      <div className={classes['text']}>
        <BaseButton className={classes['when'] as string} onPress={() => focusField(keys.when)}>
          <Icon name="clock" size={14} />
          <WhenText />
        </BaseButton>
        <p className={classes['state']} role="status">
          {hint !== undefined ? <span className={classes['hint']}>{hint}</span> : keepingText[keeping]}
        </p>
      </div>
      <div className={classes['actions']}>
        <Button onPress={onKeep} isPending={pending === 'keep'} isDisabled={pending === 'send'}>
          {keepLabel}
        </Button>
        <Button
          variant="primary"
          onPress={onSend}
          isPending={pending === 'send'}
          isDisabled={pending === 'keep'}
        >
          {sendLabel}
        </Button>
      </div>
    </section>
  );
}

const keepingText: Readonly<Record<Keeping, ReactNode>> = {
  nothing: '',
  waiting: texts.keeping,
  kept: texts.kept,
  failed: <span className={classes['hint']}>{texts.notKept}</span>,
};

function WhenText() {
  const { draft } = useComposing();
  const { when, timezone } = draft;
  if (when.kind !== 'at') return <span>{when.kind === 'slot' ? texts.slot : texts.now}</span>;
  const at = instantText(when.time, timezone);
  return at === undefined ? <span>{texts.noTime}</span> : <Time at={at} />;
}
