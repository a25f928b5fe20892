import { ApiError, isNotFound } from '../api/api-error.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { join } from './classes.ts';
import classes from './empty-state.module.css';
import { sentence } from './error-notice.tsx';
import { Icon } from './icon.tsx';
import { RequestId } from './request-id.tsx';

interface ErrorStateProps {
  error: Error;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean | undefined;
}

/** Takes the place of something that did not load: says why, what to do, and what to quote. */
export function ErrorState({ error, onRetry, isRetrying = false }: ErrorStateProps) {
  const isMissing = isNotFound(error);
  const isForbidden = error instanceof ApiError && error.status === 403;
  return (
    <div className={classes.empty} role="alert">
      <span className={join(classes.icon, classes.bad)}>
        <Icon name="alert" size={20} />
      </span>
      <h2 className={classes.title}>
        {isMissing ? words.shared.errors.notFoundTitle : words.shared.errors.title}
      </h2>
      <div className={classes.text}>
        <p>{isMissing ? words.shared.errors.notFoundText : sentence(error.message)}</p>
        {isForbidden && <p>{words.shared.errors.forbidden}</p>}
        <RequestId error={error} />
      </div>
      {onRetry && !isMissing && !isForbidden && (
        <div className={classes.action}>
          <Button icon="refresh" onPress={onRetry} isPending={isRetrying}>
            {words.shared.actions.retry}
          </Button>
        </div>
      )}
    </div>
  );
}
