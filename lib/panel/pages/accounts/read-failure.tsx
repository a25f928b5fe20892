import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { words } from '../../words/words.ts';
import classes from './account-page.module.css';

interface ReadFailureProps {
  read: {
    error: Error | null;
    isFetching: boolean;
    refetch: () => unknown;
  };
  title?: string;
}

/** Takes the place of a part of a page that did not load. */
export function ReadFailure({ read, title }: ReadFailureProps) {
  if (read.error === null) return null;
  return (
    <div className={classes.readFailure}>
      <ErrorNotice error={read.error} title={title} />
      <Button size="small" icon="refresh" isPending={read.isFetching} onPress={() => void read.refetch()}>
        {words.shared.actions.retry}
      </Button>
    </div>
  );
}
