import { isUnanswered } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import type { Duplicate } from '../../posts/duplicate.ts';
import { excerptOf } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import classes from './toolbar.module.css';

interface DuplicateNoteProps {
  failed: NonNullable<Duplicate['failed']>;
  onRetry: () => void;
  onDismiss: () => void;
}

/** Why a post was not copied. */
export function DuplicateNote({ failed, onRetry, onDismiss }: DuplicateNoteProps) {
  const name = words.moving.named(excerptOf(failed.post, 40));
  return (
    <div className={classes['failure']}>
      <ErrorNotice
        error={failed.error}
        title={
          isUnanswered(failed.error)
            ? words.calendarPage.duplicate.maybe(name)
            : words.calendarPage.duplicate.failed(name)
        }
      />
      <div className={classes['answers']}>
        <Button size="small" onPress={onRetry}>
          {words.shared.actions.retry}
        </Button>
        <Button size="small" variant="quiet" onPress={onDismiss}>
          {words.shared.actions.dismiss}
        </Button>
      </div>
    </div>
  );
}
