import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import textClasses from '../../../components/texts.module.css';
import classes from './inherited.module.css';

interface InheritedProps {
  label: string;
  says: string;
  children?: ReactNode;
  action?: string;
  onOverride?: () => void;
}

/** What an account has from the post, and the way to something of its own. */
export function Inherited({ label, says, children, action, onOverride }: InheritedProps) {
  return (
    <div className={classes['inherited']}>
      <div className={classes['text']}>
        <p className={textClasses['label']}>{label}</p>
        <p className={classes['says']}>
          <Icon name="links" size={12} />
          {says}
        </p>
        {children}
      </div>
      {onOverride && (
        <Button size="small" icon="pencil" onPress={onOverride}>
          {action}
        </Button>
      )}
    </div>
  );
}

/** Below what an account has of its own: the way back. */
export function InheritAgain({ action, onPress }: { action: string; onPress: () => void }) {
  return (
    <div>
      <Button size="small" variant="quiet" icon="links" onPress={onPress}>
        {action}
      </Button>
    </div>
  );
}
