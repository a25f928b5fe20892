import { ApiError, isNotFound } from '../api/api-error.ts';
import { strings } from '../strings.ts';
import { Button } from './button.tsx';
import { join } from './classes.ts';
import classes from './empty-state.module.css';
import { sentence } from './error-notice.tsx';
import { Icon } from './icon.tsx';
import { RequestId } from './request-id.tsx';

interface ErrorStateProps {
  readonly error: Error;
  readonly onRetry?: (() => void) | undefined;
  readonly isRetrying?: boolean | undefined;
}

/** Where something should be that did not load: says why, what to do, and what to quote. */
export function ErrorState({ error, onRetry, isRetrying = false }: ErrorStateProps) {
  const isMissing = isNotFound(error);
  const isForbidden = error instanceof ApiError && error.status === 403;
  return (
    <div className={classes['empty']} role="alert">
      <span className={join(classes['icon'], classes['bad'])}>
        <Icon name="alert" size={20} />
      </span>
      <h2 className={classes['title']}>{isMissing ? strings.errors.notFoundTitle : strings.errors.title}</h2>
      <div className={classes['text']}>
        <p>{isMissing ? strings.errors.notFoundText : sentence(error.message)}</p>
        {isForbidden && <p>{strings.errors.forbidden}</p>}
        <RequestId error={error} />
      </div>
      {onRetry && !isMissing && !isForbidden && (
        <div className={classes['action']}>
          <Button icon="refresh" onPress={onRetry} isPending={isRetrying}>
            {strings.actions.retry}
          </Button>
        </div>
      )}
    </div>
  );
}
